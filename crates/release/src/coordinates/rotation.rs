//! A public rotation that puts smooth functions first.

use dpfda_kernels::Grid;
use ndarray::Array2;

#[cfg(test)]
#[path = "rotation_tests.rs"]
mod tests;

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
        self.columns(self.reflections.len())
    }

    /// The first columns of the rotation, so many: those of [`Self::basis`], and beyond them any that are orthonormal to them.
    pub(crate) fn columns(&self, count: usize) -> Array2<f64> {
        let points = self.reflections.first().map_or(0, Vec::len);
        let mut basis = Array2::zeros((points, count));
        for (index, mut column) in basis.columns_mut().into_iter().enumerate() {
            let mut unit = vec![0.0; points];
            unit[index] = 1.0;
            // later reflections are of coordinates that are 0
            for (place, v) in self.reflections.iter().enumerate().take(index + 1).rev() {
                reflect(v, &mut unit[place..]);
            }
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
