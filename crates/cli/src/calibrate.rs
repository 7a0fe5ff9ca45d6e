//! The guarantee that was asked for, if noise can give it.

use std::ops::RangeInclusive;

use dpfda::privacy::{GaussianPrivacy, PrivacyBudget};
use dpfda_study::Sections;

use crate::error::CliError;

/// The epsilons that leave something of the data and of the people.
const PURE_EPSILONS: RangeInclusive<f64> = 1e-6..=50.0;

/// The guarantee asked for.
pub fn budget(said: &Sections) -> Result<PrivacyBudget, CliError> {
    said.check_budget().map_err(CliError::of_flags)?;
    Ok(PrivacyBudget::new(said.privacy.epsilon.unwrap_or(f64::NAN), said.privacy.delta.unwrap_or(f64::NAN))?)
}

/// The guarantee asked for of a mean of curves: isonormal noise has a law for a delta of 0 as well.
pub fn calibrated_mean(said: &Sections) -> Result<PrivacyBudget, CliError> {
    let budget = budget(said)?;
    if !said.privacy.is_pure() {
        return calibrated(said);
    }
    let value = budget.epsilon();
    if PURE_EPSILONS.contains(&value) { Ok(budget) } else { Err(CliError::EpsilonRange { value }) }
}

/// The guarantee asked for, if a Gaussian noise of the calibration asked for can give it.
pub fn calibrated(said: &Sections) -> Result<PrivacyBudget, CliError> {
    let budget = budget(said)?;
    GaussianPrivacy::calibrated(said.privacy.calibration(), &budget)?;
    Ok(budget)
}
