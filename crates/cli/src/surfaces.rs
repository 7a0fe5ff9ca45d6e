//! `dpfda release --surface`: the private mean of surfaces, one in each row or from a long table.

use std::path::{Path, PathBuf};

use dpfda::analysis::Estimated;
use dpfda::kernels::{Grid, GridError, MOST_SURFACE_POINTS, SurfaceGrid, SurfaceGridError};
use dpfda::mechanism::{Fact, GridSource, Head, Payable, Release, Source, Statistic, budget_in_words};
use dpfda::privacy::PrivacyUnit;
use dpfda::release::{Plan, PreparedMean, PrivateMean, Surface};
use dpfda::smoothing::{
    AnyCurves, Ball, BallError, Center, CurveLayout, CurveSet, CurveSource, GridChoice, TableFiles,
};
use dpfda_study::{Shape, Study, Surface as SurfaceSettings, Table};
use thiserror::Error;

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::WorkArguments;
use crate::calibrate::calibrated;
use crate::center::PublicCenter;
use crate::check;
use crate::document::LARGEST;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::flaw::Flaw;
use crate::input;
use crate::look::Look;
use crate::output::Contents;
use crate::progress;
use crate::publication::Door;
use crate::release::{Way, public_ball, shares};
use crate::request::Request;
use crate::selection::Selection;
use crate::shown::shown;
use crate::stream;

/// What was asked of surfaces and is not there for them.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SurfaceRefusal {
    #[error(
        "--center: the centre of surfaces is a number\nhint: give one that is near most values, such as --center 0.5"
    )]
    Center,
    #[error(
        "--{option}: a release of surfaces has the posterior mean for its estimate, and no smoother\nhint: leave --{option} out"
    )]
    Smoother { option: &'static str },
    #[error("--surface: {0}")]
    Grid(SurfaceGridError),
    #[error(
        "--surface-domain: {0}\nhint: give the ends of s and of t in increasing order, such as --surface-domain 0,1,0,24"
    )]
    Domain(GridError),
    #[error(
        "{}: this is a release of surfaces, and a release of the mean of curves is needed here\nhint: show, report, smooth, evaluate, \
         audit, and compare with another release of surfaces take this one",
        shown(path)
    )]
    Curves { path: PathBuf },
    #[error("--groups: a release of surfaces has no groups\nhint: give the release of each group, A.json and B.json")]
    Groups,
    #[error(
        "B.json: a release of surfaces can be compared with a release of surfaces on the same grid, and this is none"
    )]
    OneOfTwo,
    #[error("{option}: this is no release of surfaces\nhint: leave {option} out")]
    NoSurface { option: &'static str },
}

/// The public settings, checked without the data.
pub struct Settings {
    private_mean: PrivateMean,
    grid: SurfaceGrid,
    bounds: Option<(f64, f64)>,
    /// How the columns are read.
    pub layout: CurveLayout,
    band: BandChoice,
    look: Look,
}

impl Settings {
    /// Refuses what can be refused without the data.
    pub fn check(study: &Study) -> Result<Self, CliError> {
        let (center, radius, bounds) = public_ball(study)?;
        let budget = calibrated(study)?;
        center.check_ball(radius)?;
        let band = BandChoice::check(&study.estimate)?;
        band.check_surface()?;
        let grid = grid_of(&study.surface)?;
        let ball = match (bounds, center) {
            (Some((lower, upper)), _) => Ball::within(lower, upper)?,
            (None, PublicCenter::Constant(value)) => Ball::new(Center::Constant(value), radius)?,
            (None, PublicCenter::Curve(..)) => return Err(SurfaceRefusal::Center.into()),
        };
        let private_mean = PrivateMean::isonormal(ball, budget)
            .neighbours(study.privacy.relation())
            .calibration(study.privacy.calibration());
        let shares = shares(&study.bound)?;
        let private_mean = shares.map_or(private_mean.clone(), |shares| private_mean.buying(shares));
        // what a rectangle does not have is refused before the table is read
        private_mean.mechanism(&grid, PrivacyUnit::Subject, None)?;
        let layout = if study.is_long() {
            input::cells(long_layout(&study.table, grid.clone())?, &study.table)
        } else {
            // columns are counted, whatever their names say
            input::columns(&study.table)?.grid(GridChoice::Uniform(1.0, grid.len() as f64))
        };
        let look = Look::of(&study.figure);
        Ok(Self { private_mean, grid, bounds, layout, band, look })
    }

    /// The plan of surfaces that come from a stream or in parts, one in each row.
    pub fn plan(&self, first: &AnyCurves) -> Result<Plan<Surface>, CliError> {
        let (points, found) = (self.grid.len(), first.grid().len());
        if points != found {
            return Err(BallError::Points { points, found }.into());
        }
        let unit = if first.has_subjects() { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean.plan(&self.grid, unit)?)
    }
}

/// The columns of ids, s, t and values of a long table.
fn long_layout(table: &Table, grid: SurfaceGrid) -> Result<CurveLayout, CliError> {
    let [id, s, t, value] =
        [&table.id, &table.s, &table.t, &table.value].map(|name| name.as_deref().unwrap_or_default());
    Ok(CurveLayout::long_surface(id, [s, t], value, grid)?)
}

