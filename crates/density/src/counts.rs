//! How many points each cell holds.

use crate::cells::Cells;
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
/// The cell of a point is a function of that point alone ([`Cells::cell_of`]). So a point added changes one count by 1, and a
/// point replaced changes at most two, by 1 each. Mechanisms that draw cells are computed from counts, and so are audits.
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
        let mut counts = vec![0; cells.count()];
        for row in points.rows() {
            counts[cells.cell_of(row)] += 1;
        }
        Self { counts }
    }

    /// The exact counts, in the order of the cells: private data; whoever calls this takes responsibility for where they go.
    pub fn reveal(&self) -> &[u64] {
        &self.counts
    }
}

dpfda_privacy::opaque!(CellCounts);
