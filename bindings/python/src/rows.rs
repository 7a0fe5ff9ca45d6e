//! Long tables: one value of a subject in each row, from memory or from files.

use std::path::{Path, PathBuf};

use dpfda::release::LongRows;
use dpfda::smoothing::{CurveLayout, Missing, TableError, TableFiles};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::cells::Ids;
use crate::door::Concerns;
use crate::mean::CellsArguments;
use crate::refusal::{Refusal, innermost, of_table};

/// Rows as Python says where they are.
#[derive(FromPyObject)]
pub enum RowsArgument<'py> {
    /// Files that a path names.
    Files(LongFiles),
    /// A subject, a time and a value for each row.
    Memory(LongColumns<'py>),
}

/// Files, and what their columns are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LongFiles {
    path: PathBuf,
    id: String,
    time: String,
    value: String,
    cells: CellsArguments,
}

/// Columns in memory, of one length.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LongColumns<'py> {
    ids: Py<Ids>,
    times: PyReadonlyArray1<'py, f64>,
    values: PyReadonlyArray1<'py, f64>,
    /// Codes for missing times and values.
    missing: Option<String>,
}

impl RowsArgument<'_> {
    /// All rows, with what the curator should know of them.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read.
    pub fn taken(self, py: Python<'_>, mut rows: LongRows) -> Result<(LongRows, Concerns), Refusal> {
        match self {
            Self::Files(files) => {
                let layout = files.layout()?;
                py.detach(|| read(&mut rows, &files.path, &layout)).map_err(|error| files.refusal(error))?;
            }
            Self::Memory(LongColumns { ids, times, values, missing }) => {
                let missing = missing.as_deref().map(Missing::new).transpose()?.unwrap_or_default();
                let (ids, times, values) = (ids.get().all(), times.as_array(), values.as_array());
                py.detach(|| {
                    for (row, ((id, time), value)) in ids.iter().zip(times).zip(values).enumerate() {
                        let time = measured(&missing, *time, row, "time")?;
                        rows.push(id.as_bytes(), time, measured(&missing, *value, row, "value")?);
                    }
                    Ok::<(), Refusal>(())
                })?;
            }
        }
        let similar_ids = py.detach(|| *rows.similar_ids().reveal() > 0);
        let concerns = Concerns { unused: rows.seen().reveal().many_unused(), ..Concerns::of_ids(similar_ids) };
        Ok((rows, concerns))
    }
}

/// What a number of a long table in memory says, as in files.
///
/// # Errors
/// [`Refusal`] for a number that cannot be a value.
pub fn measured(missing: &Missing, number: f64, row: usize, what: &'static str) -> Result<f64, Refusal> {
    missing
        .measured(number)
        .map_err(|unfit| Refusal::unfit(unfit, &format!("the {what} in row {row} (counted from 0)"), what))
}

impl LongFiles {
    fn layout(&self) -> Result<CurveLayout, Refusal> {
        let long = CurveLayout::long(&self.id, &self.time, &self.value);
        self.cells.on(long.map_err(|error| self.refusal(error))?)
    }

    fn refusal(&self, error: TableError) -> Refusal {
        of_long_table(error, &[("id", &self.id), ("time", &self.time), ("value", &self.value)], "rows")
    }
}

/// The refusal of a long table in files, with the argument that has to change: one of those that name columns, or the table itself.
pub fn of_long_table(error: TableError, columns: &[(&'static str, &String)], table: &'static str) -> Refusal {
    let parameter = match innermost(&error) {
        TableError::LongColumn { column, .. } => {
            columns.iter().find(|(_, name)| *name == column).map_or("id", |(argument, _)| *argument)
        }
        TableError::LongColumns | TableError::LongSurfaceColumns => "id",
        other if of_table(other) == "missing" => "missing",
        _ => table,
    };
    Refusal::from(error).at(parameter)
}

fn read(rows: &mut LongRows, path: &Path, layout: &CurveLayout) -> Result<(), TableError> {
    let files = TableFiles::find(path)?;
    let mut first = None;
    for file in 0..files.paths().len() {
        let mut source = files.open(file, layout)?;
        rows.read(&mut source).map_err(|error| files.in_file(file, error))?;
        match &first {
            None => first = Some(source),
            Some(first) => files.check_same(first, file, &source)?,
        }
    }
    Ok(())
}
