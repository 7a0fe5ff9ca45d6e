//! The cost of several releases of the same data together.

use serde::{Deserialize, Serialize};

use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::calibrate::enclosure::Bound;
use crate::calibrate::gaussian::{Calibration, GaussianPrivacy};

mod concentrated;
mod largest;
#[cfg(test)]
mod tests;

use concentrated::{delta_of_zcdp, proved_delta_of_zcdp};
use largest::{largest_decimal, smallest_double};

/// The exact cost of one release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Spend {
    /// Gaussian noise: `mu^2 = (sensitivity / sigma)^2`.
    #[serde(rename_all = "kebab-case")]
    Gaussian {
        /// The square of `mu`. Squares add up.
        mu_squared: Amount,
    },
    /// Any other mechanism. It is pure if delta is 0.
    #[serde(rename_all = "kebab-case")]
    Approximate {
        /// The bound on the log-likelihood ratio.
        epsilon: Amount,
        /// The probability with which the bound may fail.
        delta: Amount,
    },
}

impl Spend {
    /// The cost of Gaussian noise. A `mu` that was rounded up is charged as it is.
    pub fn of_gaussian(privacy: GaussianPrivacy) -> Self {
        let mu = Amount::exact(privacy.mu()).unwrap_or_else(|_| unreachable!("mu is positive and finite"));
        Self::Gaussian { mu_squared: &mu * &mu }
    }

    /// The cost of a mechanism of which only the guarantee is known. Epsilon and delta are the decimal numbers that
    /// they print as (see [`PrivacyBudget::epsilon_within`]).
    pub fn of_budget(budget: &PrivacyBudget) -> Self {
        let (epsilon, delta) = decimals(budget);
        Self::Approximate { epsilon, delta }
    }
}

/// Returns epsilon and delta as the decimal numbers that they print as.
fn decimals(budget: &PrivacyBudget) -> (Amount, Amount) {
    let decimal = |value| Amount::decimal(value).unwrap_or_else(|_| unreachable!("a budget is finite and at least 0"));
    (decimal(budget.epsilon()), decimal(budget.delta()))
}

/// The largest epsilon that a single release may have.
const MOST_EPSILON: f64 = 50.0;

/// The sum of all spends on a data set, and its guarantee.
///
/// Gaussian releases compose exactly, for any number of releases (Dong, Roth and Su 2022, Corollary 3.3). If there are
/// other releases, the better of two theorems holds for the whole account:
///
/// ```text
/// basic    delta_Gauss(epsilon - sum epsilon_i; mu) + sum delta_i         mu^2 = sum mu_j^2
/// zCDP     inf over a > 1 of e^((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1) + sum delta_i
///          rho = sum mu_j^2 / 2 + sum epsilon_i^2 / 2
/// ```
///
/// (Dwork et al. 2006, Theorem 1; Bun and Steinke 2016, Propositions 1.4 and 1.6, Lemma 1.7 and section 8; Canonne,
/// Kamath and Steinke 2020, Proposition 12). Sums are exact and doubles are rounded to the private side.
/// `docs/proofs/composition.md` has the proof, and says what holds if amounts are chosen after earlier outputs were
/// seen.
///
/// # Examples
/// ```
/// use dpfda_privacy::{Account, PrivacyBudget, Spend};
///
/// let tenth = Spend::of_budget(&PrivacyBudget::new(0.1, 0.0)?);
/// let account = Account::default().with(&tenth).with(&tenth).with(&tenth);
/// // amounts are fractions: three times 0.1 is 0.3
/// assert!(account.is_within(&PrivacyBudget::new(0.3, 0.0)?));
/// assert!(!account.with(&tenth).is_within(&PrivacyBudget::new(0.3, 0.0)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// `sum mu_j^2` over Gaussian releases.
    mu_squared: Amount,
    /// `sum epsilon_i` over the other releases; the next two fields are sums over them too.
    epsilon: Amount,
    epsilon_squared: Amount,
    delta: Amount,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            mu_squared: Amount::zero(),
            epsilon: Amount::zero(),
            epsilon_squared: Amount::zero(),
            delta: Amount::zero(),
        }
    }
}

impl Account {
    /// Returns the account with one more release.
    #[must_use]
    pub fn with(&self, spend: &Spend) -> Self {
        let mut account = self.clone();
        match spend {
            Spend::Gaussian { mu_squared } => account.mu_squared = &self.mu_squared + mu_squared,
            Spend::Approximate { epsilon, delta } => {
                account.epsilon = &self.epsilon + epsilon;
                account.epsilon_squared = &self.epsilon_squared + &(epsilon * epsilon);
                account.delta = &self.delta + delta;
            }
        }
        account
    }

    /// The privacy of all Gaussian releases together, with `mu = sqrt(sum mu_j^2)` rounded up; `None` if there are
    /// none.
    pub fn gaussian(&self) -> Option<GaussianPrivacy> {
        GaussianPrivacy::new(self.mu_squared.square_root_up()).ok()
    }

    /// Whether the sum of all spends is within this total: exactly, of the decimal numbers that the total prints as.
    ///
    /// Doubles decide that a sum is too much. What they let pass is verified by enclosures (`docs/proofs/calibration.md`).
    pub fn is_within(&self, total: &PrivacyBudget) -> bool {
        let (epsilon, delta) = decimals(total);
        let Some(delta) = delta.checked_sub(&self.delta) else { return false };
        self.is_within_basic(&epsilon, &delta) || self.is_within_zcdp(&epsilon, &delta)
    }

