//! `dpfda release`: from a private file of curves to a public release.
//!
//! The order is the point: public arguments, a place to write, the private file, and only then the noise. Whatever can
//! be refused is refused before that, at no cost.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;

use dpfda::kernels::{Grid, Kernel, KernelName};
use dpfda::privacy::{GaussianPrivacy, NeighbouringRelation, PrivacyBudget, SeededRandomness, SystemRandomness};
use dpfda::release::{PrivateMean, Release, ReleaseError, default_range};
use dpfda::smoothing::{Ball, Center, CsvError, CsvLayout, CurveSet, GridChoice, PenalizedMean};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{MechanismArgument, ReleaseArguments, SmootherArguments};
use crate::calibrate::budget;
use crate::center::PublicCenter;
use crate::error::{CliError, Missing};
use crate::output::OutputDirectory;
use crate::refusal::{Argument, Refusal};
use crate::summary;

/// Files from this size on show their progress, in bytes.
const LARGE: u64 = 1 << 24;

/// Writes the four files of a release and returns its summary: **spends the budget**.
pub fn run(arguments: &ReleaseArguments) -> Result<String, CliError> {
    let settings = Settings::check(arguments)?;
    let output = OutputDirectory::prepare(&arguments.output.out, arguments.output.force)?;
    let curves = read(&arguments.curves, &settings.layout)?;
    let private_mean = settings.private_mean(arguments, curves.grid())?;
    let release = draw(&private_mean, &curves, arguments.seed).map_err(|error| in_file(&arguments.curves, error))?;
    match output.publish(&release) {
        Ok(()) => Ok(summary::of_release(&release, output.target())),
        Err(reason) => Err(CliError::Unfinished { reason, kept: output.keep() }),
    }
}

/// The public arguments, checked without the data.
struct Settings {
    budget: PrivacyBudget,
    center: PublicCenter,
    radius: f64,
    kernel: Kernel,
    layout: CsvLayout,
}

impl Settings {
    fn check(arguments: &ReleaseArguments) -> Result<Self, CliError> {
        let (Some(center), Some(radius)) = (&arguments.center, arguments.radius) else {
            let missing = Missing { first: arguments.center.is_none(), second: arguments.radius.is_none() };
            return Err(CliError::NoBall(missing));
        };
        let budget = budget(&arguments.budget)?;
        GaussianPrivacy::calibrated(arguments.budget.calibration(), &budget)?;
        let center = PublicCenter::read(center)?;
        let constant = if let PublicCenter::Constant(value) = center { value } else { 0.0 };
        Ball::new(Center::Constant(constant), radius)?;
        let kernel = checked_kernel(&arguments.smoother)?;
        let penalty = arguments.smoother.penalty;
        PenalizedMean::new(kernel.clone(), penalty.unwrap_or(1.0), arguments.smoother.eta.unwrap_or(1.0))?;
        let private_n = arguments.neighbours == NeighbouringRelation::AddRemoveOne;
        if arguments.mechanism == MechanismArgument::CameronMartin && private_n && penalty.is_none() {
            return Err(ReleaseError::PenaltyNeeded.into());
        }
        Ok(Self { budget, center, radius, kernel, layout: layout(arguments)? })
    }

    fn private_mean(&self, arguments: &ReleaseArguments, grid: &Grid) -> Result<PrivateMean, CliError> {
        let ball = Ball::new(self.center.on(grid)?, self.radius)?;
        let private_mean = match arguments.mechanism {
            MechanismArgument::Isonormal => PrivateMean::isonormal(ball, self.budget),
            MechanismArgument::CameronMartin => PrivateMean::cameron_martin(ball, self.budget),
        };
        let private_mean = private_mean
            .neighbours(arguments.neighbours)
            .calibration(arguments.budget.calibration())
            .kernel(self.kernel.clone())
            .power(arguments.smoother.eta.unwrap_or(1.0));
        Ok(match arguments.smoother.penalty {
            Some(penalty) => private_mean.penalty(penalty),
            None => private_mean,
        })
    }
}

fn checked_kernel(arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let name = arguments.kernel.unwrap_or(KernelName::Matern(2.5));
    Ok(name.with_range(arguments.range.unwrap_or_else(|| default_range(name)))?)
}

fn layout(arguments: &ReleaseArguments) -> Result<CsvLayout, CliError> {
    let mut layout = CsvLayout::new(&arguments.values)?;
    if let Some(column) = &arguments.subject {
        layout = layout.subject(column);
    }
    match arguments.grid.as_ref().map(|grid| grid.0.as_slice()) {
        None => Ok(layout),
        Some(points) => {
            Grid::new(points.to_vec())?;
            Ok(layout.grid(match points {
                [lower, upper] => GridChoice::Interval(*lower, *upper),
                _ => GridChoice::Points(points.to_vec()),
            }))
        }
    }
}

fn read(path: &Path, layout: &CsvLayout) -> Result<CurveSet, CliError> {
    let open = |source| CliError::Open { path: path.to_owned(), source };
    let file = File::open(path).map_err(open)?;
    let bytes = file.metadata().map_err(open)?.len();
    let progress = progress(bytes);
    let curves = CurveSet::from_csv_reader(progress.wrap_read(file), layout);
    progress.finish_and_clear();
    curves.map_err(|error| in_file(path, error.into()))
}

/// A bar for people who wait; a log gets none.
fn progress(bytes: u64) -> ProgressBar {
    if bytes < LARGE || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    let style = ProgressStyle::with_template("reading {bar:40} {bytes} of {total_bytes}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// What is wrong with the file itself is told with its name.
fn in_file(path: &Path, error: CliError) -> CliError {
    match error {
        CliError::Refused { refusal: Refusal::Csv(CsvError::Read { kind }) } => {
            CliError::Open { path: path.to_owned(), source: kind.into() }
        }
        CliError::Refused { refusal } if refusal.argument() == Argument::Curves => {
            CliError::Curves { path: path.to_owned(), refusal }
        }
        other => other,
    }
}

/// The privacy boundary.
fn draw(private_mean: &PrivateMean, curves: &CurveSet, seed: Option<u64>) -> Result<Release, CliError> {
    Ok(match seed {
        Some(seed) => private_mean.release(curves, &mut SeededRandomness::from_seed(seed))?,
        None => private_mean.release(curves, &mut SystemRandomness::new()?)?,
    })
}
