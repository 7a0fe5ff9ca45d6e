//! What a guarantee means for one person: how well the best test of a release can do.

use crate::budget::PrivacyBudget;
use crate::calibrate::accountant::{Account, Spend};
use crate::calibrate::gaussian::GaussianPrivacy;
use crate::calibrate::mills::upper_tail;

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::calibrate::gaussian::Calibration;

    fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
        PrivacyBudget::new(epsilon, delta).unwrap()
    }

    fn gaussian(epsilon: f64, delta: f64) -> GaussianPrivacy {
        GaussianPrivacy::calibrated(Calibration::Tight, &budget(epsilon, delta)).unwrap()
    }

    const RATES: [f64; 7] = [1e-9, 0.001, 0.01, 0.05, 0.1, 0.5, 0.99];

    #[test]
    fn the_power_against_gaussian_noise_is_that_of_the_test_of_neyman_and_pearson() {
        let normal = Normal::standard();
        for mu in [0.01, 0.268, 1.0, 4.0] {
            let trade_off = TradeOff::Gaussian(GaussianPrivacy::new(mu).unwrap());
            for wrong in RATES {
                let expected = 1.0 - normal.cdf(normal.inverse_cdf(1.0 - wrong) - mu);
                let power = trade_off.power(wrong);
                assert!((power / expected - 1.0).abs() < 1e-6, "{mu}, {wrong}: {power} is not {expected}");
            }
            assert!((trade_off.right_guesses() - normal.cdf(mu / 2.0)).abs() < 1e-10);
        }
    }

    /// The Gaussian curve touches that of each (epsilon, delta) of its own profile and never lies above it.
    #[test]
    fn gaussian_noise_allows_no_more_than_any_budget_that_it_meets_and_as_much_as_all_of_them() {
        let privacy = gaussian(1.0, 1e-5);
        let exact = TradeOff::Gaussian(privacy);
        for wrong in RATES {
            let mut least = f64::INFINITY;
            for step in 0..4000 {
                let epsilon = f64::from(step) * 5e-4;
                let bound = TradeOff::Budget(budget(epsilon, privacy.delta(epsilon))).power(wrong);
                assert!(exact.power(wrong) <= bound * (1.0 + 1e-9), "{wrong}, {epsilon}");
                least = least.min(bound);
            }
            assert!(least / exact.power(wrong) - 1.0 < 1e-5, "{wrong}: {least} is not {}", exact.power(wrong));
        }
    }

    /// Randomised response attains a pure guarantee.
    #[test]
    fn the_bound_of_a_pure_guarantee_is_attained_by_randomised_response() {
        for epsilon in [0.1_f64, 1.0, 3.0] {
            let truth = epsilon.exp() / (1.0 + epsilon.exp());
            let trade_off = TradeOff::Budget(budget(epsilon, 0.0));
            assert!((trade_off.power(1.0 - truth) - truth).abs() < 1e-9);
            assert!((trade_off.right_guesses() - truth).abs() < 1e-9);
            assert!((trade_off.certainty().unwrap() - truth).abs() < 1e-9);
        }
    }

    /// The table of the threat model, which was made by other formulas in another language.
    #[test]
    fn the_numbers_are_those_of_the_table_in_the_threat_model() {
        let table = [
            (0.1, 5.4, 50.7, 52.6),
            (0.5, 6.7, 52.9, 61.1),
            (1.0, 8.5, 55.4, 70.4),
            (2.0, 12.7, 60.0, 84.3),
            (3.0, 17.8, 64.1, 92.3),
            (5.0, 30.1, 71.3, 98.4),
        ];
        for (epsilon, yes, guesses, sure) in table {
            let trade_off = TradeOff::Gaussian(gaussian(epsilon, 1e-5));
            let found = [trade_off.power(0.05), trade_off.right_guesses(), trade_off.certainty().unwrap()];
            let up = found.map(|share| (share * 1000.0).ceil() / 10.0);
            assert_eq!(up, [yes, guesses, sure], "{epsilon}");
        }
    }

    #[test]
    fn a_right_yes_is_never_rarer_than_a_wrong_one_and_no_data_tell_nothing() {
        for trade_off in [
            TradeOff::Budget(budget(0.0, 0.0)),
            TradeOff::Budget(budget(2.0, 1e-3)),
            TradeOff::Gaussian(gaussian(1.0, 1e-5)),
        ] {
            for wrong in RATES {
                assert!((wrong..=1.0).contains(&trade_off.power(wrong)));
            }
            assert_eq!((trade_off.power(1.0), trade_off.power(f64::NAN), trade_off.power(-1.0)), (1.0, 1.0, 1.0));
        }
        let nothing = TradeOff::Budget(budget(0.0, 0.0));
        assert!((nothing.power(0.05) - 0.05).abs() < 1e-12 && nothing.power(0.0) == 0.0);
        assert_eq!(TradeOff::Budget(budget(1.0, 1e-5)).certainty(), None);
    }

    #[test]
    fn a_release_of_gaussian_noise_is_judged_by_its_mu_and_any_other_by_its_budget() {
        let privacy = gaussian(1.0, 1e-5);
        let TradeOff::Gaussian(found) = TradeOff::of_release(&Spend::of_gaussian(privacy), budget(1.0, 1e-5)) else {
            panic!("Gaussian noise")
        };
        assert!(found.mu() >= privacy.mu() && found.mu() / privacy.mu() - 1.0 < 1e-12);
        let pure = budget(1.0, 0.0);
        assert_eq!(TradeOff::of_release(&Spend::of_budget(&pure), pure), TradeOff::Budget(pure));
    }
}
