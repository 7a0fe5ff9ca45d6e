//! One-hot records: each is one of several cells.

use super::{Body, sealed};
use crate::body::lattice::LatticeError;
use crate::budget::neighbours::NeighbouringRelation;

/// Records that are one cell each: the sum is the vector of counts, in so many lattice steps a record.
///
/// ```text
/// substitute one:  two counts move by 1:  l1 2 steps,  l2 sqrt(2) steps
/// add/remove one:  one count moves by 1:  l1 1 step,   l2 1 step       (per record)
/// ```
///
/// Attained by moving, adding or removing any record; see `docs/proofs/histogram.md`. The counts add up to the number of
/// records, which needs no coordinate of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneHot {
    cells: usize,
    steps: i64,
}

/// A record that is one cell, or none yet.
#[derive(Clone)]
pub struct OneHotVector {
    cell: Option<usize>,
    cells: usize,
}

impl OneHotVector {
    /// Places the record; a cell beyond the last is the last.
    pub fn place(&mut self, cell: usize) {
        self.cell = Some(cell.min(self.cells - 1));
    }
}

/// The most lattice steps to a record, so that `2^40` records fit in 64 bits.
const MOST_STEPS: i64 = 1 << 22;

impl OneHot {
    /// This many cells, with so many lattice steps to one record.
    pub fn new(cells: usize, steps: i64) -> Result<Self, LatticeError> {
        if cells == 0 {
            return Err(LatticeError::Dimension { found: cells });
        }
        if !(1..=MOST_STEPS).contains(&steps) {
            return Err(LatticeError::Steps { found: steps });
        }
        Ok(Self { cells, steps })
    }

    /// The lattice steps to one record.
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// How many counts one neighbour moves by one record.
    fn moved(relation: NeighbouringRelation) -> u64 {
        match relation {
            NeighbouringRelation::SubstituteOne => 2,
            NeighbouringRelation::AddRemoveOne => 1,
        }
    }
}

impl sealed::Sealed for OneHot {}

impl Body for OneHot {
    type Word = i64;
    type Vector = OneHotVector;
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        self.cells
    }

    fn vector(&self) -> OneHotVector {
        OneHotVector { cell: None, cells: self.cells }
    }

    fn reset(&self, vector: &mut OneHotVector) {
        vector.cell = None;
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; self.cells]
    }

    fn add(&self, totals: &mut Vec<i64>, vector: &OneHotVector) {
        if let Some(total) = vector.cell.and_then(|cell| totals.get_mut(cell)) {
            // at most 2^40 records of 2^22 steps
            *total += self.steps;
        }
    }

    fn restored(&self, totals: &[i64], records: u64) -> Option<Vec<i64>> {
        let counted = totals.iter().try_fold(0_i64, |sum, total| {
            let is_count = *total >= 0 && total % self.steps == 0;
            sum.checked_add(total / self.steps).filter(|_| is_count)
        });
        let is_possible = totals.len() == self.cells && counted.is_some_and(|sum| sum.unsigned_abs() <= records);
        is_possible.then(|| totals.to_vec())
    }

    fn count_weight(&self) -> Option<i64> {
        None
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        Self::moved(relation) * self.steps.unsigned_abs()
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let steps = self.steps as f64;
        match relation {
            // the root is rounded up, and so is a product that is not exact
            NeighbouringRelation::SubstituteOne if self.steps & (self.steps - 1) == 0 => {
                2.0_f64.sqrt().next_up() * steps
            }
            NeighbouringRelation::SubstituteOne => (2.0_f64.sqrt().next_up() * steps).next_up(),
            NeighbouringRelation::AddRemoveOne => steps,
        }
    }
}