    /// Whether the sum is within the total by basic composition: pure and approximate releases add up exactly, and the
    /// epsilon that they leave must be enough for the Gaussian releases.
    fn is_within_basic(&self, epsilon: &Amount, delta: &Amount) -> bool {
        epsilon.checked_sub(&self.epsilon).is_some_and(|left| {
            self.near_gaussian_delta(&left) <= delta.to_f64()
                && self.gaussian_bound(&left).is_none_or(|bound| bound.is_within(delta))
        })
    }

    fn is_within_zcdp(&self, epsilon: &Amount, delta: &Amount) -> bool {
        let twice_rho = self.twice_rho();
        delta_of_zcdp(&twice_rho, epsilon) <= delta.to_f64()
            && proved_delta_of_zcdp(&twice_rho, epsilon).is_within(delta)
    }

    /// The delta of the Gaussian releases together, in doubles.
    fn near_gaussian_delta(&self, epsilon: &Amount) -> f64 {
        if self.mu_squared.is_zero() {
            return 0.0;
        }
        // a sum above all doubles is no number that a guarantee could be made of
        self.gaussian().map_or(1.0, |privacy| privacy.near_delta(epsilon.to_f64()))
    }

    /// A number that the delta of the Gaussian releases together is proved not to exceed; `None` if there are none.
    fn gaussian_bound(&self, epsilon: &Amount) -> Option<Bound> {
        if self.mu_squared.is_zero() {
            return None;
        }
        Some(self.gaussian().map_or_else(Bound::one, |privacy| privacy.bound(epsilon)))
    }

    fn gaussian_delta(&self, epsilon: &Amount) -> f64 {
        let bound = self.gaussian_bound(epsilon).map_or(0.0, |bound| bound.to_f64_up());
        self.near_gaussian_delta(epsilon).max(bound)
    }

    /// Twice the `rho` of all releases by zCDP.
    fn twice_rho(&self) -> Amount {
        &self.mu_squared + &self.epsilon_squared
    }

    /// The delta of all releases by zCDP, without the deltas of the approximate releases.
    fn zcdp_delta(&self, epsilon: &Amount) -> f64 {
        let twice_rho = self.twice_rho();
        delta_of_zcdp(&twice_rho, epsilon).max(proved_delta_of_zcdp(&twice_rho, epsilon).to_f64_up())
    }

    /// The smallest epsilon of the sum at this delta, rounded up; infinite if there is none.
    pub fn epsilon(&self, delta: f64) -> f64 {
        let within = |epsilon| PrivacyBudget::new(epsilon, delta).is_ok_and(|total| self.is_within(&total));
        smallest_double(within)
    }

    /// The smallest delta of the sum at this epsilon, rounded up; 1 if there is none.
    pub fn delta(&self, epsilon: f64) -> f64 {
        let Ok(epsilon) = Amount::decimal(epsilon) else { return 1.0 };
        let basic = epsilon.checked_sub(&self.epsilon).map_or(1.0, |left| self.gaussian_delta(&left));
        let tail = basic.min(self.zcdp_delta(&epsilon)).min(1.0);
        if self.delta.is_zero() { tail } else { (tail + self.delta.to_f64_up()).next_up().min(1.0) }
    }

    /// The epsilon of the largest purely private release that still fits into the total, to four digits, rounded down.
    pub fn largest_pure(&self, total: &PrivacyBudget) -> Option<f64> {
        largest_decimal(MOST_EPSILON, |epsilon| {
            PrivacyBudget::new(epsilon, 0.0).is_ok_and(|budget| self.has_room(total, &Spend::of_budget(&budget)))
        })
    }

    /// The epsilon of the largest Gaussian release with this delta that still fits into the total, to four digits,
    /// rounded down.
    pub fn largest_gaussian(&self, total: &PrivacyBudget, delta: f64) -> Option<f64> {
        largest_decimal(MOST_EPSILON, |epsilon| {
            PrivacyBudget::new(epsilon, delta)
                .ok()
                .and_then(|budget| GaussianPrivacy::calibrated(Calibration::Tight, &budget).ok())
                .is_some_and(|privacy| self.has_room(total, &Spend::of_gaussian(privacy)))
        })
    }

    /// The epsilon of the largest release of any kind with this delta that still fits into the total, to four digits,
    /// rounded down.
    pub fn largest_approximate(&self, total: &PrivacyBudget, delta: f64) -> Option<f64> {
        largest_decimal(MOST_EPSILON, |epsilon| {
            PrivacyBudget::new(epsilon, delta).is_ok_and(|budget| self.has_room(total, &Spend::of_budget(&budget)))
        })
    }

    fn has_room(&self, total: &PrivacyBudget, spend: &Spend) -> bool {
        self.with(spend).is_within(total)
    }

    /// The (epsilon, delta) that is left of a total: any release with this guarantee still fits, by basic composition
    /// alone.
    ///
    /// The delta is the part that no release has used. If there are Gaussian releases it is half of that part, because
    /// their tail uses the rest. The result is `None` if nothing is left.
    pub fn remaining(&self, total: &PrivacyBudget) -> Option<PrivacyBudget> {
        let (_, delta) = decimals(total);
        let left = delta.checked_sub(&self.delta)?;
        let most = if self.mu_squared.is_zero() { left.to_f64() } else { left.to_f64() / 2.0 };
        let fits = |delta| Amount::decimal(delta).is_ok_and(|delta| delta <= left);
        // below 1e-15 no mechanism has a delta
        let delta = largest_decimal(most, fits).filter(|delta| *delta >= 1e-15).unwrap_or(0.0);
        let delta_alone = || {
            let nothing = PrivacyBudget::new(0.0, delta).ok()?;
            (delta > 0.0 && self.has_room(total, &Spend::of_budget(&nothing))).then_some(0.0)
        };
        let epsilon = self.largest_approximate(total, delta).or_else(delta_alone)?;
        PrivacyBudget::new(epsilon, delta).ok()
    }
}
