//! Wasserman and Zhou's simulation with Beta(10, 10), and the same with cells chosen after the release.

use std::fmt::Write;

use dpfda::density::{Bounds, Cells, PerturbedHistogram, Points, cells_by_rate};
use dpfda::prelude::*;
use dpfda_reproduction::{HistogramSimulation, SimulatedRisks};

use crate::{Fault, NOT_DESCRIBED, parallel};

const REPEATS: u32 = 1000;
const SEED: u64 = 5;

/// Cells along the axis that are released before some are merged: numbers with many divisors.
const FINEST: [usize; 2] = [12, 48];

pub fn report() -> Result<String, Fault> {
    eprintln!("Beta(10, 10)");
    let mut page = format!(
        "## Beta(10, 10)\n\nMean integrated squared error of histograms (WZ, Figure 1), r = 1, substitute one, delta = 0. *Exact*: \
         no noise, in closed form. *Perturbed*: over {REPEATS} data sets, the number of cells the best of 1 to 50, \
         which looks at the truth. The rest are ours and look at nothing private: *by rate* has round(n^(1/3)) cells; *chosen* \
         releases the finest cells and merges them by the estimated risk of the noisy counts, at no cost. The uniform density \
         looks at no data at all: a release above it is worse than nothing, and where the best m is 1 every histogram is. Choosing \
         comes near the best where counts exceed their noise (n alpha = 100); at n alpha <= 10 the scores are noise themselves, \
         and the least of several is hardly better than the uniform density, or worse. `dpfda-reproduce density` draws the \
         four panels.\n\n\
         | n | alpha | uniform | exact, best m | perturbed, best m | by rate | chosen, 12 finest | chosen, 48 finest | mean m chosen |\n|---|---|---|---|---|---|---|---|---|\n"
    );
    let panels = parallel::all(HistogramSimulation::PANELS.map(|(n, alpha)| move || row(n, alpha)).into());
    for row in panels {
        page += &row?;
    }
    page += "\n";
    Ok(page)
}

fn row(records: usize, alpha: f64) -> Result<String, Fault> {
    let budget = PrivacyBudget::new(alpha, 0.0)?;
    let simulation = HistogramSimulation { cells: (1..=50).collect(), repeats: REPEATS, seed: SEED };
    let risks: SimulatedRisks = simulation.panel(records, budget)?;
    let (exact, perturbed) = risks.best_exact().zip(risks.best_perturbed()).ok_or("no cells")?;
    let unit = Bounds::new(vec![(0.0, 1.0)])?;
    let by_rate = cells_by_rate(unit.clone(), records as u64, NeighbouringRelation::SubstituteOne)?.count();
    let by_rate = risks.risks.iter().find(|risk| risk.cells == by_rate).ok_or("no such number of cells")?;
    let [few, many] = FINEST.map(|finest| chosen(records, budget, finest));
    let ((few, few_cells), (many, many_cells)) = (few?, many?);
    let as_remarked = if records as f64 * alpha > 50.0 {
        few < 1.25 * perturbed.perturbed
    } else {
        few.min(many) > 0.9 * risks.uniform
    };
    let verdict = if as_remarked { "" } else { NOT_DESCRIBED };
    let mut row = String::new();
    writeln!(
        row,
        "| {records} | {alpha} | {:.3} | {:.3} (m = {}) | {:.3} +- {:.3} (m = {}) | {:.3} (m = {}) | {few:.3} | {many:.3} | {few_cells:.1}; {many_cells:.1}{verdict} |",
        risks.uniform,
        exact.exact,
        exact.cells,
        perturbed.perturbed,
        perturbed.standard_error,
        perturbed.cells,
        by_rate.perturbed,
        by_rate.cells,
    )?;
    Ok(row)
}

/// The mean error of histograms merged by risk, and the mean number of cells that were chosen.
fn chosen(records: usize, budget: PrivacyBudget, finest: usize) -> Result<(f64, f64), Fault> {
    let (density, unit) = (HistogramSimulation::density(), Bounds::new(vec![(0.0, 1.0)])?);
    let histogram = PerturbedHistogram::new(Cells::new(unit.clone(), finest)?, budget);
    let mut randomness = SeededRandomness::from_seed(SEED + (finest * records) as u64);
    let (mut error, mut cells) = (0.0, 0.0);
    for _ in 0..REPEATS {
        let points = Points::new(density.draw(records, 1, &mut randomness), unit.clone())?;
        let merged = histogram.release(&points, &mut randomness)?.merged_by_risk();
        error += density.squared_error(merged.density());
        cells += merged.density().cells().count() as f64;
    }
    Ok((error / f64::from(REPEATS), cells / f64::from(REPEATS)))
}
