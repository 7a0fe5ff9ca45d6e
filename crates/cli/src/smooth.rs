//! `dpfda smooth`: another smoother for a release, at no cost in privacy.

use std::path::Path;

use dpfda::AnyRelease;
use dpfda::analysis::Estimated;
use dpfda::kernels::{Kernel, KernelName};
use dpfda::kinds::{Can, Kind, Row, WithEstimate};
use dpfda::mechanism::Statistic;
use dpfda::release::{DEFAULT_KERNEL, Mean, MeanMechanism, MeanRelease, Surface, default_penalty};
use dpfda::smoothing::PenalizedMean;

use dpfda_signature::signature_beside;
use dpfda_study::{BandChoice, Estimate as Smoother, Refusal, SelectName, Selected, Selection};

use crate::answered::Answered;
use crate::arguments::SmoothArguments;
use crate::document::{LARGEST, flawed, in_directory, kind_in};
use crate::error::CliError;
use crate::input::document;
use crate::look::Look;
use crate::misasked::Misasked;
use crate::output::{Contents, OutputDirectory, OutputError};
use crate::progress;
use crate::surfaces::SurfaceRefusal;
use crate::unread::Unread;

/// Writes the files of the smoothed release and returns its summary.
pub fn run(arguments: &SmoothArguments) -> Result<String, CliError> {
    let settings = &arguments.settings;
    let band = BandChoice::check(&settings.estimate)?;
    let text = document(&arguments.release, LARGEST)?;
    let kind = kind_in(&text);
    if settings.figure.s_label.is_some() && kind != Surface::KIND {
        return Err(SurfaceRefusal::NoSurface { option: "--s-label" }.into());
    }
    let again = Again { arguments, band: &band };
    if let Some(row) = Row::of(&kind).filter(|row| !row.can(Can::Smoother)) {
        let told = progress::waiting("estimating", || AnyRelease::estimated(&text, again));
        let told = told.map_err(|error| flawed(&arguments.release, &text, &error))?;
        let none =
            Unread::OtherKind { argument: "RELEASE.json", path: arguments.release.clone(), row, wanted: <Mean>::KIND };
        return told.unwrap_or_else(|| Err(none.into()));
    }
    let old = Estimated::<Mean>::from_json(&text).map_err(|error| flawed(&arguments.release, &text, &error))?;
    let mechanism = old.statistic().mechanism();
    if !matches!(mechanism, MeanMechanism::CameronMartin(_)) {
        band.check_smoother(arguments.settings.estimate.asked_for(), mechanism.tells_all())?;
    }
    let (estimated, selection) = match (settings.estimate.select, settings.estimate.smoother()) {
        (None, None) => {
            let estimated = if band.is_given() { progress::waiting("estimating", || band.again(old))? } else { old };
            let look = Look::of(settings);
            return written(arguments, &Answered::estimated(estimated, Selection::Off, look)?, false);
        }
        (select, _) => {
            let (release, selection) = smoothed(old.release(), select, &settings.estimate)?;
            (progress::waiting("estimating", || band.estimate(release, true))?.0, selection)
        }
    };
    written(arguments, &Answered::estimated(estimated, selection, Look::of(settings))?, true)
}

/// A release may be smoothed where it is, as its successor has all that it had, unless it is signed: its successor is not.
fn directory(arguments: &SmoothArguments) -> Result<OutputDirectory, OutputError> {
    let release = in_directory(&arguments.release);
    let inputs: &[&Path] = if signature_beside(&release).is_ok() { &[&release] } else { &[] };
    OutputDirectory::prepare(&arguments.output.out, Contents::Release, arguments.output.force, inputs)
}

/// A release with another band, or another look, whose estimate has no smoother.
struct Again<'a> {
    arguments: &'a SmoothArguments,
    band: &'a BandChoice,
}

impl WithEstimate for Again<'_> {
    type Output = Result<String, CliError>;

    fn with<S: Kind>(self, estimated: Estimated<S>) -> Self::Output {
        let Self { arguments, band } = self;
        if let Some(setting) = arguments.settings.estimate.asked_for() {
            let why = format!("a release of the kind {} has no smoother: its estimate is a posterior mean", S::KIND);
            return Err(Refusal::of(setting, why).instead(format!("leave {{{setting}}} out")).into());
        }
        let look = Look::of(&arguments.settings);
        written(arguments, &Answered::estimated(band.plain_again(estimated)?, Selection::Off, look)?, false)
    }
}

fn written<S: Kind>(
    arguments: &SmoothArguments,
    answered: &Answered<S>,
    is_smoothed: bool,
) -> Result<String, CliError> {
    let output = directory(arguments)?;
    answered.written(&output)?;
    Ok(answered.told_again(output.target(), is_smoothed).printed(arguments.answer.json)?)
}

fn smoothed(
    release: &MeanRelease,
    select: Option<SelectName>,
    smoother: &Smoother,
) -> Result<(MeanRelease, Selection), CliError> {
    Ok(match select {
        Some(SelectName::Sure) => {
            let selected = progress::waiting("choosing the smoother", || Selected::of(release))?;
            (selected.release.clone(), Selection::Chosen(Box::new(selected)))
        }
        Some(SelectName::Default) => {
            (release.smoothed(&changed(&default_smoother(release)?, smoother)?)?, Selection::Off)
        }
        None => (release.smoothed(&changed(release.smoother(), smoother)?)?, Selection::Off),
    })
}

/// The smoother that a release has by the public rule.
fn default_smoother(release: &MeanRelease) -> Result<PenalizedMean, CliError> {
    let penalty = default_penalty(&release.statistic().mechanism(), release.relative_noise(), 1.0);
    Ok(PenalizedMean::new(DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range())?, penalty, 1.0)?)
}

/// The smoother of a release with the parts that were asked for.
fn changed(old: &PenalizedMean, arguments: &Smoother) -> Result<PenalizedMean, CliError> {
    let old = old.with_power(arguments.eta.unwrap_or(old.power()))?;
    let penalty = arguments.penalty.unwrap_or(old.penalty());
    Ok(PenalizedMean::new(changed_kernel(old.kernel(), arguments)?, penalty, old.power())?)
}

fn changed_kernel(old: &Kernel, arguments: &Smoother) -> Result<Kernel, CliError> {
    let (name, range) = match (arguments.kernel, arguments.range) {
        (None, None) => return Ok(old.clone()),
        (Some(name), range) => (name, range.unwrap_or_else(|| name.default_range())),
        (None, Some(range)) => (KernelName::of(old).ok_or(Misasked::CompositeKernel)?.0, range),
    };
    Ok(name.with_range(range)?)
}
