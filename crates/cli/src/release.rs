//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, the payment, and only then the noise.
//! Whatever can be refused is refused before that, at no cost. The estimate is made after it, from the release alone.

use dpfda::crossval::SelectionError;
use dpfda::kernels::{Grid, Kernel};
use dpfda::mechanism::{Payable, Release, Source};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Share};
use dpfda::release::{
    BallShareError, BallShares, DEFAULT_KERNEL, MOST_COORDINATES, Mean, MeanError, MeanRelease, MeanViewer, Plan,
    PrivateMean, ReleaseError,
};
use dpfda::smoothing::{Ball, CurveLayout, CurveSet, CurveSource, PenalizedMean, TableFiles};
use dpfda_study::{Bound, Estimate, Kind, Privacy, Sections, SelectName, Share as BudgetShare, Study, Table};

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{AccountArguments, OutputArguments, ReleaseArguments, WorkArguments};
use crate::calibrate::calibrated_mean;
use crate::center::PublicCenter;
use crate::check;
use crate::density;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::gaps;
use crate::groups;
use crate::input;
use crate::long;
use crate::look::Look;
use crate::output::Contents;
use crate::parts;
use crate::progress;
use crate::publication::Door;
use crate::regress;
use crate::request::{Request, refuse_options};
use crate::selection::{Selection, asked_for, chosen_or_as_it_was};
use crate::stream;
use crate::surfaces;

/// Writes the files of a release and returns its summary: **spends the budget**. Or writes its plan.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let request = Request::of(&arguments.files, &arguments.settings, None)?;
    refuse_options(&request, arguments)?;
    if arguments.dry_run {
        return check::dry_run(&request, arguments);
    }
    let Some(output) = &arguments.output else { return parts::plan(&request, arguments) };
    let way = Way {
        output,
        account: &arguments.account,
        seed: arguments.demonstration.seed,
        work: &arguments.work,
        json: arguments.json,
    };
    released(&request, &way)
}

/// How a release is made and where it goes, beside its study.
pub struct Way<'a> {
    /// Where the files go.
    pub output: &'a OutputArguments,
    /// Who pays for it.
    pub account: &'a AccountArguments,
    /// The seed of a demonstration.
    pub seed: Option<u64>,
    /// How the file is worked on.
    pub work: &'a WorkArguments,
    /// Whether JSON is printed.
    pub json: bool,
}

impl<'a> Way<'a> {
    /// The door by which it goes, once everything public was checked and before the private file is read.
    pub fn door(&self, contents: Contents, request: &Request<'_>) -> Result<Door<'a>, CliError> {
        let door = Door::open(self.output, contents, self.account, self.seed, &request.files())?;
        Ok(door.printing_json(self.json))
    }
}

/// Releases whatever the study asks for: **spends the budget**.
pub fn released(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    match request.study.kind {
        Kind::Mean => released_mean(request, way),
        Kind::Groups => groups::run(request, way),
        Kind::Rows => long::run(request, way),
        Kind::Surface => surfaces::run(request, way),
        Kind::Regression => regress::released(request, way),
        Kind::Density => density::released(request, way),
    }
}

fn released_mean(request: &Request<'_>, way: &Way<'_>) -> Result<String, CliError> {
    let settings = Settings::check(&request.study)?;
    let door = way.door(Contents::Release, request)?;
    let (path, table) = (request.data, &request.study.table);
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    if needs_curves(&request.study) {
        let curves = input::read_with(Argument::Curves, path, &settings.layout, gaps::filled_by(table))?;
        let curves = settings.filled(table, curves)?;
        let private_mean = settings.private_mean(curves.grid())?;
        let prepare = || private_mean.prepare_on(&curves, curves.grid(), Some(way.work.threads()));
        let prepared = progress::waiting("encoding", prepare).map_err(|error| refused(error.into()))?;
        let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
        let source = gaps::told(table, input::source(request, names));
        return publish(door, prepared, || private_mean.viewer(curves.grid()), Some(source), &settings);
    }
    let stream = stream::open(files, &settings.layout).map_err(refused)?;
    let plan = settings.plan(stream.first.grid(), stream.first.has_subjects()).map_err(refused)?;
    let source = Some(input::source(request, stream.first.column_names()));
    let encoding = stream::whole(way.work)?;
    if plan.is_twice() {
        let (stream, rows) = stream.again().map_err(refused)?;
        let prepared = rows.prepared(&plan, stream, &settings.layout, encoding).map_err(refused)?;
        return publish(door, prepared, || plan.viewer(), source, &settings);
    }
    let prepared = stream::prepared(&plan, stream, &settings.layout, encoding).map_err(refused)?;
    publish(door, prepared, || plan.viewer(), source, &settings)
}

/// Whether all curves are needed before they are encoded, or their number.
fn needs_curves(study: &Study) -> bool {
    (!study.privacy.is_isonormal() && study.estimate.penalty.is_none()) || study.table.is_process()
}

fn publish(
    door: Door<'_>,
    prepared: impl Payable<Drawn = Release<Mean>>,
    viewer: impl FnOnce() -> Result<MeanViewer, ReleaseError>,
    source: Option<Source>,
    settings: &Settings<'_>,
) -> Result<String, CliError> {
    let viewer = progress::waiting("spectrum", viewer)?;
    let release = |drawn: Release<Mean>| Ok(viewer.view(drawn.labelled(settings.look.labels()).read_from(source))?);
    door.publish(prepared, release, MeanRelease::to_json, |release| {
        let (release, selection) =
            if settings.selects { chosen_or_as_it_was(release) } else { (release, Selection::Off) };
        answered(release, selection, &settings.band, settings.names_smoother, settings.look.clone())
    })
}

/// A release with the band asked for, and how its smoother was found.
pub fn answered(
    release: MeanRelease,
    selection: Selection,
    band: &BandChoice,
    names_smoother: bool,
    look: Look,
) -> Result<Answered<Mean>, CliError> {
    let estimated = progress::waiting("estimating", || band.estimate(release.clone(), names_smoother));
    let estimated = estimated
        .map(|(estimated, chosen)| (estimated, if matches!(selection, Selection::Off) { chosen } else { selection }));
    Answered::of(release, estimated, look)
}

/// The public settings of a mean, checked without the data.
pub struct Settings<'a> {
    study: &'a Study,
    budget: PrivacyBudget,
    center: PublicCenter,
    radius: f64,
    bounds: Option<(f64, f64)>,
    shares: Option<BallShares>,
    kernel: Kernel,
    /// How the columns are read.
    pub layout: CurveLayout,
    band: BandChoice,
    /// Whether the smoother is chosen after the release.
    selects: bool,
    /// Whether one smoother makes the estimate.
    names_smoother: bool,
    /// How the figure looks.
    look: Look,
}

