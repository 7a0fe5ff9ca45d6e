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

use crate::answered::Answered;
use crate::argument::Argument;
use crate::arguments::{
    BallArguments, BudgetArguments, MechanismArgument, MomentsArgument, ReleaseArguments, SelectArgument,
    SmootherArguments, StatedBallArguments,
};
use crate::calibrate::is_pure;
use crate::center::PublicCenter;
use crate::check;
use crate::error::CliError;
use crate::estimate::BandChoice;
use crate::groups;
use crate::input;
use crate::long;
use crate::look::Look;
use crate::missing::Missing;
use crate::output::Contents;
use crate::parts;
use crate::progress;
use crate::publication::Door;
use crate::reason::guaranteed_mean;
use crate::selection::{Selection, asked_for, chosen_or_as_it_was, refuse_both};
use crate::stream;
use crate::surfaces;
use crate::values::{Numbers, ShareArgument};

/// Writes the files of a release and returns its summary: **spends the budget**. Or writes its plan.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    if arguments.dry_run {
        return check::dry_run(arguments);
    }
    let Some(output) = &arguments.output else { return parts::plan(arguments) };
    if let Some(table) = arguments.long.columns.table() {
        return long::run(arguments, table, output);
    }
    if let Some(shape) = arguments.surface.surface {
        return surfaces::run(arguments, shape, output);
    }
    if arguments.gaps.is_rows() {
        return long::run_of_curves(arguments, output);
    }
    if let Some(column) = &arguments.groups.by {
        return groups::run(arguments, column, output);
    }
    let settings = Settings::check(arguments)?;
    let inputs = arguments.input.files();
    let door = Door::open(output, Contents::Release, &arguments.account, arguments.demonstration.seed, &inputs)?;
    let door = door.printing_json(arguments.json);
    let path = &arguments.input.table.curves;
    let refused = |error: CliError| input::in_file(Argument::Curves, path, error);
    let files = TableFiles::find(path).map_err(|error| refused(error.into()))?;
    if needs_curves(arguments) {
        let curves = input::read_with(Argument::Curves, path, &settings.layout, arguments.gaps.filled_by())?;
        let curves = settings.filled(arguments, curves)?;
        let private_mean = settings.private_mean(arguments, curves.grid())?;
        let prepare = || private_mean.prepare_on(&curves, curves.grid(), Some(arguments.work.threads()));
        let prepared = progress::waiting("encoding", prepare).map_err(|error| refused(error.into()))?;
        let names = curves.column_names().map(|names| names.iter().map(String::as_str).collect());
        let source = input::source(&arguments.input, names, arguments.guarantee.reason.because());
        let source = arguments.gaps.told(source);
        return publish(door, prepared, || private_mean.viewer(curves.grid()), source, &settings);
    }
    let stream = stream::open(files, &settings.layout).map_err(refused)?;
    let plan = settings.plan(arguments, stream.first.grid(), stream.first.has_subjects()).map_err(refused)?;
    let source = input::source(&arguments.input, stream.first.column_names(), arguments.guarantee.reason.because());
    let encoding = stream::whole(&arguments.work)?;
    if plan.is_twice() {
        let (stream, rows) = stream.again().map_err(refused)?;
        let prepared = rows.prepared(&plan, stream, &settings.layout, encoding).map_err(refused)?;
        return publish(door, prepared, || plan.viewer(), source, &settings);
    }
    let prepared = stream::prepared(&plan, stream, &settings.layout, encoding).map_err(refused)?;
    publish(door, prepared, || plan.viewer(), source, &settings)
}

/// Whether all curves are needed before they are encoded, or their number.
fn needs_curves(arguments: &ReleaseArguments) -> bool {
    let is_smoothed = arguments.mechanism == MechanismArgument::CameronMartin;
    (is_smoothed && arguments.smoother.penalty.is_none()) || arguments.gaps.is_process()
}

