//! Why nothing was rerun.

use std::path::PathBuf;

use dpfda::density::HistogramError;
use dpfda::plotting::FigureError;
use dpfda_cli::shared::{CliError, OutputError, TableError};
use dpfda_reproduction::ReproductionError;
use thiserror::Error;

/// Why nothing was rerun. Nothing in it is a value of the curves.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// A table without noise has no other convention.
    #[error(
        "--convention correct: Table 1 has no noise, so there is nothing to correct\nhint: leave --convention out, or \
         reproduce table2"
    )]
    NothingToCorrect,
    /// A simulation has no data.
    #[error("--data: density simulates its own points\nhint: leave --data out")]
    NoDataNeeded,
    /// What is files has nowhere to go.
    #[error("--out was not given; figures are files: give the directory to write them to, such as --out reproduction")]
    NoOut,
    /// The curves are too few.
    #[error("--data (`{}`): {reason}", path.display())]
    TooFew {
        /// Their file.
        path: PathBuf,
        /// Why.
        reason: ReproductionError,
    },
    /// A table or a figure was refused.
    #[error("--data: {0}\nhint: give curves with values of about 0 to 1, at least ten of them without a missing value")]
    Reproduction(#[from] ReproductionError),
    /// A histogram of simulated points was refused.
    #[error("the simulation failed: {0}")]
    Simulation(#[from] HistogramError),
    /// The file of curves was refused.
    #[error(transparent)]
    Input(#[from] CliError),
    /// The files could not be written.
    #[error("--out: {0}")]
    Output(#[from] OutputError),
    /// A result could not be made into text.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A result could not be made into a table.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<FigureError> for ReproduceError {
    fn from(error: FigureError) -> Self {
        Self::Output(error.into())
    }
}
