//! Columns of tables in memory, and files by several names: the rules are those of files.

use std::path::PathBuf;

use dpfda::smoothing::{CurveLayout, GridChoice, refuse_same};
use pyo3::prelude::*;

use crate::mean::{GridArgument, Place};
use crate::refusal::Refusal;

/// Where the points lie, as far as it was said.
#[derive(FromPyObject)]
pub enum Spaced {
    /// In the units of the domain, and whether it closes up.
    Stated(GridArgument),
    /// Where the names say (`"names"`), or nowhere: columns are counted (`"counted"`).
    Word(String),
}

/// The places of the value columns, in their order, and of the subjects.
#[pyfunction]
pub fn frame_columns(
    names: Vec<String>,
    values: Option<Vec<String>>,
    subject: Option<&str>,
    spaced: Spaced,
) -> Result<(Vec<usize>, Option<usize>), Refusal> {
    let pieces = values.unwrap_or_else(|| vec!["*".to_owned()]);
    let mut layout = CurveLayout::of_columns(&pieces, &names)?;
    if let Some(column) = subject {
        layout = layout.subject(column);
    }
    let layout = match spaced {
        Spaced::Word(word) if word == "counted" => layout.grid(GridChoice::Uniform(0.0, 1.0)),
        Spaced::Word(_) => layout.grid(GridChoice::Names),
        Spaced::Stated(GridArgument(place, is_periodic)) => {
            let layout = if is_periodic { layout.periodic() } else { layout };
            layout.grid(match place {
                Place::Interval(lower, upper) => GridChoice::Interval(lower, upper),
                Place::Points(points) => GridChoice::Points(points),
            })
        }
    };
    layout.find_columns(names).map_err(|error| Refusal::from(error).in_memory())
}

/// Refuses a file that has two of these names.
#[pyfunction]
pub fn refuse_same_files(paths: Vec<PathBuf>) -> Result<(), Refusal> {
    Ok(refuse_same(&paths)?)
}