fn publish(
    door: Door<'_>,
    prepared: impl Payable<Drawn = Release<Mean>>,
    viewer: impl FnOnce() -> Result<MeanViewer, ReleaseError>,
    source: Option<Source>,
    settings: &Settings,
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

/// The public arguments, checked without the data.
pub struct Settings {
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

impl Settings {
    /// Refuses what can be refused without the data.
    pub fn check(arguments: &ReleaseArguments) -> Result<Self, CliError> {
        let (center, radius, bounds) = public_ball(&arguments.input.stated, arguments.ball.bounds.as_ref())?;
        let budget = guaranteed_mean(&arguments.guarantee, arguments.mechanism)?;
        center.check_ball(radius)?;
        let band = BandChoice::check(&arguments.band)?;
        let shares = shares(&arguments.ball)?;
        let is_pure = check_pure(arguments, shares)?;
        // noise that is not white on the mean itself
        let is_shaped = is_pure || arguments.ball.charges_roughness();
        band.check_mechanism(arguments.mechanism == MechanismArgument::Isonormal && !is_shaped)?;
        let kernel = checked_kernel(&arguments.smoother)?;
        let penalty = arguments.smoother.penalty;
        PenalizedMean::new(kernel.clone(), penalty.unwrap_or(1.0), arguments.smoother.eta.unwrap_or(1.0))?;
        let private_n = arguments.neighbours == NeighbouringRelation::AddRemoveOne;
        let selects = selects(arguments, is_shaped)?;
        if arguments.mechanism == MechanismArgument::CameronMartin && private_n && penalty.is_none() {
            return Err(ReleaseError::PenaltyNeeded.into());
        }
        let asks_for_moments = matches!(arguments.moments, MomentsArgument::Mean | MomentsArgument::Covariance);
        if arguments.mechanism == MechanismArgument::CameronMartin && asks_for_moments {
            return Err(ReleaseError::Mean(MeanError::MomentsOfSmoothed).into());
        }
        let asked = asked_for(arguments.select, &arguments.smoother);
        if arguments.mechanism == MechanismArgument::Isonormal {
            band.check_smoother(asked, !is_shaped)?;
        }
        let names_smoother = asked.is_some();
        let layout = input::layout(&arguments.input)?;
        let look = Look::of(&arguments.figure);
        Ok(Self { budget, center, radius, bounds, shares, kernel, layout, band, selects, names_smoother, look })
    }

    /// The curves with their gaps filled as was asked for.
    pub fn filled(&self, arguments: &ReleaseArguments, curves: CurveSet) -> Result<CurveSet, CliError> {
        let ball = ball_on(self.bounds, &self.center, self.radius, curves.grid())?;
        arguments.gaps.filled(curves, &ball)
    }

    /// The plan of curves that come from a stream or in parts.
    pub fn plan(&self, arguments: &ReleaseArguments, grid: &Grid, has_subjects: bool) -> Result<Plan<Mean>, CliError> {
        let unit = if has_subjects { PrivacyUnit::Subject } else { PrivacyUnit::Curve };
        Ok(self.private_mean(arguments, grid)?.plan(grid, unit)?)
    }

    /// The private mean on a grid.
    pub fn private_mean(&self, arguments: &ReleaseArguments, grid: &Grid) -> Result<PrivateMean, CliError> {
        let ball = ball_on(self.bounds, &self.center, self.radius, grid)?;
        let private_mean = planned(arguments.mechanism, ball, self.budget, &arguments.guarantee.budget)
            .neighbours(arguments.neighbours)
            .moments(arguments.moments.into())
            .kernel(self.kernel.clone())
            .power(arguments.smoother.eta.unwrap_or(1.0));
        let private_mean = match (arguments.ball.slope, arguments.ball.roughness) {
            (Some(largest), _) => private_mean.slope(largest),
            (None, Some(length)) => private_mean.roughness(length),
            (None, None) => private_mean,
        };
        let private_mean = match self.shares {
            Some(shares) => private_mean.buying(shares),
            None => private_mean,
        };
        let private_mean = match arguments.pure.coordinates {
            Some(number) => private_mean.coordinates(number),
            None => private_mean,
        };
        Ok(match arguments.smoother.penalty {
            Some(penalty) => private_mean.penalty(penalty),
            None => private_mean,
        })
    }
}

/// Whether delta is 0; refuses what a mean without a delta cannot have, and coordinates of one with a delta.
fn check_pure(arguments: &ReleaseArguments, shares: Option<BallShares>) -> Result<bool, CliError> {
    let is_pure = is_pure(&arguments.guarantee.budget, arguments.mechanism);
    let refused = match (is_pure, arguments.pure.coordinates) {
        (false, Some(_)) => ReleaseError::CoordinatesWithDelta,
        (true, Some(found)) if !(1..=MOST_COORDINATES).contains(&found) => {
            MeanError::Coordinates { most: MOST_COORDINATES, found }.into()
        }
        (true, _) if arguments.ball.charges_roughness() => ReleaseError::RoughWithoutDelta,
        (true, _) if shares.is_some_and(|shares| shares.buys()) => ReleaseError::BoughtWithoutDelta,
        (true, _) if matches!(arguments.moments, MomentsArgument::Mean | MomentsArgument::Covariance) => {
            MeanError::MomentsWithoutDelta.into()
        }
        _ => return Ok(is_pure),
    };
    Err(refused.into())
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
pub fn public_ball(stated: &StatedBallArguments, bounds: Option<&Numbers>) -> Result<PublicBall, CliError> {
    let StatedBallArguments { center, radius } = stated;
    if let Some(bounds) = bounds {
        let [lower, upper] = bounds.0[..] else { return Err(CliError::TwoBounds { found: bounds.0.len() }) };
        let ball = Ball::within(lower, upper)?;
        return Ok((PublicCenter::Constant(lower / 2.0 + upper / 2.0), ball.radius(), Some((lower, upper))));
    }
    if let (Some(center), Some(radius)) = (center, radius) {
        return Ok((PublicCenter::read(center)?, *radius, None));
    }
    let given = [("--center", center.is_some()), ("--radius", radius.is_some())];
    Err(CliError::NoBall(Missing::among(&given)))
}

/// The shares that buy, where any was named; what is not named is bought or not as it is by default.
pub fn shares(arguments: &BallArguments) -> Result<Option<BallShares>, CliError> {
    shares_of(arguments.radius_share, arguments.center_share)
}

/// The same from both options.
pub fn shares_of(
    radius_share: Option<ShareArgument>,
    center_share: Option<ShareArgument>,
) -> Result<Option<BallShares>, CliError> {
    if radius_share.is_none() && center_share.is_none() {
        return Ok(None);
    }
    let value = |share: Option<ShareArgument>, default: Option<f64>| match share {
        None => default,
        Some(ShareArgument::None) => None,
        Some(ShareArgument::Of(value)) => Some(value),
    };
    let usual = BallShares::default().radius().map(Share::value);
    let refused = |argument: Argument| move |source: BallShareError| CliError::Share { argument, source };
    let center = value(center_share, None);
    BallShares::new(center, None).map_err(refused(Argument::CenterShare))?;
    let shares = BallShares::new(center, value(radius_share, usual)).map_err(refused(Argument::RadiusShare))?;
    Ok(Some(if radius_share.is_none() { shares.if_enough() } else { shares }))
}

/// A private mean with the mechanism and the calibration asked for.
pub fn planned(
    mechanism: MechanismArgument,
    ball: Ball,
    budget: PrivacyBudget,
    arguments: &BudgetArguments,
) -> PrivateMean {
    let private_mean = match mechanism {
        MechanismArgument::Isonormal => PrivateMean::isonormal(ball, budget),
        MechanismArgument::CameronMartin => PrivateMean::cameron_martin(ball, budget),
    };
    private_mean.calibration(arguments.calibration())
}

/// Whether the smoother is to be chosen from the release: where that is asked for.
fn selects(arguments: &ReleaseArguments, is_shaped: bool) -> Result<bool, CliError> {
    refuse_both(arguments.select, &arguments.smoother)?;
    match (arguments.select, arguments.mechanism) {
        (Some(SelectArgument::Sure), MechanismArgument::CameronMartin) => Err(SelectionError::NotIsonormal.into()),
        (Some(SelectArgument::Sure), _) if is_shaped => Err(SelectionError::NotIsonormal.into()),
        (select, _) => Ok(select == Some(SelectArgument::Sure)),
    }
}

fn checked_kernel(arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let name = arguments.kernel.unwrap_or(DEFAULT_KERNEL);
    Ok(name.with_range(arguments.range.unwrap_or_else(|| name.default_range()))?)
}
