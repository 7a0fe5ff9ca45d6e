//! The privacy of Gaussian noise: the trade-off between `mu`, epsilon and delta, and composition.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::budget::share::Share;
use crate::calibrate::enclosure::normal::gaussian_delta;
use crate::calibrate::enclosure::{Bound, lowered, raised};
use crate::calibrate::mills::{density, negative_slope, ratio, upper_tail};

#[cfg(test)]
#[path = "gaussian_tests.rs"]
mod tests;

/// The privacy of Gaussian noise. The number `mu = sensitivity / sigma` determines it completely.
///
/// The likelihood ratio between neighbours is one-dimensional Gaussian even in function space (Mirshani, Reimherr and
/// Slavkovic, Lemma 3.1), so the profile of Balle and Wang (2018, Theorem 8) is exact in any dimension:
///
/// ```text
/// delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
/// ```
///
/// Every returned number is rounded to the private side: `mu`, `epsilon` and `delta` are never below the true value, and a
/// scale is never too small. What is searched for in floating point is then verified by an enclosure of the profile in integers,
/// and moved until that holds (`docs/proofs/calibration.md`).
///
/// # Examples
/// ```
/// use dpfda_privacy::{Calibration, GaussianPrivacy, PrivacyBudget};
///
/// let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(1.0, 1e-5)?)?;
/// assert!((privacy.mu() - 0.268).abs() < 1e-3);
/// // two such releases together cost less than twice the epsilon
/// let both = GaussianPrivacy::compose([privacy, privacy]).map(|both| both.epsilon(1e-5));
/// assert!(both.is_some_and(|epsilon| epsilon < 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct GaussianPrivacy {
    mu: f64,
}

/// The theorem that sets the noise scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calibration {
    /// The smallest scale that gives the guarantee (Balle and Wang 2018).
    #[default]
    Tight,
    /// `sigma^2 = 2 log(2/delta) Delta^2 / epsilon^2`, for `epsilon <= 1` (Mirshani, Reimherr and Slavkovic, Theorem 3.3).
    Classical,
}

/// Why a Gaussian mechanism could not be calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CalibrationError {
    #[error(
        "delta must be positive for a Gaussian mechanism, got 0: the likelihood ratio of Gaussian noise is unbounded, so no scale gives delta = 0; choose a delta well below 1 / (number of subjects)"
    )]
    DeltaZero,
    #[error(
        "delta must be from 1e-15 to 0.5 for a Gaussian mechanism, got {value:e}: the calibration is not proved outside this range"
    )]
    Delta { value: f64 },
    #[error(
        "epsilon must be 0, or from 1e-6 to 50, for a Gaussian mechanism, got {value:e}: the calibration is not proved outside this range"
    )]
    Epsilon { value: f64 },
    #[error(
        "epsilon must be above 0 and at most 1 for the classical scale, got {value:?}: its theorem covers no other epsilon; use the tight calibration, which holds for every epsilon and needs less noise"
    )]
    ClassicalEpsilon { value: f64 },
    #[error("sensitivity must be a positive number whose noise scale can be represented, got {value:e}")]
    Sensitivity { value: f64 },
    #[error("mu must be positive and finite, got {value:?}")]
    Mu { value: f64 },
}

/// By so much the profile in doubles is raised, so that a number that is found with it also passes the enclosure. No guarantee rests
/// on this number.
const PROFILE_ERROR: f64 = 1e-11;

impl GaussianPrivacy {
    /// The privacy of noise with standard deviation `sensitivity / mu`.
    pub fn new(mu: f64) -> Result<Self, CalibrationError> {
        if mu.is_finite() && mu > 0.0 { Ok(Self { mu }) } else { Err(CalibrationError::Mu { value: mu }) }
    }

