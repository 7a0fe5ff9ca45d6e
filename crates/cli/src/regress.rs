//! `dpfda regress`: coefficient functions of curves on covariates.

use std::path::Path;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::mechanism::{Fact, Payable, Release};
use dpfda::privacy::PrivacyBudget;
use dpfda::release::{Covariate, PrivateRegression, Regression, RegressionError};
use dpfda::smoothing::{CurveLayout, CurveSet, TableError, TextColumn};
use dpfda_study::{Kind, Study};
use serde_json::{Map, Value, json};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{RegressArguments, WorkArguments};
use crate::calibrate::calibrated;
use crate::check;
use crate::covariates::CovariateRefusal;
use crate::error::CliError;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::progress;
use crate::release::{self, PublicBall, Way, ball_on, public_ball, shares};
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

/// The public settings, checked without the data.
struct Settings {
    ball: PublicBall,
    budget: PrivacyBudget,
    level: f64,
    covariates: Vec<Covariate>,
    layout: CurveLayout,
}

/// The private tables, and what is made of them.
struct Tables {
    curves: CurveSet,
    columns: Vec<TextColumn>,
    regression: PrivateRegression,
}

impl Settings {
    /// Refuses what can be refused without the data.
    fn check(study: &Study) -> Result<Self, CliError> {
        let ball = public_ball(study)?;
        let budget = calibrated(study)?;
        ball.0.check_ball(ball.1)?;
        let level = study.estimate.level.unwrap_or(DEFAULT_LEVEL);
        Ok(Self {
            ball,
            budget,
            level,
            covariates: study.regression.covariates().map_err(CliError::of_flags)?,
            layout: input::layout(&study.table)?,
        })
    }

    fn read(&self, request: &Request<'_>) -> Result<Tables, CliError> {
        let (study, path) = (&request.study, request.data);
        let curves = input::read(Argument::Curves, path, &self.layout)?;
        let names: Vec<&str> = self.covariates.iter().map(Covariate::name).collect();
        let columns = input::text_columns(path, &self.layout, &names).map_err(|error| match error {
            TableError::UnknownColumn { column, columns } => CovariateRefusal::NoColumn { column, columns }.into(),
            error => input::in_file(Argument::Curves, path, error.into()),
        })?;
        let (center, radius, bounds) = &self.ball;
        let ball = ball_on(*bounds, center, *radius, curves.grid())?;
        let regression = PrivateRegression::new(ball, self.budget, self.covariates.clone())
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration())
            .buying(shares(&study.bound)?.unwrap_or_default());
        let is_public = study.regression.public_design == Some(true);
        Ok(Tables { curves, columns, regression: if is_public { regression.public_design() } else { regression } })
    }
}

impl Tables {
    fn prepared(&self, path: &Path) -> Result<impl Payable<Drawn = Release<Regression>> + use<'_>, CliError> {
        let refused = |error: RegressionError| input::in_file(Argument::Curves, path, error.into());
        progress::waiting("encoding", || self.regression.prepare(&self.curves, &self.columns)).map_err(refused)
    }

    fn names(&self) -> Option<Vec<&str>> {
        self.curves.column_names().map(|names| names.iter().map(String::as_str).collect())
    }
}

/// The same for a study of a regression.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let settings = Settings::check(&request.study)?;
    let door = way.door(Contents::Regression, request)?;
    let tables = settings.read(request)?;
    let prepared = tables.prepared(request.data)?;
    let source = input::source(request, tables.names());
    let look = Look::of(&request.study.figure);
    let release = |drawn: Release<Regression>| Ok(drawn.labelled(look.labels()).read_from(Some(source)));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated = progress::waiting("estimating", || {
            Estimated::<Regression>::new(release, &Band::Population, settings.level)
        })?;
        let answer = answer(&estimated);
        Ok(Answered::estimated(estimated, Selection::Off, look.clone())?.answering(answer))
    })
}

/// What `dpfda check` tells of a regression: for the curator alone.
pub fn checked(request: &Request<'_>, left: Option<String>) -> Result<(CurveSet, Vec<Fact>), CliError> {
    let settings = Settings::check(&request.study)?;
    let tables = settings.read(request)?;
    let budget = tables.prepared(request.data)?.asked().guarantee.budget();
    let (center, radius, bounds) = &settings.ball;
    let ball = ball_on(*bounds, center, *radius, tables.curves.grid())?;
    let mut facts = check::of_curves(&tables.curves, &ball, *bounds, &input::source(request, tables.names()))?;
    for (covariate, column) in settings.covariates.iter().zip(&tables.columns) {
        facts.push(Fact::new("covariate", seen_of(covariate, column)));
    }
    facts.extend(check::cost_in_words(&budget, &tables.curves, request.study.privacy.relation()));
    facts.extend(left.map(|left| Fact::new("ledger", left)));
    Ok((tables.curves, facts))
}

/// Which cells of a covariate are outside its public range, and which levels no cell has.
fn seen_of(covariate: &Covariate, column: &TextColumn) -> String {
    let (mut missing, mut outside) = (0, 0);
    for cell in column.cells() {
        match cell {
            None => missing += 1,
            Some(cell) if !covariate.holds(cell) => outside += 1,
            Some(_) => {}
        }
    }
    let name = covariate.name();
    let text = format!("{name}: {outside} of {} cells outside its range, {missing} missing", column.cells().len());
    let Covariate::Category { levels, .. } = covariate else { return text };
    let is_seen = |level: &&String| {
        let levels = vec![(*level).clone(), String::new()];
        let alone = Covariate::Category { name: name.to_owned(), levels };
        column.cells().flatten().any(|cell| alone.holds(cell))
    };
    let unseen: Vec<&str> = levels.iter().filter(|level| !is_seen(level)).map(String::as_str).collect();
    if unseen.is_empty() {
        return text;
    }
    format!("{text}; no cell has {}: such a level has no coefficient but noise", unseen.join(", "))
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
