//! Noise for function space: a Gaussian process times a random scale, and its privacy.

use thiserror::Error;

use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::{lowered, raised};
use crate::calibrate::gaussian::{Calibration, CalibrationError, GaussianPrivacy};

mod atoms;
mod document;
mod law;
mod profile;
#[cfg(test)]
mod tests;

pub use crate::calibrate::enclosure::continuous::LARGEST_V;
pub use law::{MixingLaw, SMALLEST_V};

/// The privacy of noise `sigma V Z`: `Z` a Gaussian process, `V > 0` an independent random scale of known law.
///
/// In an infinite-dimensional space one path of such noise reveals `V` (Reimherr and Awan 2019, Theorem 4). So the
/// release is as private as the pair `(V, T + sigma V Z)`, and its profile is the mean of Gaussian profiles:
///
/// ```text
/// delta(epsilon) = E_V [ delta_Gauss(epsilon; mu = distance / V) ],    distance = sensitivity / sigma
/// ```
///
/// In finitely many dimensions, where `V` stays hidden, this is an upper bound. Every returned number is rounded to the
/// private side. The proofs are in `docs/proofs/elliptical-process.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct MixedGaussianPrivacy {
    law: MixingLaw,
    distance: f64,
}

/// Why noise with a random scale was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MixingError {
    #[error(
        "V must be positive with probability 1 (Theorem 1 of Reimherr and Awan), got the value {value:?}: where V is 0 there is no noise and no privacy"
    )]
    NotPositive { value: f64 },
    #[error(
        "V must be from 2^-20 to 2^20, got {value:e}: divide all its values by one constant and let sigma absorb it"
    )]
    Value { value: f64 },
    #[error(
        "the quantile function of V must be positive and finite on (0, 1), got {value:?} at {level:e}: where V is 0 there is no noise (Theorem 1 of Reimherr and Awan)"
    )]
    Quantile { level: f64, value: f64 },
    #[error("the quantile function of V must not decrease, but at {level:e} it is below an earlier value")]
    Decreasing { level: f64 },
    #[error(
        "the degrees of freedom nu of a t process must be positive, and are tested from 0.1 to 1e4, got {value:?}: V must be a positive random variable (Theorem 1 of Reimherr and Awan), and sqrt(nu / chi^2_nu) is one for nu > 0 only; above 1e4, use the Gaussian process"
    )]
    DegreesOfFreedom { value: f64 },
    #[error("the shape of a gamma law must be positive, and is tested from 0.1 to 1e4, got {value:?}")]
    Shape { value: f64 },
    #[error(
        "the standard deviation of log V must be positive, and is tested from 1e-3 to 5, got {value:?}; for 0 use a constant V"
    )]
    LogSpread { value: f64 },
    #[error("the probability of each value of V must be above 0 and at most 1, got {value:?}")]
    Probability { value: f64 },
    #[error("the probabilities of the values of V must sum to 1, got {value:?}")]
    ProbabilitySum { value: f64 },
    #[error(
        "delta must be positive for noise in function space, got 0: one path reveals V, so by Theorem 4 of Reimherr and Awan no elliptical process is purely private at any scale; choose a delta well below 1 / (number of subjects), or release finitely many functionals"
    )]
    DeltaZero,
    #[error(
        "delta must be from 1e-15 to 0.5 for noise in function space, got {value:e}: the calibration is not proved outside this range"
    )]
    Delta { value: f64 },
    #[error(
        "epsilon must be 0, or from 1e-6 to 50, for noise in function space, got {value:e}: the calibration is not proved outside this range"
    )]
    Epsilon { value: f64 },
    #[error("sensitivity / sigma must be from 1e-100 to 1e6, got {value:e}")]
    Distance { value: f64 },
    #[error("the law of V puts so much mass near 0 that no representable scale meets this budget; use another law")]
    NoScale,
    #[error(transparent)]
    Gaussian(#[from] CalibrationError),
}

/// The smallest and largest `sensitivity / sigma` for which the profile is computed.
const DISTANCES: std::ops::RangeInclusive<f64> = 1e-100..=1e6;

impl MixedGaussianPrivacy {
    /// The privacy of noise of scale `sigma = sensitivity / distance` for this law of `V`.
    pub fn new(law: MixingLaw, distance: f64) -> Result<Self, MixingError> {
        if DISTANCES.contains(&distance) {
            Ok(Self { law, distance })
        } else {
            Err(MixingError::Distance { value: distance })
        }
    }

