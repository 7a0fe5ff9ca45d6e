//! `dpfda smooth`: another smoother for a release, at no cost in privacy.

use dpfda::kernels::{Kernel, KernelName};
use dpfda::release::default_range;
use dpfda::smoothing::PenalizedMean;

use crate::arguments::{SmoothArguments, SmootherArguments};
use crate::error::CliError;
use crate::evaluate::read_release;
use crate::output::OutputDirectory;
use crate::summary;

/// Writes the four files of the smoothed release and returns its summary.
pub fn run(arguments: &SmoothArguments) -> Result<String, CliError> {
    let release = read_release(&arguments.release)?;
    let smoother = changed(release.smoother(), &arguments.smoother)?;
    let output = OutputDirectory::prepare(&arguments.output.out, arguments.output.force)?;
    let release = release.smoothed(&smoother)?;
    output.publish(&release)?;
    Ok(summary::of_smoothed(&release, output.target()))
}

/// The smoother of a release with the parts that were asked for.
fn changed(old: &PenalizedMean, arguments: &SmootherArguments) -> Result<PenalizedMean, CliError> {
    let power = arguments.eta.unwrap_or(old.power());
    // Another power keeps the eigenvalue phi^(1/eta) at which half of a coefficient is kept.
    let same_cut = || old.penalty().powf(power / old.power()).clamp(f64::MIN_POSITIVE, f64::MAX);
    let penalty = match arguments.penalty {
        Some(penalty) => penalty,
        None if power == old.power() => old.penalty(),
        None => same_cut(),
    };
    Ok(PenalizedMean::new(changed_kernel(old.kernel(), arguments)?, penalty, power)?)
}

fn changed_kernel(old: &Kernel, arguments: &SmootherArguments) -> Result<Kernel, CliError> {
    let (name, range) = match (arguments.kernel, arguments.range) {
        (None, None) => return Ok(old.clone()),
        (Some(name), range) => (name, range.unwrap_or_else(|| default_range(name))),
        (None, Some(range)) => (KernelName::of(old).ok_or(CliError::CompositeKernel)?.0, range),
    };
    Ok(name.with_range(range)?)
}
