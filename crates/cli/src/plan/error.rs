//! What `dpfda forecast` refuses.

use dpfda::analysis::RiskError;
use dpfda::plotting::FigureError;
use dpfda::release::DEFAULT_BINS;
use thiserror::Error;

use crate::error::{CliError, own_refusals};

/// The most points of a grid.
pub const MOST_POINTS: usize = 5000;

/// Why no error was foretold. Everything in the error is public.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PlanError {
    #[error("--points-per-subject was not given: a study of rows does not say how many values a subject will have")]
    NoRowsOfSubject,
    #[error(
        "--records was not given\n\nThe error of a release depends on the number of records: how many people there are, or how \
         many curves\nwhere each is protected alone. Give a number such as --records 500, a list such as --records \
         100,300,1000, or a\nrange such as --records 100..10000. To ask how many records an error takes, give --error."
    )]
    NoRecords,
    #[error("--records: {0}\nhint: give the number of records that you expect, such as 500")]
    Records(#[source] RiskError),
    #[error("--error: {0}\nhint: {ERROR_HINT}")]
    Error(#[source] RiskError),
    #[error(
        "--points: the number of points must be from 2 to {MOST_POINTS}, got {found}\nhint: leave --points out for 100"
    )]
    Points { found: usize },
    #[error(
        "--bins: the number of bins must be from 2 to {MOST_POINTS}, got {found}\nhint: leave --bins out for {DEFAULT_BINS}"
    )]
    Bins { found: usize },
    #[error("--center-share: the centre of a long table is stated, and cannot be bought\nhint: leave the option out")]
    BoughtCenter,
    #[error(
        "--slope, --roughness: errors are foretold for the ball alone, and a bound on slope or roughness makes them smaller\nhint: \
         leave the option out"
    )]
    Body,
    #[error("--figure: {0}\nhint: leave --figure out")]
    Figure(#[from] FigureError),
}

own_refusals!(PlanError);

const ERROR_HINT: &str = "give a positive number in the units of the data, such as a tenth of the radius";

impl From<RiskError> for CliError {
    fn from(error: RiskError) -> Self {
        match error {
            RiskError::Analysis(error) => error.into(),
            RiskError::Records { .. } | RiskError::NotIsonormal | RiskError::Coordinates { .. } => {
                PlanError::Records(error).into()
            }
            RiskError::Error { .. } | RiskError::Unreachable { .. } => PlanError::Error(error).into(),
        }
    }
}
