//! Guarantees that are not usual.

use dpfda::mechanism::Asked;
use dpfda_study::Privacy;

use crate::arguments::MergeArguments;
use crate::error::CliError;

/// Refuses a guarantee that is not usual, where no reason is given.
pub fn check_usual(asked: &Asked, arguments: &MergeArguments) -> Result<(), CliError> {
    let budget = asked.guarantee.budget();
    let (epsilon, delta) = (Some(budget.epsilon()), Some(budget.delta()));
    let privacy = Privacy { epsilon, delta, ..arguments.settings.privacy.clone() };
    privacy.check_usual().map_err(CliError::of_flags)
}
