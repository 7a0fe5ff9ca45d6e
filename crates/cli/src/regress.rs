//! `dpfda regress`: coefficient functions of curves on covariates.

use dpfda_study::Kind;

use crate::arguments::{RegressArguments, WorkArguments};
use crate::error::CliError;
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
        json: arguments.answer.json,
    };
    release::released(&request, &way)
}
