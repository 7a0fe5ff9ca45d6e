//! Choosing the smoother from the release itself, at no cost in privacy.

use dpfda::crossval::{Candidates, ScoreSurface, SelectionError, SurfaceError, select_after_release};
use dpfda::plotting::{FigureError, SurfaceFigure, SurfacePanel};
use dpfda::release::Release;
use thiserror::Error;

use crate::arguments::{SelectArgument, SmootherArguments};
use crate::error::CliError;
use crate::output::TableError;
use crate::progress;
use crate::surface;

#[cfg(test)]
mod tests;

/// Why nothing was chosen.
#[derive(Debug, Error)]
pub enum ChoiceError {
    /// There are no risks, or none that is a number.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The table of risks could not be made.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The risks could not be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// What choosing after the release came to.
#[derive(Debug)]
pub enum Selection {
    /// It was not asked for.
    Off,
    /// A smoother was chosen.
    Chosen(Box<Choice>),
    /// Nothing was chosen, and the release has its default smoother.
    Failed(ChoiceError),
}

/// A choice, with all that is written about it. It is public, as it was made from public numbers.
#[derive(Debug)]
pub struct Choice {
    /// The estimated risk of every candidate.
    pub surface: ScoreSurface,
    /// As a table.
    pub csv: String,
    /// As a heat map.
    pub svg: String,
}

impl Choice {
    /// The release through the smoother of the least estimated risk.
    pub fn of(release: &Release) -> Result<(Release, Self), ChoiceError> {
        let candidates = Candidates::for_release(release);
        let surface = progress::waiting("choosing the smoother", || select_after_release(release, &candidates))?;
        let smoothed = release.smoothed(surface.chosen());
        let smoothed = smoothed.map_err(|error| SelectionError::Surface(SurfaceError::Spectrum(error)))?;
        let title = if release.is_private() {
            "Estimated risk of each smoother, from the release itself"
        } else {
            "Estimated risk of each smoother, from a release with NOISE FROM A SEED: NOT PRIVATE"
        };
        let figure = SurfaceFigure::new(SurfacePanel::of_kernels(&surface)?)?.title(title).score_name("estimated risk");
        let (csv, svg) = (surface::table(&surface, "risk")?, figure.to_svg()?);
        Ok((smoothed, Self { surface, csv, svg }))
    }
}

/// A release with its smoother chosen, or as it was: once the noise is drawn, nothing may be lost.
pub fn chosen_or_as_it_was(release: Release) -> (Release, Selection) {
    match Choice::of(&release) {
        Ok((smoothed, choice)) => (smoothed, Selection::Chosen(Box::new(choice))),
        Err(error) => (release, Selection::Failed(error)),
    }
}

/// Refuses to choose a smoother that was named as well.
pub fn refuse_both(select: Option<SelectArgument>, smoother: &SmootherArguments) -> Result<(), CliError> {
    match smoother.first_given() {
        Some(given) if select == Some(SelectArgument::Sure) => Err(CliError::SelectedAndGiven { given }),
        _ => Ok(()),
    }
}
