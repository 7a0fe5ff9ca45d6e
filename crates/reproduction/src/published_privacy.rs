//! What privacy the published releases really had.

use dpfda::kernels::Grid;
use dpfda::privacy::{Calibration, GaussianPrivacy};
use ndarray::{Array1, Array2};

use crate::convention::PaperConvention;
use crate::error::ReproductionError;
use crate::published::TableEntry;
use crate::tables::published_budget;

#[cfg(test)]
#[path = "published_privacy_tests.rs"]
mod tests;

/// The privacy that the package's noise gives on one grid, for what was published as (1, 0.1)-private.
///
/// ```text
/// mu = sup ||S h||_C / sigma = (epsilon / sqrt(2 log(2/delta))) sqrt(n) sqrt(max_j q_j / sum_j q_j),
/// q_j = lambda_j / (lambda_j + phi)^2
/// ```
///
/// over differences `h` of two curves in the ball, `C = K / n` the covariance that the noise really has on the grid. It is
/// a function of the kernel, the penalty and the grid alone. It takes the radius for a public bound, which it was not: what
/// reading it off the data cost on top has no bound of this kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedPrivacy {
    /// The true `mu` when the ball is in the norm with weights `1/n`, in which the formula of the package is.
    pub mu: f64,
    /// The true `mu` when the ball is in the trapezoid norm, in which the package reads the radius off. A curve may be
    /// larger at the two ends, which count half there.
    pub mu_trapezoid: f64,
    /// The true `delta` at `epsilon = 1`, for [`PublishedPrivacy::mu`].
    pub delta: f64,
    /// The true `epsilon` at `delta = 0.1`, for [`PublishedPrivacy::mu`].
    pub epsilon: f64,
}

impl PublishedPrivacy {
    /// The largest `mu` with which a release is (1, 0.1)-private, as all were stated to be.
    ///
    /// # Errors
    /// [`ReproductionError`]; none in practice.
    pub fn allowed_mu() -> Result<f64, ReproductionError> {
        Ok(GaussianPrivacy::calibrated(Calibration::Tight, &published_budget()?)?.mu())
    }

    /// The privacy of a release with the parameters of one table entry, on a grid.
    pub fn of(entry: &TableEntry, grid: &Grid) -> Result<Self, ReproductionError> {
        let budget = published_budget()?;
        let convention = PaperConvention::new(entry.kernel.with_range(entry.range)?, grid)?;
        // of one record in a ball of diameter 1: number of records and radius cancel
        let sigma = convention.sigma(entry.penalty, 0.5, 1, &budget);
        let spectrum = convention.spectrum();
        let gains = spectrum.eigenvalues().mapv(|lambda| lambda.sqrt() / (lambda + entry.penalty));
        let mu = (grid.len() as f64).sqrt() * gains.iter().fold(0.0_f64, |most, gain| most.max(*gain)) / sigma;
        let unit_vectors = &spectrum.eigenfunctions() / (grid.len() as f64).sqrt();
        let map = (unit_vectors * gains).reversed_axes() / convention.roots();
        let mu_trapezoid = largest_singular_value(&map) / sigma;
        let privacy = GaussianPrivacy::new(mu)?;
        let (delta, epsilon) = (privacy.delta(budget.epsilon()), privacy.epsilon(budget.delta()));
        Ok(Self { mu, mu_trapezoid, delta, epsilon })
    }
}

/// By power iteration, from below, until it no longer grows.
///
/// On a symmetric grid the singular vectors are symmetric or antisymmetric about its midpoint; the start is neither.
fn largest_singular_value(map: &Array2<f64>) -> f64 {
    const MOST_ITERATIONS: usize = 100_000;
    let mut direction = Array1::from_shape_fn(map.ncols(), |i| 1.0 + i as f64);
    let mut value = 0.0;
    for _ in 0..MOST_ITERATIONS {
        let image = map.t().dot(&map.dot(&direction));
        let length = image.dot(&image).sqrt();
        let next = (length / direction.dot(&direction).sqrt()).sqrt();
        direction = image / length;
        if next <= value * (1.0 + 1e-15) {
            break;
        }
        value = next;
    }
    value
}
