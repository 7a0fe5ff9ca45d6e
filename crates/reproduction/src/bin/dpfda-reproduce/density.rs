//! The simulation of Wasserman and Zhou: errors of histograms of Beta(10, 10) points, by number of cells.

use std::fmt::Write;

use dpfda::plotting::{AxisScale, FigureError, LineFigure, LinePanel, Series, SeriesStyle};
use dpfda::privacy::PrivacyBudget;
use dpfda_cli::shared::{Contents, OutputDirectory, TableError, exact, rounded, steps, text_of, wrapped};
use dpfda_reproduction::{HistogramSimulation, ReproductionError, SimulatedRisk, SimulatedRisks};
use serde::Serialize;

use super::text;
use crate::arguments::{Arguments, What};
use crate::error::ReproduceError;

const REPEATS: u32 = 1000;

const MOST_CELLS: usize = 50;

/// Runs the four panels, writes the files and returns the report.
pub fn run(arguments: &Arguments) -> Result<String, ReproduceError> {
    if arguments.data.is_some() {
        return Err(ReproduceError::NoDataNeeded);
    }
    let out = arguments.out.as_ref().ok_or(ReproduceError::NoOut)?;
    let output = OutputDirectory::prepare(out, Contents::Reproduction, arguments.force, &[])?;
    let panels = simulate(arguments.seed)?;
    output.write("mise.csv", table(&panels)?.as_bytes())?;
    let figure = figure(&panels)?;
    output.write("mise.svg", figure.to_svg()?.as_bytes())?;
    output.write("mise.png", &figure.to_png()?)?;
    output.finish()?;
    if arguments.json {
        let density: Vec<Least> = panels.iter().filter_map(Least::of).collect();
        return Ok(serde_json::to_string(&Answer { density })? + "\n");
    }
    Ok(report(&panels) + &text::files(output.target(), What::Density))
}

fn simulate(seed: u64) -> Result<Vec<SimulatedRisks>, ReproduceError> {
    let simulation = HistogramSimulation { cells: (1..=MOST_CELLS).collect(), repeats: REPEATS, seed };
    let bar = steps("panels", HistogramSimulation::PANELS.len() as u64);
    let panel = |(records, epsilon)| {
        let budget = PrivacyBudget::new(epsilon, 0.0).map_err(ReproductionError::from)?;
        let panel = simulation.panel(records, budget)?;
        bar.inc(1);
        Ok(panel)
    };
    let panels = HistogramSimulation::PANELS.into_iter().map(panel).collect();
    bar.finish_and_clear();
    panels
}

fn figure(panels: &[SimulatedRisks]) -> Result<LineFigure, FigureError> {
    let panels = panels.iter().map(|panel| {
        // one cell is the uniform density whatever the noise: the reference line
        let shown: Vec<&SimulatedRisk> = panel.risks.iter().filter(|risk| risk.cells > 1).collect();
        let series = |label: &str, error: fn(&SimulatedRisk) -> f64| Series {
            label: label.to_owned(),
            x: shown.iter().map(|risk| risk.cells as f64).collect(),
            y: shown.iter().map(|risk| error(risk)).collect(),
            style: SeriesStyle::Line,
        };
        let lines =
            vec![series("exact histogram", |risk| risk.exact), series("perturbed histogram", |risk| risk.perturbed)];
        let label = format!("n = {}, α = {}", panel.records, panel.epsilon);
        let panel_of = LinePanel::new(&label, AxisScale::Linear, AxisScale::Log10, lines)?;
        panel_of.reference(panel.uniform, "uniform density, without data")
    });
    let figure = LineFigure::new(panels.collect::<Result<_, _>>()?)?;
    Ok(figure
        .with_one_scale()
        .title("Histograms of Beta(10, 10): what noise costs")
        .axes("number of cells", "mean integrated squared error"))
}

fn table(panels: &[SimulatedRisks]) -> Result<String, TableError> {
    #[derive(Serialize)]
    struct Row {
        n: usize,
        alpha: f64,
        cells: usize,
        exact: f64,
        perturbed: f64,
        standard_error: f64,
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    for panel in panels {
        let (n, alpha) = (panel.records, panel.epsilon);
        for &SimulatedRisk { cells, exact, perturbed, standard_error } in &panel.risks {
            let row = Row { n, alpha, cells, exact, perturbed, standard_error };
            csv.serialize(row).map_err(|_| TableError)?;
        }
    }
    text_of(csv)
}

/// The answer for programs.
#[derive(Serialize)]
struct Answer {
    density: Vec<Least>,
}

/// The least errors of a panel.
#[derive(Serialize)]
struct Least {
    n: usize,
    alpha: f64,
    uniform: f64,
    exact: f64,
    exact_cells: usize,
    perturbed: f64,
    perturbed_cells: usize,
}

impl Least {
    fn of(panel: &SimulatedRisks) -> Option<Self> {
        let (best, perturbed) = (panel.best_exact()?, panel.best_perturbed()?);
        Some(Self {
            n: panel.records,
            alpha: panel.epsilon,
            uniform: panel.uniform,
            exact: best.exact,
            exact_cells: best.cells,
            perturbed: perturbed.perturbed,
            perturbed_cells: perturbed.cells,
        })
    }
}

fn report(panels: &[SimulatedRisks]) -> String {
    let about = format!(
        "The simulation of Wasserman and Zhou (2010), Figure 1: points of Beta(10, 10), histograms with noise on their counts \
         and without, {REPEATS} data sets each. The points are simulated: nobody's data are touched."
    );
    let mut text = wrapped("", &about);
    text += "\nLeast mean integrated squared error, and its number of cells (1 is the uniform density)\n\n";
    let header = ["n", "alpha", "uniform", "exact", "cells", "perturbed", "cells"];
    line(&mut text, &header.map(str::to_owned));
    for least in panels.iter().filter_map(Least::of) {
        let cells = [
            least.n.to_string(),
            exact(least.alpha),
            rounded(least.uniform),
            rounded(least.exact),
            least.exact_cells.to_string(),
            rounded(least.perturbed),
            least.perturbed_cells.to_string(),
        ];
        line(&mut text, &cells);
    }
    text
}

fn line(text: &mut String, cells: &[String; 7]) {
    let [n, alpha, uniform, exact, exact_cells, perturbed, perturbed_cells] = cells;
    // writing to a string cannot fail
    let _ = writeln!(
        text,
        "    {n:>6} {alpha:>7} {uniform:>9} {exact:>10} {exact_cells:>6} {perturbed:>10} {perturbed_cells:>6}"
    );
}
