//! Long tables: one value of a subject in each row, from memory or from files.

use std::path::{Path, PathBuf};

use dpfda::release::LongRows;
use dpfda::smoothing::{CurveLayout, Decimal, TableError, TableFiles};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::door::Concerns;
use crate::mean::{Subjects, check_ids};
use crate::refusal::Refusal;

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
    delimiter: Option<String>,
    decimal_comma: bool,
}

/// Columns in memory, of one length.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LongColumns<'py> {
    ids: Subjects,
    times: PyReadonlyArray1<'py, f64>,
    values: PyReadonlyArray1<'py, f64>,
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
            Self::Memory(LongColumns { ids, times, values }) => {
                check_ids(Some(&ids)).map_err(|refusal| refusal.at("rows"))?;
                let (times, values) = (times.as_array(), values.as_array());
                py.detach(|| {
                    for ((id, time), value) in ids.iter().zip(times).zip(values) {
                        rows.push(id.as_bytes(), *time, *value);
                    }
                });
            }
        }
        let similar_ids = py.detach(|| *rows.similar_ids().reveal() > 0);
        let concerns = Concerns { similar_ids, unused: rows.seen().reveal().many_unused() };
        Ok((rows, concerns))
    }
}

impl LongFiles {
    fn layout(&self) -> Result<CurveLayout, Refusal> {
        let long = CurveLayout::long(&self.id, &self.time, &self.value);
        let mut layout = long.map_err(|error| self.refusal(error))?;
        if let Some(delimiter) = &self.delimiter {
            layout = layout.separated_by(delimiter.parse()?);
        }
        Ok(if self.decimal_comma { layout.decimal(Decimal::Comma) } else { layout })
    }

    /// The refusal of a table, with the argument that has to change.
    fn refusal(&self, error: TableError) -> Refusal {
        let parameter = match &error {
            TableError::LongColumn { column, .. } if *column == self.time => "time",
            TableError::LongColumn { column, .. } if *column == self.value => "value",
            TableError::LongColumn { .. } | TableError::LongColumns => "id",
            _ => "rows",
        };
        Refusal::from(error).at(parameter)
    }
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
