//! The points of a surface: all pairs of the points of two axes, with product quadrature.

use ndarray::Array1;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::domain::product_weights;
use crate::grid::{Grid, GridError};

#[cfg(test)]
#[path = "surface_grid_tests.rs"]
mod tests;

/// The most points of a surface: the most integers that one record of a mean is.
pub const MOST_SURFACE_POINTS: usize = 1 << 18;

/// How far a number may lie from a point of an axis that it stands for, as a share of the step to its neighbour: a hundredth.
pub const PLACE_TOLERANCE: f64 = 0.01;

/// Why a grid of a surface was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SurfaceGridError {
    #[error(
        "a surface has at most {MOST_SURFACE_POINTS} points, got {first} x {second}: average neighbouring points of each surface first"
    )]
    TooMany { first: usize, second: usize },
    #[error(transparent)]
    Axis(#[from] GridError),
}

/// All pairs `(s_i, t_j)` of the points of two axes, with the product of their quadrature weights.
///
/// ```text
/// <f, g> = sum_ij w_i v_j f(s_i, t_j) g(s_i, t_j)
/// ```
///
/// The values of a surface are in row-major order: the last axis, `t`, runs fastest. Product weights are exact for products of
/// functions that the rule of each axis is exact for (`docs/proofs/surfaces.md`).
///
/// ```
/// use dpfda_kernels::{Grid, SurfaceGrid};
///
/// let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 3)?, Grid::uniform(10.0, 20.0, 4)?)?;
/// assert_eq!((grid.shape(), grid.len()), ((3, 4), 12));
/// assert!((grid.unit_weights().sum() - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SurfaceGridDocument", into = "SurfaceGridDocument")]
pub struct SurfaceGrid {
    axes: [Grid; 2],
    unit_axes: [Grid; 2],
}

impl SurfaceGrid {
    /// The pairs of the points of these axes.
    pub fn new(s: Grid, t: Grid) -> Result<Self, SurfaceGridError> {
        let (first, second) = (s.len(), t.len());
        if first.checked_mul(second).is_none_or(|points| points > MOST_SURFACE_POINTS) {
            return Err(SurfaceGridError::TooMany { first, second });
        }
        let unit_axes = [s.to_unit()?, t.to_unit()?];
        Ok(Self { axes: [s, t], unit_axes })
    }

    /// The two axes, `s` and `t`, in the units of the data.
    pub fn axes(&self) -> &[Grid; 2] {
        &self.axes
    }

    /// The two axes mapped to `[0, 1]`.
    pub fn unit_axes(&self) -> &[Grid; 2] {
        &self.unit_axes
    }

    /// The numbers of points of the two axes.
    pub fn shape(&self) -> (usize, usize) {
        let [s, t] = &self.axes;
        (s.len(), t.len())
    }

    /// The number of points, at least 4.
    #[allow(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub fn len(&self) -> usize {
        let (first, second) = self.shape();
        first * second
    }

    /// The weights on the unit square in row-major order; they sum to 1.
    pub fn unit_weights(&self) -> Array1<f64> {
        product_weights(&self.unit_axes)
    }

    /// The place on an axis (0 for `s`, 1 for `t`) of the point that a number stands for: one that is as near as [`PLACE_TOLERANCE`] says,
    /// such as a point that was rounded to some digits. `None` for every other number.
    ///
    /// ```
    /// use dpfda_kernels::{Grid, SurfaceGrid};
    ///
    /// let grid = SurfaceGrid::new(Grid::uniform(0.0, 1.0, 4)?, Grid::uniform(0.0, 24.0, 25)?)?;
    /// assert_eq!(grid.place_on(0, 0.333), Some(1));
    /// assert_eq!((grid.place_on(0, 0.34), grid.place_on(1, 24.5), grid.place_on(1, f64::NAN)), (None, None, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// For another axis than 0 and 1.
    pub fn place_on(&self, axis: usize, value: f64) -> Option<usize> {
        let (grid, points) = (&self.axes[axis], self.axes[axis].points());
        if !value.is_finite() {
            return None;
        }
        let cell = grid.cell(value.clamp(grid.lower(), grid.upper()));
        let place = if cell.share < 0.5 { cell.left } else { cell.right };
        ((points[place] - value).abs() <= PLACE_TOLERANCE * cell.length).then_some(place)
    }

    /// The places `1..n` of the values in a row, as the grid of a table whose rows are surfaces.
    ///
    /// # Errors
    /// None in practice: every surface has at least 4 points.
    pub fn places(&self) -> Result<Grid, GridError> {
        Grid::uniform(1.0, self.len() as f64, self.len())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceGridDocument {
    s: Grid,
    t: Grid,
}

impl TryFrom<SurfaceGridDocument> for SurfaceGrid {
    type Error = SurfaceGridError;

    fn try_from(document: SurfaceGridDocument) -> Result<Self, SurfaceGridError> {
        Self::new(document.s, document.t)
    }
}

impl From<SurfaceGrid> for SurfaceGridDocument {
    fn from(grid: SurfaceGrid) -> Self {
        let [s, t] = grid.axes;
        Self { s, t }
    }
}
