//! Choosing the smoother from the release itself, at no cost in privacy.

use dpfda::crossval::{Candidates, ScoreSurface, SelectionError, select_after_release};
use dpfda::kernels::{KernelName, SpectrumError};
use dpfda::plotting::{Figure, FigureError, SurfaceFigure, SurfacePanel};
use dpfda::release::MeanRelease;
use dpfda_study::Estimate;
use thiserror::Error;

use crate::output::TableError;
use crate::progress;
use crate::summary::{exact, rounded};
use crate::surface;

#[cfg(test)]
#[path = "selection_tests.rs"]
mod tests;

/// Why nothing was chosen.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ChoiceError {
    #[error(transparent)]
    Selection(#[from] SelectionError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Table(#[from] TableError),
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
    /// The risks as a table and as a heat map, and the chosen fit among those one step away: names of files, and what is in them.
    pub files: Vec<(&'static str, Vec<u8>)>,
}

impl Choice {
    /// The release through the smoother of the least estimated risk.
    pub fn of(release: &MeanRelease) -> Result<(MeanRelease, Self), ChoiceError> {
        let candidates = Candidates::for_release(release);
        let surface = progress::waiting("choosing the smoother", || select_after_release(release, &candidates))?;
        let smoothed = release.smoothed(surface.chosen())?;
        let title = if release.is_private() {
            "Estimated risk of each smoother, from the release itself"
        } else {
            "Estimated risk of each smoother, from a release with NOISE FROM A SEED: NOT PRIVATE"
        };
        let figure = SurfaceFigure::new(SurfacePanel::of_kernels(&surface)?)?.title(title).score_name("estimated risk");
        let mut files = vec![("selection.csv", surface::table(&surface, "risk")?.into_bytes())];
        files.extend(["selection.svg", "selection.pdf", "selection.png"].into_iter().zip(figure.to_files()?));
        let neighbours = among_neighbours(&smoothed, &surface)?.to_files()?;
        files.extend(["neighbours.svg", "neighbours.pdf", "neighbours.png"].into_iter().zip(neighbours));
        Ok((smoothed, Self { surface, files }))
    }
}

/// The chosen fit with those whose range or penalty is the next one tried.
fn among_neighbours(chosen: &MeanRelease, surface: &ScoreSurface) -> Result<Figure, ChoiceError> {
    let smoothers =
        surface.neighbours(surface.optimum()).into_iter().filter_map(|at| surface.candidates().smoother(at));
    let mut neighbours = Vec::new();
    for smoother in smoothers {
        let range = KernelName::of(smoother.kernel()).map_or(f64::NAN, |(_, range)| range);
        let label = format!("range {}, penalty {}", exact(range), rounded(smoother.penalty()));
        neighbours.push((label, chosen.smoothed(&smoother)?));
    }
    let neighbours: Vec<_> = neighbours.iter().map(|(label, release)| (label.as_str(), release)).collect();
    let figure = Figure::release(chosen).with_neighbours(&neighbours)?;
    Ok(figure.title("The chosen smoother among its neighbours"))
}

/// A release with its smoother chosen, or as it was: once the noise is drawn, nothing may be lost.
pub fn chosen_or_as_it_was(release: MeanRelease) -> (MeanRelease, Selection) {
    match Choice::of(&release) {
        Ok((smoothed, choice)) => (smoothed, Selection::Chosen(Box::new(choice))),
        Err(error) => (release, Selection::Failed(error)),
    }
}

/// The setting that asks for one smoother, where any does.
pub fn asked_for(settings: &Estimate) -> Option<&'static str> {
    settings.select.map(|_| "select").or_else(|| settings.smoother())
}
