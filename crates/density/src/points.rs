//! Points of people: private data.

use dpfda_privacy::NonPrivate;
use dpfda_tables::MissingCells;
use ndarray::Array2;
use thiserror::Error;

use crate::bounds::Bounds;

mod reader;
#[cfg(test)]
#[path = "points_tests.rs"]
mod tests;

pub use reader::{PointLayout, PointsCsvError};

/// Records with one to three coordinates each, on public bounds: private data.
///
/// A point outside the bounds is clamped to them, never dropped; a coordinate that is not a number is the centre of its
/// axis. How many those are is not told. It cannot be serialised, and its `Debug` shows nothing.
#[derive(Clone)]
pub struct Points {
    /// Row-major, one row for each record, in data units as given.
    values: Array2<f64>,
    bounds: Bounds,
    missing: MissingCells,
    similar_ids: usize,
}

/// Why points were refused; no variant carries a value of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PointsError {
    #[error("the bounds have {axes} axes, but the points have {columns} coordinates each")]
    Dimension { axes: usize, columns: usize },
    #[error("there are {ids} subject ids for {rows} points; give one for each")]
    Subjects { rows: usize, ids: usize },
}

impl Points {
    /// Points from an array of one row for each record (`n x r`), in data units.
    ///
    /// No points at all are allowed: under add/remove-one their number is private, so it is for a mechanism to judge.
    pub fn new(values: Array2<f64>, bounds: Bounds) -> Result<Self, PointsError> {
        if values.ncols() != bounds.dimension() {
            return Err(PointsError::Dimension { axes: bounds.dimension(), columns: values.ncols() });
        }
        let values = if values.is_standard_layout() { values } else { values.as_standard_layout().into_owned() };
        Ok(Self { values, bounds, missing: MissingCells::default(), similar_ids: 0 })
    }

    /// The same points with what was missing, and how many groups of ids look alike.
    fn with_cells(self, missing: MissingCells, similar_ids: usize) -> Self {
        Self { missing, similar_ids, ..self }
    }

    /// What stood in the cells of the table that were read as missing.
    pub fn missing_cells(&self) -> NonPrivate<&MissingCells> {
        NonPrivate::new(&self.missing)
    }

    /// How many groups there are of ids that look alike, such as `S01` and `s1`.
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        NonPrivate::new(self.similar_ids)
    }

    /// The number of records, `n`: private under add/remove-one.
    pub fn records(&self) -> usize {
        self.values.nrows()
    }

    /// The public bounds.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Writes the coordinates of a record, mapped to `[0, 1]` (see [`Bounds::to_unit`]), into `unit`.
    ///
    /// # Panics
    /// For a row that is not there, as an index does.
    pub fn unit_row(&self, row: usize, unit: &mut [f64]) {
        for (axis, (u, x)) in unit.iter_mut().zip(self.values.row(row)).enumerate() {
            *u = self.bounds.to_unit(axis, *x);
        }
    }

    /// The records in data units, as they were given: private data, from which parts are made.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.as_slice().unwrap_or_default().chunks_exact(self.bounds.dimension())
    }
}

dpfda_privacy::opaque!(Points);
