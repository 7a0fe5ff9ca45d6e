//! `dpfda regress` and `dpfda predict`: coefficient functions of curves on covariates.

use std::path::Path;

use dpfda::analysis::{AnalysisError, DEFAULT_LEVEL, EstimatedRegression};
use dpfda::mechanism::{Fact, Release};
use dpfda::release::{PrivateRegression, Regression, RegressionError, RegressionRelease};
use serde::Serialize;

use crate::argument::Argument;
use crate::arguments::{PredictArguments, RegressArguments};
use crate::calibrate::calibrated;
use crate::covariates::{covariates, values_at};
use crate::error::CliError;
use crate::estimate::checked_level;
use crate::evaluate::LARGEST;
use crate::flaw::Flaw;
use crate::input;
use crate::output::{Contents, OutputError, functions_table, table};
use crate::progress;
use crate::publication::{Door, Publication, Sink};
use crate::release::{ball_on, public_ball};
use crate::shown::shown;
use crate::summary::{FROM_A_SEED, exact, of_a_seed, weak_delta, wrapped};

mod figure;

/// Writes the files of a regression and returns its summary, or JSON: **spends the budget**.
pub fn run(arguments: &RegressArguments) -> Result<String, CliError> {
    let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.bounds.as_ref())?;
    let budget = calibrated(&arguments.budget)?;
    center.check_ball(radius)?;
    let level = checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL);
    let covariates = covariates(&arguments.on, &arguments.covariate_bounds)?;
    let layout = input::layout(&arguments.input)?;
    let inputs = arguments.input.files();
    let seed = arguments.demonstration.seed;
    let door = Door::open(&arguments.output, Contents::Release, &arguments.account, seed, &inputs)?;

    let path = &arguments.input.table.curves;
    let curves = input::read(Argument::Curves, path, &layout)?;
    let names: Vec<&str> = covariates.iter().map(dpfda::release::Covariate::name).collect();
    let columns = input::text_columns(path, &layout, &names)?;
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let regression = PrivateRegression::new(ball, budget, covariates)
        .neighbours(arguments.neighbours)
        .calibration(arguments.budget.calibration());
    let regression = if arguments.public_design { regression.public_design() } else { regression };
    let refused = |error: RegressionError| input::in_file(Argument::Curves, path, error.into());
    let prepared = regression.prepare(&curves, &columns).map_err(refused)?;
    let json = arguments.json;
    door.publish(prepared, |drawn: Release<Regression>| {
        let release = RegressionRelease::from(drawn);
        let estimated = progress::waiting("estimating", || EstimatedRegression::new(release.clone(), level));
        Ok(Regressed { release, estimated: estimated.map(Box::new), json })
    })
}

/// A release, and its coefficients unless the noise hides them: that depends on the release alone.
struct Regressed {
    release: RegressionRelease,
    estimated: Result<Box<EstimatedRegression>, AnalysisError>,
    json: bool,
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    grid: Vec<f64>,
    coefficients: Vec<Coefficient<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

#[derive(Serialize)]
struct Coefficient<'a> {
    name: &'a str,
    values: &'a [f64],
    lower: &'a [f64],
    upper: &'a [f64],
}

impl Publication for Regressed {
    const REMEDY: &'static str = "`dpfda predict` reads it";

    fn write(&self, sink: Sink<'_>) -> Result<(), OutputError> {
        let Ok(estimated) = &self.estimated else {
            return sink("release.json", (self.release.to_json_with_estimate(&())? + "\n").as_bytes());
        };
        sink("release.json", (estimated.to_json()? + "\n").as_bytes())?;
        let functions = estimated.coefficients().iter().map(|(name, function)| (name.as_str(), function));
        sink("release.csv", functions_table("coefficient", functions)?.as_bytes())?;
        let figure = figure::of(estimated)?;
        sink("release.svg", figure.to_svg()?.as_bytes())?;
        sink("release.png", &figure.to_png()?)
    }

    fn summary(&self, directory: &Path) -> String {
        if self.json {
            return self.answer();
        }
        let release = &self.release;
        let mut text = format!("Private regression of curves ({})\n\n", release.software());
        let facts: Vec<Fact> = self.estimated.as_ref().map_or_else(|_| release.facts(), |estimated| estimated.facts());
        for fact in facts.iter().filter(|fact| fact.name != "NOTE") {
            text += &wrapped(fact.name, &fact.text);
        }
        let budget = release.budget();
        let mut notes: Vec<String> =
            self.estimated.as_ref().err().map(|reason| format!("No coefficients: {reason}.")).into_iter().collect();
        notes.extend((!release.is_private()).then(|| FROM_A_SEED.to_owned()));
        notes.extend(weak_delta(budget.delta(), release.units(), release.neighbours()));
        for note in notes {
            text += &wrapped("NOTE", &note);
        }
        let closing = format!(
            "Everything in {} is public and may be shared; predictions are free (dpfda predict {}/release.json --at ...). Releasing \
             these people again spends ({},\u{a0}{}) again.",
            shown(directory),
            shown(directory),
            exact(budget.epsilon()),
            exact(budget.delta()),
        );
        let closing = if release.is_private() { closing } else { of_a_seed(directory, "release") };
        text + "\n" + &wrapped("", &closing)
    }
}

impl Regressed {
    fn answer(&self) -> String {
        let coefficients = self.estimated.iter().flat_map(|estimated| estimated.coefficients());
        let answer = Answer {
            grid: self.release.statistic().grid().points().to_vec(),
            coefficients: coefficients
                .map(|(name, function)| Coefficient {
                    name,
                    values: &function.values,
                    lower: &function.lower,
                    upper: &function.upper,
                })
                .collect(),
            refused: self.estimated.as_ref().err().map(ToString::to_string),
        };
        // every number is finite
        serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n"
    }
}

/// The mean curve for one set of covariates, as CSV or JSON: free.
pub fn predict(arguments: &PredictArguments) -> Result<String, CliError> {
    let path = &arguments.release;
    let text = input::document(path, LARGEST)?;
    let flawed = |error| CliError::NotARelease { path: path.clone(), reason: Flaw::of_release(&text, &error) };
    let release = RegressionRelease::from_json(&text).map_err(flawed)?;
    // what hides the coefficients is said in its own words
    EstimatedRegression::new(release, DEFAULT_LEVEL)?;
    let estimated = EstimatedRegression::from_json(&text).map_err(flawed)?;
    let cells = values_at(&arguments.at, estimated.statistic().covariates())?;
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let prediction = estimated.predict(&cells)?;
    if !arguments.json {
        return Ok(table(&prediction.points())?);
    }
    let answer = Prediction {
        grid: &prediction.grid,
        values: &prediction.values,
        lower: &prediction.lower,
        upper: &prediction.upper,
    };
    Ok(serde_json::to_string_pretty(&answer).map_err(OutputError::from)? + "\n")
}

#[derive(Serialize)]
struct Prediction<'a> {
    grid: &'a [f64],
    values: &'a [f64],
    lower: &'a [f64],
    upper: &'a [f64],
}
