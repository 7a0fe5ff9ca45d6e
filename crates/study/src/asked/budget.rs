//! The guarantee that a study asks for.

use std::ops::RangeInclusive;

use dpfda::mechanism::exact;
use dpfda::privacy::{GaussianPrivacy, PrivacyBudget};

use crate::refusal::Refusal;
use crate::sections::Sections;

/// The epsilons that leave something of the data and of the people.
const PURE_EPSILONS: RangeInclusive<f64> = 1e-6..=50.0;

impl Sections {
    /// The guarantee, if a Gaussian noise of the calibration asked for can give it.
    ///
    /// # Errors
    /// [`Refusal`] without epsilon and delta, and for those that no such noise gives.
    pub fn calibrated(&self) -> Result<PrivacyBudget, Refusal> {
        let budget = self.budget()?;
        GaussianPrivacy::calibrated(self.privacy.calibration(), &budget)?;
        Ok(budget)
    }

    /// The guarantee of a mean of curves: isonormal noise has a law for a delta of 0 as well.
    ///
    /// # Errors
    /// As [`Sections::calibrated`].
    pub fn calibrated_mean(&self) -> Result<PrivacyBudget, Refusal> {
        if !self.privacy.is_pure() {
            return self.calibrated();
        }
        let budget = self.budget()?;
        check_pure(budget.epsilon())?;
        Ok(budget)
    }

    /// The guarantee, as it was said.
    ///
    /// # Errors
    /// [`Refusal`] without epsilon and delta, and for numbers that are none.
    pub fn budget(&self) -> Result<PrivacyBudget, Refusal> {
        self.check_budget()?;
        let number = |said: Option<f64>| said.unwrap_or(f64::NAN);
        Ok(PrivacyBudget::new(number(self.privacy.epsilon), number(self.privacy.delta))?)
    }
}

/// Refuses an epsilon without delta that protects nobody, or leaves nothing.
///
/// # Errors
/// [`Refusal`] outside `[1e-6, 50]`.
pub(crate) fn check_pure(epsilon: f64) -> Result<(), Refusal> {
    if PURE_EPSILONS.contains(&epsilon) {
        return Ok(());
    }
    let why = format!(
        "epsilon must be from 1e-6 to 50 (or 0 with a positive {{delta}}), got {}: above, it protects nobody; below, nothing of the \
         data would be left",
        exact(epsilon)
    );
    Err(Refusal::of("epsilon", why).instead("1 is a common choice; smaller is more private"))
}
