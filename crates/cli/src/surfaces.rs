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
use thiserror::Error;

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{OutputArguments, ReleaseArguments};
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
use crate::reason::guaranteed;
use crate::release::{public_ball, shares};
use crate::selection::Selection;
use crate::shown::shown;
use crate::stream;
use crate::values::SurfaceShape;

/// What was asked of surfaces and is not there for them.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SurfaceRefusal {
    #[error("--surface-domain: give the ends of s and of t, such as --surface-domain 0,1,0,24; got {found} numbers")]
    Ends { found: usize },
    #[error(
        "--center: the centre of surfaces is a number\nhint: give one that is near most values, such as --center 0.5"
    )]
    Center,
    #[error(
        "{option}: a release of surfaces has the posterior mean for its estimate, and no smoother\nhint: leave {option} out"
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

/// The public arguments, checked without the data.
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
    pub fn check(arguments: &ReleaseArguments, shape: SurfaceShape) -> Result<Self, CliError> {
        let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.ball.bounds.as_ref())?;
        let budget = guaranteed(&arguments.guarantee)?;
        center.check_ball(radius)?;
        let band = BandChoice::check(&arguments.band)?;
        band.check_surface()?;
        let grid = grid_of(arguments, shape)?;
        let ball = match (bounds, center) {
            (Some((lower, upper)), _) => Ball::within(lower, upper)?,
            (None, PublicCenter::Constant(value)) => Ball::new(Center::Constant(value), radius)?,
            (None, PublicCenter::Curve(..)) => return Err(SurfaceRefusal::Center.into()),
        };
        let private_mean = PrivateMean::isonormal(ball, budget)
            .neighbours(arguments.neighbours)
            .calibration(arguments.guarantee.budget.calibration());
        let shares = shares(&arguments.ball)?;
        let private_mean = shares.map_or(private_mean.clone(), |shares| private_mean.buying(shares));
        // what a rectangle does not have is refused before the table is read
        private_mean.mechanism(&grid, PrivacyUnit::Subject, None)?;
        let layout = match long_columns(arguments) {
            Some([id, s, t, value]) => {
                let layout = CurveLayout::long_surface(id, [s, t], value, grid.clone())?;
                input::cells(layout, &arguments.input.table)
            }
            // columns are counted, whatever their names say
            None => input::columns(&arguments.input.table)?.grid(GridChoice::Uniform(1.0, grid.len() as f64)),
        };
        let look = Look::of(&arguments.figure).with_s(arguments.surface.s_label.as_deref());
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

/// The columns of ids, s, t and values, where the table is long.
fn long_columns(arguments: &ReleaseArguments) -> Option<[&str; 4]> {
    let (long, surface) = (&arguments.long.columns, &arguments.surface);
    Some([long.id.as_ref()?, surface.s.as_ref()?, surface.t.as_ref()?, long.value.as_ref()?])
}

fn grid_of(arguments: &ReleaseArguments, SurfaceShape(first, second): SurfaceShape) -> Result<SurfaceGrid, CliError> {
    if first.checked_mul(second).is_none_or(|points| points > MOST_SURFACE_POINTS) {
        return Err(SurfaceRefusal::Grid(SurfaceGridError::TooMany { first, second }).into());
    }
    let ends = arguments.surface.surface_domain.as_ref().map_or(&[0.0, 1.0, 0.0, 1.0][..], |numbers| &numbers.0);
    let [s_from, s_to, t_from, t_to] = *ends else {
        return Err(SurfaceRefusal::Ends { found: ends.len() }.into());
    };
    let axis = |from, to, points| Grid::uniform(from, to, points).map_err(SurfaceRefusal::Domain);
    let (s, t) = (axis(s_from, s_to, first)?, axis(t_from, t_to, second)?);
    let grid = SurfaceGrid::new(s, t).map_err(|error| match error {
        SurfaceGridError::Axis(error) => SurfaceRefusal::Domain(error),
        error @ SurfaceGridError::TooMany { .. } => SurfaceRefusal::Grid(error),
    });
    Ok(grid?)
}

/// Writes the files of a release and returns its summary, or JSON: **spends the budget**.
pub fn run(arguments: &ReleaseArguments, shape: SurfaceShape, output: &OutputArguments) -> Result<String, CliError> {
    let settings = Settings::check(arguments, shape)?;
    let inputs = arguments.input.files();
    let door = Door::open(output, Contents::Release, &arguments.account, arguments.demonstration.seed, &inputs)?;
    let door = door.printing_json(arguments.json);
    let (path, layout) = (&arguments.input.table.curves, &settings.layout);
    if long_columns(arguments).is_some() {
        let surfaces = input::read(Argument::Curves, path, layout)?;
        let names = surfaces.column_names().map(|names| names.iter().map(String::as_str).collect());
        let prepared = prepared(arguments, &settings, &surfaces)?;
        return publish(door, prepared, source(arguments, names), &settings.band, &settings.look);
    }
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    let stream = stream::open(files, layout).map_err(refused)?;
    let plan = settings.plan(&stream.first).map_err(refused)?;
    let source = source(arguments, stream.first.column_names());
    let encoding = stream::whole(&arguments.work)?;
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
    arguments: &ReleaseArguments,
    settings: &Settings,
    surfaces: &'s CurveSet,
) -> Result<PreparedMean<'s, SurfaceGrid>, CliError> {
    let threads = Some(arguments.work.threads());
    let prepare = || settings.private_mean.prepare_on(surfaces, &settings.grid, threads);
    let prepared = progress::waiting("encoding", prepare);
    prepared.map_err(|error| input::in_file(Argument::Curves, &arguments.input.table.curves, error.into()))
}

fn source(arguments: &ReleaseArguments, names: Option<Vec<&str>>) -> Option<Source> {
    let (grid, subject) = match long_columns(arguments) {
        Some([id, ..]) => (GridSource::SurfaceRows, Some(id)),
        None => (GridSource::Surface, arguments.input.table.subject.as_deref()),
    };
    input::source_on(&arguments.input, (grid, subject), names, arguments.guarantee.reason.because())
}

/// What `dpfda check` tells of surfaces: for the curator alone.
pub fn checked(arguments: &ReleaseArguments, shape: SurfaceShape, left: Option<String>) -> Result<Vec<Fact>, CliError> {
    let settings = Settings::check(arguments, shape)?;
    let surfaces = input::read(Argument::Curves, &arguments.input.table.curves, &settings.layout)?;
    let prepared = prepared(arguments, &settings, &surfaces)?;
    let bounded = settings.private_mean.ball().bound_on(&surfaces, &settings.grid)?;
    let names = surfaces.column_names().map(|names| names.iter().map(String::as_str).collect());
    let mut facts = prepared.mechanism().statistic().facts();
    facts.retain(|fact| fact.name == "grid");
    let mut tell = |name: &'static str, text: String| facts.push(Fact::new(name, text));
    for fact in source(arguments, names).iter().flat_map(Source::facts) {
        tell(fact.name, fact.text);
    }
    let row = if long_columns(arguments).is_some() { "surface" } else { "row" };
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
