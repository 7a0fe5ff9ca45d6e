//! Points of people as a private density: quantiles, synthetic points, and what the noise costs by number of cells.
//!
//! Writes to `target/examples-output`.

use std::error::Error;
use std::fs;
use std::path::Path;

use dpfda::density::{Bounds, Cells, HistogramSimulation, PerturbedHistogram, Points};
use dpfda::plotting::{AxisScale, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("target/examples-output");
    fs::create_dir_all(folder)?;
    let mut randomness = SystemRandomness::new()?;

    // 5000 scores from 0 to 100, which everybody knows they are; in place of people's, points of Beta(10, 10).
    let scores = HistogramSimulation::density().draw(5000, 1, &mut randomness) * 100.0;
    let bounds = Bounds::new(vec![(0.0, 100.0)])?;
    let points = Points::new(scores, bounds.clone())?;

    // Fine cells are released once. Everything after that is free, the choice of coarser cells included.
    let histogram = PerturbedHistogram::new(Cells::new(bounds, 60)?, PrivacyBudget::new(0.5, 0.0)?);
    let release = histogram.release(&points, &mut randomness)?;
    let chosen = release.merged_by_risk();
    let density = chosen.density();
    println!("noise of {:.1} records in a count; {} of 60 cells chosen", release.noise_sd(), density.cells().count());
    println!("median {:.1}, first decile {:.1}", density.quantile(0.5)?, density.quantile(0.1)?);
    println!("up to 40: {:.3} of all", density.cumulative(&[40.0]));
    println!("synthetic scores: {:.1}", density.draw(5, &mut randomness).column(0));
    fs::write(folder.join("density.json"), chosen.to_json()?)?;
    density.write_csv(fs::File::create(folder.join("density.csv"))?)?;

    // How many cells would be best, if the truth were known: it depends on n and on epsilon.
    let simulation = HistogramSimulation { cells: (1..=50).collect(), repeats: 200, seed: 1 };
    let panels = HistogramSimulation::PANELS.map(|(records, epsilon)| panel(&simulation, records, epsilon));
    let figure = LineFigure::new(panels.into_iter().collect::<Result<_, _>>()?)?
        .title("Histograms of Beta(10, 10): what noise costs")
        .axes("number of cells", "mean integrated squared error");
    fs::write(folder.join("density-cells.svg"), figure.to_svg()?)?;
    fs::write(folder.join("density-cells.png"), figure.to_png()?)?;
    println!("wrote {}", folder.display());
    Ok(())
}

/// Errors of exact and perturbed histograms against the number of cells.
fn panel(simulation: &HistogramSimulation, records: usize, epsilon: f64) -> Result<LinePanel, Box<dyn Error>> {
    let errors = simulation.panel(records, PrivacyBudget::new(epsilon, 0.0)?)?;
    // one cell is the uniform density, which looks at no data: the reference line
    let shown = &errors.risks[1..];
    let series = |label: &str, y| Series {
        label: label.to_owned(),
        x: shown.iter().map(|risk| risk.cells as f64).collect(),
        y,
        style: SeriesStyle::Line,
    };
    let lines = vec![
        series("exact histogram", shown.iter().map(|risk| risk.exact).collect()),
        series("perturbed histogram", shown.iter().map(|risk| risk.perturbed).collect()),
    ];
    let label = format!("n = {records}, epsilon = {epsilon}");
    let panel = LinePanel::new(&label, AxisScale::Linear, AxisScale::Log10, lines)?;
    Ok(panel.reference(errors.uniform, "uniform density, without data")?)
}
