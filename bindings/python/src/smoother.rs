//! A released mean through another smoother: post-processing, at no cost in privacy.

use dpfda::kernels::KernelName;
use dpfda::release::{MeanRelease, default_penalty};
use dpfda::smoothing::PenalizedMean;
use dpfda_study::{Estimate, SelectName, Selected};

use crate::refusal::Refusal;

/// The release through the smoother that is asked for; what is not said stays as it is.
///
/// # Errors
/// [`Refusal`] for a smoother that there is not.
pub fn smoothed(release: &MeanRelease, asked: &Estimate) -> Result<MeanRelease, Refusal> {
    asked.check()?;
    let smoother = match asked.select {
        Some(SelectName::Sure) => return Ok(Selected::of(release)?.release),
        Some(SelectName::Default) => changed(&usual(release)?, asked)?,
        None => changed(release.smoother(), asked)?,
    };
    Ok(release.smoothed(&smoother)?)
}

/// The smoother that a release has by the public rule.
fn usual(release: &MeanRelease) -> Result<PenalizedMean, Refusal> {
    let penalty = default_penalty(&release.statistic().mechanism(), release.relative_noise(), 1.0);
    Ok(PenalizedMean::new(Estimate::default().kernel_on_domain()?, penalty, 1.0)?)
}

/// A smoother with the parts that were asked for.
fn changed(old: &PenalizedMean, asked: &Estimate) -> Result<PenalizedMean, Refusal> {
    let old = old.with_power(asked.eta.unwrap_or(old.power()))?;
    let new = match (asked.kernel, asked.range) {
        (None, None) => old.kernel().clone(),
        (None, Some(range)) => {
            let composite =
                || Refusal::new("kernel", "the kernel of the release has no range of its own: give a kernel as well");
            KernelName::of(old.kernel()).ok_or_else(composite)?.0.with_range(range)?
        }
        (Some(_), _) => asked.kernel_on_domain()?,
    };
    Ok(PenalizedMean::new(new, asked.penalty.unwrap_or(old.penalty()), old.power())?)
}
