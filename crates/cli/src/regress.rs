//! `dpfda regress` and `dpfda predict`: coefficient functions of curves on covariates.

use dpfda::analysis::Estimated;
use dpfda::release::Regression;
use dpfda_study::Kind;
use serde::Serialize;

use crate::arguments::{PredictArguments, RegressArguments, WorkArguments};
use crate::covariates::values_at;
use crate::document::LARGEST;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input;
use crate::output::{OutputError, table};
use crate::release::{self, Way};
use crate::request::Request;

/// Writes the files of a regression and returns its summary, or JSON: **spends the budget**.
pub fn run(arguments: &RegressArguments) -> Result<String, CliError> {
    let request = Request::of(&arguments.files, &arguments.settings, Some(Kind::Regression))?;
    let work = WorkArguments { threads: None, sorted_by_subject: false };
    let way = Way {
        output: &arguments.output,
        account: &arguments.account,
        seed: arguments.demonstration.seed,
        work: &work,
        json: arguments.json,
    };
    release::released(&request, &way)
}

/// The mean curve for one set of covariates, as CSV or JSON: free.
pub fn predict(arguments: &PredictArguments) -> Result<String, CliError> {
    let path = &arguments.release;
    let text = input::document(path, LARGEST)?;
    let flawed = |error| CliError::NotARelease { path: path.clone(), reason: Flaw::of_release(&text, &error) };
    let estimated = Estimated::<Regression>::from_json(&text).map_err(flawed)?;
    estimated.hidden().map_or(Ok(()), Err)?;
    let cells = values_at(&arguments.at, estimated.statistic().covariates())?;
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let prediction = estimated.predict(&cells)?;
    let prediction = prediction.estimate();
    if !arguments.json {
        return Ok(table(&prediction.points())?);
    }
    let answer = Prediction {
        private: estimated.is_private(),
        grid: &prediction.at,
        values: prediction.values.to_vec(),
        lower: prediction.lower.to_vec(),
        upper: prediction.upper.to_vec(),
    };
    Ok(serde_json::to_string_pretty(&answer).map_err(OutputError::from)? + "\n")
}

#[derive(Serialize)]
struct Prediction<'a> {
    /// Whether the noise of the release was secret.
    private: bool,
    grid: &'a [f64],
    values: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}