impl<'a> Settings<'a> {
    /// Refuses what can be refused without the data.
    pub fn check(study: &'a Study) -> Result<Self, CliError> {
        let Sections { privacy, bound, estimate, .. } = &study.said;
        let (center, radius, bounds) = public_ball(&study.said)?;
        let budget = calibrated_mean(&study.said)?;
        center.check_ball(radius)?;
        let band = BandChoice::check(estimate)?;
        let shares = shares(bound)?;
        check_pure(study, shares)?;
        // noise that is not white on the mean itself
        let is_shaped = privacy.is_pure() || bound.charges_roughness();
        band.check_mechanism(privacy.is_isonormal() && !is_shaped)?;
        let kernel = checked_kernel(estimate)?;
        PenalizedMean::new(kernel.clone(), estimate.penalty.unwrap_or(1.0), estimate.eta.unwrap_or(1.0))?;
        let selects = estimate.select == Some(SelectName::Sure);
        if selects && (is_shaped || !privacy.is_isonormal()) {
            return Err(SelectionError::NotIsonormal.into());
        }
        let asked = asked_for(estimate);
        if privacy.is_isonormal() {
            band.check_smoother(asked, !is_shaped)?;
        } else {
            check_smoothed(study)?;
        }
        let names_smoother = asked.is_some();
        let layout = input::layout(&study.table)?;
        let look = Look::of(&study.figure);
        Ok(Self { study, budget, center, radius, bounds, shares, kernel, layout, band, selects, names_smoother, look })
    }

    /// The curves with their gaps filled as was asked for.
    pub fn filled(&self, table: &Table, curves: CurveSet) -> Result<CurveSet, CliError> {
        let ball = ball_on(self.bounds, &self.center, self.radius, curves.grid())?;
        gaps::filled(table, curves, &ball)
    }

    /// The plan of curves that come from a stream or in parts.
    pub fn plan(&self, grid: &Grid, has_subjects: bool) -> Result<Plan<Mean>, CliError> {
        let unit = if has_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean(grid)?.plan(grid, unit)?)
    }

    /// The private mean on a grid.
    pub fn private_mean(&self, grid: &Grid) -> Result<PrivateMean, CliError> {
        let Sections { privacy, bound, estimate, mean, .. } = &self.study.said;
        let ball = ball_on(self.bounds, &self.center, self.radius, grid)?;
        let private_mean = planned(privacy, ball, self.budget)
            .neighbours(privacy.relation())
            .moments(privacy.second_moments())
            .kernel(self.kernel.clone())
            .power(estimate.eta.unwrap_or(1.0));
        let private_mean = match (bound.slope, bound.roughness) {
            (Some(largest), _) => private_mean.slope(largest),
            (None, Some(length)) => private_mean.roughness(length),
            (None, None) => private_mean,
        };
        let private_mean = match self.shares {
            Some(shares) => private_mean.buying(shares),
            None => private_mean,
        };
        let private_mean = match mean.coordinates {
            Some(number) => private_mean.coordinates(number),
            None => private_mean,
        };
        Ok(match estimate.penalty {
            Some(penalty) => private_mean.penalty(penalty),
            None => private_mean,
        })
    }
}

