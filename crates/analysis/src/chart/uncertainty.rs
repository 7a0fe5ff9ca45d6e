//! How well a chart knows the distribution at each level.

use ndarray::{Array1, Array2};

use super::amplitudes::Weighted;
use super::noisy::NoisyDistribution;
use super::second_opinion::{SecondOpinion, WAVES, columns};
use super::shape::Shape;

/// How much of the second opinion counts: the square of its mean holds the noise of that mean.
const SHARE: f64 = 0.5;

/// The free chart's distribution functions at fine levels, with variances: `n` rows, a column for each level.
#[derive(Debug, Clone)]
pub(super) struct Uncertainty {
    /// `F_c = sum_i w_i F_i`.
    pub(super) distribution: Array2<f64>,
    /// `C = sum_i w_i (L_i P_i L_i' + (F_i - F_c)^2)`: that of the chart, to first order.
    pub(super) chart: Array2<f64>,
    /// `max(C, (V + d^2) / 2)` with mean `d` and variance `V` of the second opinion.
    pub(super) band: Array2<f64>,
}

impl Uncertainty {
    pub(super) fn of(observed: &NoisyDistribution, shapes: &[Weighted], levels: &Array1<f64>) -> Self {
        let distribution = averaged(shapes, levels);
        let chart = chart_variance(shapes, levels, &distribution);
        let residuals = &observed.values - &averaged(shapes, &observed.levels);
        let middles: Vec<(f64, f64)> = (0..observed.points.len()).map(|point| middle(shapes, point)).collect();
        let opinion = SecondOpinion::of(observed, &residuals, &middles);
        let mut band = chart.clone();
        for (point, (mut row, &(location, scale))) in band.rows_mut().into_iter().zip(&middles).enumerate() {
            for (own, &y) in row.iter_mut().zip(levels) {
                let (mean, variance) = opinion.at(point, &columns(y, location, scale, WAVES));
                *own = own.max(SHARE * (variance + mean * mean));
            }
        }
        Self { distribution, chart, band }
    }
}

/// `F_c` at these levels.
pub(super) fn averaged(shapes: &[Weighted], levels: &Array1<f64>) -> Array2<f64> {
    let n = shapes.first().map_or(0, |first| first.locals.nrows());
    let mut found = Array2::zeros((n, levels.len()));
    for one in shapes {
        for (mut row, local) in found.rows_mut().into_iter().zip(one.locals.rows()) {
            let shape = Shape::of(local);
            row.iter_mut().zip(levels).for_each(|(sum, &y)| *sum += one.weight * shape.distribution(y));
        }
    }
    found
}

/// `C` at these levels.
fn chart_variance(shapes: &[Weighted], levels: &Array1<f64>, distribution: &Array2<f64>) -> Array2<f64> {
    let mut found = Array2::zeros(distribution.dim());
    for one in shapes {
        let at_points = one.locals.rows().into_iter().zip(one.covariances.rows()).zip(distribution.rows());
        for (mut row, ((local, covariance), averages)) in found.rows_mut().into_iter().zip(at_points) {
            let shape = Shape::of(local);
            let covariance = covariance.to_vec();
            for ((sum, &y), average) in row.iter_mut().zip(levels).zip(averages) {
                let (value, slopes) = shape.slopes(y);
                let own = quadratic(slopes.get(..local.len()).unwrap_or(&slopes), &covariance);
                // where a chart knows its level to the last digits, rounding may take a variance below 0
                *sum += one.weight * (own.max(0.0) + (value - average).powi(2));
            }
        }
    }
    found
}

/// `L P L'` of a row and a covariance.
fn quadratic(row: &[f64], covariance: &[f64]) -> f64 {
    let products = covariance.chunks_exact(row.len().max(1)).zip(row);
    products
        .map(|(of_one, slope)| slope * of_one.iter().zip(row).map(|(entry, other)| entry * other).sum::<f64>())
        .sum()
}

/// Location and scale of the averaged chart: averages of `m` and `log s`.
fn middle(shapes: &[Weighted], point: usize) -> (f64, f64) {
    let average = |place: usize| shapes.iter().map(|one| one.weight * one.locals[[point, place]]).sum::<f64>();
    (average(0), libm::exp(average(1)))
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::quadratic;

    #[test]
    fn the_local_variance_meets_the_golden_values() {
        let covariance = [1e-5, 1e-6, 0.0, 1e-6, 4e-4, 1e-5, 0.0, 1e-5, 2e-5];
        assert_abs_diff_eq!(quadratic(&[-3.0, 0.5, 0.2], &covariance), 0.000_189_8, epsilon = 1e-15);
        assert_abs_diff_eq!(quadratic(&[-2.5, -0.4, 0.3], &covariance), 0.000_127_9, epsilon = 1e-15);
    }
}
