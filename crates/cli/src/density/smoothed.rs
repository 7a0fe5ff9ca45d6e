//! `--mechanism smoothed`: draws of cells from the histogram mixed with the uniform density.

use dpfda::density::{CellDraws, Cells, Points, SmoothedHistogram};

use super::mechanism::{Released, in_words};
use super::{DensityRefusal, Plan};
use crate::error::CliError;
use crate::summary::rounded;

/// Refuses what would be refused for every number of records: the larger, the less mixing is needed.
pub fn check(plan: &Plan) -> Result<(), CliError> {
    let cells = cells(plan, plan.cells.unwrap_or(2))?;
    of(plan, u64::MAX, cells, plan.draws.unwrap_or(1))?;
    Ok(())
}

/// The draws, with as little of the uniform density as the budget allows.
pub fn released(plan: &Plan, histogram: &SmoothedHistogram, release: &CellDraws) -> Result<Released, CliError> {
    Ok(Released {
        name: "smoothed histogram",
        mechanism: mechanism(plan, histogram),
        cells: cells_in_words(plan, release),
        noise: noise(histogram),
        notes: notes(histogram),
        ..Released::of_draws(release)?
    })
}

/// The mechanism for this public number of records.
pub fn for_points(plan: &Plan, points: &Points) -> Result<SmoothedHistogram, CliError> {
    let records = points.records() as u64;
    let dimension = plan.bounds.dimension();
    let size = SmoothedHistogram::size_for_squared_l2_distance(records, plan.budget.epsilon(), dimension);
    let cells = cells(plan, plan.cells.unwrap_or(size.per_axis))?;
    Ok(of(plan, records, cells, plan.draws.unwrap_or(size.draws))?)
}

fn cells(plan: &Plan, per_axis: usize) -> Result<Cells, DensityRefusal> {
    Cells::new(plan.bounds.clone(), per_axis).map_err(DensityRefusal::from)
}

fn of(plan: &Plan, records: u64, cells: Cells, draws: usize) -> Result<SmoothedHistogram, DensityRefusal> {
    let (budget, neighbours) = (plan.budget, plan.neighbours);
    Ok(SmoothedHistogram::with_smallest_mixture(budget, neighbours, records, cells, draws)?.unit(plan.unit))
}

fn mechanism(plan: &Plan, histogram: &SmoothedHistogram) -> String {
    let origin = if plan.draws.is_some() { "as given" } else { "by the rate of Theorem 7 for n epsilon" };
    format!(
        "smoothed histogram (Wasserman and Zhou 2010, Theorem 5): k\u{a0}=\u{a0}{} exact draws ({origin}) from the histogram \
         with a share of {} of the uniform density, the smallest that the budget allows",
        histogram.draws(),
        rounded(histogram.mixture()),
    )
}

fn cells_in_words(plan: &Plan, release: &CellDraws) -> String {
    let origin = if plan.cells.is_some() { "as given" } else { "by the rate of Theorem 7 for n epsilon" };
    format!("{}, {origin}", in_words(release.cells()))
}

fn noise(histogram: &SmoothedHistogram) -> String {
    format!(
        "the draws are the noise: the share of a cell among them has a standard deviation of at most {}, and their density \
         is pulled to the uniform one by the mixture",
        rounded(0.5 / (histogram.draws() as f64).sqrt())
    )
}

fn notes(histogram: &SmoothedHistogram) -> Vec<String> {
    let mostly_uniform = histogram.mixture() > 0.5;
    let note = "more than half of the draws are from the uniform density, so the release shows little of the data. More \
                people, fewer draws, fewer cells or a larger budget would help.";
    mostly_uniform.then(|| note.to_owned()).into_iter().collect()
}
