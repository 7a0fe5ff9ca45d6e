//! The slope function of an outcome: ridge regression on curves from released moments.

use dpfda_kernels::eigenpairs;
use ndarray::{Array1, Array2, Axis};

use super::covariance::OutcomeCovariance;
use crate::error::AnalysisError;
use crate::person::Person;
use crate::posterior::Posterior;
use crate::posterior::unmapped::Unmapped;
use crate::psd::with_values;
use crate::sampling::{public_functions, trace};

/// The number of public functions that the slope is made of: the first of its prior.
const FUNCTIONS: usize = 40;

/// The sizes of the prior: what it expects of the variance of the outcome to be explained.
const SIZES: [f64; 8] = [1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 0.125, 0.25, 0.5, 1.0, 2.0];

/// The evidence for an association that a slope needs: ten to one.
const CLEAR: f64 = std::f64::consts::LN_10;

/// A slope function and what it explains.
///
/// ```text
/// b ~ N(0, a K),    g | b ~ N(Sigma b, s_g^2 I + v Sigma / N),    b = a K Sigma (a Sigma K Sigma + s_g^2 I + v Sigma / N)^(-1) g
/// ```
///
/// `K` is the Matern 3/2 kernel of range 0.5 on the domain mapped to `[0, 1]`, and `a` takes 8 values about `v / tr(K Sigma)`, weighed by
/// their evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopeFunction {
    /// `b` at the points of the grid, in units of the outcome over those of the curves: the integral is over the domain mapped to `[0, 1]`.
    pub values: Array1<f64>,
    /// `R^2`: the part of the variance of the outcome that the slope explains, in `[0, 1]`.
    pub r_squared: f64,
    /// The logarithm of the evidence for an association against none.
    pub log_evidence: f64,
}

impl SlopeFunction {
    /// # Errors
    /// [`AnalysisError::NoAssociation`]
    pub(super) fn of(found: &OutcomeCovariance, posterior: &Posterior, person: &Person) -> Result<Self, AnalysisError> {
        let seen = Unmapped::of(posterior)?.ok_or(AnalysisError::TestNeedsIsonormal)?;
        let (spectrum, directions) = public_functions(posterior, FUNCTIONS)?;
        let weighted = &directions * &posterior.support.weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let ridge = Ridge {
            covariance: weighted.t().dot(&person.covariance()).dot(&weighted),
            prior: Array2::from_diag(&spectrum.eigenvalues().to_owned()),
            observed: directions.t().dot(&seen.deviation),
            noise: {
                let along = seen.noise(&directions.t().to_owned()).into_owned();
                along.dot(&along.t()) * posterior.observation().sigma.powi(2)
            },
            variance: found.variance,
            records: posterior.observation().records,
        };
        let Fitted { slope, log_evidence } = ridge.solved()?;
        if log_evidence.is_nan() || log_evidence <= CLEAR {
            return Err(AnalysisError::NoAssociation { log_evidence });
        }
        let explained = slope.dot(&ridge.covariance.dot(&slope)) / found.variance;
        Ok(Self {
            values: spectrum.eigenfunctions().dot(&slope) * found.half,
            r_squared: explained.clamp(0.0, 1.0),
            log_evidence,
        })
    }
}

/// Ridge regression in public coordinates in which the prior of the slope is known.
pub(super) struct Ridge {
    /// `Sigma`.
    pub(super) covariance: Array2<f64>,
    /// `K`.
    pub(super) prior: Array2<f64>,
    /// `g`.
    pub(super) observed: Array1<f64>,
    /// The covariance of the privacy noise of `g`.
    pub(super) noise: Array2<f64>,
    /// `v`.
    pub(super) variance: f64,
    pub(super) records: f64,
}

/// The mixture over the sizes of the prior.
struct Fitted {
    slope: Array1<f64>,
    log_evidence: f64,
}

impl Ridge {
    fn solved(&self) -> Result<Fitted, AnalysisError> {
        let size = self.variance / trace(&self.prior.dot(&self.covariance));
        let (_, without) = self.at(0.0)?;
        let each: Result<Vec<_>, AnalysisError> = SIZES.iter().map(|times| self.at(times * size)).collect();
        let each = each?;
        let largest = each.iter().map(|one| one.1).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = each.iter().map(|one| (one.1 - largest).exp()).collect();
        let total: f64 = weights.iter().sum();
        let slope = each
            .iter()
            .zip(&weights)
            .fold(Array1::zeros(self.observed.len()), |sum, (one, weight)| sum + &one.0 * (weight / total));
        let log_evidence = largest + (total / weights.len() as f64).ln() - without;
        Ok(Fitted { slope, log_evidence })
    }

    /// The slope with a prior of this size, and the logarithm of its evidence up to a constant.
    pub(super) fn at(&self, size: f64) -> Result<(Array1<f64>, f64), AnalysisError> {
        let across = self.prior.dot(&self.covariance) * size;
        let all = self.covariance.dot(&across) + &self.noise + &self.covariance * (self.variance / self.records);
        let pairs = eigenpairs(&((&all + &all.t()) * 0.5))?;
        let log_determinant: f64 = pairs.values.iter().map(|value| value.ln()).sum();
        let solved = with_values(&pairs, &pairs.values.mapv(|value| 1.0 / value)).dot(&self.observed);
        let log_evidence = -0.5 * (self.observed.dot(&solved) + log_determinant);
        Ok((across.dot(&solved), log_evidence))
    }
}
