//! `--mechanism exponential`: an empirical distribution near that of the points in Kolmogorov-Smirnov distance.

use dpfda::density::{CellDraws, Cells, KsExponential};
use dpfda::privacy::NeighbouringRelation;
use dpfda_study::{MOST_CELLS, MOST_DRAWS, RECORDS};

use super::plan::Plan;
use super::released::{Released, in_words};
use crate::error::CliError;
use crate::summary::rounded;

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
