//! What a mechanism claims, and the events that would contradict it.

use dpfda_privacy::{
    Calibration, CalibrationError, GaussianPrivacy, MixedGaussianPrivacy, MixingError, MixingLaw, PrivacyBudget,
};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::error::AuditError;

/// A privacy guarantee as a mechanism makes it: a bound on the loss of every pair of neighbours, for every event.
#[derive(Debug, Clone)]
pub enum Claim {
    /// `P(A) <= e^epsilon Q(A)`.
    Pure {
        /// `epsilon`.
        epsilon: f64,
    },
    /// `P(A) <= e^e Q(A) + delta(e)` for every `e`, with the profile of a Gaussian mechanism.
    Gaussian {
        /// The profile.
        privacy: GaussianPrivacy,
        /// The point of the profile that was asked for.
        budget: PrivacyBudget,
    },
    /// The same with the profile of a mixture of Gaussian mechanisms.
    Mixed {
        /// The profile.
        privacy: Box<MixedGaussianPrivacy>,
        /// The point of the profile that was asked for.
        budget: PrivacyBudget,
    },
}

/// One inequality of a claim, and the event in which it is nearest to being violated: a log-likelihood ratio above `threshold`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Inequality {
    /// For a pure claim in units of the largest log-likelihood ratio of the pair.
    pub(crate) threshold: f64,
    pub(crate) epsilon: f64,
    pub(crate) delta: f64,
}

/// Thresholds of a pure claim, increasing, as parts of the largest log-likelihood ratio that the claimed law gives a pair.
const PARTS: [f64; 6] = [0.5, 0.7, 0.85, 0.93, 0.97, 0.995];

impl Claim {
    /// The tight Gaussian profile through a budget; a pure claim where its delta is 0.
    pub fn of_budget(budget: PrivacyBudget) -> Result<Self, CalibrationError> {
        if budget.delta() > 0.0 { Self::gaussian(budget) } else { Ok(Self::Pure { epsilon: budget.epsilon() }) }
    }

    /// The tight Gaussian profile through a budget.
    pub fn gaussian(budget: PrivacyBudget) -> Result<Self, CalibrationError> {
        Ok(Self::Gaussian { privacy: GaussianPrivacy::calibrated(Calibration::Tight, &budget)?, budget })
    }

    /// The profile of a mixture through a budget.
    pub fn mixed(law: MixingLaw, budget: PrivacyBudget) -> Result<Self, MixingError> {
        Ok(Self::Mixed { privacy: Box::new(MixedGaussianPrivacy::calibrated(law, &budget)?), budget })
    }

    /// `epsilon`.
    pub fn epsilon(&self) -> f64 {
        match self {
            Self::Pure { epsilon } => *epsilon,
            Self::Gaussian { budget, .. } | Self::Mixed { budget, .. } => budget.epsilon(),
        }
    }

    /// `delta`.
    pub fn delta(&self) -> f64 {
        match self {
            Self::Pure { .. } => 0.0,
            Self::Gaussian { budget, .. } | Self::Mixed { budget, .. } => budget.delta(),
        }
    }

    /// The budget of the same mechanism with this part of its noise; without noise, with `epsilon / part`.
    pub(crate) fn with_less_noise(&self, part: f64) -> Result<PrivacyBudget, AuditError> {
        let (epsilon, delta) = match self {
            Self::Pure { epsilon } => (epsilon / part, 0.0),
            Self::Gaussian { privacy, budget } => {
                (budget.epsilon(), GaussianPrivacy::new(privacy.mu() / part)?.delta(budget.epsilon()))
            }
            Self::Mixed { privacy, budget } => {
                let weaker = MixedGaussianPrivacy::new(privacy.law().clone(), privacy.distance() / part)?;
                (budget.epsilon(), weaker.delta(budget.epsilon()))
            }
        };
        Ok(PrivacyBudget::new(epsilon, delta)?)
    }

    /// The inequalities that are tested for each pair, by increasing threshold, fixed before anything is drawn.
    ///
    /// A profile is tested at `e = 0` (the total variation), at one and two standard deviations of the log-likelihood ratio, and
    /// at the epsilon that was asked for.
    pub(crate) fn inequalities(&self) -> Vec<Inequality> {
        let on_profile = |spread: f64, budget: &PrivacyBudget, delta: &dyn Fn(f64) -> f64| {
            let mut points = vec![0.0, spread, 2.0 * spread, budget.epsilon()];
            points.sort_by(f64::total_cmp);
            points.dedup();
            points.into_iter().map(|e| Inequality { threshold: e, epsilon: e, delta: delta(e) }).collect()
        };
        match self {
            Self::Pure { epsilon } => {
                PARTS.into_iter().map(|part| Inequality { threshold: part, epsilon: *epsilon, delta: 0.0 }).collect()
            }
            Self::Gaussian { privacy, budget } => on_profile(privacy.mu(), budget, &|e| privacy.delta(e)),
            Self::Mixed { privacy, budget } => on_profile(privacy.distance(), budget, &|e| privacy.delta(e)),
        }
    }

    /// The largest epsilon (at the claim's delta) that an event contradicts which has at least one probability on this side and
    /// at most the other on the other; 0 if none.
    ///
    /// For a Gaussian claim it is that of the smallest `mu` that is not contradicted, `z(least) - z(most)`.
    pub(crate) fn loss_shown(&self, least: f64, most: f64) -> f64 {
        let shown = match self {
            Self::Gaussian { budget, .. } => {
                let z = |p: f64| Normal::standard().inverse_cdf(p);
                if !(least > 0.0 && most < 1.0) {
                    return 0.0;
                }
                GaussianPrivacy::new(z(least) - z(most)).map_or(0.0, |privacy| privacy.epsilon(budget.delta()))
            }
            _ => ((least - self.delta()) / most).ln(),
        };
        if shown > 0.0 { shown } else { 0.0 }
    }
}
