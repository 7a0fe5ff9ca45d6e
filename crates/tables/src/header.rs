//! The names of the columns of a table, for whoever looks at it first.

use crate::batch::CurveSource;
use crate::files::TableFiles;
use crate::layout::{CurveLayout, GridChoice};
use crate::names::{positions, shape};
use crate::number::says_missing;

#[cfg(test)]
#[path = "header_tests.rs"]
mod tests;

/// So many neighbours of one shape are told by their ends.
const MANY: usize = 4;
/// The most stretches that are told, and the most letters of a name.
const MOST_TOLD: usize = 24;
const MOST_LETTERS: usize = 60;

/// The columns of the first file, as the curator of the file is told them: `ID, visit, cca_1 to cca_93`. `layout` says how cells are
/// written.
///
/// `None` where the first row may be a record, and where the file cannot be read. That a first row without numbers is a header nothing
/// says but itself: what is told here is not for publication.
pub fn columns_of(files: &TableFiles, layout: &CurveLayout) -> Option<String> {
    let everything = CurveLayout::new("*").ok()?.grid(GridChoice::Uniform(0.0, 1.0)).written_as(layout);
    let curves = files.open(0, &everything).ok()?;
    let names = curves.column_names()?;
    let is_told = |(place, name): (usize, &&str)| (place == 0 && name.is_empty()) || !says_missing(name);
    names.iter().enumerate().all(is_told).then(|| listed(&names))
}

/// Names with commas between them, a long stretch of equally spaced ones by its ends.
fn listed(names: &[&str]) -> String {
    let shapes: Vec<String> = names.iter().map(|name| shape(name)).collect();
    let mut told = Vec::new();
    let mut from = 0;
    while from < names.len() {
        let alike = shapes[from..].iter().take_while(|shape| **shape == shapes[from]).count();
        let length = evenly(&names[from..from + alike]);
        match &names[from..from + length] {
            [first, .., last] if length >= MANY => told.push(format!("{} to {}", short(first), short(last))),
            few => told.extend(few.iter().map(|name| short(name))),
        }
        from += length;
    }
    let more = told.len().saturating_sub(MOST_TOLD);
    told.truncate(MOST_TOLD);
    told.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// How many of these names, from the first on, lie at equal steps; all of them where they do not say where they lie.
fn evenly(names: &[&str]) -> usize {
    let Some(t) = positions(names).filter(|t| t.len() > 1) else { return names.len() };
    let step = t[1] - t[0];
    let is_step = |pair: &&[f64]| (pair[1] - pair[0] - step).abs() <= 1e-6 * step.abs();
    1 + t.windows(2).take_while(is_step).count()
}

/// A name on one line, of at most [`MOST_LETTERS`] letters.
fn short(name: &str) -> String {
    let name = if name.is_empty() { "(no name)" } else { name };
    let cut = name.chars().nth(MOST_LETTERS).is_some();
    let start: String = name.chars().take(MOST_LETTERS).collect();
    start.escape_debug().to_string() + if cut { "..." } else { "" }
}
