//! Curves that are needed as a whole, from memory or from files, with the columns of text beside them.

use std::path::PathBuf;

use dpfda::kernels::Grid;
use dpfda::smoothing::{CurveLayout, CurveSet, TableError, TableFiles, TextColumn};
use pyo3::prelude::*;

use crate::cells::{Ids, Labels};
use crate::door::Concerns;
use crate::mean::{GridArgument, LayoutArguments, are_similar};
use crate::refusal::Refusal;
use crate::table::{Rows, Table};

/// Curves as Python says where they are.
#[derive(FromPyObject)]
pub enum CurvesArgument<'py> {
    /// Files that a path names.
    Files(FilesArgument),
    /// Numbers in memory, the ids of their subjects, and the cells of each column beside them.
    Memory(MemoryArgument<'py>),
}

/// Files, and how their columns are read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FilesArgument {
    path: PathBuf,
    layout: LayoutArguments,
}

/// Numbers in memory.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct MemoryArgument<'py> {
    numbers: Table<'py>,
    grid: GridArgument,
    subjects: Option<Py<Ids>>,
    columns: Vec<Py<Labels>>,
}

/// Private curves, before they are read; Python's lock is not needed for them.
pub enum Curves<'a> {
    /// In files.
    Files(PathBuf, Box<CurveLayout>),
    /// In memory.
    Memory(Box<Rows<'a>>, Grid, Option<&'a [String]>, Vec<&'a Labels>),
}

/// Private curves with the columns beside them.
pub struct WholeCurves {
    /// The curves.
    pub curves: CurveSet,
    /// The columns, in the order of their names.
    pub columns: Vec<TextColumn>,
    /// For the curator alone.
    pub concerns: Concerns,
}

impl CurvesArgument<'_> {
    /// The curves, checked as far as they can be without their values.
    ///
    /// # Errors
    /// [`Refusal`] for a layout, a grid or ids that cannot be.
    pub fn stated(&self) -> Result<Curves<'_>, Refusal> {
        match self {
            Self::Files(files) => Ok(Curves::Files(files.path.clone(), Box::new(files.layout.clone().try_into()?))),
            Self::Memory(MemoryArgument { numbers, grid, subjects, columns }) => {
                let rows = numbers.view("curves")?;
                let grid = grid.clone().of(rows.columns())?;
                let subjects = subjects.as_ref().map(|ids| ids.get().all());
                Ok(Curves::Memory(Box::new(rows), grid, subjects, columns.iter().map(Py::get).collect()))
            }
        }
    }
}

impl Curves<'_> {
    /// The curves, and the columns of these names, which the argument `parameter` names.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read, and for a column that a file does not have.
    pub fn read(self, names: &[&str], parameter: &'static str) -> Result<WholeCurves, Refusal> {
        let (curves, columns, concerns) = match self {
            Self::Files(path, layout) => {
                let files = TableFiles::find(&path)?;
                let curves = CurveSet::read_files(&files, &layout, |bytes| bytes)?;
                let columns = if names.is_empty() { Ok(Vec::new()) } else { files.text_columns(&layout, names) };
                let columns = columns.map_err(|error| match error {
                    TableError::UnknownColumn { .. } => Refusal::from(error).at(parameter),
                    error => error.into(),
                })?;
                let concerns = Concerns::of_file(*curves.similar_ids().reveal() > 0, curves.missing_cells());
                (curves, columns, concerns)
            }
            Self::Memory(rows, grid, subjects, columns) => {
                let curves = CurveSet::new(grid, rows.copied())?;
                let curves = match subjects {
                    Some(subjects) => curves.with_subjects(subjects)?,
                    None => curves,
                };
                let strange = columns.iter().any(|column| column.are_strange);
                let concerns = Concerns { strange, ..Concerns::of_ids(are_similar(subjects)) };
                (curves, columns.into_iter().map(|labels| labels.column.clone()).collect(), concerns)
            }
        };
        Ok(WholeCurves { curves, columns, concerns })
    }
}
