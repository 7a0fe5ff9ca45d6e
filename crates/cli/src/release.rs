//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, the payment, and only then the noise.
//! Whatever can be refused is refused before that, at no cost. The smoother is chosen after it, from the release alone.

use std::path::Path;

use dpfda::crossval::SelectionError;
use dpfda::kernels::{Grid, Kernel};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use dpfda::release::{DEFAULT_KERNEL, MeanError, MeanRelease, PrivateMean, ReleaseError};
use dpfda::smoothing::{Ball, CsvLayout, PenalizedMean};

use crate::arguments::{
    BudgetArguments, InputArguments, MechanismArgument, MomentsArgument, ReleaseArguments, SelectArgument,
    SmootherArguments,
};
use crate::calibrate::calibrated;
use crate::center::PublicCenter;
use crate::error::{CliError, Missing};
use crate::input;
use crate::output::{Contents, OutputError};
use crate::publication::{Door, Publication, Sink};
use crate::refusal::Argument;
use crate::release_files::write_files;
use crate::selection::{Selection, chosen_or_as_it_was, refuse_both};
use crate::summary;

/// Writes the files of a release and returns its summary: **spends the budget**.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let settings = Settings::check(arguments)?;
    let inputs = arguments.input.files();
    let door = Door::open(&arguments.output, Contents::Release, &arguments.account, arguments.seed, &inputs)?;
    let curves = input::read(Argument::Curves, &arguments.input.curves, &settings.layout)?;
    let private_mean = settings.private_mean(arguments, curves.grid())?;
    let refused = |error: ReleaseError| input::in_file(Argument::Curves, &arguments.input.curves, error.into());
    let prepared = private_mean.prepare(&curves).map_err(refused)?;
    let viewer = private_mean.viewer(curves.grid()).map_err(refused)?;
    door.publish(prepared, |release| {
        let release = viewer.view(release)?;
        let (release, selection) =
            if settings.selects { chosen_or_as_it_was(release) } else { (release, Selection::Off) };
        Ok(ReleasedMean { release, selection })
    })
}

/// A release, and how its smoother was found.
struct ReleasedMean {
    release: MeanRelease,
    selection: Selection,
}

impl Publication for ReleasedMean {
    const REMEDY: &'static str = "`dpfda smooth` makes everything else from it";

    fn write(&self, sink: Sink<'_>) -> Result<(), OutputError> {
        write_files(&self.release, &self.selection, sink)
    }

    fn summary(&self, directory: &Path) -> String {
        summary::of_release(&self.release, &self.selection, directory)
    }
}

/// The public arguments, checked without the data.
struct Settings {
    budget: PrivacyBudget,
    center: PublicCenter,
    radius: f64,
    kernel: Kernel,
    layout: CsvLayout,
    /// Whether the smoother is chosen after the release.
    selects: bool,
}

impl Settings {
    fn check(arguments: &ReleaseArguments) -> Result<Self, CliError> {
        let (Some(center), Some(radius)) = (&arguments.input.center, arguments.input.radius) else {
            let InputArguments { center, radius, .. } = &arguments.input;
            let given = [("--center", center.is_some()), ("--radius", radius.is_some())];
            return Err(CliError::NoBall(Missing::among(&given)));
        };
        let budget = calibrated(&arguments.budget)?;
        let center = PublicCenter::read(center)?;
        center.check_ball(radius)?;
        let kernel = checked_kernel(&arguments.smoother)?;
        let penalty = arguments.smoother.penalty;
        PenalizedMean::new(kernel.clone(), penalty.unwrap_or(1.0), arguments.smoother.eta.unwrap_or(1.0))?;
        let private_n = arguments.neighbours == NeighbouringRelation::AddRemoveOne;
        let selects = selects(arguments)?;
        if arguments.mechanism == MechanismArgument::CameronMartin && private_n && penalty.is_none() {
            return Err(ReleaseError::PenaltyNeeded.into());
        }
        let asks_for_moments = matches!(arguments.moments, MomentsArgument::Mean | MomentsArgument::Covariance);
        if arguments.mechanism == MechanismArgument::CameronMartin && asks_for_moments {
            return Err(ReleaseError::Mean(MeanError::MomentsOfSmoothed).into());
        }
        Ok(Self { budget, center, radius, kernel, layout: input::layout(&arguments.input)?, selects })
    }

    fn private_mean(&self, arguments: &ReleaseArguments, grid: &Grid) -> Result<PrivateMean, CliError> {
        let ball = Ball::new(self.center.on(grid)?, self.radius)?;
        let private_mean = planned(arguments.mechanism, ball, self.budget, &arguments.budget)
            .neighbours(arguments.neighbours)
            .moments(arguments.moments.into())
            .kernel(self.kernel.clone())
            .power(arguments.smoother.eta.unwrap_or(1.0));
        Ok(match arguments.smoother.penalty {
            Some(penalty) => private_mean.penalty(penalty),
            None => private_mean,
        })
    }
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
fn selects(arguments: &ReleaseArguments) -> Result<bool, CliError> {
    refuse_both(arguments.select, &arguments.smoother)?;
    match (arguments.select, arguments.mechanism) {
        (Some(SelectArgument::Sure), MechanismArgument::CameronMartin) => Err(SelectionError::NotIsonormal.into()),
        (select, _) => Ok(select == Some(SelectArgument::Sure)),
    }
}

fn checked_kernel(arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let name = arguments.kernel.unwrap_or(DEFAULT_KERNEL);
    Ok(name.with_range(arguments.range.unwrap_or_else(|| name.default_range()))?)
}
