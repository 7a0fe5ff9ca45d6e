//! The names of the columns of a table, for whoever looks at it first.

use crate::batch::CurveSource;
use crate::files::TableFiles;
use crate::layout::{CurveLayout, GridChoice};
use crate::names::shape;
use crate::number::says_missing;

#[cfg(test)]
#[path = "header_tests.rs"]
mod tests;

/// So many neighbours of one shape are told by their ends.
const MANY: usize = 4;
/// The most stretches that are told.
const MOST_TOLD: usize = 24;

/// The columns of the first file, as the curator of the file is told them: `ID, visit, cca_1 to cca_93`. `layout` says how cells are
/// written.
///
/// `None` where the first row may be a record, and where the file cannot be read. That a first row without numbers is a header nothing
/// says but itself: what is told here is not for publication.
pub fn columns_of(files: &TableFiles, layout: &CurveLayout) -> Option<String> {
    let everything = CurveLayout::new("*").ok()?.grid(GridChoice::Uniform(0.0, 1.0)).written_as(layout);
    let curves = files.open(0, &everything).ok()?;
    let names = curves.column_names()?;
    if names.iter().any(|name| says_missing(name) || name.contains(char::is_control)) {
        return None;
    }
    Some(listed(&names))
}

/// Names with commas between them, a long stretch of one shape by its ends.
fn listed(names: &[&str]) -> String {
    let shapes: Vec<String> = names.iter().map(|name| shape(name)).collect();
    let mut told = Vec::new();
    let mut from = 0;
    while from < names.len() {
        let length = shapes[from..].iter().take_while(|shape| **shape == shapes[from]).count();
        match &names[from..from + length] {
            [first, .., last] if length >= MANY => told.push(format!("{first} to {last}")),
            few => told.extend(few.iter().map(|name| (*name).to_owned())),
        }
        from += length;
    }
    let more = told.len().saturating_sub(MOST_TOLD);
    told.truncate(MOST_TOLD);
    told.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
