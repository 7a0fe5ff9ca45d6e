//! `dpfda smooth`: another smoother for a release, at no cost in privacy.

use dpfda::kernels::{Kernel, KernelName};
use dpfda::release::{DEFAULT_KERNEL, MeanRelease, default_penalty};
use dpfda::smoothing::PenalizedMean;

use crate::arguments::{SelectArgument, SmoothArguments, SmootherArguments};
use crate::error::CliError;
use crate::evaluate::read_release;
use crate::output::{Contents, OutputDirectory};
use crate::release_files::publish;
use crate::selection::{Choice, Selection, refuse_both};
use crate::summary;

/// Writes the files of the smoothed release and returns its summary.
pub fn run(arguments: &SmoothArguments) -> Result<String, CliError> {
    refuse_both(arguments.select, &arguments.smoother)?;
    let release = read_release(&arguments.release)?;
    let (release, selection) = match arguments.select {
        Some(SelectArgument::Sure) => {
            let (release, choice) = Choice::of(&release)?;
            (release, Selection::Chosen(Box::new(choice)))
        }
        Some(SelectArgument::Default) => {
            let smoother = changed(&default_smoother(&release)?, &arguments.smoother)?;
            (release.smoothed(&smoother)?, Selection::Off)
        }
        None => (release.smoothed(&changed(release.smoother(), &arguments.smoother)?)?, Selection::Off),
    };
    // a release may be smoothed where it is: its successor has all that it had
    let output = OutputDirectory::prepare(&arguments.output.out, Contents::Release, arguments.output.force, &[])?;
    publish(&output, &release, &selection)?;
    Ok(summary::of_smoothed(&release, &selection, output.target()))
}

/// The smoother that a release has by the public rule.
fn default_smoother(release: &MeanRelease) -> Result<PenalizedMean, CliError> {
    let penalty = default_penalty(&release.statistic().mechanism(), release.relative_noise(), 1.0);
    Ok(PenalizedMean::new(DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range())?, penalty, 1.0)?)
}

/// The smoother of a release with the parts that were asked for.
fn changed(old: &PenalizedMean, arguments: &SmootherArguments) -> Result<PenalizedMean, CliError> {
    let old = old.with_power(arguments.eta.unwrap_or(old.power()))?;
    let penalty = arguments.penalty.unwrap_or(old.penalty());
    Ok(PenalizedMean::new(changed_kernel(old.kernel(), arguments)?, penalty, old.power())?)
}

fn changed_kernel(old: &Kernel, arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let (name, range) = match (arguments.kernel, arguments.range) {
        (None, None) => return Ok(old.clone()),
        (Some(name), range) => (name, range.unwrap_or_else(|| name.default_range())),
        (None, Some(range)) => (KernelName::of(old).ok_or(CliError::CompositeKernel)?.0, range),
    };
    Ok(name.with_range(range)?)
}