/// Refuses what a mean without a delta cannot have, and coordinates of one with a delta.
fn check_pure(study: &Study, shares: Option<BallShares>) -> Result<(), CliError> {
    let Sections { privacy, bound, mean, .. } = &study.said;
    let refused = match (privacy.is_pure(), mean.coordinates) {
        (false, Some(_)) => ReleaseError::CoordinatesWithDelta,
        (true, Some(found)) if !(1..=MOST_COORDINATES).contains(&found) => {
            MeanError::Coordinates { most: MOST_COORDINATES, found }.into()
        }
        (true, _) if bound.charges_roughness() => ReleaseError::RoughWithoutDelta,
        (true, _) if shares.is_some_and(|shares| shares.buys()) => ReleaseError::BoughtWithoutDelta,
        (true, _) if privacy.asks_for_moments() => MeanError::MomentsWithoutDelta.into(),
        _ => return Ok(()),
    };
    Err(refused.into())
}

/// Refuses what a mean that is smoothed before its noise cannot have.
fn check_smoothed(study: &Study) -> Result<(), CliError> {
    let privacy = &study.privacy;
    if privacy.relation() == NeighbouringRelation::AddRemoveOne && study.estimate.penalty.is_none() {
        return Err(ReleaseError::PenaltyNeeded.into());
    }
    if privacy.asks_for_moments() {
        return Err(ReleaseError::Mean(MeanError::MomentsOfSmoothed).into());
    }
    Ok(())
}

/// A centre, a radius, and the bounds that they follow from.
pub type PublicBall = (PublicCenter, f64, Option<(f64, f64)>);

/// The public ball of curves on a grid.
pub fn ball_on(bounds: Option<(f64, f64)>, center: &PublicCenter, radius: f64, grid: &Grid) -> Result<Ball, CliError> {
    Ok(match bounds {
        Some((lower, upper)) => Ball::within(lower, upper)?,
        None => Ball::new(center.on(grid)?, radius)?,
    })
}

/// The public bound: a centre and a radius, or the bounds that they follow from.
pub fn public_ball(said: &Sections) -> Result<PublicBall, CliError> {
    said.check_ball().map_err(CliError::of_flags)?;
    let Bound { bounds, center, radius, .. } = &said.bound;
    if let Some([lower, upper]) = bounds.as_deref() {
        let ball = Ball::within(*lower, *upper)?;
        return Ok((PublicCenter::Constant(lower / 2.0 + upper / 2.0), ball.radius(), Some((*lower, *upper))));
    }
    let center = center.as_ref().map_or(PublicCenter::Constant(0.0), PublicCenter::of);
    Ok((center, radius.unwrap_or(f64::NAN), None))
}

/// The shares that buy, where any was named; what is not named is bought or not as it is by default.
pub fn shares(bound: &Bound) -> Result<Option<BallShares>, CliError> {
    let (radius_share, center_share) = (bound.radius_share, bound.center_share);
    if radius_share.is_none() && center_share.is_none() {
        return Ok(None);
    }
    let value = |share: Option<BudgetShare>, default: Option<f64>| match share {
        None => default,
        Some(BudgetShare::None) => None,
        Some(BudgetShare::Of(value)) => Some(value),
    };
    let usual = BallShares::default().radius().map(Share::value);
    let refused = |argument: Argument| move |source: BallShareError| CliError::Share { argument, source };
    let center = value(center_share, None);
    BallShares::new(center, None).map_err(refused(Argument::Settings(&["center_share"])))?;
    let shares =
        BallShares::new(center, value(radius_share, usual)).map_err(refused(Argument::Settings(&["radius_share"])))?;
    Ok(Some(if radius_share.is_none() { shares.if_enough() } else { shares }))
}

/// A private mean with the mechanism and the calibration asked for.
pub fn planned(privacy: &Privacy, ball: Ball, budget: PrivacyBudget) -> PrivateMean {
    let private_mean = if privacy.is_isonormal() {
        PrivateMean::isonormal(ball, budget)
    } else {
        PrivateMean::cameron_martin(ball, budget)
    };
    private_mean.calibration(privacy.calibration())
}

fn checked_kernel(estimate: &Estimate) -> Result<Kernel, CliError> {
    let name = estimate.kernel.unwrap_or(DEFAULT_KERNEL);
    Ok(name.with_range(estimate.range.unwrap_or_else(|| name.default_range()))?)
}
