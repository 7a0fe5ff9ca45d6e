//! `--mechanism smoothed`: draws of cells from the histogram mixed with the uniform density.

use dpfda::density::{CellDraws, SmoothedHistogram};

use super::plan::Plan;
use super::released::{Released, in_words};
use crate::error::CliError;
use crate::summary::rounded;

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
