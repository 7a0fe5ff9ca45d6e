//! The draws from a smoothed histogram.

use dpfda_mechanism::Guarantee;
use dpfda_privacy::exact_sampling::uniform_below;
use dpfda_privacy::{NeighbouringRelation, Randomness};
use rand::Rng;

use super::{SmoothedHistogram, SmoothedHistogramError, UNIT};
use crate::counts::CellCounts;
use crate::draws::{CellDraws, DrawsCells, DrawsMechanism, DrawsPlan, PreparedDraws};
use crate::points::Points;

impl SmoothedHistogram {
    /// Does everything but the draws: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`SmoothedHistogramError`] if the points are on other bounds than the cells, or are not as many as was stated; nothing
    /// has been drawn or spent then.
    pub fn prepare(&self, points: &Points) -> Result<PreparedDraws, SmoothedHistogramError> {
        if points.bounds() != self.cells.bounds() {
            return Err(SmoothedHistogramError::Bounds);
        }
        let found = points.records() as u64;
        if found != self.records {
            return Err(SmoothedHistogramError::OtherRecords { stated: self.records, found });
        }
        let plan = DrawsPlan {
            guarantee: Guarantee::new(self.budget, NeighbouringRelation::SubstituteOne, self.unit),
            mechanism: DrawsMechanism::SmoothedHistogram { mixture: self.mixture() },
            cells: self.cells.clone(),
            draws: self.draws,
        };
        let source = Mixture::new(CellCounts::of(points, &self.cells).reveal(), self.mixture, self.draws);
        Ok(PreparedDraws::new(plan, found, source))
    }

    /// Draws the cells: **spends the budget**, and no ledger remembers it.
    ///
    /// Running time depends on the counts through a binary search, in nanoseconds.
    ///
    /// # Errors
    /// As [`SmoothedHistogram::prepare`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<CellDraws, SmoothedHistogramError> {
        Ok(self.prepare(points)?.draw_unrecorded(randomness))
    }
}

/// Exact counts that are mixed with the uniform law: private data.
pub(super) struct Mixture {
    /// The number of records in each cell and those before it.
    ends: Vec<u64>,
    /// `d 2^53`.
    weight: u64,
    draws: usize,
}

impl Mixture {
    /// For counts of at least one record.
    pub(super) fn new(counts: &[u64], weight: u64, draws: usize) -> Self {
        let mut total = 0;
        let end = |count: &u64| {
            total += count;
            total
        };
        Self { ends: counts.iter().map(end).collect(), weight, draws }
    }
}

impl DrawsCells for Mixture {
    fn draw(&self, randomness: &mut dyn Rng) -> Vec<usize> {
        let records = self.ends.last().copied().unwrap_or(1);
        let draw = |_| {
            if uniform_below(UNIT, randomness) < self.weight {
                // at most 2^24 cells
                usize::try_from(uniform_below(self.ends.len() as u64, randomness)).unwrap_or(0)
            } else {
                let record = uniform_below(records, randomness);
                self.ends.partition_point(|end| *end <= record)
            }
        };
        (0..self.draws).map(draw).collect()
    }

    fn absorb(&self, digest: &mut dyn FnMut(&[u8])) {
        self.ends.iter().for_each(|end| digest(&end.to_le_bytes()));
    }
}
