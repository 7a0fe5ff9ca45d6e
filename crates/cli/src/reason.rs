//! Guarantees that nobody asks for without a reason.

use dpfda::privacy::PrivacyBudget;
use thiserror::Error;

use crate::arguments::{GuaranteeArguments, MechanismArgument, ReasonArguments};
use crate::calibrate::{calibrated, calibrated_mean};
use crate::error::CliError;
use crate::summary::exact;

/// The largest delta that needs no reason.
const LARGEST_DELTA: f64 = 0.1;

/// A guarantee that is hardly meant, without a reason.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum UnusualGuarantee {
    #[error(
        "--epsilon: at epsilon 0 almost nothing of the data is left, whatever delta is; allowed are 1e-6 to 50\nhint: 1 is a common \
         choice; for an epsilon of 0 state a reason, which the release tells: --because 'REASON'"
    )]
    EpsilonOfZero,
    #[error(
        "--delta: a delta of {} allows a mechanism that publishes a record in full with that probability; above 0.1 it protects hardly \
         anybody\nhint: give a delta well below 1 / (number of subjects), such as 1e-5; for a larger one state a reason, which the \
         release tells: --because 'REASON'",
        exact(*value)
    )]
    LargeDelta { value: f64 },
}

/// The guarantee of whatever adds Gaussian noise to curves.
pub fn guaranteed(arguments: &GuaranteeArguments) -> Result<PrivacyBudget, CliError> {
    let budget = calibrated(&arguments.budget)?;
    check(&budget, &arguments.reason)?;
    Ok(budget)
}

/// The guarantee of a mean of curves, which may have a delta of 0.
pub fn guaranteed_mean(
    arguments: &GuaranteeArguments,
    mechanism: MechanismArgument,
) -> Result<PrivacyBudget, CliError> {
    let budget = calibrated_mean(&arguments.budget, mechanism)?;
    check(&budget, &arguments.reason)?;
    Ok(budget)
}

/// Refuses, without a reason, an epsilon of 0 and a delta that protects hardly anybody: for everything that spends.
pub fn check(budget: &PrivacyBudget, reason: &ReasonArguments) -> Result<(), UnusualGuarantee> {
    let (epsilon, value) = (budget.epsilon(), budget.delta());
    if reason.because().is_some() || (epsilon > 0.0 && value <= LARGEST_DELTA) {
        return Ok(());
    }
    Err(if epsilon == 0.0 { UnusualGuarantee::EpsilonOfZero } else { UnusualGuarantee::LargeDelta { value } })
}
