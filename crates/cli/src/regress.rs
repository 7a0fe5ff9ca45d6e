//! `dpfda regress` and `dpfda predict`: coefficient functions of curves on covariates.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::Release;
use dpfda::release::{PrivateRegression, Regression, RegressionError};
use dpfda_study::Kind;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{PredictArguments, RegressArguments, WorkArguments};
use crate::calibrate::calibrated;
use crate::covariates::{covariates, values_at};
use crate::document::LARGEST;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input;
use crate::look::Look;
use crate::output::{Contents, OutputError, table};
use crate::progress;
use crate::release::{self, Way, ball_on, public_ball, shares};
use crate::request::Request;
use crate::selection::Selection;

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

/// The same for a study of a regression.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let (study, path) = (&request.study, request.data);
    let (center, radius, bounds) = public_ball(study)?;
    let budget = calibrated(study)?;
    center.check_ball(radius)?;
    let level = study.estimate.level.unwrap_or(DEFAULT_LEVEL);
    let covariates = covariates(&study.regression)?;
    let layout = input::layout(&study.table)?;
    let door = way.door(Contents::Regression, request)?;

    let curves = input::read(Argument::Curves, path, &layout)?;
    let names: Vec<&str> = covariates.iter().map(dpfda::release::Covariate::name).collect();
    let columns = input::text_columns(path, &layout, &names)?;
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let regression = PrivateRegression::new(ball, budget, covariates)
        .neighbours(study.privacy.relation())
        .calibration(study.privacy.calibration())
        .buying(shares(&study.bound)?.unwrap_or_default());
    let is_public = study.regression.public_design == Some(true);
    let regression = if is_public { regression.public_design() } else { regression };
    let refused = |error: RegressionError| input::in_file(Argument::Curves, path, error.into());
    let prepared = progress::waiting("encoding", || regression.prepare(&curves, &columns)).map_err(refused)?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = input::source(request, names);
    let look = Look::of(&study.figure);
    let release = |drawn: Release<Regression>| Ok(drawn.labelled(look.labels()).read_from(Some(source)));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated =
            progress::waiting("estimating", || Estimated::<Regression>::new(release, &Band::Population, level))?;
        let answer = answer(&estimated);
        Ok(Answered::estimated(estimated, Selection::Off, look.clone())?.answering(answer))
    })
}

/// The coefficients for programs: none where the noise hides them.
fn answer(estimated: &Estimated<Regression>) -> Map<String, Value> {
    let known = estimated.means().all().iter().filter_map(|one| Some((one.name(), one.estimate().ok()?)));
    let coefficients = known.map(|(name, function)| {
        let [values, lower, upper] = [&function.values, &function.lower, &function.upper].map(|of| of.to_vec());
        json!({ "name": name, "values": values, "lower": lower, "upper": upper })
    });
    let grid = estimated.statistic().grid().points().to_vec();
    [("grid".to_owned(), json!(grid)), ("coefficients".to_owned(), coefficients.collect())].into_iter().collect()
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
