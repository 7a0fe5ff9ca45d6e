//! Private numbers as Python holds them: rows of an array or columns of a frame, read where they lie.

use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis, Slice};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Rows that are copied at a time where they do not lie together: a block of some columns stays in the cache.
const ROWS: usize = 64;

/// A private table that is borrowed from Python.
#[derive(FromPyObject)]
pub enum Table<'py> {
    /// An array, one record in each row.
    Rows(PyReadonlyArray2<'py, f64>),
    /// One array for each column.
    Columns(Vec<PyReadonlyArray1<'py, f64>>),
}

impl Table<'_> {
    /// The numbers, without a copy.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths.
    pub fn view(&self) -> Result<Rows<'_>, Refusal> {
        match self {
            Self::Rows(array) => Ok(Rows::of(array.as_array())),
            Self::Columns(columns) => {
                let columns: Vec<_> = columns.iter().map(PyReadonlyArray1::as_array).collect();
                let length = columns.first().map_or(0, ArrayView1::len);
                if columns.iter().any(|column| column.len() != length) {
                    return Err(Refusal::new("curves", "the columns must all have the same length"));
                }
                Ok(Rows::Apart(columns))
            }
        }
    }
}

/// Rows of numbers, by how they lie in memory.
#[derive(Clone)]
pub enum Rows<'a> {
    /// The numbers of each row lie together.
    Together(ArrayView2<'a, f64>),
    /// The numbers of each column may lie together; the columns are given.
    Apart(Vec<ArrayView1<'a, f64>>),
}

impl<'a> Rows<'a> {
    fn of(values: ArrayView2<'a, f64>) -> Self {
        let columns = values.ncols();
        if columns <= 1 || values.strides()[1] == 1 {
            return Self::Together(values);
        }
        Self::Apart((0..columns).map(|column| values.index_axis_move(Axis(1), column)).collect())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Together(values) => values.nrows(),
            Self::Apart(columns) => columns.first().map_or(0, ArrayView1::len),
        }
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        match self {
            Self::Together(values) => values.ncols(),
            Self::Apart(columns) => columns.len(),
        }
    }

    /// Hands some rows on, each of them together in memory, with the index of the first: all at once, or a copied block at a time.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn blocks<E>(
        &self,
        rows: Range<usize>,
        mut each: impl FnMut(usize, ArrayView2<'_, f64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let columns = match self {
            Self::Together(values) => return each(rows.start, values.slice_axis(Axis(0), Slice::from(rows))),
            Self::Apart(columns) => columns,
        };
        let mut block = Array2::zeros((ROWS, columns.len()));
        for start in rows.clone().step_by(ROWS) {
            let end = rows.end.min(start + ROWS);
            for (column, mut into) in columns.iter().zip(block.columns_mut()) {
                let values = column.slice_axis(Axis(0), Slice::from(start..end));
                into.iter_mut().zip(values).for_each(|(into, value)| *into = *value);
            }
            each(start, block.slice_axis(Axis(0), Slice::from(..end - start)))?;
        }
        Ok(())
    }

    /// A copy, row by row.
    pub fn copied(&self) -> Array2<f64> {
        let mut copy = Array2::zeros((self.len(), self.columns()));
        let outcome = self.blocks(0..self.len(), |start, block| {
            let place = Slice::from(start..start + block.nrows());
            copy.slice_axis_mut(Axis(0), place).assign(&block);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = outcome;
        copy
    }
}
