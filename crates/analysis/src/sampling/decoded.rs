//! Private second moments, decoded: how much the curves vary.

use dpfda_release::SecondMoments;
use ndarray::{Array1, Array2, Axis, Slice};

use crate::error::AnalysisError;
use crate::posterior::observed::Observation;
use crate::psd::positive_part;

/// How many standard deviations of its noise the upper bound of the total variance lies above its estimate: one-sided 95%.
const UPPER: f64 = 1.645;

/// The covariance of the curves as the second moments tell it, in isonormal coordinates and squared data units.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedMoments {
    /// `P`, `n x K`.
    pub basis: Array2<f64>,
    /// `T (M - u u' + sigma^2 I) T' N / (N - 1)`, with `u` the noisy mean in the coordinates of `M`: unbiased along the basis, and not always positive semi-definite.
    pub covariance: Array2<f64>,
    /// [`DecodedMoments::covariance`] with its negative eigenvalues set to 0.
    pub positive: Array2<f64>,
    /// `T = (q - (|Y|^2 - n sigma^2)) N / (N - 1)`: the unbiased total variance; it may be negative.
    pub total: f64,
    /// `T + 1.645 sd_T`, between 0 and the squared radius.
    pub total_upper: f64,
}

/// The noisy mean of a release, which is taken out of its second moments.
pub(crate) struct NoisyMean {
    /// In the coordinates of the moments.
    pub(crate) along: Array1<f64>,
    /// The squared length of all coordinates, and their number.
    pub(crate) square: f64,
    pub(crate) dimension: usize,
    pub(crate) sigma: f64,
    pub(crate) radius: f64,
    pub(crate) records: f64,
}

impl NoisyMean {
    /// The moments about the mean, where both fit one another.
    pub(crate) fn taken_out_of(self, moments: &SecondMoments) -> Result<DecodedMoments, AnalysisError> {
        let Self { along, square, dimension, sigma, radius, records } = self;
        let directions = along.len();
        let factor = records / (records - 1.0);
        let released = Array2::from_shape_fn((directions, directions), |(i, j)| {
            let moment = 0.5 * (moments.matrix[[i, j]] + moments.matrix[[j, i]]);
            let noise = if i == j { sigma * sigma } else { 0.0 };
            (moment - along[i] * along[j] + noise) * factor
        });
        let (dimension, noise) = (dimension as f64, sigma * sigma);
        let energy = square - dimension * noise;
        let all = (moments.total - energy) * factor;
        let (covariance, total, total_variance) = in_basis(moments, released, all);
        let variance = total_variance + 4.0 * noise * energy.max(0.0) + 2.0 * dimension * noise * noise;
        let total_upper = (total + UPPER * variance.sqrt()).clamp(0.0, radius.powi(2));
        let positive = positive_part(&covariance)?;
        Ok(DecodedMoments { basis: moments.basis.clone(), covariance, positive, total, total_upper })
    }
}

impl Observation {
    /// Takes the mean out of second moments of the same release.
    ///
    /// # Errors
    /// [`AnalysisError`] for shapes that do not fit the observation, numbers that are not finite, a mean that is not isonormal,
    /// and a number of records below 2, or too noisy to divide by.
    pub fn decode(&self, moments: &SecondMoments) -> Result<DecodedMoments, AnalysisError> {
        self.check(moments)?;
        let y = &self.coordinates;
        let along = match moments.to_basis {
            None => moments.basis.t().dot(y),
            Some(_) => y.slice_axis(Axis(0), Slice::from(..moments.matrix.nrows())).to_owned(),
        };
        let (square, dimension) = (y.dot(y) + self.unmapped.0, y.len() + self.unmapped.1);
        NoisyMean { along, square, dimension, sigma: self.sigma, radius: self.radius, records: self.records }
            .taken_out_of(moments)
    }

    /// Whether the coordinates of the mean are those of the moments: both isonormal, or both of the same norm.
    fn is_in_basis_of(&self, moments: &SecondMoments) -> bool {
        match (&self.map, &moments.to_basis) {
            (None, None) => true,
            (Some(map), Some(to_basis)) => {
                let directions = to_basis.nrows();
                let fits = map.ncols() >= directions
                    && map.nrows() == moments.basis.nrows()
                    && moments.basis.ncols() == directions
                    && to_basis.ncols() == directions;
                // the first coordinates of A A^(-1)
                let first = map.slice_axis(Axis(1), Slice::from(..directions.min(map.ncols())));
                let identity = || first.t().dot(&moments.basis.dot(to_basis)) - Array2::<f64>::eye(directions);
                fits && identity().iter().all(|entry| entry.abs() < 1e-6)
            }
            _ => false,
        }
    }

