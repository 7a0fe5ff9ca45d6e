//! The rest of a curve of which some values are known.

use ndarray::{Array1, Array2, Axis, concatenate};

use super::{Person, largest};
use crate::error::{AnalysisError, check_level};
use crate::population::{Population, PopulationMean};
use crate::posterior::Posterior;

/// A curve is completed from at least so many values.
const FEWEST: usize = 3;

/// Values are taken to be measured with this part of the total variance as noise: it keeps the solution stable.
const NOISE: f64 = 1e-3;

/// The rest of the curve of one person, from the values of theirs that are known and a release: with a band for the whole rest at once.
///
/// ```text
/// B = Sigma_MO (Sigma_OO + 1e-3 T I)^(-1),    x_M = m_M + B (x_O - m_O)
/// V = Sigma_MM - B Sigma_OM + [-B, I] Cov(m) [-B, I]'
/// ```
///
/// `O` are the points of the known values, `M` the points of the release that are none of them. `Sigma` is the covariance of a
/// [`Person`]. The band reaches `1.06 max(min(tube(32), Sidak), q)` standard deviations to each side, with `q` of Student's law as in the band
/// `prediction`.
///
/// The release is public, and the known values are those of a person: what is made of them is as private as they are, and theirs.
#[derive(Debug, Clone)]
pub struct Completion {
    /// The points of the rest, increasing.
    pub at: Vec<f64>,
    /// The completed values.
    pub values: Array1<f64>,
    /// The standard deviation of each.
    pub sd: Array1<f64>,
    /// The lower end of the band, which is about all points at once.
    pub lower: Array1<f64>,
    /// The upper end of the band.
    pub upper: Array1<f64>,
    /// The probability that the band states.
    pub level: f64,
    /// How many of the known values lie outside the band `prediction` of this level: where there are any, the person is unlike those of
    /// whom the release tells, and the band of the rest may miss the curve.
    pub outside: usize,
}

impl PopulationMean {
    /// The rest of the curve of a person of this population, of whom these values at these points of the domain are known.
    ///
    /// # Errors
    /// As [`PopulationMean::person`]; [`AnalysisError::FewSeen`] for fewer than 3 known values, [`AnalysisError::SeenOutside`],
    /// [`AnalysisError::SeenOrder`] for points that do not increase, [`AnalysisError::SeenValue`], [`AnalysisError::SeenAll`] where nothing
    /// is left, [`AnalysisError::Level`] and [`AnalysisError::Length`]. Errors tell places, and neither points nor values of the person.
    pub fn complete(&self, points: &[f64], values: &[f64], level: f64) -> Result<Completion, AnalysisError> {
        check_level(level)?;
        let posterior = self.posterior();
        check_seen(posterior, points, values)?;
        let mean_seen = posterior.evaluate(points)?;
        let person = self.person()?;
        // a grid and points of different programs may differ in the last digits
        let slack = 1e-9 * posterior.grid().length();
        let rest: Vec<f64> = posterior
            .support()
            .iter()
            .copied()
            .filter(|t| !points.iter().any(|seen| (seen - t).abs() <= slack))
            .collect();
        if rest.is_empty() {
            return Err(AnalysisError::SeenAll);
        }
        let (seen, missing) = (interpolation(posterior, points), interpolation(posterior, &rest));
        let Conditional { slopes, covariance } = person.given(&seen, &missing)?;
        let deviation: Array1<f64> = values.iter().zip(&mean_seen).map(|(value, mean)| value - mean).collect();
        let completed = posterior.evaluate(&rest)? + slopes.dot(&deviation);
        let (critical, sd) = largest::critical_value(&covariance, Some(person.freedom), level)?;
        let half = &sd * critical;
        let outside = person.outside(&seen, &deviation, level)?;
        let (lower, upper) = (&completed - &half, &completed + &half);
        Ok(Completion { at: rest, lower, upper, values: completed, sd, level, outside })
    }
}

