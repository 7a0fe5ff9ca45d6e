//! Rows of numbers in memory, read where they lie.

use std::borrow::Cow;
use std::ops::Range;

use dpfda::release::{EncodeError, RowBlocks, TakesBlock, by_row};
use dpfda::smoothing::{Missing, Unfit};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, Slice};

/// Rows that are copied at a time where they do not lie together: a block of some columns stays in the cache, and of each column as much
/// is read as lies on a page of memory.
const ROWS: usize = 256;

/// Rows of numbers, each of which may be a value or is missing: private data.
#[derive(Clone)]
pub struct MemoryRows<'a> {
    lie: Lie<'a>,
    /// Where some numbers are codes for missing values.
    codes: Option<Missing>,
}

/// A number that cannot be a value; its place is counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfitCell {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// Why.
    pub unfit: Unfit,
}

/// How rows of numbers lie in memory.
#[derive(Clone)]
enum Lie<'a> {
    /// The numbers of each row lie together.
    Together(ArrayView2<'a, f64>),
    /// The numbers of each column may lie together; the columns are given, and have one length.
    Apart(Vec<ArrayView1<'a, f64>>),
}

impl<'a> MemoryRows<'a> {
    /// The rows of an array, in any order of memory.
    ///
    /// # Errors
    /// The first number, in the order in which they lie, that cannot be a value.
    pub fn of_array(values: ArrayView2<'a, f64>, missing: &Missing) -> Result<Self, UnfitCell> {
        let columns = values.ncols();
        if columns <= 1 || values.strides()[1] == 1 {
            return Self::checked(Lie::Together(values), missing);
        }
        let apart = (0..columns).map(|column| values.index_axis_move(Axis(1), column)).collect();
        Self::checked(Lie::Apart(apart), missing)
    }

    /// The rows of columns; those that are longer than the shortest are cut.
    ///
    /// # Errors
    /// As [`MemoryRows::of_array`].
    pub fn of_columns(columns: Vec<ArrayView1<'a, f64>>, missing: &Missing) -> Result<Self, UnfitCell> {
        let length = columns.iter().map(ArrayView1::len).min().unwrap_or(0);
        let cut = |column: ArrayView1<'a, f64>| column.slice_axis_move(Axis(0), Slice::from(..length));
        Self::checked(Lie::Apart(columns.into_iter().map(cut).collect()), missing)
    }

    fn checked(lie: Lie<'a>, missing: &Missing) -> Result<Self, UnfitCell> {
        lie.check(missing)?;
        Ok(Self { lie, codes: missing.names_numbers().then(|| missing.clone()) })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.lie {
            Lie::Together(values) => values.nrows(),
            Lie::Apart(columns) => columns.first().map_or(0, ArrayView1::len),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
    pub fn each_block<E>(
        &self,
        rows: Range<usize>,
        mut each: impl FnMut(usize, ArrayView2<'_, f64>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let (Lie::Together(values), None) = (&self.lie, &self.codes) {
            return each(rows.start, values.slice_axis(Axis(0), Slice::from(rows)));
        }
        let mut block = Array2::zeros((ROWS.min(rows.len()), self.columns()));
        for start in rows.clone().step_by(ROWS) {
            let part = Slice::from(start..rows.end.min(start + ROWS));
            let mut filled = block.slice_axis_mut(Axis(0), Slice::from(..rows.end.min(start + ROWS) - start));
            self.lie.copy(part, filled.view_mut());
            if let Some(codes) = &self.codes {
                // NaN for a code; what is no value was refused
                filled.mapv_inplace(|number| codes.measured(number).unwrap_or(f64::NAN));
            }
            each(start, filled.view())?;
        }
        Ok(())
    }

    /// A copy, row by row.
    pub fn copied(&self) -> Array2<f64> {
        let mut copy = Array2::zeros((self.len(), self.columns()));
        let outcome = self.each_block(0..self.len(), |start, block| {
            let place = Slice::from(start..start + block.nrows());
            copy.slice_axis_mut(Axis(0), place).assign(&block);
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = outcome;
        copy
    }
}

impl Lie<'_> {
    /// Copies some rows.
    fn copy(&self, rows: Slice, mut into: ArrayViewMut2<'_, f64>) {
        let columns = match self {
            Self::Together(values) => return into.assign(&values.slice_axis(Axis(0), rows)),
            Self::Apart(columns) => columns.iter().map(|column| column.slice_axis(Axis(0), rows)),
        };
        let parts: Vec<_> = columns.collect();
        let lines: Vec<Cow<'_, [f64]>> =
            parts.iter().map(|part| part.as_slice().map_or_else(|| part.to_vec().into(), Cow::from)).collect();
        if let Some(numbers) = into.as_slice_mut() {
            by_row(&lines.iter().map(|line| &**line).collect::<Vec<_>>(), numbers);
        }
    }

    /// Refuses the first number, in the order in which they lie, that cannot be a value.
    fn check(&self, missing: &Missing) -> Result<(), UnfitCell> {
        let unfit = |numbers: &ArrayView1<'_, f64>| {
            if numbers.as_slice().is_some_and(|numbers| missing.are_values(numbers)) {
                return None;
            }
            let found = numbers.iter().position(|number| missing.measured(*number).is_err())?;
            missing.measured(numbers[found]).err().map(|unfit| (found, unfit))
        };
        let found = match self {
            Self::Together(values) => values
                .rows()
                .into_iter()
                .enumerate()
                .find_map(|(row, numbers)| unfit(&numbers).map(|(column, unfit)| UnfitCell { row, column, unfit })),
            Self::Apart(columns) => columns
                .iter()
                .enumerate()
                .find_map(|(column, numbers)| unfit(numbers).map(|(row, unfit)| UnfitCell { row, column, unfit })),
        };
        found.map_or(Ok(()), Err)
    }
}

impl RowBlocks for MemoryRows<'_> {
    fn shape(&self) -> (usize, usize) {
        (self.len(), self.columns())
    }

    fn blocks(&self, rows: Range<usize>, take: &mut TakesBlock<'_>) -> Result<(), EncodeError> {
        self.each_block(rows, take)
    }
}