    /// Finds the smallest noise within the budget, to a few parts in a million.
    ///
    /// # Errors
    /// [`MixingError`] for a delta of 0 (Reimherr and Awan 2019, Theorem 4) or outside `[1e-15, 0.5]`, an epsilon other
    /// than 0 outside `[1e-6, 50]`, and for a law with too much mass near 0.
    pub fn calibrated(law: MixingLaw, budget: &PrivacyBudget) -> Result<Self, MixingError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if delta == 0.0 {
            return Err(MixingError::DeltaZero);
        }
        if !(1e-15..=0.5).contains(&delta) {
            return Err(MixingError::Delta { value: delta });
        }
        if !(epsilon == 0.0 || (1e-6..=50.0).contains(&epsilon)) {
            return Err(MixingError::Epsilon { value: epsilon });
        }
        let within = |distance: f64| law.delta_bounds(distance, epsilon).1 <= delta;
        let mut small = 1.0;
        while !within(small) {
            small *= 0.5;
            if !DISTANCES.contains(&small) {
                return Err(MixingError::NoScale);
            }
        }
        let mut large = small * 2.0;
        while DISTANCES.contains(&large) && within(large) {
            small = large;
            large *= 2.0;
        }
        let found = if DISTANCES.contains(&large) { bisect(small, large, within) } else { small };
        let (least_epsilon, least_delta) = budget.least();
        let distance = lowered(found, |distance| law.bound(distance, &least_epsilon, delta).is_within(&least_delta));
        Self::new(law, distance.ok_or(MixingError::NoScale)?)
    }

    /// The smallest delta at this epsilon, rounded up by a few parts in a million, or by less than 1e-30; 1 for an epsilon that
    /// is negative or not a number, and where nothing smaller is proved.
    pub fn delta(&self, epsilon: f64) -> f64 {
        let near = self.delta_bounds(epsilon).1;
        // at an infinite epsilon delta is 0
        Amount::exact(epsilon.abs())
            .map_or(near, |epsilon| near.max(self.law.bound(self.distance, &epsilon, near).to_f64_up()).min(1.0))
    }

    /// Two numbers between which the smallest delta at this epsilon lies; 0 and 1 for an epsilon that is negative or
    /// not a number.
    pub fn delta_bounds(&self, epsilon: f64) -> (f64, f64) {
        if epsilon >= 0.0 { self.law.delta_bounds(self.distance, epsilon) } else { (0.0, 1.0) }
    }

    /// The smallest epsilon at this delta, rounded up; infinite for a delta that is not positive, and beyond 1e6.
    pub fn epsilon(&self, delta: f64) -> f64 {
        if delta.is_nan() || delta < f64::MIN_POSITIVE {
            return f64::INFINITY;
        }
        raised(self.near_epsilon(delta), |epsilon| self.delta(epsilon) <= delta)
    }

    fn near_epsilon(&self, delta: f64) -> f64 {
        let within = |epsilon| self.delta_bounds(epsilon).1 <= delta;
        if within(0.0) {
            return 0.0;
        }
        let mut enough = 1.0;
        while !within(enough) {
            enough *= 2.0;
            if enough > profile::LARGEST_EPSILON {
                return f64::INFINITY;
            }
        }
        bisect(enough, 0.0, within)
    }

    /// `sigma` for a summary of this sensitivity, `sensitivity / distance`, rounded up; the noise is `sigma V Z`.
    pub fn scale(&self, sensitivity: f64) -> Result<f64, MixingError> {
        Ok(GaussianPrivacy::new(self.distance)?.scale(sensitivity)?)
    }

    /// The sensitivity in units of `sigma`.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// The law of `V`.
    pub fn law(&self) -> &MixingLaw {
        &self.law
    }
}

/// Returns the variance of noise with this law, divided by the variance of Gaussian noise within the same budget.
///
/// ```text
/// E V^2 sigma^2 / sigma_Gauss^2
/// ```
///
/// The result is at least 1 for every law, unless delta is so large that a mechanism may sometimes release without
/// noise; see section 5 of `docs/proofs/elliptical-process.md`.
pub fn relative_variance(law: &MixingLaw, budget: &PrivacyBudget) -> Result<f64, MixingError> {
    let distance = MixedGaussianPrivacy::calibrated(law.clone(), budget)?.distance;
    let gaussian = GaussianPrivacy::calibrated(Calibration::Tight, budget)?;
    Ok(law.second_moment() * (gaussian.mu() / distance).powi(2))
}

/// Bisects until the two ends of the bracket agree to one part in 1e9, and returns the end where `holds` is true.
fn bisect(mut inside: f64, mut outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while (outside - inside).abs() > 1e-9 * inside {
        let middle = inside + (outside - inside) / 2.0;
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}
