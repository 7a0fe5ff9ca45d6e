//! Symmetric log-concave noise in one dimension: its privacy, and the smallest scale within a budget.
//!
//! The proofs are in `docs/proofs/log-concave.md`.

use thiserror::Error;

use crate::budget::PrivacyBudget;
use crate::calibrate::enclosure::{lowered, raised};
use crate::calibrate::gaussian::{bisect, quotient_rounded_up};

mod best;
mod families;
mod profile;
mod quadrature;
mod search;
#[cfg(test)]
mod tests;

pub use best::{BestFamily, CalibratedFamily, best_family};
use profile::numeric_profile;
use search::{largest_distance, largest_pure_distance};

/// Noise of scale 1 with a density `exp(-psi)` on the real line that is positive everywhere, `psi` even and convex.
///
/// A privacy guarantee depends on every implementation: `psi` must be accurate to a few units in the last place.
pub trait LogConcaveNoise {
    /// `psi(x)`, with the constant that makes `exp(-psi)` integrate to 1.
    fn potential(&self, x: f64) -> f64;

    /// `P(X > x)` for `x >= 0`, relatively accurate down to the smallest doubles.
    fn upper_tail(&self, x: f64) -> f64;

    /// `lim psi'(x)` as `x` grows, never too small. It is infinite if the likelihood ratio of two shifts is unbounded.
    fn slope_limit(&self) -> f64;

    /// The variance at scale 1.
    fn variance(&self) -> f64;

    /// The log-likelihood ratio `psi(x + distance) - psi(x)`, for `x >= -distance/2`: never too small.
    ///
    /// By default, this is a difference of potentials, increased by a bound on the rounding error.
    fn log_ratio(&self, x: f64, distance: f64) -> f64 {
        let (near, far) = (self.potential(x), self.potential((x + distance).next_up()));
        far - near + 8.0 * f64::EPSILON * (near.abs() + far.abs())
    }

    /// The smallest delta at this epsilon for noise of scale 1 and a difference of `distance`: never too small.
    ///
    /// By default, the densities are integrated numerically.
    fn profile(&self, epsilon: f64, distance: f64) -> f64 {
        numeric_profile(self, epsilon, distance)
    }

    /// The profile, raised to what an enclosure proves where there is one (`docs/proofs/calibration.md`): a calibration searches with
    /// [`profile`](Self::profile) and ends here.
    ///
    /// By default, it is the profile itself, and rests on what the implementation promises.
    fn proved_profile(&self, epsilon: f64, distance: f64) -> f64 {
        self.profile(epsilon, distance)
    }
}

/// The privacy of symmetric log-concave noise, given by the noise and the sensitivity in units of its scale.
///
/// With `d = sensitivity / scale`, exactly (Vinterbo 2022, Lemma 1):
///
/// ```text
/// delta(epsilon) = P(X > x) - e^epsilon P(X > x + d),    psi(x + d) - psi(x) = epsilon
/// ```
///
/// and 0 if `psi(x + d) - psi(x)` never exceeds epsilon. Delta increases with `d`, so the smallest scale belongs to the
/// largest `d` within the budget (Lemma 2). Every number is rounded to the private side: `delta` and `epsilon` are
/// never below the true value, and a scale is never too small.
///
/// # Examples
///
/// ```
/// use dpfda_privacy::{LogConcavePrivacy, NoiseFamily, PrivacyBudget};
///
/// let pure = PrivacyBudget::new(0.5, 0.0)?;
/// let privacy = LogConcavePrivacy::calibrated(NoiseFamily::Logistic, &pure)?;
/// assert!((privacy.scale(3.0)? - 6.0).abs() < 1e-12);
/// assert!(LogConcavePrivacy::calibrated(NoiseFamily::Gaussian, &pure).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogConcavePrivacy<N> {
    noise: N,
    distance: f64,
}

/// Why log-concave noise could not be calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LogConcaveError {
    #[error("epsilon = 0 with delta = 0 allows no difference at all (Remark 1 of Vinterbo): no finite scale gives it")]
    NoBudget,
    #[error(
        "delta = 0 is impossible for this family: its log-density falls more and more steeply, so the likelihood ratio of two shifts is unbounded and the scale tends to infinity as delta tends to 0 (Theorem 6 of Vinterbo); take a positive delta, or Laplace or logistic noise"
    )]
    UnboundedRatio,
    #[error(
        "delta must be 0, or from 1e-15 to 0.5, for log-concave noise, got {value:?}: the calibration is not proved outside this range"
    )]
    Delta { value: f64 },
    #[error(
        "epsilon must be 0, or from 1e-6 to 50, for log-concave noise with a positive delta, got {value:?}: the calibration is not tested outside this range; with delta = 0 every epsilon is allowed, if the likelihood ratio of the family is bounded"
    )]
    Epsilon { value: f64 },
    #[error("the distance, sensitivity over scale, must be positive and finite, got {value:?}")]
    Distance { value: f64 },
    #[error("sensitivity must be a positive number whose noise scale can be represented, got {value:e}")]
    Sensitivity { value: f64 },
    #[error(
        "no scale was found at which this noise is ({epsilon}, {delta:e})-private: its potential is not accurate enough for a budget of this size"
    )]
    NoScale { epsilon: f64, delta: f64 },
    /// The query does not have exactly one number. Lemma 1 is about one number, and its extension to several is
    /// withdrawn.
    #[error("log-concave noise is calibrated for a query of one number, got {dimension}: {}", dimension_reason(*dimension))]
    SeveralDimensions { dimension: usize },
}

