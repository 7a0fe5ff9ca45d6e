//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, the payment, and only then the noise.
//! Whatever can be refused is refused before that, at no cost. The smoother is chosen after it, from the release alone.

use std::path::Path;

use clap::ValueEnum;
use dpfda::crossval::SelectionError;
use dpfda::kernels::{Grid, Kernel};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness, Spend, SystemRandomness};
use dpfda::release::{DEFAULT_KERNEL, PreparedMean, PrivateMean, MeanRelease, ReleaseError};
use dpfda::smoothing::{Ball, CsvLayout, CurveSet, PenalizedMean};
use serde_json::json;

use crate::arguments::{
    BudgetArguments, InputArguments, MechanismArgument, ReleaseArguments, SelectArgument, SmootherArguments,
};
use crate::calibrate::calibrated;
use crate::center::PublicCenter;
use crate::error::{CliError, Missing};
use crate::input;
use crate::output::{Contents, OutputDirectory, OutputError};
use crate::payment::{Asked, Payment};
use crate::publication::{Plan, Publication, Sink, publish};
use crate::refusal::Argument;
use crate::release_files::write_files;
use crate::selection::{Selection, chosen_or_as_it_was, refuse_both};
use crate::summary;

/// Writes the files of a release and returns its summary: **spends the budget**.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let settings = Settings::check(arguments)?;
    let ledger = Payment::ledger(&arguments.account)?;
    let place = &arguments.output;
    let inputs = arguments.input.files();
    let mut output = OutputDirectory::prepare(&place.out, Contents::Release, place.force, &inputs);
    if ledger.is_none() {
        output = Ok(output?);
    }
    let curves = input::read(Argument::Curves, &arguments.input.curves, &settings.layout)?;
    let private_mean = settings.private_mean(arguments, curves.grid())?;
    let prepared = private_mean
        .prepare(&curves)
        .map_err(|error| input::in_file(Argument::Curves, &arguments.input.curves, error.into()))?;
    let asked = settings.asked(arguments, &curves, &private_mean, prepared.spend());
    let payment = ledger.map(|ledger| Payment::new(&arguments.account, ledger, asked)).transpose()?;
    publish(Plan { place, contents: Contents::Release, output, payment }, |reference| {
        let release = draw(prepared, arguments.seed)?;
        let release = match reference {
            Some(reference) => release.in_ledger(reference),
            None => release,
        };
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
        Ok(Self { budget, center, radius, kernel, layout: input::layout(&arguments.input)?, selects })
    }

    /// What a ledger is asked to pay for. Nothing in it depends on the values of the curves.
    fn asked(
        &self,
        arguments: &ReleaseArguments,
        curves: &CurveSet,
        private_mean: &PrivateMean,
        spend: Spend,
    ) -> Asked<'static> {
        let ReleaseArguments { input, smoother, neighbours, mechanism, .. } = arguments;
        let mechanism = mechanism.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let settings = json!({
            "command": "release",
            "file": input.curves.file_name().map(|name| name.to_string_lossy().into_owned()),
            "values": input.values,
            "subject": input.subject,
            "grid": curves.grid().points().to_vec(),
            "ball": private_mean.ball(),
            "budget": self.budget,
            "neighbours": neighbours,
            "calibration": arguments.budget.calibration(),
            "mechanism": mechanism,
            "selects": self.selects,
            "kernel": smoother.kernel.map(|kernel| kernel.to_string()),
            "smoother": [smoother.range, smoother.penalty, smoother.eta],
        });
        Asked {
            command: "release",
            mechanism: format!("mean, {mechanism}"),
            unit: curves.unit(),
            neighbours: *neighbours,
            budget: self.budget,
            spend,
            settings,
        }
    }

    fn private_mean(&self, arguments: &ReleaseArguments, grid: &Grid) -> Result<PrivateMean, CliError> {
        let ball = Ball::new(self.center.on(grid)?, self.radius)?;
        let private_mean = planned(arguments.mechanism, ball, self.budget, &arguments.budget)
            .neighbours(arguments.neighbours)
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

/// Whether the smoother is to be chosen: unless told otherwise, where it can be and none is named.
fn selects(arguments: &ReleaseArguments) -> Result<bool, CliError> {
    refuse_both(arguments.select, &arguments.smoother)?;
    match (arguments.select, arguments.mechanism) {
        (Some(SelectArgument::Sure), MechanismArgument::CameronMartin) => Err(SelectionError::NotIsonormal.into()),
        (Some(select), _) => Ok(select == SelectArgument::Sure),
        (None, mechanism) => {
            Ok(mechanism == MechanismArgument::Isonormal && arguments.smoother.first_given().is_none())
        }
    }
}

fn checked_kernel(arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let name = arguments.kernel.unwrap_or(DEFAULT_KERNEL);
    Ok(name.with_range(arguments.range.unwrap_or_else(|| name.default_range()))?)
}

/// The privacy boundary.
fn draw(prepared: PreparedMean, seed: Option<u64>) -> Result<MeanRelease, CliError> {
    Ok(match seed {
        Some(seed) => prepared.draw(&mut SeededRandomness::from_seed(seed))?,
        None => prepared.draw(&mut SystemRandomness::new()?)?,
    })
}
