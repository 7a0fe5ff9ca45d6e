//! The total variance of the curves.

use dpfda_release::SecondMoments;
use ndarray::Axis;

use crate::posterior::Posterior;
use crate::sampling::decoded::mean_square;

/// The total variance and the standard deviation of its privacy noise.
///
/// ```text
/// T = (S - E |f - c|^2) N / (N - 1),    sd^2 = (sd_S^2 + Var |f - c|^2) (N / (N - 1))^2 + (d (T - |m|^2))^2
/// Var |f - c|^2 = 4 m'Sigma m + 2 tr(Sigma^2)
/// ```
///
/// `S` is the average of `|X - c|^2` over the curves, from the second moments. Expectation and variance of the mean are those of its
/// posterior, with mean `m` and covariance `Sigma` in whitened coordinates: the raw noisy mean has noise in every coordinate, and its
/// squared length would carry all of it. `d` is the relative standard deviation of the number of records.
#[derive(Debug, Clone, Copy)]
pub(super) struct TotalVariance {
    pub(super) value: f64,
    pub(super) sd: f64,
}

impl TotalVariance {
    pub(super) fn of(posterior: &Posterior, moments: &SecondMoments) -> Self {
        let observation = &posterior.observation;
        let roots = posterior.support.weights.mapv(f64::sqrt);
        let mean = &posterior.at_support.mean * observation.radius * &roots;
        let column = roots.view().insert_axis(Axis(1));
        let mut spread = posterior.covariance() * &roots * column;
        let count = observation.relative_count_sd;
        // the noise of the number of records is counted once, below
        let of_count = mean.view().insert_axis(Axis(1)).dot(&mean.view().insert_axis(Axis(0)));
        spread.scaled_add(-count * count, &of_count);

        let length = mean.dot(&mean);
        let energy = length + spread.diag().sum();
        let squares: f64 = spread.iter().map(|entry| entry * entry).sum();
        let of_mean = 4.0 * mean.dot(&spread.dot(&mean)) + 2.0 * squares;
        let (square, variance) = mean_square(moments);
        let factor = observation.records / (observation.records - 1.0);
        let value = (square - energy) * factor;
        let sd = ((variance + of_mean.max(0.0)).sqrt() * factor).hypot(count * (value - length));
        Self { value, sd }
    }
}
