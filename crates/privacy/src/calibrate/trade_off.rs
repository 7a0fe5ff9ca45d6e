//! What a guarantee means for one person: how well the best test of a release can do.

use crate::budget::PrivacyBudget;
use crate::calibrate::accountant::{Account, Spend};
use crate::calibrate::gaussian::GaussianPrivacy;
use crate::calibrate::mills::upper_tail;

#[cfg(test)]
#[path = "trade_off_tests.rs"]
mod tests;

/// Somebody knows all data except which of two neighbours they are, and tests this with a release. A test says "yes" for one of the
/// two. This is the largest probability of a right "yes" for each probability of a wrong one, over all tests.
///
/// ```text
/// Gaussian      Phi(mu - z),  1 - Phi(z) = a                                      exact
/// any other     min(e^epsilon a + delta,  1 - e^-epsilon (1 - a - delta),  1)     the most that the guarantee allows
/// ```
///
/// (Dong, Roth and Su 2022, section 2; Wasserman and Zhou 2010, Theorem 2.4.) Every number is rounded up.
///
/// ```
/// use dpfda_privacy::{PrivacyBudget, TradeOff};
///
/// let pure = TradeOff::Budget(PrivacyBudget::new(1.0, 0.0)?);
/// assert!((pure.power(0.05) - 0.05 * 1.0_f64.exp()).abs() < 1e-9);
/// assert!((pure.right_guesses() - 0.731_058_6).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TradeOff {
    /// Gaussian noise.
    Gaussian(GaussianPrivacy),
    /// A mechanism of which only epsilon and delta are known.
    Budget(PrivacyBudget),
}

/// A bound on the relative error of the normal distribution function here, and far more than that of the exponential.
const ERROR: f64 = 1e-12;

/// `1 - Phi(z) = 1/1000`, rounded up.
const Z_OF_ONE_IN_A_THOUSAND: f64 = 3.090_232_306_168;

impl TradeOff {
    /// What a release of this cost and this guarantee allows.
    pub fn of_release(spend: &Spend, budget: PrivacyBudget) -> Self {
        match spend {
            Spend::Gaussian { .. } => {
                Account::default().with(spend).gaussian().map_or(Self::Budget(budget), Self::Gaussian)
            }
            Spend::Approximate { .. } => Self::Budget(budget),
        }
    }

    /// The largest probability of a right "yes" of a test that says a wrong "yes" with this probability.
    ///
    /// It is 1 for a probability that is none, and at least that probability.
    pub fn power(&self, wrong: f64) -> f64 {
        if !(wrong > 0.0 && wrong < 1.0) {
            return if wrong == 0.0 { self.power_without_errors() } else { 1.0 };
        }
        let power = match self {
            Self::Gaussian(privacy) => upper_tail(quantile_of_tail(wrong) - privacy.mu()),
            Self::Budget(budget) => {
                let (growth, delta) = (budget.epsilon().exp(), budget.delta());
                (growth * wrong + delta).min(1.0 - (1.0 - wrong - delta) / growth)
            }
        };
        rounded_up(power).max(wrong)
    }

    /// A test that is never wrong when it says "yes".
    fn power_without_errors(&self) -> f64 {
        match self {
            Self::Gaussian(_) => 0.0,
            Self::Budget(budget) => budget.delta(),
        }
    }

    /// The largest probability of a right guess, if both neighbours were equally likely before.
    ///
    /// ```text
    /// Phi(mu / 2);    (e^epsilon + delta) / (e^epsilon + 1)
    /// ```
    pub fn right_guesses(&self) -> f64 {
        rounded_up(match self {
            Self::Gaussian(privacy) => upper_tail(-0.5 * privacy.mu()),
            Self::Budget(budget) => {
                let inverse = (-budget.epsilon()).exp();
                (1.0 + budget.delta() * inverse) / (1.0 + inverse)
            }
        })
    }

    /// What a release allows of `people` together; `None` where that is no guarantee any more.
    ///
    /// ```text
    /// k mu;    (k epsilon, delta (e^(k epsilon) - 1) / (e^epsilon - 1))
    /// ```
    ///
    /// Dong, Roth and Su 2022, Theorem 2.14; Dwork and Roth 2014, Theorem 2.2, with its sum for a delta.
    #[must_use]
    pub fn of_several(&self, people: u32) -> Option<Self> {
        let k = f64::from(people);
        match self {
            Self::Gaussian(privacy) => GaussianPrivacy::new(k * privacy.mu()).ok().map(Self::Gaussian),
            Self::Budget(budget) => {
                let epsilon = budget.epsilon();
                let growth = if epsilon > 0.0 { (k * epsilon).exp_m1() / epsilon.exp_m1() } else { k };
                PrivacyBudget::new(k * epsilon, budget.delta() * growth).ok().map(Self::Budget)
            }
        }
    }

    /// How sure of one neighbour a release can make somebody to whom both were equally likely. Gaussian noise has no largest value:
    /// this one is exceeded by one release in a thousand. `None` where delta alone could make somebody quite sure.
    ///
    /// ```text
    /// 1 / (1 + e^-L),    L = epsilon if delta = 0;    L = mu^2 / 2 + 3.09 mu for Gaussian noise
    /// ```
    pub fn certainty(&self) -> Option<f64> {
        let log_odds = match self {
            Self::Gaussian(privacy) => privacy.mu() * (0.5 * privacy.mu() + Z_OF_ONE_IN_A_THOUSAND),
            Self::Budget(budget) if budget.delta() == 0.0 => budget.epsilon(),
            Self::Budget(_) => return None,
        };
        Some(rounded_up(1.0 / (1.0 + (-log_odds).exp())))
    }
}

/// A `z` with `1 - Phi(z)` at least this large, as near as doubles come.
fn quantile_of_tail(tail: f64) -> f64 {
    let (mut low, mut high) = (-39.0, 39.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if upper_tail(middle) >= tail { low = middle } else { high = middle }
    }
}

fn rounded_up(probability: f64) -> f64 {
    (probability * (1.0 + ERROR)).clamp(0.0, 1.0)
}