/// Says what is wrong with a number of dimensions other than 1.
fn dimension_reason(dimension: usize) -> &'static str {
    if dimension == 0 {
        "Lemma 1 of Vinterbo is about one number, and a query of no numbers needs no noise; give the dimension of the query"
    } else {
        "Lemma 8 and Theorem 9 of Vinterbo, for several dimensions, are withdrawn by their author; use Gaussian noise with the Euclidean sensitivity"
    }
}

impl<N: LogConcaveNoise> LogConcavePrivacy<N> {
    /// Makes the privacy of this noise at scale `sensitivity / distance`.
    pub fn new(noise: N, distance: f64) -> Result<Self, LogConcaveError> {
        if distance.is_finite() && distance > 0.0 {
            Ok(Self { noise, distance })
        } else {
            Err(LogConcaveError::Distance { value: distance })
        }
    }

    /// Finds the smallest scale of this noise within the budget (Vinterbo 2022, Lemmas 1 and 2).
    ///
    /// With delta = 0 the scale is `sensitivity m / epsilon` for every epsilon above 0, where `m` is the largest slope
    /// of `psi`.
    ///
    /// # Errors
    /// [`LogConcaveError`] for epsilon = 0 with delta = 0, for delta = 0 if the likelihood ratio is unbounded, for a
    /// delta other than 0 outside `[1e-15, 0.5]`, for a positive delta with an epsilon other than 0 outside
    /// `[1e-6, 50]`, and for delta = 0 with an epsilon below `1e-200`, where the scale cannot be computed safely.
    pub fn calibrated(noise: N, budget: &PrivacyBudget) -> Result<Self, LogConcaveError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if delta > 0.0 && !(epsilon == 0.0 || (1e-6..=50.0).contains(&epsilon)) {
            return Err(LogConcaveError::Epsilon { value: epsilon });
        }
        if !(delta == 0.0 || (1e-15..=0.5).contains(&delta)) {
            return Err(LogConcaveError::Delta { value: delta });
        }
        if epsilon == 0.0 && delta == 0.0 {
            return Err(LogConcaveError::NoBudget);
        }
        if delta == 0.0 && noise.slope_limit() == f64::INFINITY {
            return Err(LogConcaveError::UnboundedRatio);
        }
        let distance = if delta == 0.0 {
            largest_pure_distance(&noise, epsilon)
        } else {
            largest_distance(&noise, epsilon, delta)
                .and_then(|found| lowered(found, |distance| noise.proved_profile(epsilon, distance) <= delta))
        };
        let distance = distance.ok_or(LogConcaveError::NoScale { epsilon, delta })?;
        Self::new(noise, distance)
    }

    /// Finds the smallest scale as [`calibrated`](Self::calibrated) does, for a query of `dimension` numbers. Only 1 is
    /// accepted.
    ///
    /// # Errors
    /// [`LogConcaveError::SeveralDimensions`] unless `dimension` is 1: the results of Vinterbo (2022) for several
    /// dimensions, Lemma 8 and Theorem 9, are withdrawn (`docs/papers/errata.md`, entry 12). Otherwise as
    /// [`calibrated`](Self::calibrated).
    pub fn calibrated_in(noise: N, budget: &PrivacyBudget, dimension: usize) -> Result<Self, LogConcaveError> {
        if dimension == 1 {
            Self::calibrated(noise, budget)
        } else {
            Err(LogConcaveError::SeveralDimensions { dimension })
        }
    }

    /// The noise at scale 1.
    pub fn noise(&self) -> &N {
        &self.noise
    }

    /// `d`, the sensitivity in units of the noise's scale.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// The smallest delta at this epsilon, rounded up; 1 for an epsilon that is negative or not a number.
    pub fn delta(&self, epsilon: f64) -> f64 {
        if epsilon >= 0.0 { self.noise.proved_profile(epsilon, self.distance) } else { 1.0 }
    }

    /// The smallest epsilon at this delta, rounded up; infinite for a negative delta, and for 0 if no epsilon is
    /// enough.
    pub fn epsilon(&self, delta: f64) -> f64 {
        if delta.is_nan() || delta < 0.0 {
            return f64::INFINITY;
        }
        if delta < f64::MIN_POSITIVE {
            return product_rounded_up(self.noise.slope_limit(), self.distance);
        }
        raised(self.near_epsilon(delta), |epsilon| self.delta(epsilon) <= delta)
    }

    fn near_epsilon(&self, delta: f64) -> f64 {
        let within = |epsilon| self.noise.profile(epsilon, self.distance) <= delta;
        if within(0.0) {
            return 0.0;
        }
        let mut enough = 1.0;
        while enough < f64::INFINITY && !within(enough) {
            enough *= 2.0;
        }
        if enough == f64::INFINITY { enough } else { bisect(enough, 0.0, within) }
    }

    /// The scale of the noise for a summary of this sensitivity, `sensitivity / distance`, rounded up.
    pub fn scale(&self, sensitivity: f64) -> Result<f64, LogConcaveError> {
        let scale = quotient_rounded_up(sensitivity, self.distance);
        // relative rounding means nothing below the normal numbers
        if sensitivity.is_normal() && sensitivity > 0.0 && scale.is_normal() {
            Ok(scale)
        } else {
            Err(LogConcaveError::Sensitivity { value: sensitivity })
        }
    }

    /// The variance of the noise for a summary of this sensitivity: `scale^2` times the variance at scale 1.
    pub fn variance(&self, sensitivity: f64) -> Result<f64, LogConcaveError> {
        Ok(self.scale(sensitivity)?.powi(2) * self.noise.variance())
    }
}

/// `a b`, exact or rounded up.
fn product_rounded_up(a: f64, b: f64) -> f64 {
    let product = a * b;
    if a.mul_add(b, -product) > 0.0 { product.next_up() } else { product }
}
