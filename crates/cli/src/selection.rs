//! Choosing the smoother from the release itself, at no cost in privacy.

use dpfda::crossval::ScoreSurface;
use dpfda::kernels::KernelName;
use dpfda::plotting::{Figure, FigureError, Frame, SurfaceFigure, SurfacePanel, captions};
use dpfda::release::MeanRelease;
use dpfda_study::Selected;

use crate::files::Files;
use crate::look::Look;
use crate::output::OutputError;
use crate::summary::{exact, rounded};
use crate::surface;

#[cfg(test)]
#[path = "selection_tests.rs"]
mod tests;

/// The risks as a table and as a heat map, and the chosen fit among those one step away.
pub fn write(Selected { release, surface }: &Selected, look: &Look, files: &mut Files<'_>) -> Result<(), OutputError> {
    files.make(["selection.csv"], || Ok([surface::table(surface, "risk")?.into_bytes()]))?;
    let title = if release.is_private() {
        "Estimated risk of each smoother, from the release itself"
    } else {
        "Estimated risk of each smoother, from a release with NOISE FROM A SEED: NOT PRIVATE"
    };
    files.draw(["selection.svg", "selection.pdf", "selection.png"], look, || {
        let mut facts = release.facts();
        facts.retain(|fact| ["privacy", "unit"].contains(&fact.name));
        let facts: Vec<String> = captions(&facts).collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let figure = SurfaceFigure::new(SurfacePanel::of_kernels(surface)?)?
            .title(title)
            .score_name("estimated risk")
            .caption(&facts);
        Ok(Some(figure.framed(&Frame::default())))
    })?;
    files.draw(["neighbours.svg", "neighbours.pdf", "neighbours.png"], look, || {
        Ok(Some(among_neighbours(release, surface)?.framed(&Frame::default())))
    })
}

/// The chosen fit with those whose range or penalty is the next one tried.
fn among_neighbours(chosen: &MeanRelease, surface: &ScoreSurface) -> Result<Figure, FigureError> {
    let smoothers =
        surface.neighbours(surface.optimum()).into_iter().filter_map(|at| surface.candidates().smoother(at));
    let mut neighbours = Vec::new();
    for smoother in smoothers {
        let range = KernelName::of(smoother.kernel()).map_or(f64::NAN, |(_, range)| range);
        let label = format!("range {}, penalty {}", exact(range), rounded(smoother.penalty()));
        // one that cannot be made is not shown
        neighbours.extend(chosen.smoothed(&smoother).ok().map(|smoothed| (label, smoothed)));
    }
    let neighbours: Vec<_> = neighbours.iter().map(|(label, release)| (label.as_str(), release)).collect();
    let figure = Figure::release(chosen).with_neighbours(&neighbours)?;
    Ok(figure.title("The chosen smoother among its neighbours"))
}
