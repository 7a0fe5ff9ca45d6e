//! The privacy that a release may spend.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::budget::amount::Amount;

#[cfg(test)]
#[path = "privacy_budget_tests.rs"]
mod tests;

/// A differential privacy guarantee `(epsilon, delta)`.
///
/// ```text
/// P(M(D) in A) <= e^epsilon P(M(D') in A) + delta    for all neighbouring D, D' and all events A
/// ```
///
/// # Examples
/// ```
/// use dpfda_privacy::PrivacyBudget;
///
/// let budget = PrivacyBudget::new(1.0, 1e-5)?;
/// assert_eq!((budget.epsilon(), budget.delta()), (1.0, 1e-5));
/// assert!(PrivacyBudget::new(1.0, 1.0).is_err());
/// # Ok::<(), dpfda_privacy::BudgetError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BudgetDocument", into = "BudgetDocument")]
pub struct PrivacyBudget {
    epsilon: f64,
    delta: f64,
}

/// Why a budget was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BudgetError {
    #[error("epsilon must be finite and at least 0, got {value:?}")]
    Epsilon { value: f64 },
    #[error(
        "delta must be at least 0 and below 1, got {value:?}: at delta = 1 every release satisfies the definition, even a release of the raw data"
    )]
    Delta { value: f64 },
}

impl PrivacyBudget {
    /// Makes the guarantee `(epsilon, delta)`.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, BudgetError> {
        if !(epsilon.is_finite() && epsilon >= 0.0) {
            return Err(BudgetError::Epsilon { value: epsilon });
        }
        if !(0.0..1.0).contains(&delta) {
            return Err(BudgetError::Delta { value: delta });
        }
        // -0 becomes 0
        Ok(Self { epsilon: epsilon + 0.0, delta: delta + 0.0 })
    }

    /// The bound on the log-likelihood ratio.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The largest double that is not above the decimal number which epsilon prints as.
    ///
    /// Somebody who asks for 0.1 means one tenth. The double nearest to one tenth is a little larger. A purely private
    /// mechanism that uses this number instead spends at most one tenth, so that three of them spend at most 0.3.
    pub fn epsilon_within(&self) -> f64 {
        Amount::decimal(self.epsilon).map_or(0.0, |decimal| decimal.to_f64_down())
    }

    /// Epsilon and delta, each the smaller of its double and of the decimal number that the double prints as: what meets these
    /// meets the budget however it is read.
    pub(crate) fn least(&self) -> (Amount, Amount) {
        let least = |value| match (Amount::decimal(value), Amount::exact(value)) {
            (Ok(decimal), Ok(exact)) => decimal.min(exact),
            _ => Amount::zero(),
        };
        (least(self.epsilon), least(self.delta))
    }

    /// The probability with which the bound may fail.
    pub fn delta(&self) -> f64 {
        self.delta
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetDocument {
    epsilon: f64,
    delta: f64,
}

impl TryFrom<BudgetDocument> for PrivacyBudget {
    type Error = BudgetError;

    fn try_from(document: BudgetDocument) -> Result<Self, BudgetError> {
        Self::new(document.epsilon, document.delta)
    }
}

impl From<PrivacyBudget> for BudgetDocument {
    fn from(budget: PrivacyBudget) -> Self {
        Self { epsilon: budget.epsilon, delta: budget.delta }
    }
}
