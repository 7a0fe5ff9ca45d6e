//! Figures 1 to 12 in two rows, and how far the releases on them are from the mean.

use dpfda::kernels::{DEFAULT_TOLERANCE, Grid, Spectrum};
use dpfda::plotting::{GridPanel, PanelGrid};
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::CurveSet;
use dpfda_cli::shared::{Contents, steps};
use dpfda_reproduction::{
    FigurePanel, PaperFigure, ReproductionError, SIMULATED_FIGURES, data_figure, simulated_figure,
};
use ndarray::{Array1, ArrayView1, Axis};

use crate::error::ReproduceError;

/// Releases of each panel for the page, over which distances are averaged; the first is the one that is drawn.
pub const REPEATS: u64 = 25;

/// One figure, drawn and measured.
pub struct Drawn {
    /// The file.
    pub name: &'static str,
    pub number: u8,
    pub title: String,
    pub simulated: bool,
    pub svg: String,
    pub panels: Vec<Distances>,
}

/// Root-mean-square distances to the raw mean, over the domain and the repeats.
pub struct Distances {
    pub label: String,
    pub published: f64,
    pub ours: f64,
    /// Of the public centre, without any release.
    pub center: f64,
}

/// All twelve, each panel with this many releases, at least one.
pub fn draw(curves: &CurveSet, seed: u64, repeats: u64) -> Result<Vec<Drawn>, ReproduceError> {
    let names = Contents::Reproduction.files().iter().filter(|name| name.starts_with("figure-"));
    let bar = steps("figures", 12 * repeats);
    let figures = (1..=12).zip(names).map(|(number, name)| {
        let repeat = |repeat| {
            bar.inc(1);
            figure(number, curves, seed.wrapping_add(repeat))
        };
        let repeats = (0..repeats).map(repeat).collect::<Result<Vec<_>, _>>()?;
        drawn(name, &repeats)
    });
    let figures = figures.collect();
    bar.finish_and_clear();
    figures
}

fn figure(number: u8, curves: &CurveSet, seed: u64) -> Result<PaperFigure, ReproductionError> {
    let simulated = SIMULATED_FIGURES.contains(&number);
    let figure = if simulated { simulated_figure(number, seed) } else { data_figure(number, curves, seed) };
    let mut figure = figure?.into_revealed();
    shorten_labels(&mut figure);
    Ok(figure)
}

/// Takes a kernel that all panels share out of their labels; the title has it.
fn shorten_labels(figure: &mut PaperFigure) {
    let shared = figure.panels[0].label.split_once(", ").map(|(kernel, _)| format!("{kernel}, "));
    let Some(shared) = shared.filter(|shared| figure.panels.iter().all(|panel| panel.label.starts_with(shared))) else {
        return;
    };
    for panel in &mut figure.panels {
        panel.label.drain(..shared.len());
    }
}

fn drawn(name: &'static str, repeats: &[PaperFigure]) -> Result<Drawn, ReproduceError> {
    let first = &repeats[0];
    let panels = (0..first.panels.len()).map(|panel| {
        let squares = |of: fn(&FigurePanel) -> Result<f64, ReproductionError>| {
            let squares = repeats.iter().map(|figure| Ok(of(&figure.panels[panel])?.powi(2)));
            Ok::<_, ReproductionError>((squares.sum::<Result<f64, ReproductionError>>()? / repeats.len() as f64).sqrt())
        };
        Ok(Distances {
            label: first.panels[panel].label.clone(),
            published: squares(|panel| distance(&panel.grid, panel.published.sanitised.view(), &mean(panel)))?,
            ours: squares(|panel| distance(&panel.grid, panel.ours.function().values(), &mean(panel)))?,
            center: squares(|panel| {
                distance(&panel.grid, panel.ours.ball().center_at(&panel.grid)?.view(), &mean(panel))
            })?,
        })
    });
    Ok(Drawn {
        name,
        number: first.number,
        title: first.title.clone(),
        simulated: first.simulated,
        svg: svg(first)?,
        panels: panels.collect::<Result<_, ReproductionError>>()?,
    })
}

