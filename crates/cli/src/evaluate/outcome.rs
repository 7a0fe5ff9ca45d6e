//! `dpfda evaluate --outcome`: how curves go with a covariate of a released regression.

use dpfda::analysis::{Band, Estimated, Outcome};
use dpfda::kinds::Picture;
use dpfda::release::Regression;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{EvaluateRefusal, rows_of};
use crate::arguments::EvaluateArguments;
use crate::document::{LARGEST, flawed};
use crate::error::CliError;
use crate::input;
use crate::output::csv_of;
use crate::progress;

/// An outcome for programs.
#[derive(Serialize)]
struct Answer<'a> {
    kind: &'static str,
    software: &'a str,
    private: bool,
    outcome: &'a str,
    given: &'a [String],
    level: f64,
    /// What the slope is expected to explain in new people: null where no association can be told from the noise.
    r_squared: Option<f64>,
    r_squared_at_least: Option<f64>,
    curves: Vec<Map<String, Value>>,
}

/// The curves as CSV, or as JSON.
pub fn run(arguments: &EvaluateArguments, name: &str) -> Result<String, CliError> {
    let text = input::document(&arguments.release, LARGEST)?;
    let read = progress::waiting("estimating", || Estimated::<Regression>::from_json(&text));
    let estimated = read.map_err(|error| flawed(&arguments.release, &text, &error))?;
    let estimated = match arguments.settings.estimate.level {
        Some(level) => estimated.with_band(&Band::Population, level)?,
        None => estimated,
    };
    let known: Vec<String> = estimated.statistic().covariates().iter().map(|one| one.name().to_owned()).collect();
    if !known.iter().any(|one| one == name) {
        return Err(EvaluateRefusal::NoOutcome { known }.into());
    }
    let outcome = estimated.outcome(name).map_err(EvaluateRefusal::Outcome)?;
    told(&outcome, arguments, (estimated.software(), estimated.is_private()))
}

fn told(
    outcome: &Outcome,
    arguments: &EvaluateArguments,
    (software, private): (&str, bool),
) -> Result<String, CliError> {
    let table = Picture::Outcome(Box::new(outcome.clone())).table(&[]).unwrap_or_default();
    if !arguments.answer.json {
        match outcome.explained() {
            Ok(explained) => progress::caution(&format!("of {}, {explained}", outcome.name())),
            Err(reason) => progress::caution(&format!("no slope: {reason}")),
        }
        return Ok(csv_of(&table)?);
    }
    let explained = outcome.explained().ok();
    let answer = Answer {
        kind: "outcome",
        software,
        private,
        outcome: outcome.name(),
        given: outcome.beside(),
        level: outcome.correlation().level,
        r_squared: explained.and_then(|part| part.of_new),
        r_squared_at_least: explained.map(|part| part.at_least),
        curves: rows_of(&table),
    };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
