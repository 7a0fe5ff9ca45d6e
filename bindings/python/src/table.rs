//! Private numbers as Python holds them: rows of an array or columns of a frame, read where they lie.

use std::ops::Range;

use dpfda::release::{EncodeError, RowBlocks, TakesBlock};
use dpfda::smoothing::Missing;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, Slice};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::refusal::Refusal;

/// Rows that are copied at a time where they do not lie together: a block of some columns stays in the cache.
const ROWS: usize = 64;

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
    pub fn view(&self, missing: &Missing) -> Result<Rows<'_>, Refusal> {
        let rows = self.public()?;
        rows.lie.check(missing)?;
        Ok(Rows { codes: missing.names_numbers().then(|| missing.clone()), ..rows })
    }

    /// Public numbers, whatever they are.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths.
    pub fn public(&self) -> Result<Rows<'_>, Refusal> {
        let lie = match self {
            Self::Rows(array) => Lie::of(array.as_array()),
            Self::Columns(columns) => Lie::Apart(apart(columns)?),
        };
        Ok(Rows { lie, codes: None })
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

/// Rows of numbers, each of which may be a value or is missing.
#[derive(Clone)]
pub struct Rows<'a> {
    lie: Lie<'a>,
    /// Where some numbers are codes for missing values.
    codes: Option<Missing>,
}

/// How rows of numbers lie in memory.
#[derive(Clone)]
enum Lie<'a> {
    /// The numbers of each row lie together.
    Together(ArrayView2<'a, f64>),
    /// The numbers of each column may lie together; the columns are given.
    Apart(Vec<ArrayView1<'a, f64>>),
}

impl<'a> Lie<'a> {
    fn of(values: ArrayView2<'a, f64>) -> Self {
        let columns = values.ncols();
        if columns <= 1 || values.strides()[1] == 1 {
            return Self::Together(values);
        }
        Self::Apart((0..columns).map(|column| values.index_axis_move(Axis(1), column)).collect())
    }

    /// Refuses the first number, in the order in which they lie, that cannot be a value.
    fn check(&self, missing: &Missing) -> Result<(), Refusal> {
        let unfit = |numbers: &ArrayView1<'_, f64>| {
            let found = numbers.iter().position(|number| missing.measured(*number).is_err())?;
            missing.measured(numbers[found]).err().map(|unfit| (found, unfit))
        };
        let found = match self {
            Self::Together(values) => values
                .rows()
                .into_iter()
                .enumerate()
                .find_map(|(row, numbers)| unfit(&numbers).map(|(column, unfit)| (row, column, unfit))),
            Self::Apart(columns) => columns
                .iter()
                .enumerate()
                .find_map(|(column, numbers)| unfit(numbers).map(|(row, unfit)| (row, column, unfit))),
        };
        match found {
            None => Ok(()),
            Some((row, column, unfit)) => {
                let place = format!("the value in row {row}, column {column} (counted from 0)");
                Err(Refusal::unfit(unfit, &place, "data"))
            }
        }
    }
}

impl Rows<'_> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.lie {
            Lie::Together(values) => values.nrows(),
            Lie::Apart(columns) => columns.first().map_or(0, ArrayView1::len),
        }
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        match &self.lie {
            Lie::Together(values) => values.ncols(),
            Lie::Apart(columns) => columns.len(),
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
        let by_column: Vec<_>;
        let columns = match (&self.lie, &self.codes) {
            (Lie::Together(values), None) => {
                return each(rows.start, values.slice_axis(Axis(0), Slice::from(rows)));
            }
            (Lie::Together(values), Some(_)) => {
                by_column = values.columns().into_iter().collect();
                &by_column
            }
            (Lie::Apart(columns), _) => columns,
        };
        let mut block = Array2::zeros((ROWS, columns.len()));
        for start in rows.clone().step_by(ROWS) {
            let end = rows.end.min(start + ROWS);
            for (column, mut into) in columns.iter().zip(block.columns_mut()) {
                let values = column.slice_axis(Axis(0), Slice::from(start..end));
                into.iter_mut().zip(values).for_each(|(into, value)| *into = self.value(*value));
            }
            each(start, block.slice_axis(Axis(0), Slice::from(..end - start)))?;
        }
        Ok(())
    }

    /// NaN for a code; what is no value was refused.
    fn value(&self, number: f64) -> f64 {
        self.codes.as_ref().map_or(number, |codes| codes.measured(number).unwrap_or(f64::NAN))
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

impl RowBlocks for Rows<'_> {
    fn shape(&self) -> (usize, usize) {
        (self.len(), self.columns())
    }

    fn blocks(&self, rows: Range<usize>, take: &mut TakesBlock<'_>) -> Result<(), EncodeError> {
        Rows::blocks(self, rows, take)
    }
}