/// The raw mean of the curves on a panel.
fn mean(panel: &FigurePanel) -> Array1<f64> {
    panel.curves.mean_axis(Axis(0)).unwrap_or_else(|| Array1::zeros(panel.curves.ncols()))
}

/// The root-mean-square distance over the domain.
fn distance(grid: &Grid, a: ArrayView1<'_, f64>, b: &Array1<f64>) -> Result<f64, ReproductionError> {
    let difference = &a - b;
    Ok(grid.to_unit()?.integrate((&difference * &difference).view()).sqrt())
}

fn svg(figure: &PaperFigure) -> Result<String, ReproduceError> {
    let published = figure.panels.iter().map(published_panel).collect();
    let ours = our_row(figure)?;
    let upper = if figure.simulated {
        "In the package’s convention (not private as stated)"
    } else {
        "As published: not private as stated"
    };
    let rows = vec![(upper.to_owned(), published), ("This project’s default at the same ε and δ".to_owned(), ours)];
    let grid =
        if figure.simulated { PanelGrid::of_simulated(rows) } else { PanelGrid::of_people(NonPrivate::new(rows)) };
    let title = format!("Figure {}: {}", figure.number, figure.title);
    Ok(grid?.title(&title).caption(&caption(figure.number)).to_svg()?)
}

/// What the rows are, and which parameters are not the paper's; see [`simulated_figure`].
fn caption(number: u8) -> String {
    let chosen = match number {
        1 => "the penalties between the ends of the stated interval",
        4 | 6..=9 => "the penalty 0.01 and the values between the ends of the stated interval",
        5 => "the penalty 0.01",
        10 => "the penalty 0.01 and the mean functions",
        _ => "",
    };
    let parameters = if chosen.is_empty() {
        "Kernel, penalty and range are those stated in the paper.".to_owned()
    } else {
        format!("Chosen by this project, as the paper does not state them: {chosen}.")
    };
    format!(
        "Above: smoothed, then perturbed, in the convention of the authors’ package. Below: perturbed, then smoothed; public \
         ball, isonormal noise by the tight calibration, smoother chosen from the release itself. All panels have \
         the same axes. {parameters}"
    )
}

fn published_panel(panel: &FigurePanel) -> GridPanel {
    grid_panel(panel, panel.published.fit.to_vec(), panel.published.sanitised.to_vec())
}

/// One panel where the release has nothing to do with what the panels vary.
fn our_row(figure: &PaperFigure) -> Result<Vec<GridPanel>, ReproductionError> {
    let first = figure.panels[0].ours.coordinates();
    if figure.panels.iter().any(|panel| panel.ours.coordinates() != first) {
        return figure.panels.iter().map(our_panel).collect();
    }
    let label = "one release for all of the above".to_owned();
    Ok(vec![GridPanel { label, ..our_panel(&figure.panels[0])? }])
}

fn our_panel(panel: &FigurePanel) -> Result<GridPanel, ReproductionError> {
    let release = &panel.ours;
    let smoother = release.smoother();
    let spectrum = Spectrum::new(smoother.kernel().clone(), panel.grid.to_unit()?, DEFAULT_TOLERANCE)?;
    let center = release.ball().center_at(&panel.grid)?;
    let smoothed = smoother.fit(&spectrum, center.view(), mean(panel).view());
    Ok(grid_panel(panel, smoothed.to_vec(), release.function().values().to_vec()))
}

fn grid_panel(panel: &FigurePanel, mean: Vec<f64>, released: Vec<f64>) -> GridPanel {
    GridPanel {
        label: panel.label.clone(),
        t: panel.grid.points().to_vec(),
        curves: panel.curves.rows().into_iter().map(|row| row.to_vec()).collect(),
        mean,
        released,
    }
}