fn grid_of(settings: &SurfaceSettings) -> Result<SurfaceGrid, CliError> {
    // the study was checked: it has a shape, and two ends for each axis
    let Shape(first, second) = settings.surface.unwrap_or(Shape(0, 0));
    if first.checked_mul(second).is_none_or(|points| points > MOST_SURFACE_POINTS) {
        return Err(SurfaceRefusal::Grid(SurfaceGridError::TooMany { first, second }).into());
    }
    let ends = settings.surface_domain.as_deref().unwrap_or(&[0.0, 1.0, 0.0, 1.0]);
    let axis = |ends: &[f64], points| match *ends {
        [from, to] => Grid::uniform(from, to, points).map_err(SurfaceRefusal::Domain),
        _ => Grid::uniform(f64::NAN, f64::NAN, points).map_err(SurfaceRefusal::Domain),
    };
    let (s, t) = ends.split_at(ends.len() / 2);
    let (s, t) = (axis(s, first)?, axis(t, second)?);
    let grid = SurfaceGrid::new(s, t).map_err(|error| match error {
        SurfaceGridError::Axis(error) => SurfaceRefusal::Domain(error),
        error @ SurfaceGridError::TooMany { .. } => SurfaceRefusal::Grid(error),
    });
    Ok(grid?)
}

/// Writes the files of a release and returns its summary, or JSON: **spends the budget**.
pub fn run(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let settings = Settings::check(&request.study)?;
    let door = way.door(Contents::Release, request)?;
    let (path, layout) = (request.data, &settings.layout);
    if request.study.is_long() {
        let surfaces = input::read(Argument::Curves, path, layout)?;
        let names = surfaces.column_names().map(|names| names.iter().map(String::as_str).collect());
        let prepared = prepared(request, way.work, &settings, &surfaces)?;
        return publish(door, prepared, Some(source(request, names)), &settings.band, &settings.look);
    }
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    let stream = stream::open(files, layout).map_err(refused)?;
    let plan = settings.plan(&stream.first).map_err(refused)?;
    let source = Some(source(request, stream.first.column_names()));
    let encoding = stream::whole(way.work)?;
    if plan.is_twice() {
        let (stream, rows) = stream.again().map_err(refused)?;
        let prepared = rows.prepared(&plan, stream, layout, encoding).map_err(refused)?;
        return publish(door, prepared, source, &settings.band, &settings.look);
    }
    let prepared = stream::prepared(&plan, stream, layout, encoding).map_err(refused)?;
    publish(door, prepared, source, &settings.band, &settings.look)
}

/// Pays, draws, and writes the files of a release with its estimate.
pub fn publish(
    door: Door<'_>,
    prepared: impl Payable<Drawn = Release<Surface>>,
    source: Option<Source>,
    band: &BandChoice,
    look: &Look,
) -> Result<String, CliError> {
    let release = |drawn: Release<Surface>| Ok(drawn.labelled(look.labels()).read_from(source));
    door.publish(prepared, release, Release::to_json, |release| {
        let estimated = progress::waiting("estimating", || band.plain::<Surface>(release.clone()));
        Answered::of(release, estimated.map(|estimated| (estimated, Selection::Off)), look.clone())
    })
}

/// Everything of a release of surfaces in memory but its noise.
fn prepared<'s>(
    request: &Request<'_>,
    work: &WorkArguments,
    settings: &Settings,
    surfaces: &'s CurveSet,
) -> Result<PreparedMean<'s, SurfaceGrid>, CliError> {
    let prepare = || settings.private_mean.prepare_on(surfaces, &settings.grid, Some(work.threads()));
    let prepared = progress::waiting("encoding", prepare);
    prepared.map_err(|error| input::in_file(Argument::Curves, request.data, error.into()))
}

fn source(request: &Request<'_>, names: Option<Vec<&str>>) -> Source {
    let table = &request.study.table;
    let (grid, subject) = if request.study.is_long() {
        (GridSource::SurfaceRows, &table.id)
    } else {
        (GridSource::Surface, &table.subject)
    };
    input::source_on(request, (Some(grid), subject.as_deref()), names)
}

/// What `dpfda check` tells of surfaces: for the curator alone.
pub fn checked(request: &Request<'_>, work: &WorkArguments, left: Option<String>) -> Result<Vec<Fact>, CliError> {
    let settings = Settings::check(&request.study)?;
    let surfaces = input::read(Argument::Curves, request.data, &settings.layout)?;
    let prepared = prepared(request, work, &settings, &surfaces)?;
    let bounded = settings.private_mean.ball().bound_on(&surfaces, &settings.grid)?;
    let names = surfaces.column_names().map(|names| names.iter().map(String::as_str).collect());
    let mut facts = prepared.mechanism().statistic().facts();
    facts.retain(|fact| fact.name == "grid");
    let mut tell = |name: &'static str, text: String| facts.push(Fact::new(name, text));
    for fact in source(request, names).facts() {
        tell(fact.name, fact.text);
    }
    let row = if request.study.is_long() { "surface" } else { "row" };
    tell("rows", check::rows(&surfaces, row));
    tell("missing", check::missing(&surfaces, row));
    tell("values", check::values(&bounded, settings.bounds, row));
    for note in check::suspicious(&surfaces, row) {
        tell("look at", note);
    }
    let cost = budget_in_words(&prepared.asked().guarantee.budget());
    tell("cost", format!("a release would spend {cost}"));
    if let Some(left) = left {
        tell("ledger", left);
    }
    Ok(facts)
}

/// A release of surfaces from its file, with its estimate; `None` for a release of another kind.
pub fn read(path: &Path) -> Result<Option<Estimated<Surface>>, CliError> {
    let text = input::document(path, LARGEST)?;
    if !Head::read(&text).is_ok_and(|head| head.kind == Surface::KIND) {
        return Ok(None);
    }
    let read = progress::waiting("estimating", || Estimated::<Surface>::from_json(&text));
    let refused = |error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) };
    read.map(Some).map_err(refused)
}
