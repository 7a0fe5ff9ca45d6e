//! The cubes that a box is divided into.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bounds::{Bounds, BoundsError};

#[cfg(test)]
#[path = "cells_tests.rs"]
mod tests;

/// The most cells there may be.
pub const MAX_CELLS: usize = 1 << 24;

/// The most draws of cells in one release.
pub const MAX_DRAWS: usize = 1 << 24;

/// What a cell takes in memory at most while a release is made and written, in bytes (measured with 2^24 cells).
const BYTES: f64 = 96.0;

/// The cubes of a box: each axis is cut into equally many equal parts.
///
/// ```text
/// m = per_axis^r    cells; cell (i_1, ..., i_r) has the index (i_1 per_axis + i_2) per_axis + ...
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CellsDocument", into = "CellsDocument")]
pub struct Cells {
    bounds: Bounds,
    per_axis: usize,
    count: usize,
}

/// Why cells were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CellsError {
    #[error("there must be at least 1 cell along each axis, got 0")]
    Zero,
    #[error(
        "{per_axis} cells along each of {dimension} axes are more than the {MAX_CELLS} that are counted, and would take {gibibytes:.1} GiB: use fewer cells"
    )]
    TooMany { per_axis: usize, dimension: usize, gibibytes: f64 },
    #[error(transparent)]
    Bounds(#[from] BoundsError),
}

impl Cells {
    /// `per_axis` cells along each axis of `bounds`.
    pub fn new(bounds: Bounds, per_axis: usize) -> Result<Self, CellsError> {
        if per_axis == 0 {
            return Err(CellsError::Zero);
        }
        let dimension = bounds.dimension();
        let count = (0..dimension).try_fold(1_usize, |count, _| count.checked_mul(per_axis));
        match count {
            Some(count) if count <= MAX_CELLS => Ok(Self { bounds, per_axis, count }),
            _ => {
                let count: f64 = (0..dimension).map(|_| per_axis as f64).product();
                Err(CellsError::TooMany { per_axis, dimension, gibibytes: count * BYTES / f64::from(1 << 30) })
            }
        }
    }

    /// The box.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The number of cells along each axis.
    pub fn per_axis(&self) -> usize {
        self.per_axis
    }

    /// The number of cells in all, `m`.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The cell of a point in unit coordinates, as [`Bounds::to_unit`] gives them; the first axis is the slowest.
    pub fn index_of(&self, unit: &[f64]) -> usize {
        unit.iter().take(self.bounds.dimension()).fold(0, |index, &u| index * self.per_axis + along(u, self.per_axis))
    }

    /// The cell of a point in data units: the nearest one of a point outside, the middle one along an axis on which the point
    /// has no number.
    ///
    /// It is a function of that point alone, so one record more is one more in one cell, however coordinates are rounded.
    pub fn cell_of(&self, point: &[f64]) -> usize {
        self.index_of(&self.bounds.unit_point(point))
    }

    /// The volume of one cell, in data units.
    pub fn cell_volume(&self) -> f64 {
        self.bounds.volume() / self.count as f64
    }

    /// The smallest coordinates of a cell, in data units.
    pub fn lower_corner(&self, index: usize) -> Vec<f64> {
        self.corner(index, 0)
    }

    /// The largest coordinates of a cell, in data units.
    pub fn upper_corner(&self, index: usize) -> Vec<f64> {
        self.corner(index, 1)
    }

    fn corner(&self, index: usize, end: usize) -> Vec<f64> {
        let at = self.position(index);
        let axes = 0..self.bounds.dimension();
        axes.map(|axis| self.bounds.from_unit(axis, (at[axis] + end) as f64 / self.per_axis as f64)).collect()
    }

    /// The place of a cell along each axis; unused axes are 0.
    pub(crate) fn position(&self, mut index: usize) -> [usize; 3] {
        let mut at = [0; 3];
        for place in at[..self.bounds.dimension()].iter_mut().rev() {
            *place = index % self.per_axis;
            index /= self.per_axis;
        }
        at
    }
}

/// The part of `[0, 1]`, cut into so many, that holds `u`; 1 belongs to the last.
pub(crate) fn along(u: f64, per_axis: usize) -> usize {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in [0, 2^24]")]
    let part = (u * per_axis as f64) as usize;
    part.min(per_axis - 1)
}

/// How many there are: `60 cells`, or `12 x 12 cells`.
impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = vec![self.per_axis.to_string(); self.bounds.dimension()].join(" x ");
        write!(f, "{sides} cell{}", if self.count == 1 { "" } else { "s" })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellsDocument {
    bounds: Bounds,
    per_axis: usize,
}

impl TryFrom<CellsDocument> for Cells {
    type Error = CellsError;

    fn try_from(document: CellsDocument) -> Result<Self, CellsError> {
        Self::new(document.bounds, document.per_axis)
    }
}

impl From<Cells> for CellsDocument {
    fn from(cells: Cells) -> Self {
        Self { bounds: cells.bounds, per_axis: cells.per_axis }
    }
}
