//! A public rotation that puts smooth functions first.

use dpfda_kernels::Grid;
use ndarray::Array2;

/// `z -> H_K ... H_1 z`: the Householder reflections that bring the span of the first `k` of
///
/// ```text
/// sqrt(w_i) g(t_i),    g = 1, t, t^2, cos(pi t), cos(2 pi t), ...
/// ```
///
/// to the first `k` coordinates, for every `k <= K`; on a circle `g = 1, cos(2 pi t), sin(2 pi t), cos(4 pi t), ...` It is orthonormal up to rounding, whatever the grid. Additions, products,
/// quotients and roots in a fixed order make it the same on every machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rotation {
    /// `v_j` without its first `j` coordinates, which are 0: `H_j = I - v_j v_j'`, `|v_j|^2 = 2`.
    reflections: Vec<Vec<f64>>,
}

impl Rotation {
    /// The rotation for so many functions on a grid of the unit interval.
    pub(crate) fn new(unit_grid: &Grid, functions: usize) -> Self {
        Self::of(Self::smooth_functions(unit_grid, functions))
    }

    /// The rotation that brings the span of the first `k` of these vectors to the first `k` coordinates, for every `k`.
    pub(crate) fn of(vectors: impl Iterator<Item = Vec<f64>>) -> Self {
        let mut rotation = Self { reflections: Vec::new() };
        for (index, mut vector) in vectors.enumerate() {
            rotation.apply(&mut vector);
            rotation.reflections.extend(vector.get(index..).map(reflection));
        }
        rotation
    }

    /// `sqrt(w_i) g(t_i)` for `1, t, t^2, cos(pi t), cos(2 pi t), ...`, or on a circle for `1, cos(2 pi t), sin(2 pi t), ...`
    pub(crate) fn smooth_functions(unit_grid: &Grid, functions: usize) -> impl Iterator<Item = Vec<f64>> {
        let function = if unit_grid.is_periodic() { wave } else { function };
        (0..functions).map(move |index| sampled(unit_grid, |t| function(index, t)))
    }

    /// `sqrt(w_i) cos(j pi t_i)` for `j = 0, 1, ...`
    pub(crate) fn waves(unit_grid: &Grid, functions: usize) -> impl Iterator<Item = Vec<f64>> {
        (0..functions).map(move |j| sampled(unit_grid, |t| cosine_of_half_turns(j as f64 * t)))
    }

    /// Rotates a vector of isonormal coordinates.
    pub(crate) fn apply(&self, z: &mut [f64]) {
        for (index, v) in self.reflections.iter().enumerate() {
            reflect(v, &mut z[index..]);
        }
    }

    /// Rotates a vector back.
    pub(crate) fn undo(&self, z: &mut [f64]) {
        for (index, v) in self.reflections.iter().enumerate().rev() {
            reflect(v, &mut z[index..]);
        }
    }

    /// The orthonormal functions that the first coordinates are those of, in isonormal coordinates: a column for each.
    pub(crate) fn basis(&self) -> Array2<f64> {
        let points = self.reflections.first().map_or(0, Vec::len);
        let mut basis = Array2::zeros((points, self.reflections.len()));
        for (index, mut column) in basis.columns_mut().into_iter().enumerate() {
            let mut unit = vec![0.0; points];
            unit[index] = 1.0;
            self.undo(&mut unit);
            column.iter_mut().zip(unit).for_each(|(entry, value)| *entry = value);
        }
        basis
    }
}

/// The number of smooth functions that are used on so many points: at most `most`.
///
/// On a circle their span must not depend on where the circle begins, so that a cosine comes with its sine: all functions, or an odd
/// number of them.
pub(crate) fn whole_frequencies(points: usize, is_periodic: bool, most: usize) -> usize {
    if points <= most || !is_periodic || !most.is_multiple_of(2) { points.min(most) } else { most - 1 }
}

/// A function in isonormal coordinates.
fn sampled(unit_grid: &Grid, of: impl Fn(f64) -> f64) -> Vec<f64> {
    let roots = unit_grid.weights().mapv(f64::sqrt);
    unit_grid.points().iter().zip(&roots).map(|(t, root)| root * of(*t)).collect()
}

/// `1, t, t^2, cos(pi t), cos(2 pi t), ...`
fn function(index: usize, t: f64) -> f64 {
    match index {
        0 => 1.0,
        1 => t,
        2 => t * t,
        _ => cosine_of_half_turns((index - 2) as f64 * t),
    }
}

/// `1, cos(2 pi t), sin(2 pi t), cos(4 pi t), sin(4 pi t), ...`
fn wave(index: usize, t: f64) -> f64 {
    let half_turns = 2.0 * index.div_ceil(2) as f64 * t;
    let quarter = if index > 0 && index.is_multiple_of(2) { 0.5 } else { 0.0 };
    cosine_of_half_turns((half_turns - quarter).abs())
}

/// `cos(pi x)` for `x >= 0` without the machine's own cosine, which differs between machines: a power series on
/// `[0, pi/2]`, whose next term is below `1e-19`.
pub(crate) fn cosine_of_half_turns(x: f64) -> f64 {
    let turned = x % 2.0;
    let folded = turned.min(2.0 - turned);
    let (sign, rest) = if folded > 0.5 { (-1.0, 1.0 - folded) } else { (1.0, folded) };
    let square = (std::f64::consts::PI * rest) * (std::f64::consts::PI * rest);
    let series = (1..12).rev().fold(1.0, |inner, k| {
        let k = f64::from(k);
        1.0 - square / ((2.0 * k - 1.0) * (2.0 * k)) * inner
    });
    sign * series
}

