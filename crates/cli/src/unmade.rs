//! What could not be made of a release that is paid for.

use thiserror::Error;

use crate::error::CliError;
use crate::output::OutputError;

/// Why something could not be made of a release.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Unmade {
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("{0}")]
    View(Box<CliError>),
    #[error("a fault of this program, which stands above; please report it")]
    Fault,
}

impl From<CliError> for Unmade {
    fn from(error: CliError) -> Self {
        Self::View(Box::new(error))
    }
}
