//! `dpfda evaluate`: an estimate at any points, its slope, its integral and its maximum.

use dpfda::analysis::PointEstimate;
use dpfda::kinds::Table;
use dpfda_study::BandChoice;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arguments::EvaluateArguments;
use crate::curve::{Curve, CurveRefusal, Which};
use crate::error::CliError;
use crate::features::Told;
use crate::output::table;
use crate::progress;
use crate::summary::{FROM_A_SEED, NOTE, wrapped};
use crate::surfaces::{self, SurfaceRefusal};
use crate::values::{AtArgument, Numbers};

mod centiles;
mod error;
mod outcome;
mod surface;

pub use error::EvaluateRefusal;

/// What the options of numbers of a curve are called together.
const FEATURES: &str = "--derivative, --integral, --maximum, --minimum";

/// Everything that was asked for.
#[derive(Serialize)]
struct Answer {
    kind: &'static str,
    software: String,
    /// Whether the noise of the release was secret.
    private: bool,
    /// What a band of people assumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<PointEstimate<f64>>>,
    #[serde(flatten)]
    features: Option<Told>,
}

/// The values as CSV, the rest in words, or all of it as JSON.
pub fn run(arguments: &EvaluateArguments) -> Result<String, CliError> {
    answered(arguments).map_err(|error| error.asked_by(asked(arguments)))
}

fn answered(arguments: &EvaluateArguments) -> Result<String, CliError> {
    let band = BandChoice::check(&arguments.settings.estimate)?;
    if let Some(Numbers(asked)) = &arguments.centiles {
        alone(arguments, "--centiles", ("--outcome", arguments.outcome.is_some()))?;
        band.check_one("centiles")?;
        return centiles::run(arguments, asked, &band);
    }
    if let Some(name) = &arguments.outcome {
        alone(arguments, "--outcome", ("--of", arguments.of.is_some()))?;
        band.check_one("correlations")?;
        return outcome::run(arguments, name);
    }
    if let Some(estimated) = surfaces::read(&arguments.release)? {
        if arguments.of.is_some() {
            return Err(CurveRefusal::OneMean.into());
        }
        band.check_surface()?;
        return surface::run(arguments, &band.plain_again(estimated)?);
    }
    if arguments.slice.is_some() {
        return Err(SurfaceRefusal::NoSurface { option: "--slice" }.into());
    }
    let asks_features = arguments.features.any();
    let covariates = match &arguments.at {
        Some(AtArgument::Covariates(values)) => Some(values.as_slice()),
        _ => None,
    };
    if arguments.at.is_some() && covariates.is_none() && asks_features && !arguments.answer.json {
        return Err(EvaluateRefusal::Several.into());
    }
    let which = match (&arguments.of, covariates) {
        (Some(_), Some(_)) => return Err(EvaluateRefusal::NameAndCovariates.into()),
        (Some(name), None) => Which::Named(name),
        (None, Some(covariates)) => Which::At(covariates),
        (None, None) => Which::Mean,
    };
    let Curve { mean, software, private, .. } = Curve::read(&arguments.release, which, &band)?;
    if asks_features && mean.estimate().band.caution().is_some() {
        return Err(EvaluateRefusal::FeaturesOfPeople { argument: FEATURES }.into());
    }
    let points = match &arguments.at {
        Some(AtArgument::Points(at)) => Some(mean.at(&at.0)?),
        Some(AtArgument::Covariates(_)) if !asks_features || arguments.answer.json => Some(mean.estimate().points()),
        _ => None,
    };
    let features = if asks_features { Told::of(&mean.features()?, &arguments.features)? } else { None };
    let assumed = mean.estimate().band.caution();
    let answer = Answer { kind: "evaluation", software, private, assumed, points, features };
    if arguments.answer.json {
        return Ok(serde_json::to_string_pretty(&answer)? + "\n");
    }
    if let Some(caution) = &answer.assumed {
        progress::caution(caution);
    }
    match &answer {
        Answer { points: Some(points), .. } => Ok(table(points)?),
        answer => Ok(answer.words()),
    }
}

/// The option that a release of this kind does not answer.
fn asked(arguments: &EvaluateArguments) -> &'static str {
    let EvaluateArguments { at, slice, outcome, centiles, .. } = arguments;
    let asked = [
        ("--centiles", centiles.is_some()),
        ("--outcome", outcome.is_some()),
        ("--at", at.is_some()),
        ("--slice", slice.is_some()),
    ];
    asked.into_iter().find(|(_, is_asked)| *is_asked).map_or(FEATURES, |(name, _)| name)
}

/// Refuses whatever else is asked for beside curves.
fn alone(
    arguments: &EvaluateArguments,
    argument: &'static str,
    (other, is_asked): (&'static str, bool),
) -> Result<(), EvaluateRefusal> {
    let EvaluateArguments { at, slice, features, .. } = arguments;
    if is_asked || at.is_some() || slice.is_some() || features.any() {
        return Err(EvaluateRefusal::Alone { argument, other });
    }
    Ok(())
}

/// The rows of a table for programs.
fn rows_of(table: &Table) -> Vec<Map<String, Value>> {
    let row = |(_, numbers): &(String, Vec<f64>)| {
        table.columns.iter().cloned().zip(numbers.iter().map(|number| json!(number))).collect()
    };
    table.rows.iter().map(row).collect()
}

impl Answer {
    fn words(&self) -> String {
        let mut text = format!("Features of a private mean function ({})\n\n", self.software);
        let Some(told) = &self.features else { return text };
        text += &told.words();
        if !self.private {
            text += &wrapped(NOTE, FROM_A_SEED);
        }
        text + "\n" + &wrapped("", &told.meaning())
    }
}
