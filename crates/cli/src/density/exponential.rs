//! `--mechanism exponential`: an empirical distribution near that of the points in Kolmogorov-Smirnov distance.

use dpfda::density::{CellDraws, Cells, KsExponential, Points, cells_to_merge};
use dpfda::privacy::NeighbouringRelation;

use super::mechanism::{RECORDS, Released, in_words};
use super::{DensityRefusal, Plan};
use crate::error::CliError;
use crate::summary::rounded;

/// The most cells by default: a release then takes seconds.
const MOST_CELLS: usize = 1000;

/// The most draws by default.
const MOST_DRAWS: usize = 200;

/// Refuses a budget, cells and draws without the data.
pub fn check(plan: &Plan) -> Result<(), CliError> {
    of(plan, RECORDS)?;
    Ok(())
}

/// The draw of all cells at once.
pub fn released(plan: &Plan, mechanism: &KsExponential, release: &CellDraws) -> Result<Released, CliError> {
    Ok(Released {
        name: "exponential mechanism",
        mechanism: mechanism_in_words(plan, mechanism),
        cells: cells_in_words(plan, mechanism.cells()),
        noise: noise(mechanism),
        notes: notes(mechanism),
        ..Released::of_draws(release)?
    })
}

/// The mechanism for these points, of which it may depend on a public number alone.
pub fn for_points(plan: &Plan, points: &Points) -> Result<KsExponential, DensityRefusal> {
    of(plan, if plan.has_public_records() { points.records() as u64 } else { RECORDS })
}

/// The mechanism, by default with the cells and draws for this public number of records.
fn of(plan: &Plan, records: u64) -> Result<KsExponential, DensityRefusal> {
    let per_axis = match plan.cells {
        Some(per_axis) => per_axis,
        None => cells_to_merge(plan.bounds.clone(), records)?.per_axis().min(MOST_CELLS),
    };
    let default = || KsExponential::default_draws(records, plan.budget.epsilon()).min(MOST_DRAWS);
    let cells = Cells::new(plan.bounds.clone(), per_axis)?;
    let draws = plan.draws.unwrap_or_else(default);
    Ok(KsExponential::new(plan.budget, plan.neighbours, cells, draws)?.unit(plan.unit))
}

/// The number of records that a default is for.
fn basis(plan: &Plan) -> String {
    match plan.neighbours {
        NeighbouringRelation::SubstituteOne => "n".to_owned(),
        NeighbouringRelation::AddRemoveOne => format!("n = {RECORDS} whatever n is"),
    }
}

fn mechanism_in_words(plan: &Plan, mechanism: &KsExponential) -> String {
    let origin = match plan.draws {
        Some(_) => "as given".to_owned(),
        None => format!("of the order of Theorem 12 for {}, at most {MOST_DRAWS}", basis(plan)),
    };
    format!(
        "exponential mechanism with the Kolmogorov-Smirnov distance (Wasserman and Zhou 2010, Theorems 9 to 12): one exact \
         draw, no Markov chain, of a distribution of k\u{a0}=\u{a0}{} points ({origin})",
        mechanism.draws(),
    )
}

fn cells_in_words(plan: &Plan, cells: &Cells) -> String {
    let origin = match plan.cells {
        Some(_) => "as given".to_owned(),
        None => format!("about 4 n^(1/3) for {}, at most {MOST_CELLS}", basis(plan)),
    };
    format!("{}, {origin}", in_words(cells))
}

fn noise(mechanism: &KsExponential) -> String {
    format!(
        "the draw is the noise: a distribution becomes less likely by a factor of e for every {} records that its \
         distribution function is off, where it is off most, from that of these very points",
        rounded(2.0 / mechanism.budget().epsilon())
    )
}

fn notes(mechanism: &KsExponential) -> Vec<String> {
    let mut notes = vec![
        "how long the draw took depends on the data and is not protected: publish the release, not its duration."
            .to_owned(),
    ];
    if mechanism.draws() < mechanism.cells().count() {
        notes.push(
            "there are fewer draws than cells, so the density has gaps; its distribution function is what was released \
             to be near that of the data."
                .to_owned(),
        );
    }
    notes
}
