//! `dpfda regress` and `dpfda predict`: coefficient functions of curves on covariates.

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::Release;
use dpfda::release::{PrivateRegression, Regression, RegressionError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{PredictArguments, RegressArguments};
use crate::covariates::{covariates, values_at};
use crate::document::LARGEST;
use crate::error::CliError;
use crate::estimate::checked_level;
use crate::flaw::Flaw;
use crate::input;
use crate::look::Look;
use crate::output::{Contents, OutputError, table};
use crate::progress;
use crate::publication::Door;
use crate::reason::guaranteed;
use crate::release::{ball_on, public_ball, shares_of};
use crate::selection::Selection;

/// Writes the files of a regression and returns its summary, or JSON: **spends the budget**.
pub fn run(arguments: &RegressArguments) -> Result<String, CliError> {
    let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.bounds.as_ref())?;
    let budget = guaranteed(&arguments.guarantee)?;
    center.check_ball(radius)?;
    let level = checked_level(arguments.level)?.unwrap_or(DEFAULT_LEVEL);
    let covariates = covariates(&arguments.on, &arguments.covariate_bounds)?;
    let layout = input::layout(&arguments.input)?;
    let inputs = arguments.input.files();
    let seed = arguments.demonstration.seed;
    let door = Door::open(&arguments.output, Contents::Regression, &arguments.account, seed, &inputs)?;
    let door = door.printing_json(arguments.json);

    let path = &arguments.input.table.curves;
    let curves = input::read(Argument::Curves, path, &layout)?;
    let names: Vec<&str> = covariates.iter().map(dpfda::release::Covariate::name).collect();
    let columns = input::text_columns(path, &layout, &names)?;
    let ball = ball_on(bounds, &center, radius, curves.grid())?;
    let regression = PrivateRegression::new(ball, budget, covariates)
        .neighbours(arguments.neighbours)
        .calibration(arguments.guarantee.budget.calibration())
        .buying(shares_of(arguments.radius_share, arguments.center_share)?.unwrap_or_default());
    let regression = if arguments.public_design { regression.public_design() } else { regression };
    let refused = |error: RegressionError| input::in_file(Argument::Curves, path, error.into());
    let prepared = progress::waiting("encoding", || regression.prepare(&curves, &columns)).map_err(refused)?;
    let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
    let source = input::source(&arguments.input, names, arguments.guarantee.reason.because());
    let look = Look::of(&arguments.figure);
    let release = |drawn: Release<Regression>| Ok(drawn.labelled(look.labels()).read_from(source));
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
