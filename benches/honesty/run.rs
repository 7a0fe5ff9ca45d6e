//! The releases of one cell, and what they say together.

use crate::cell::Cell;
use crate::claim::{Outcome, Seen};
use crate::kinds::Kind;
use crate::line::{Found, Line, Measure};
use crate::number::Number;
use crate::{Fault, parallel};

/// Releases that one thread makes before it takes other work.
const CHUNK: usize = 10;

/// Measures a cell with so many releases.
pub fn measured(kind: &Kind, cell: &Cell, releases: usize) -> Result<Line, Fault> {
    let release = (kind.release)(cell)?;
    let release = &release;
    let chunk = |first: usize| {
        move || -> Result<Vec<Vec<Outcome>>, Fault> {
            (first..releases.min(first + CHUNK)).map(|place| release(cell.seed(place as u64))).collect()
        }
    };
    let tasks = (0..releases).step_by(CHUNK).map(chunk).collect();
    let chunks: Result<Vec<Vec<Vec<Outcome>>>, Fault> = parallel::all(tasks).into_iter().collect();
    let all: Vec<Vec<Outcome>> = chunks?.into_iter().flatten().collect();
    let quantities = all.first().map_or(0, Vec::len);
    let found = (0..quantities).map(|place| found(all.iter().map(|outcomes| &outcomes[place]))).collect();
    Ok(Line { cell: cell.clone(), releases, found })
}

/// What all releases say of one quantity.
fn found<'o>(mut outcomes: impl Iterator<Item = &'o Outcome> + Clone) -> Found {
    let seen: Vec<&Seen> = outcomes.clone().filter_map(|outcome| outcome.seen.as_ref()).collect();
    let of = |part: fn(&Seen) -> f64| Number::of(&seen.iter().map(|seen| part(seen)).collect::<Vec<f64>>());
    let share = of(|seen| seen.share.unwrap_or(f64::NAN));
    let (mut width, mut error) = (of(|seen| seen.width), of(|seen| seen.squared_error).map(Number::root));
    let (quantity, measure) =
        outcomes.next().map_or(("", Measure::Coverage), |outcome| (&*outcome.quantity, outcome.measure));
    if measure == Measure::Forecast {
        // they are what was measured over what was foretold
        (width, error) = (width.and_then(Number::inverse), error.and_then(Number::inverse));
    }
    Found { quantity: quantity.to_owned(), measure, known: seen.len(), share, width, error }
}
