//! Why nothing was rerun.

use std::path::PathBuf;

use dpfda::density::HistogramError;
use dpfda::plotting::FigureError;
use dpfda_cli::shared::{CliError, OutputError, TableError};
use dpfda_reproduction::ReproductionError;
use thiserror::Error;

/// Why nothing was rerun. Nothing in it is a value of the curves.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReproduceError {
    #[error(
        "--convention correct: Table 1 has no noise, so there is nothing to correct\nhint: leave --convention out, or \
         reproduce table2"
    )]
    NothingToCorrect,
    #[error("--data: density simulates its own points\nhint: leave --data out")]
    NoDataNeeded,
    #[error("--out was not given; figures are files: give the directory to write them to, such as --out reproduction")]
    NoOut,
    #[error("--data (`{}`): {reason}", path.display())]
    TooFew { path: PathBuf, reason: ReproductionError },
    #[error("--data: {0}\nhint: give curves with values of about 0 to 1, at least ten of them without a missing value")]
    Reproduction(#[from] ReproductionError),
    #[error("the simulation failed: {0}")]
    Simulation(#[from] HistogramError),
    #[error(transparent)]
    Input(#[from] CliError),
    #[error("--out: {0}")]
    Output(#[from] OutputError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<FigureError> for ReproduceError {
    fn from(error: FigureError) -> Self {
        Self::Output(error.into())
    }
}
