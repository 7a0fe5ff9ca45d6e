//! How many points each cell holds.

use std::fmt;

use crate::bounds::to_unit;
use crate::cells::{Cells, along};
use crate::points::Points;

#[cfg(test)]
#[path = "counts_tests.rs"]
mod tests;

/// Exact numbers of points in cells: private data, whose `Debug` shows nothing.
///
/// ```text
/// C_j = #{i : X_i in B_j},    j = 1..m
/// ```
///
/// The cell of a point is a function of that point alone. So a point added changes one count by 1, and a point replaced
/// changes at most two, by 1 each, however coordinates are rounded on the way.
#[derive(Clone, PartialEq, Eq)]
pub struct CellCounts {
    counts: Vec<u64>,
}

impl CellCounts {
    /// Counts the points in the cells.
    ///
    /// Points are clamped to the bounds of the cells, and lie in their centre along an axis that the points do not have:
    /// it is for a mechanism to refuse points on other bounds.
    pub fn of(points: &Points, cells: &Cells) -> Self {
        let (axes, per_axis) = (cells.bounds().axes(), cells.per_axis());
        let mut counts = vec![0; cells.count()];
        for row in points.rows() {
            // a missing coordinate is what is not a number: the centre
            let coordinates = row.iter().copied().chain(std::iter::repeat(f64::NAN));
            let parts = axes.iter().zip(coordinates).map(|(axis, x)| along(to_unit(*axis, x), per_axis));
            counts[parts.fold(0, |index, part| index * per_axis + part)] += 1;
        }
        Self { counts }
    }

    /// The counts, in the order of the cells.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The exact counts, in the order of the cells: private data; whoever calls this takes responsibility for where they go.
    pub fn reveal(&self) -> &[u64] {
        &self.counts
    }
}

impl fmt::Debug for CellCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CellCounts(..)")
    }
}