    fn check(&self, moments: &SecondMoments) -> Result<(), AnalysisError> {
        if !self.is_in_basis_of(moments) {
            return Err(AnalysisError::NeedsIsonormal { band: "population" });
        }
        let (points, directions) = moments.basis.dim();
        for (what, expected, found) in [
            ("a column of the basis of the second moments", self.grid.len(), points),
            ("a row of the second moments", directions, moments.matrix.nrows()),
            ("a column of the second moments", directions, moments.matrix.ncols()),
            ("a row of the map to the basis", directions, moments.to_basis.as_ref().map_or(directions, Array2::nrows)),
            (
                "a column of the map to the basis",
                directions,
                moments.to_basis.as_ref().map_or(directions, Array2::ncols),
            ),
        ] {
            if expected != found {
                return Err(AnalysisError::Length { what, expected, found });
            }
        }
        let sds = [moments.matrix_sd_diagonal, moments.matrix_sd_off_diagonal, moments.total_sd, moments.beyond];
        let matrices = moments.basis.iter().chain(&moments.matrix).chain(moments.to_basis.iter().flatten());
        let numbers = matrices.chain(&sds).chain([&moments.total]);
        if let Some(&value) = numbers.into_iter().find(|x| x.is_nan() || x.abs() > 1e200) {
            let (what, allowed) = ("every number of the second moments", "at most 1e200 in size");
            return Err(AnalysisError::Number { what, allowed, value });
        }
        if self.records < 2.0 || !self.count_is_trusted() {
            return Err(AnalysisError::TooFewRecords { band: "population", records: self.records });
        }
        Ok(())
    }
}

/// The covariance along the basis, the total variance, and the variance of the privacy noise in that, from the same in released
/// coordinates.
///
/// ```text
/// T S T',    tr(T S T') + b (total - tr S),    b what the last direction leaves of a squared length
/// ```
///
/// What lies beyond the basis counts as if it were no rougher than the last direction.
fn in_basis(moments: &SecondMoments, released: Array2<f64>, all: f64) -> (Array2<f64>, f64, f64) {
    let Some(map) = &moments.to_basis else { return (released, all, moments.total_sd.powi(2)) };
    // the total is a linear form of the released moments
    let form = form_of_total(moments, map);
    let total = (&form * &released).sum() + moments.beyond * all;
    let variance = variance_of_total(moments, &form);
    (map.dot(&released).dot(&map.t()), total, variance)
}

/// The average of `|X - c|^2` over the curves, and the variance of its privacy noise.
///
/// ```text
/// tr(T M T') + b (total - tr M),    b what the last direction leaves of a squared length
/// ```
pub(crate) fn mean_square(moments: &SecondMoments) -> (f64, f64) {
    let Some(map) = &moments.to_basis else { return (moments.total, moments.total_sd.powi(2)) };
    let form = form_of_total(moments, map);
    let total = (&form * &moments.matrix).sum() + moments.beyond * moments.total;
    (total, variance_of_total(moments, &form))
}

/// `T'T - b I`.
fn form_of_total(moments: &SecondMoments, map: &Array2<f64>) -> Array2<f64> {
    let mut form = map.t().dot(map);
    form.diag_mut().iter_mut().for_each(|entry| *entry -= moments.beyond);
    form
}

/// The variance of the noise of the total, of which the matrix is a part by this form.
fn variance_of_total(moments: &SecondMoments, form: &Array2<f64>) -> f64 {
    let squares: f64 = form.iter().map(|entry| entry * entry).sum();
    let diagonal: f64 = form.diag().iter().map(|entry| entry * entry).sum();
    // an entry off the diagonal is used twice
    diagonal * moments.matrix_sd_diagonal.powi(2)
        + 2.0 * (squares - diagonal) * moments.matrix_sd_off_diagonal.powi(2)
        + (moments.beyond * moments.total_sd).powi(2)
}
