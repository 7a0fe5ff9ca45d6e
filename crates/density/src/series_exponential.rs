//! The exponential mechanism with the distance of orthogonal series, drawn exactly where rejection is workable.

use dpfda_mechanism::Guarantee;
use dpfda_privacy::exact_sampling::uniform_below;
use dpfda_privacy::{
    BasisError, Body, Cosine, CosineBasis, CosineVector, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Randomness,
};
use rand::Rng;
use thiserror::Error;

use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};
use crate::draws::{CellDraws, DrawsMechanism, DrawsPlan, MAX_DRAWS, PreparedDraws, Source};
use crate::points::Points;

mod decision;
#[cfg(test)]
mod tests;

use decision::Exponent;

/// The largest exponent, `epsilon n / 2`: at most `e^14`, a million proposals, are needed on average.
const LARGEST_EXPONENT: f64 = 14.0;

/// The most integers held for all cells, and the most records times draws: sums of squares then fit in 128 bits.
const MOST_INTEGERS: usize = 1 << 24;
const MOST_PAIRS: u128 = 1 << 32;

/// `k` points on a public grid, drawn with the density of the exponential mechanism for the distance of two series.
///
/// ```text
/// P(z) proportional to exp(-epsilon xi(X, z) / (2 Delta)),    z in (midpoints of M^r cells)^k
/// xi(X, z) = (sum_{j <= m} (mean psi_j(X_i) - mean psi_j(z_i))^2)^(1/2),    Delta = sup_{x,y} |psi(x) - psi(y)|_2 / n
/// ```
///
/// Source: Wasserman and Zhou, (14) to (17), with the factor 2 of their (8) that Lemma 13 leaves out (`docs/errata.md`, entry
/// 14a), the true `Delta` in place of `2 c0^2 m / n`, and one number of terms for both series. Candidates are drawn uniformly
/// and kept with probability `exp(-epsilon xi / (2 Delta))`, decided as real numbers would decide. Since `xi <= n Delta`, at
/// most `e^(epsilon n / 2)` candidates are needed on average; where that is more than `e^14`, the mechanism is refused.
/// The scores are those of integers (steps of `2^-20`), whose sensitivity is bounded in integers. How many candidates were
/// needed, and hence the time, depends on the data; it is not part of the release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesExponential {
    terms: usize,
    per_axis: usize,
    draws: usize,
    budget: PrivacyBudget,
    unit: PrivacyUnit,
}

/// Why nothing was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SeriesExponentialError {
    /// There is no such basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// There is no such grid.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// Nothing is asked for.
    #[error("at least one point must be drawn, got k = 0")]
    NoDraws,
    /// Nothing to take a mean of.
    #[error("there are no records: their number is public and must be at least 1")]
    NoRecords,
    /// The mechanism is purely private.
    #[error(
        "the exponential mechanism needs epsilon above 0 (from 1e-100 to 1e100) and spends no delta, got epsilon {epsilon} and delta {delta}"
    )]
    Budget {
        /// The epsilon given.
        epsilon: f64,
        /// The delta given.
        delta: f64,
    },
    /// Rejection from the uniform distribution would not end.
    #[error(
        "epsilon n / 2 is {exponent}, above {LARGEST_EXPONENT}: an exact draw by rejection could need e^{exponent} candidates, and an approximate chain is not private in the same sense; perturb the coefficients of the series instead, which also has the better rate (Wasserman and Zhou, Theorems 14 and 15)"
    )]
    Unworkable {
        /// `epsilon n / 2`, which is public.
        exponent: f64,
    },
    /// The integers would not fit.
    #[error(
        "cells times terms may be at most {MOST_INTEGERS}, draws at most {MAX_DRAWS}, and records times draws at most 2^32"
    )]
    TooLarge,
}

impl SeriesExponential {
    /// The mechanism with so many terms, cells along each axis and points to draw; substitute-one only.
    ///
    /// # Errors
    /// [`SeriesExponentialError`] for no terms, no draws, and a budget with epsilon 0 or a positive delta.
    pub fn new(
        terms: usize,
        per_axis: usize,
        draws: usize,
        budget: PrivacyBudget,
    ) -> Result<Self, SeriesExponentialError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if terms == 0 {
            return Err(BasisError::NoTerms.into());
        }
        if draws == 0 {
            return Err(SeriesExponentialError::NoDraws);
        }
        // within these nothing underflows in double precision
        if !(1e-100..=1e100).contains(&epsilon) || delta > 0.0 {
            return Err(SeriesExponentialError::Budget { epsilon, delta });
        }
        Ok(Self { terms, per_axis, draws, budget, unit: PrivacyUnit::Curve })
    }

    /// Sets what a point is (default: a record alone; a subject, if nobody has two points).
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.unit = unit;
        self
    }

    /// Cells and basis for so many records in these bounds, where rejection is workable.
    pub(crate) fn space(&self, bounds: &Bounds, records: u64) -> Result<(Cells, CosineBasis), SeriesExponentialError> {
        if records == 0 {
            return Err(SeriesExponentialError::NoRecords);
        }
        let exponent = self.budget.epsilon() * records as f64 / 2.0;
        if exponent > LARGEST_EXPONENT {
            return Err(SeriesExponentialError::Unworkable { exponent });
        }
        let basis = CosineBasis::new(bounds.dimension(), self.terms)?;
        let cells = Cells::new(bounds.clone(), self.per_axis)?;
        let is_small = cells.count().saturating_mul(self.terms) <= MOST_INTEGERS && self.draws <= MAX_DRAWS;
        if !is_small || u128::from(records) * self.draws as u128 > MOST_PAIRS {
            return Err(SeriesExponentialError::TooLarge);
        }
        Ok((cells, basis))
    }

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
        Ok(PreparedDraws::new(plan, records, Source::Rejection(source)))
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
pub(crate) struct Rejection {
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

    /// Proposes until one is kept.
    pub(crate) fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Vec<usize> {
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

    /// Gives the exact sum and the number of records to a keyed digest.
    pub(crate) fn absorb(&self, mut digest: impl FnMut(&[u8])) {
        digest(&self.records.to_le_bytes());
        self.target.iter().for_each(|total| digest(&total.to_le_bytes()));
    }
}
