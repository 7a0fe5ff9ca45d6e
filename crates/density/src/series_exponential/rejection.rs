//! The draw by rejection from the uniform distribution.

use dpfda_mechanism::Guarantee;
use dpfda_privacy::exact_sampling::uniform_below;
use dpfda_privacy::{Body, Cosine, CosineVector, NeighbouringRelation, Randomness};
use rand::Rng;

use super::decision::Exponent;
use super::{SeriesExponential, SeriesExponentialError};
use crate::cells::Cells;
use crate::draws::{CellDraws, DrawsCells, DrawsMechanism, DrawsPlan, PreparedDraws};
use crate::points::Points;

impl SeriesExponential {
    /// Does everything but the draw: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`SeriesExponentialError`] for no records, too large a grid, and where [`SeriesExponentialError::Unworkable`] says;
    /// nothing has been drawn or spent then.
    pub fn prepare(&self, points: &Points) -> Result<PreparedDraws, SeriesExponentialError> {
        let records = points.records() as u64;
        let (cells, basis) = self.space(points.bounds(), records)?;
        let source = Rejection::new(points, &cells, &Cosine::new(basis), self.draws, self.budget.epsilon_within());
        let plan = DrawsPlan {
            guarantee: Guarantee::new(self.budget, NeighbouringRelation::SubstituteOne, self.unit),
            mechanism: DrawsMechanism::SeriesExponential { terms: self.terms },
            cells,
            draws: self.draws,
        };
        Ok(PreparedDraws::new(plan, records, source))
    }

    /// Draws the points: **spends the budget**, and no ledger remembers it.
    ///
    /// # Errors
    /// As [`SeriesExponential::prepare`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<CellDraws, SeriesExponentialError> {
        Ok(self.prepare(points)?.draw_unrecorded(randomness))
    }
}

/// The exact sum of the encoded records, and what proposals are compared with it by: private data.
struct Rejection {
    /// `k S`, with `S` the exact sum.
    target: Vec<i128>,
    records: u64,
    /// The encodings of the midpoints of all cells, one after the other.
    vectors: Vec<i64>,
    draws: usize,
    exponent: Exponent,
}

impl Rejection {
    fn new(points: &Points, cells: &Cells, body: &Cosine, draws: usize, epsilon: f64) -> Self {
        let mut vector: CosineVector = body.vector();
        let mut totals = vec![0_i128; body.dimension()];
        for row in points.rows() {
            vector.encode(&points.bounds().unit_point(row));
            totals.iter_mut().zip(vector.coordinates()).for_each(|(total, k)| *total += i128::from(*k));
        }
        let mut vectors = Vec::with_capacity(cells.count() * body.dimension());
        for index in 0..cells.count() {
            vector.encode(&cells.position(index).map(|place| (place as f64 + 0.5) / cells.per_axis() as f64));
            vectors.extend(vector.coordinates());
        }
        // the score of a proposal is `|k S - n T| / (n k)` steps, of sensitivity `bound / n`
        let exponent = Exponent::new(epsilon, draws, body.l2_bound(NeighbouringRelation::SubstituteOne));
        let target = totals.iter().map(|total| total * draws as i128).collect();
        Self { target, records: points.records() as u64, vectors, draws, exponent }
    }
}

impl DrawsCells for Rejection {
    /// Proposes until one is kept.
    fn draw(&self, randomness: &mut dyn Rng) -> Vec<usize> {
        let terms = self.target.len();
        let cells = self.vectors.len() / terms;
        let (mut proposal, mut sums) = (vec![0; self.draws], vec![0_i128; terms]);
        loop {
            for cell in &mut proposal {
                #[allow(clippy::cast_possible_truncation, reason = "below a number of cells")]
                let drawn = uniform_below(cells as u64, randomness) as usize;
                *cell = drawn;
            }
            sums.fill(0);
            for &cell in &proposal {
                let vector = &self.vectors[cell * terms..(cell + 1) * terms];
                sums.iter_mut().zip(vector).for_each(|(sum, k)| *sum += i128::from(*k));
            }
            // a difference is below 2^(32 + 23), so the sum of at most 2^10 squares is below 2^120
            let difference = |(target, sum): (&i128, &i128)| (target - i128::from(self.records) * sum).unsigned_abs();
            let squared = self.target.iter().zip(&sums).map(difference).map(|d| d * d).sum();
            if self.exponent.keeps(squared, randomness) {
                return proposal;
            }
        }
    }

    fn absorb(&self, digest: &mut dyn FnMut(&[u8])) {
        digest(&self.records.to_le_bytes());
        self.target.iter().for_each(|total| digest(&total.to_le_bytes()));
    }
}
