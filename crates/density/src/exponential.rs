//! The exponential mechanism with the Kolmogorov-Smirnov distance, drawn exactly.

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};

use crate::cells::Cells;

mod draw;
mod error;
mod paths;
mod sampler;
mod staircase;
mod thresholds;
mod upward;

#[cfg(test)]
mod tests;

pub use error::KsExponentialError;
use error::{MOST_ENTRIES, MOST_EPSILON};

/// The empirical distribution of `k` points on a grid of `M` cells, drawn by the exponential mechanism with the
/// Kolmogorov-Smirnov distance (Wasserman and Zhou, Theorems 9 to 12; one axis).
///
/// ```text
/// P(z) proportional to exp(-epsilon n xi(x, z) / 2),   z in cells^k,   xi(x, z) = max_j |F_x(j) - F_z(j)|
/// ```
///
/// over the edges `j` of the cells. `n xi` changes by at most 1 between neighbours: one substituted record moves `n F_x(j)`
/// by at most 1, one added record moves `n (F_x(j) - F_z(j))` by `1[record <= j] - F_z(j)`. So it is purely epsilon-private
/// under either relation, and under add/remove-one the number of records stays private.
///
/// The draw is exact, without a Markov chain: no probability is rounded, and every decision is the one that real numbers
/// would give; see `docs/proofs/ks-exponential.md`.
///
/// **Running time depends on the data**, through the thresholds that are worth looking at and through rejections. Who can
/// time the release learns something that epsilon does not cover: publish the release, not its duration.
#[derive(Debug, Clone, PartialEq)]
pub struct KsExponential {
    budget: PrivacyBudget,
    relation: NeighbouringRelation,
    unit: PrivacyUnit,
    cells: Cells,
    draws: usize,
}

/// What an entry takes in memory, in bytes.
const BYTES: f64 = 16.0;

impl KsExponential {
    /// The mechanism with so many draws, on cells of one axis.
    ///
    /// # Errors
    /// [`KsExponentialError`] unless `0 < epsilon <= 1000` and `delta = 0`, for cells on several axes, no draws, and a table of
    /// `M (k + 1)` entries beyond `2^24`.
    pub fn new(
        budget: PrivacyBudget,
        relation: NeighbouringRelation,
        cells: Cells,
        draws: usize,
    ) -> Result<Self, KsExponentialError> {
        if !(budget.epsilon() > 0.0 && budget.epsilon() <= MOST_EPSILON) {
            return Err(KsExponentialError::Epsilon { value: budget.epsilon() });
        }
        if budget.delta() > 0.0 {
            return Err(KsExponentialError::Delta { value: budget.delta() });
        }
        let dimension = cells.bounds().dimension();
        if dimension != 1 {
            return Err(KsExponentialError::SeveralAxes { dimension });
        }
        if draws == 0 {
            return Err(KsExponentialError::NoDraws);
        }
        let entries = draws.checked_add(1).and_then(|rows| rows.checked_mul(cells.count()));
        if entries.is_none_or(|entries| entries > MOST_ENTRIES) {
            let gibibytes = (draws as f64 + 1.0) * cells.count() as f64 * BYTES / f64::from(1 << 30);
            return Err(KsExponentialError::TooLarge { cells: cells.count(), draws, gibibytes });
        }
        Ok(Self { budget, relation, unit: PrivacyUnit::Curve, cells, draws })
    }

    /// Sets what a point is (default: a record alone; a subject, if nobody has two points).
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.unit = unit;
        self
    }

    /// A number of draws for a public number of records: the order of Theorem 12, with 1 for its unknown constant.
    ///
    /// ```text
    /// k = (3 epsilon n / B)^(2/3),    B = log sup p = 1,    at least 1 and at most n
    /// ```
    ///
    /// Then the distance to the true distribution function is of order `n^(-1/3)`. `B` is a property of the unknown density
    /// (`B = 1` for a density that nowhere exceeds `e` on `[0, 1]`): it must not be read off the data.
    pub fn default_draws(records: u64, epsilon: f64) -> usize {
        let order = (3.0 * epsilon * records as f64).powf(2.0 / 3.0).min(records as f64);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
        let draws = order.round() as usize;
        draws.max(1)
    }

    /// The budget; its delta is 0.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// The grid, `M` cells on one axis.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The number of draws, `k`.
    pub fn draws(&self) -> usize {
        self.draws
    }
}
