//! What `dpfda forecast` refuses.

use dpfda::plotting::FigureError;
use dpfda_study::ForecastError;
use thiserror::Error;

use crate::error::{CliError, own_refusals};

/// Why no error was foretold. Everything in the error is public.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PlanError {
    #[error("--points-per-subject was not given: a study of rows does not say how many values a subject will have")]
    NoRowsOfSubject,
    #[error("--points-per-subject is for rows, and this is {kind}\nhint: leave the option out")]
    NotOfRows { kind: &'static str },
    #[error(
        "--records was not given\n\nThe error of a release depends on the number of records: how many people there are, or how \
         many curves\nwhere each is protected alone. Give a number such as --records 500, a list such as --records \
         100,300,1000, or a\nrange such as --records 100..10000. To ask how many records an error takes, give --error."
    )]
    NoRecords,
    #[error("{}: {error}\nhint: {}", argument(.error), hint(.error))]
    Forecast { error: ForecastError },
    #[error("--figure: {0}\nhint: leave --figure out")]
    Figure(#[from] FigureError),
}

own_refusals!(PlanError);

impl From<ForecastError> for CliError {
    fn from(error: ForecastError) -> Self {
        match error {
            ForecastError::Study(refusal) => Self::of_flags(refusal),
            error => PlanError::Forecast { error }.into(),
        }
    }
}

fn argument(error: &ForecastError) -> String {
    error.argument().map_or_else(String::new, |name| format!("--{}", name.replace('_', "-")))
}

fn hint(error: &ForecastError) -> &'static str {
    match error {
        ForecastError::Records { .. } => "give the number of records that you expect, such as 500",
        ForecastError::Error { .. } | ForecastError::Unreachable { .. } => {
            "give a positive number in the units of the data, such as a tenth of the radius"
        }
        ForecastError::Points { .. } => "leave --points out for 100",
        ForecastError::Spread { .. } => "leave --spread out for a fifth of the radius",
        _ => "see dpfda forecast --help",
    }
}
