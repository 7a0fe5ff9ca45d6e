//! The exponential mechanism with the distance of orthogonal series, drawn exactly where rejection is workable.

use dpfda_privacy::{BasisError, CosineBasis, PrivacyBudget, PrivacyUnit};
use thiserror::Error;

use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError, MAX_DRAWS};

mod decision;
mod rejection;
#[cfg(test)]
mod tests;

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
/// Source: Wasserman and Zhou, (14) to (17), with the factor 2 of their (8) that Lemma 13 leaves out (`docs/papers/errata.md`, entry
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
#[allow(missing_docs, reason = "the messages say it")]
pub enum SeriesExponentialError {
    #[error(transparent)]
    Basis(#[from] BasisError),
    #[error(transparent)]
    Cells(#[from] CellsError),
    #[error("at least one point must be drawn, got k = 0")]
    NoDraws,
    #[error("there are no records: their number is public and must be at least 1")]
    NoRecords,
    #[error(
        "the exponential mechanism needs epsilon above 0 (from 1e-100 to 1e100) and spends no delta, got epsilon {epsilon} and delta {delta}"
    )]
    Budget { epsilon: f64, delta: f64 },
    #[error(
        "epsilon n / 2 is {exponent}, above {LARGEST_EXPONENT}: an exact draw by rejection could need e^{exponent} candidates, and an approximate chain is not private in the same sense; perturb the coefficients of the series instead, which also has the better rate (Wasserman and Zhou, Theorems 14 and 15)"
    )]
    Unworkable {
        /// `epsilon n / 2`, which is public.
        exponent: f64,
    },
    #[error(
        "cells times terms may be at most {MOST_INTEGERS}, draws at most {MAX_DRAWS}, and records times draws at most 2^32"
    )]
    TooLarge,
}

impl SeriesExponential {
    /// The mechanism with so many terms, cells along each axis and points to draw; substitute-one only.
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
}