    /// Finds the largest `mu` within the budget, by the chosen calibration.
    ///
    /// # Errors
    /// [`CalibrationError`] for a delta of 0 or outside `[1e-15, 0.5]`, an epsilon other than 0 outside `[1e-6, 50]`, and
    /// for the classical scale an epsilon of 0 or above 1.
    pub fn calibrated(calibration: Calibration, budget: &PrivacyBudget) -> Result<Self, CalibrationError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if delta == 0.0 {
            return Err(CalibrationError::DeltaZero);
        }
        if !(1e-15..=0.5).contains(&delta) {
            return Err(CalibrationError::Delta { value: delta });
        }
        if !(epsilon == 0.0 || (1e-6..=50.0).contains(&epsilon)) {
            return Err(CalibrationError::Epsilon { value: epsilon });
        }
        let found = match calibration {
            Calibration::Tight => largest_mu(epsilon, delta),
            Calibration::Classical if epsilon > 0.0 && epsilon <= 1.0 => {
                epsilon / (2.0 * (2.0 / delta).ln()).sqrt() * (1.0 - 1e-15)
            }
            Calibration::Classical => return Err(CalibrationError::ClassicalEpsilon { value: epsilon }),
        };
        // a small enough mu is within every budget with a positive delta
        Self::verified(found, budget).ok_or(CalibrationError::Delta { value: delta })
    }

    /// The number that a search found, if an enclosure proves that it is within the budget, and otherwise a smaller one.
    fn verified(found: f64, budget: &PrivacyBudget) -> Option<Self> {
        let (epsilon, delta) = budget.least();
        lowered(found, |mu| Self { mu }.bound(&epsilon).is_within(&delta)).map(|mu| Self { mu })
    }

    /// `mu`, the sensitivity in units of the noise's standard deviation.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// The smallest delta at this epsilon, rounded up by at most one part in 5e10; 1 for an epsilon that is negative or not a
    /// number.
    pub fn delta(&self, epsilon: f64) -> f64 {
        let near = self.near_delta(epsilon);
        // at an infinite epsilon delta is 0
        Amount::exact(epsilon.abs()).map_or(near, |epsilon| near.max(self.bound(&epsilon).to_f64_up()).min(1.0))
    }

    /// The profile in doubles, for searches: what is found with it must be verified by [`bound`](Self::bound).
    pub(crate) fn near_delta(self, epsilon: f64) -> f64 {
        if epsilon >= 0.0 {
            (profile(epsilon, self.mu) * (1.0 + PROFILE_ERROR)).clamp(f64::MIN_POSITIVE, 1.0)
        } else {
            1.0
        }
    }

    /// A number that the delta at this epsilon is proved not to exceed.
    pub(crate) fn bound(self, epsilon: &Amount) -> Bound {
        gaussian_delta(epsilon, self.mu)
    }

    /// The smallest epsilon at this delta, rounded up; infinite for a delta that is not positive.
    pub fn epsilon(&self, delta: f64) -> f64 {
        if delta.is_nan() || delta < f64::MIN_POSITIVE {
            return f64::INFINITY;
        }
        raised(self.near_epsilon(delta), |epsilon| self.delta(epsilon) <= delta)
    }

    fn near_epsilon(self, delta: f64) -> f64 {
        if self.near_delta(0.0) <= delta {
            return 0.0;
        }
        let mut enough = 1.0;
        while self.near_delta(enough) > delta {
            enough *= 2.0;
        }
        bisect(enough, 0.0, |epsilon| self.near_delta(epsilon) <= delta)
    }

    /// The standard deviation of the noise for a summary of this sensitivity, `sensitivity / mu`, rounded up.
    pub fn scale(&self, sensitivity: f64) -> Result<f64, CalibrationError> {
        let scale = quotient_rounded_up(sensitivity, self.mu);
        // relative rounding means nothing below the normal numbers
        if sensitivity.is_normal() && sensitivity > 0.0 && scale.is_normal() {
            Ok(scale)
        } else {
            Err(CalibrationError::Sensitivity { value: sensitivity })
        }
    }

    /// The privacy of a step that may spend this share of the whole: `mu sqrt(share)`, rounded down by so much that steps
    /// whose shares sum to 1 [compose](GaussianPrivacy::compose) to no more than the whole. The whole stays what it is.
    #[must_use]
    pub fn share(&self, share: Share) -> Self {
        if share.is_whole() { *self } else { Self { mu: self.mu * share.value().sqrt() * (1.0 - 1e-14) } }
    }

    /// Composes several Gaussian releases of the same data, exactly: `mu = sqrt(sum_i mu_i^2)`, rounded up.
    ///
    /// Each release may be chosen after the earlier ones were seen (Dong, Roth and Su 2022, Corollary 3.3). Without any
    /// release the result is `None`.
    pub fn compose(releases: impl IntoIterator<Item = Self>) -> Option<Self> {
        let squares = releases.into_iter().map(|release| (release.mu * release.mu).next_up());
        let total = squares.reduce(|total, square| (total + square).next_up())?;
        Some(Self { mu: total.sqrt().next_up() })
    }
}

/// Computes `delta(epsilon)` in doubles; the tests find a relative error below a tenth of [`PROFILE_ERROR`].
///
/// With `x = epsilon/mu - mu/2` and Mills' ratio `R`, the two terms of the profile share the factor `phi(x)`:
///
/// ```text
/// delta = phi(x) (R(x) - R(x + mu)) = phi(x) int_x^{x+mu} -R'(t) dt
/// ```
///
/// In this form `e^epsilon` does not overflow and nearly equal numbers are not subtracted.
fn profile(epsilon: f64, mu: f64) -> f64 {
    let x = epsilon / mu - mu / 2.0;
    if x > 38.0 {
        return 0.0;
    }
    if mu < 0.5 {
        density(x) * integrate(negative_slope, x, mu)
    } else if x >= 0.0 {
        density(x) * (ratio(x) - ratio(x + mu))
    } else {
        upper_tail(x) - density(x) * ratio(x + mu)
    }
}

/// Gauss-Legendre quadrature with 8 nodes over `[from, from + length]`: exact to rounding for `-R'` and length 1/2.
fn integrate(f: impl Fn(f64) -> f64, from: f64, length: f64) -> f64 {
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
        (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
    ];
    let half = length / 2.0;
    let middle = from + half;
    let pairs = NODES.iter().map(|(node, weight)| weight * (f(middle - half * node) + f(middle + half * node)));
    half * pairs.sum::<f64>()
}

/// The largest `mu` whose profile, rounded up, is within `delta` at `epsilon`.
fn largest_mu(epsilon: f64, delta: f64) -> f64 {
    let within = |mu: f64| GaussianPrivacy { mu }.near_delta(epsilon) <= delta;
    let mut small = 1.0;
    while !within(small) {
        small *= 0.5;
    }
    let mut large = small * 2.0;
    while within(large) {
        large *= 2.0;
    }
    bisect(small, large, within)
}

/// `a / b` for positive numbers, exact or rounded up.
pub(crate) fn quotient_rounded_up(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    // a fused multiplication and addition has the sign of the true value
    if quotient.mul_add(b, -a) >= 0.0 { quotient } else { quotient.next_up() }
}

/// Bisects until the two ends of the bracket meet, and returns the end where `holds` is true.
pub(crate) fn bisect(mut inside: f64, mut outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = inside + (outside - inside) / 2.0;
        if middle == inside || middle == outside {
            return inside;
        }
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
}
