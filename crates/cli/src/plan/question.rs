//! What is asked of a forecast: public numbers, checked.

use dpfda_study::{Forecast, ForecastError, GapsName, Kind, Study};

use super::error::PlanError;
use crate::arguments::PlanArguments;
use crate::error::CliError;
use crate::study_file::{folder, of_file};

/// What is asked, checked.
pub struct Question {
    pub forecast: Forecast,
    /// The points of the grid, of rows the values of one subject.
    pub points: usize,
    /// Whether the spread was said.
    pub says_spread: bool,
    pub records: Vec<u64>,
    pub error: Option<f64>,
}

impl Question {
    pub fn check(arguments: &PlanArguments, study: Study) -> Result<Self, CliError> {
        let points = match (study.is_of_rows(), arguments.points_per_subject) {
            (true, Some(values)) => values as usize,
            (true, None) => return Err(PlanError::NoRowsOfSubject.into()),
            (false, Some(_)) => return Err(PlanError::NotOfRows { kind: study.kind.in_words() }.into()),
            (false, None) => arguments.points,
        };
        let records = arguments.records.as_ref().map_or_else(Vec::new, |records| records.0.clone());
        if records.is_empty() && arguments.error.is_none() {
            return Err(PlanError::NoRecords.into());
        }
        let forecast =
            Forecast::of(study, points, arguments.spread).map_err(|error| match (error, &arguments.study) {
                (ForecastError::Study(refusal), Some(path)) => of_file(path, refusal),
                (error, _) => error.into(),
            })?;
        Ok(Self { forecast, points, says_spread: arguments.spread.is_some(), records, error: arguments.error })
    }
}

/// The study of a file and of options. An option for rows asks for them.
pub fn study(arguments: &PlanArguments) -> Result<Study, CliError> {
    let file = arguments.study.as_deref();
    let mut study = arguments.settings.study(file, None)?;
    if arguments.points_per_subject.is_some() && file.is_none() {
        match study.kind {
            Kind::Mean => study.kind = Kind::Rows,
            Kind::Centiles if !study.is_long() => study.said.table.gaps = Some(GapsName::Rows),
            _ => {}
        }
    }
    study.said.read_center(folder(file))?;
    Ok(study)
}
