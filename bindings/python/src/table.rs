//! Private numbers as Python holds them: rows of an array or columns of a frame, read where they lie.

use dpfda::smoothing::Missing;
use dpfda_study::MemoryRows;
use ndarray::{Array2, ArrayView1, Axis, stack};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Private numbers where they lie, borrowed from Python.
#[derive(FromPyObject)]
pub enum Numbers<'py> {
    /// An array, one record in each row.
    Rows(PyReadonlyArray2<'py, f64>),
    /// One array for each column.
    Columns(Vec<PyReadonlyArray1<'py, f64>>),
}

impl Numbers<'_> {
    /// The numbers without a copy; codes stand for missing values.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths, and for numbers that are refused in files.
    pub fn view(&self, missing: &Missing) -> Result<MemoryRows<'_>, Refusal> {
        let rows = match self {
            Self::Rows(array) => MemoryRows::of_array(array.as_array(), missing),
            Self::Columns(columns) => MemoryRows::of_columns(apart(columns)?, missing),
        };
        rows.map_err(|cell| {
            let place = format!("the value in row {}, column {} (counted from 0)", cell.row, cell.column);
            Refusal::unfit(cell.unfit, &place, "data")
        })
    }

    /// A copy of public numbers, whatever they are.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths.
    pub fn public(&self) -> Result<Array2<f64>, Refusal> {
        match self {
            Self::Rows(array) => Ok(array.as_array().to_owned()),
            Self::Columns(columns) => stack(Axis(1), &apart(columns)?).map_err(|error| Refusal::new("data", error)),
        }
    }

    /// So many columns of a long table.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths, and for another number of them.
    pub fn columns(&self, number: usize) -> Result<Vec<ArrayView1<'_, f64>>, Refusal> {
        let columns = if let Self::Columns(columns) = self { apart(columns)? } else { Vec::new() };
        if columns.len() == number { Ok(columns) } else { Err(Refusal::new("data", "a long table has named columns")) }
    }
}

fn apart<'a>(columns: &'a [PyReadonlyArray1<'_, f64>]) -> Result<Vec<ArrayView1<'a, f64>>, Refusal> {
    let columns: Vec<_> = columns.iter().map(PyReadonlyArray1::as_array).collect();
    let length = columns.first().map_or(0, ArrayView1::len);
    if columns.iter().any(|column| column.len() != length) {
        return Err(Refusal::new("data", "the columns must all have the same length"));
    }
    Ok(columns)
}
