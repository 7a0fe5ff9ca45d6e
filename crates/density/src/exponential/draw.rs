//! The draw of the exponential mechanism with the Kolmogorov-Smirnov distance.

use dpfda_mechanism::Guarantee;
use dpfda_privacy::{NeighbouringRelation, Randomness};

use super::error::MOST_RECORDS;
use super::sampler::Sampler;
use super::staircase::Staircase;
use super::{KsExponential, KsExponentialError};
use crate::counts::CellCounts;
use crate::draws::{CellDraws, DrawsMechanism, DrawsPlan, PreparedDraws};
use crate::points::Points;

impl KsExponential {
    /// Does everything but the draw: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`KsExponentialError`] if the points are on other bounds than the cells, for no points under substitute-one, and for
    /// more than `2^36`; nothing has been drawn or spent then.
    pub fn prepare(&self, points: &Points) -> Result<PreparedDraws, KsExponentialError> {
        if points.bounds() != self.cells.bounds() {
            return Err(KsExponentialError::Bounds);
        }
        let records = points.records() as u64;
        if records == 0 && self.relation == NeighbouringRelation::SubstituteOne {
            return Err(KsExponentialError::NoRecords);
        }
        if records > MOST_RECORDS {
            return Err(KsExponentialError::TooManyRecords);
        }
        let plan = DrawsPlan {
            guarantee: Guarantee::new(self.budget, self.relation, self.unit),
            mechanism: DrawsMechanism::KsExponential,
            cells: self.cells.clone(),
            draws: self.draws,
        };
        let staircase = Staircase::new(CellCounts::of(points, &self.cells).reveal(), self.draws);
        let sampler = Sampler::new(staircase, self.budget.epsilon_within());
        Ok(PreparedDraws::new(plan, records, sampler))
    }

    /// Draws the cells: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// As [`KsExponential::prepare`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<CellDraws, KsExponentialError> {
        Ok(self.prepare(points)?.draw_unrecorded(randomness))
    }
}
