//! Random functions on a line, a circle or a rectangle.

use std::f64::consts::{PI, SQRT_2};

use dpfda::kernels::Grid;
use ndarray::{Array1, Array2};

/// The share of the variance that is the level.
const LEVEL: f64 = 0.5;

/// The length of the waves, as a part of the domain.
const LENGTH: f64 = 0.2;

/// Waves of a line or circle, and along each axis of a rectangle.
const ON_A_LINE: usize = 16;
const ON_A_RECTANGLE: usize = 5;

/// Sums of waves with random sizes: a stationary process of variance 1 on each axis mapped to `[0, 1]`.
///
/// ```text
/// f = level + sum_k [ a_k cos(2 pi f_k t) + b_k sin(2 pi f_k t) ],   var a_k = var b_k in proportion to (1 + (2 pi f_k l)^2 / 5)^(-(5 + d)/2)
/// ```
///
/// That is the spectrum of a Matern 5/2 kernel on `d` axes. On a line the frequencies `f_k` are halves, so that the ends differ.
#[derive(Debug, Clone)]
pub struct Waves {
    axes: Vec<Axis>,
    /// The standard deviation of each.
    pub sd: Array1<f64>,
}

#[derive(Debug, Clone)]
struct Axis {
    lower: f64,
    length: f64,
    /// The frequency of the longest wave.
    least: f64,
    waves: usize,
}

impl Axis {
    fn of(grid: &Grid, waves: usize) -> Self {
        let least = if grid.is_periodic() { 1.0 } else { 0.5 };
        Self { lower: grid.lower(), length: grid.upper() - grid.lower(), least, waves }
    }

    fn frequency(&self, function: usize) -> f64 {
        self.least * function.div_ceil(2) as f64
    }

    fn functions(&self) -> usize {
        2 * self.waves + 1
    }

    fn at(&self, function: usize, point: f64) -> f64 {
        let turn = 2.0 * PI * self.frequency(function) * (point - self.lower) / self.length;
        match function {
            0 => 1.0,
            odd if odd % 2 == 1 => SQRT_2 * turn.cos(),
            _ => SQRT_2 * turn.sin(),
        }
    }
}

impl Waves {
    /// On the domain of these axes.
    pub fn on(axes: &[&Grid]) -> Self {
        let waves = if axes.len() == 1 { ON_A_LINE } else { ON_A_RECTANGLE };
        let axes: Vec<Axis> = axes.iter().map(|grid| Axis::of(grid, waves)).collect();
        let power = -(5.0 + axes.len() as f64) / 2.0;
        let functions = axes.iter().map(Axis::functions).product();
        let spectrum = |function: usize| {
            let squares = places(&axes, function).map(|(axis, one)| axis.frequency(one).powi(2));
            (1.0 + squares.sum::<f64>() * (2.0 * PI * LENGTH).powi(2) / 5.0).powf(power)
        };
        let mut variance: Array1<f64> = (0..functions).map(spectrum).collect();
        let others = variance.sum() - variance[0];
        variance *= (1.0 - LEVEL) / others;
        variance[0] = LEVEL;
        Self { axes, sd: variance.mapv(f64::sqrt) }
    }

    /// Every wave at points, which have a coordinate for each axis.
    pub fn at(&self, points: &[Vec<f64>]) -> Array2<f64> {
        Array2::from_shape_fn((points.len(), self.sd.len()), |(point, function)| {
            let each = places(&self.axes, function).zip(&points[point]);
            each.map(|((axis, one), coordinate)| axis.at(one, *coordinate)).product()
        })
    }
}

/// Which function of each axis a product is of.
fn places(axes: &[Axis], function: usize) -> impl Iterator<Item = (&Axis, usize)> {
    axes.iter().scan(function, |rest, axis| {
        let one = *rest % axis.functions();
        *rest /= axis.functions();
        Some((axis, one))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn waves_have_variance_one_at_every_point_of_every_domain() {
        let (line, circle) = (Grid::uniform(-2.0, 5.0, 9).unwrap(), Grid::circle(0.0, 24.0, 9).unwrap());
        for (axes, points) in [
            (vec![&line], vec![vec![-2.0], vec![1.3], vec![5.0]]),
            (vec![&circle], vec![vec![0.0], vec![17.0]]),
            (vec![&line, &circle], vec![vec![-2.0, 3.0], vec![4.0, 23.0]]),
        ] {
            let waves = Waves::on(&axes);
            let scaled = waves.at(&points) * &waves.sd;
            for variance in scaled.mapv(|x| x * x).sum_axis(ndarray::Axis(1)) {
                assert!((variance - 1.0).abs() < 1e-12, "{variance}");
            }
        }
    }

    #[test]
    fn waves_on_a_circle_close_up_and_those_on_a_line_do_not() {
        let jump = |grid: &Grid| {
            let waves = Waves::on(&[grid]);
            let ends = waves.at(&[vec![grid.lower()], vec![grid.upper()]]) * &waves.sd;
            (&ends.row(0) - &ends.row(1)).mapv(|x| x * x).sum().sqrt()
        };
        assert!(jump(&Grid::circle(0.0, 24.0, 9).unwrap()) < 1e-12);
        assert!(jump(&Grid::uniform(0.0, 24.0, 9).unwrap()) > 0.5);
    }
}