/// Refuses what a curve cannot be completed from. Points and values are private: no error tells one.
fn check_seen(posterior: &Posterior, points: &[f64], values: &[f64]) -> Result<(), AnalysisError> {
    let (expected, found) = (points.len(), values.len());
    if expected != found {
        return Err(AnalysisError::Length { what: "the list of values", expected, found });
    }
    if points.len() < FEWEST {
        return Err(AnalysisError::FewSeen { found: points.len() });
    }
    let (lower, upper) = (posterior.grid().lower(), posterior.grid().upper());
    if let Some(place) = points.iter().position(|t| !(lower..=upper).contains(t)) {
        return Err(AnalysisError::SeenOutside { place: place + 1, lower, upper });
    }
    if points.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(AnalysisError::SeenOrder);
    }
    let is_number = |value: &f64| value.abs() <= 1e100;
    let flaw = values.iter().position(|value| !is_number(value));
    flaw.map_or(Ok(()), |place| Err(AnalysisError::SeenValue { place: place + 1 }))
}

/// Values at the points of the support as values at others, linear between.
fn interpolation(posterior: &Posterior, points: &[f64]) -> Array2<f64> {
    let mut matrix = Array2::zeros((points.len(), posterior.support.len()));
    for (mut row, &t) in matrix.rows_mut().into_iter().zip(points) {
        let cell = posterior.support.cell(posterior.grid().to_unit_point(t));
        row[cell.left] += 1.0 - cell.share;
        row[cell.right] += cell.share;
    }
    matrix
}

/// The law of missing values given others.
pub(super) struct Conditional {
    /// `B`.
    pub(super) slopes: Array2<f64>,
    /// `V`.
    pub(super) covariance: Array2<f64>,
}

impl Person {
    /// How many linear forms of a curve deviate from the mean by more than the band `prediction`.
    fn outside(&self, forms: &Array2<f64>, deviation: &Array1<f64>, level: f64) -> Result<usize, AnalysisError> {
        let (critical, _) = self.prediction(level)?;
        let covariance = forms.dot(&(&self.covariance + &self.of_mean)).dot(&forms.t());
        let variances = covariance.diag().into_iter().zip(deviation);
        Ok(variances.filter(|(variance, deviation)| deviation.abs() > critical * variance.max(0.0).sqrt()).count())
    }

    /// The law of some linear forms of a curve given others.
    fn given(&self, seen: &Array2<f64>, missing: &Array2<f64>) -> Result<Conditional, AnalysisError> {
        let all = concatenate![Axis(0), *seen, *missing];
        let tilted = |covariance: &Array2<f64>| all.dot(covariance).dot(&all.t());
        conditional(&tilted(&self.covariance), &tilted(&self.of_mean), seen.nrows(), NOISE * self.total)
    }
}

/// The law of the last values given the first ones, so many, from the covariance of a person and that of the mean.
pub(super) fn conditional(
    person: &Array2<f64>,
    of_mean: &Array2<f64>,
    seen: usize,
    noise: f64,
) -> Result<Conditional, AnalysisError> {
    let (first, last) = person.view().split_at(Axis(0), seen);
    let (observed, across) = first.split_at(Axis(1), seen);
    let missing = last.split_at(Axis(1), seen).1;
    let pairs = dpfda_kernels::eigenpairs(&(&Array2::from_diag_elem(seen, noise) + &observed))?;
    // the noise is below every eigenvalue
    let inverse = crate::psd::with_values(&pairs, &pairs.values.mapv(|value| 1.0 / value.max(noise)));
    let slopes = across.t().dot(&inverse);
    let form = concatenate![Axis(1), -&slopes, Array2::eye(missing.nrows())];
    let covariance = &missing - &slopes.dot(&across) + form.dot(of_mean).dot(&form.t());
    Ok(Conditional { slopes, covariance })
}
