//! Private second moments, decoded: how much the curves vary.

use dpfda_release::SecondMoments;
use ndarray::{Array2, ArrayView1};

use crate::error::AnalysisError;
use crate::observation::Observation;
use crate::psd::positive_part;

/// How many standard deviations of its noise the upper bound of the total variance lies above its estimate: one-sided 95%.
const UPPER: f64 = 1.645;

/// Below so many noisy records, or so many standard deviations of their number, second moments are not used.
const LEAST_COUNT: f64 = 10.0;
const LEAST_COUNT_SDS: f64 = 4.0;

/// The covariance of the curves as the second moments tell it, in whitened coordinates and squared data units.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedMoments {
    /// `P`, `n x K`.
    pub basis: Array2<f64>,
    /// `(M - P'Y Y'P + sigma^2 I) N / (N - 1)`: unbiased along the basis, and not always positive semi-definite.
    pub covariance: Array2<f64>,
    /// [`DecodedMoments::covariance`] with its negative eigenvalues set to 0.
    pub positive: Array2<f64>,
    /// `T = (q - (|Y|^2 - n sigma^2)) N / (N - 1)`: the unbiased total variance; it may be negative.
    pub total: f64,
    /// `T + 1.645 sd_T`, between 0 and the squared radius.
    pub total_upper: f64,
}

impl Observation {
    /// Takes the mean out of second moments of the same release.
    ///
    /// # Errors
    /// [`AnalysisError`] for shapes that do not fit the observation, numbers that are not finite, a mean that is not isonormal,
    /// and a number of records below 2, or too noisy to divide by.
    pub fn decode(&self, moments: &SecondMoments) -> Result<DecodedMoments, AnalysisError> {
        self.check(moments)?;
        let (y, sigma) = (&self.coordinates, self.sigma);
        let along = moments.basis.t().dot(y);
        let directions = along.len();
        let factor = self.records / (self.records - 1.0);
        let covariance = Array2::from_shape_fn((directions, directions), |(i, j)| {
            let moment = 0.5 * (moments.matrix[[i, j]] + moments.matrix[[j, i]]);
            let noise = if i == j { sigma * sigma } else { 0.0 };
            (moment - along[i] * along[j] + noise) * factor
        });
        let (energy, noise) = squared_mean(y.view(), sigma);
        let total = (moments.total - energy) * factor;
        let dimension = y.len() as f64;
        let variance = moments.total_sd.powi(2) + 4.0 * noise * energy.max(0.0) + 2.0 * dimension * noise * noise;
        let total_upper = (total + UPPER * variance.sqrt()).clamp(0.0, self.radius.powi(2));
        let positive = positive_part(&covariance)?;
        Ok(DecodedMoments { basis: moments.basis.clone(), covariance, positive, total, total_upper })
    }

    fn check(&self, moments: &SecondMoments) -> Result<(), AnalysisError> {
        if self.map.is_some() {
            return Err(AnalysisError::NeedsIsonormal { band: "population" });
        }
        let (points, directions) = moments.basis.dim();
        for (what, expected, found) in [
            ("a column of the basis of the second moments", self.grid.len(), points),
            ("a row of the second moments", directions, moments.matrix.nrows()),
            ("a column of the second moments", directions, moments.matrix.ncols()),
        ] {
            if expected != found {
                return Err(AnalysisError::Length { what, expected, found });
            }
        }
        let sds = [moments.matrix_sd_diagonal, moments.matrix_sd_off_diagonal, moments.total_sd];
        let numbers = moments.basis.iter().chain(&moments.matrix).chain(&sds).chain([&moments.total]);
        if let Some(&value) = numbers.into_iter().find(|x| x.is_nan() || x.abs() > 1e200) {
            let (what, allowed) = ("every number of the second moments", "at most 1e200 in size");
            return Err(AnalysisError::Number { what, allowed, value });
        }
        let (records, relative_sd) = (self.records, self.relative_count_sd);
        let is_noisy = relative_sd > 0.0 && (records <= LEAST_COUNT || relative_sd * LEAST_COUNT_SDS >= 1.0);
        if records < 2.0 || is_noisy {
            return Err(AnalysisError::TooFewRecords { band: "population", records });
        }
        Ok(())
    }
}

/// `|Y|^2 - n sigma^2`, the squared length of the mean without its noise, and `sigma^2`.
fn squared_mean(y: ArrayView1<'_, f64>, sigma: f64) -> (f64, f64) {
    let noise = sigma * sigma;
    (y.dot(&y) - y.len() as f64 * noise, noise)
}