/// The reflection of a vector onto its first axis: `v` with `|v|^2 = 2`, or 0 for a vector of nothing.
fn reflection(x: &[f64]) -> Vec<f64> {
    let norm = dot(x, x).sqrt();
    let mut v = x.to_vec();
    let Some(first) = v.first_mut() else { return v };
    // away from zero, so that nothing cancels
    *first += if *first < 0.0 { -norm } else { norm };
    let length = dot(&v, &v).sqrt();
    let factor = if length > 0.0 { std::f64::consts::SQRT_2 / length } else { 0.0 };
    for x in &mut v {
        *x *= factor;
    }
    v
}

fn reflect(v: &[f64], z: &mut [f64]) {
    let along = dot(v, z);
    z.iter_mut().zip(v).for_each(|(z, v)| *z -= along * v);
}

/// The inner product, in eight independent sums for the compiler to put side by side: their order never changes.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::f64::consts::PI;

    use super::*;

    fn grids() -> Vec<Grid> {
        let uneven = Grid::new((0..60).map(|i| f64::from(i * i) / 3481.0).collect()).unwrap();
        // points that are hardly apart
        let close = Grid::new((0..50).map(|i| if i < 49 { f64::from(i) * 1e-9 } else { 1.0 }).collect()).unwrap();
        let circles = [40, 41].map(|n| Grid::circle(0.0, 1.0, n).unwrap());
        let intervals = [Grid::uniform(0.0, 1.0, 93).unwrap(), Grid::uniform(0.0, 1.0, 41).unwrap(), uneven, close];
        intervals.into_iter().chain(circles).collect()
    }

    #[test]
    fn the_cosine_is_that_of_the_standard_library() {
        for x in (0..4000).map(|i| f64::from(i) * 0.01) {
            assert!((cosine_of_half_turns(x) - (PI * x).cos()).abs() < 1e-13, "{x}");
        }
        assert_eq!([0.0, 1.0, 2.0, 7.0].map(cosine_of_half_turns), [1.0, -1.0, 1.0, -1.0]);
        assert!(cosine_of_half_turns(0.5).abs() < 1e-15);
    }

    #[test]
    fn a_rotation_is_orthonormal_on_every_grid_and_can_be_undone() {
        for grid in grids() {
            for functions in [2, 3, 40] {
                let rotation = Rotation::new(&grid, functions);
                let basis = rotation.basis();
                assert_eq!(basis.dim(), (grid.len(), functions));
                let distance = (basis.t().dot(&basis) - Array2::<f64>::eye(functions)).mapv(f64::abs).sum();
                assert!(distance < 1e-11, "{distance}");
                let before: Vec<f64> = (0..grid.len()).map(|i| ((i * 37) % 17) as f64 / 17.0 - 0.4).collect();
                let mut z = before.clone();
                rotation.apply(&mut z);
                let (length, rotated) = (dot(&before, &before), dot(&z, &z));
                assert!((length / rotated - 1.0).abs() < 1e-13);
                for (k, column) in basis.columns().into_iter().enumerate() {
                    assert!((column.iter().zip(&before).map(|(p, z)| p * z).sum::<f64>() - z[k]).abs() < 1e-12);
                }
                rotation.undo(&mut z);
                assert!(z.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn smooth_functions_lie_within_the_first_coordinates() {
        let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
        let rotation = Rotation::new(&grid, 40);
        let beyond = |f: &dyn Fn(f64) -> f64| {
            let roots = grid.weights().mapv(f64::sqrt);
            let mut z: Vec<f64> = grid.points().iter().zip(&roots).map(|(t, root)| root * f(*t)).collect();
            let length = dot(&z, &z);
            rotation.apply(&mut z);
            (dot(&z[40..], &z[40..]) / length).sqrt()
        };
        assert!(beyond(&|t| 3.0 - t + 2.0 * t * t) < 1e-13);
        assert!(beyond(&|t| (PI * 37.0 * t).cos()) < 1e-12);
        assert!(beyond(&|t| (6.0 * t).exp()) < 1e-3);
        assert!(beyond(&|t| (-((t - 0.4) / 0.05).powi(2)).exp()) < 1e-3);
        assert!(beyond(&|t| (PI * 60.0 * t).cos()) > 0.9);
    }

    #[test]
    fn on_a_circle_the_first_coordinates_are_those_of_slow_waves() {
        let grid = Grid::circle(0.0, 1.0, 40).unwrap();
        let rotation = Rotation::new(&grid, 9);
        let of_wave = |frequency: f64, phase: f64| {
            let mut z = sampled(&grid, |t| (2.0 * PI * frequency * t + phase).cos());
            rotation.apply(&mut z);
            (dot(&z[..9], &z[..9]), dot(&z[9..], &z[9..]))
        };
        for frequency in 1..5 {
            let (within, beyond) = of_wave(f64::from(frequency), 0.7);
            assert!((within - 0.5).abs() < 1e-13 && beyond < 1e-25, "{frequency}: {within} {beyond}");
        }
        let (within, beyond) = of_wave(5.0, 0.7);
        assert!(within < 1e-25 && (beyond - 0.5).abs() < 1e-13);
    }

    #[test]
    fn the_rotation_is_the_same_on_every_machine() {
        // the bits of another program in another language, operation by operation
        let rotation = Rotation::new(&Grid::uniform(0.0, 1.0, 93).unwrap(), 40);
        let mut z: Vec<f64> = (0..93).map(|i| f64::from((i * 29) % 31) / 32.0 - 0.5).collect();
        rotation.apply(&mut z);
        let bits = z.iter().fold(0_u64, |all, x| all.rotate_left(7) ^ x.to_bits());
        assert_eq!(bits, 7_125_491_440_667_194_160);
    }
}
