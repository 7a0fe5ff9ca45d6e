//! Draws from a smoothed histogram.

use dashu_float::FBig;
use dashu_float::round::mode::Up;
use dpfda_privacy::exact_sampling::{double, log_of_one_plus, number, smallest_double_from};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};

use crate::cells::{Cells, MAX_DRAWS};

mod draw;
mod error;
mod rates;
#[cfg(test)]
mod tests;

pub use error::SmoothedHistogramError;
pub use rates::HistogramSize;

/// Independent draws of cells from a mixture of the histogram and the uniform density (Wasserman and Zhou, Theorem 5).
///
/// ```text
/// P(Z = cell j) = (1 - d) C_j / n + d / m,    k independent draws
/// loss = k log((1 - d) m / (n d) + 1)
/// ```
///
/// The loss is attained for `m >= 2`, when all draws fall in a cell that one record has left (`docs/papers/errata.md`, entry 14b),
/// so the condition `loss <= epsilon` is necessary and sufficient for pure `epsilon`-privacy when one of `n` records is
/// substituted. The draws themselves are the release: there are `k` of them, and no more at any price but privacy's. Where
/// in its cell a draw lies is uniform and has nothing to do with the data.
///
/// The mixture `d` is an integer over `2^53`, and every draw is made of uniform integers: no rounding touches a
/// probability. See `docs/proofs/smoothed-histogram.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothedHistogram {
    budget: PrivacyBudget,
    unit: PrivacyUnit,
    records: u64,
    cells: Cells,
    draws: usize,
    /// `d 2^53`, from 1 to `2^53 - 1`.
    mixture: u64,
}

/// `d` is an integer over this.
const UNIT: u64 = 1 << 53;

/// Bits in which the loss is computed: `2^53 m / (n a)` keeps 128 of them even next to 0.
const PRECISION: usize = 256;

impl SmoothedHistogram {
    /// So many draws, with the smallest mixture that the budget allows, up to `2^-53`.
    ///
    /// # Errors
    /// [`SmoothedHistogramError`] for a budget that is not purely positive, add/remove-one, no records, no draws or too many,
    /// and a budget so small that nothing of the data would be left.
    pub fn with_smallest_mixture(
        budget: PrivacyBudget,
        relation: NeighbouringRelation,
        records: u64,
        cells: Cells,
        draws: usize,
    ) -> Result<Self, SmoothedHistogramError> {
        check(&budget, relation, records)?;
        check_draws(draws)?;
        let meets =
            |mixture: u64| is_within(&exact_loss(cells.count(), records, draws, mixture), budget.epsilon_within());
        let (mut low, mut high) = (1, UNIT);
        while low < high {
            let middle = u64::midpoint(low, high);
            if meets(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if low == UNIT {
            return Err(SmoothedHistogramError::NothingLeft { draws, cells: cells.count(), epsilon: budget.epsilon() });
        }
        Ok(Self { budget, unit: PrivacyUnit::Curve, records, cells, draws, mixture: low })
    }

    /// So many draws with this mixture, which is rounded up to a multiple of `2^-53`.
    ///
    /// # Errors
    /// [`SmoothedHistogramError`] as for the smallest mixture, for a mixture outside `(0, 1)`, and if the condition of Theorem 5 is violated.
    pub fn new(
        budget: PrivacyBudget,
        relation: NeighbouringRelation,
        records: u64,
        cells: Cells,
        draws: usize,
        mixture: f64,
    ) -> Result<Self, SmoothedHistogramError> {
        check(&budget, relation, records)?;
        check_draws(draws)?;
        let mixture = on_grid(mixture)?;
        let loss = exact_loss(cells.count(), records, draws, mixture);
        if !is_within(&loss, budget.epsilon_within()) {
            let loss = smallest_double_from(&loss);
            return Err(SmoothedHistogramError::Condition { draws, loss, epsilon: budget.epsilon() });
        }
        Ok(Self { budget, unit: PrivacyUnit::Curve, records, cells, draws, mixture })
    }

    /// Sets what a point is (default: a record alone; a subject, if nobody has two points).
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.unit = unit;
        self
    }

    /// The budget, of which [`SmoothedHistogram::loss`] is used.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// The public number of records, `n`.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The cells of the histogram, `m` in number.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The number of draws, `k`.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// The weight of the uniform density, `d`, exactly.
    pub fn mixture(&self) -> f64 {
        self.mixture as f64 / UNIT as f64
    }

    /// The exact privacy loss `k log((1 - d) m / (n d) + 1)`, rounded up to a double; not above epsilon.
    pub fn loss(&self) -> f64 {
        smallest_double_from(&exact_loss(self.cells.count(), self.records, self.draws, self.mixture))
    }
}

fn check(budget: &PrivacyBudget, relation: NeighbouringRelation, records: u64) -> Result<(), SmoothedHistogramError> {
    if budget.epsilon() == 0.0 {
        return Err(SmoothedHistogramError::Epsilon { value: budget.epsilon() });
    }
    if budget.delta() > 0.0 {
        return Err(SmoothedHistogramError::Delta { value: budget.delta() });
    }
    if relation == NeighbouringRelation::AddRemoveOne {
        return Err(SmoothedHistogramError::AddRemove);
    }
    if records == 0 { Err(SmoothedHistogramError::NoRecords) } else { Ok(()) }
}

fn check_draws(draws: usize) -> Result<(), SmoothedHistogramError> {
    if (1..=MAX_DRAWS).contains(&draws) { Ok(()) } else { Err(SmoothedHistogramError::Draws { value: draws }) }
}

/// `d 2^53`, rounded up: a larger mixture is more private.
fn on_grid(mixture: f64) -> Result<u64, SmoothedHistogramError> {
    if !(mixture > 0.0 && mixture < 1.0) {
        return Err(SmoothedHistogramError::Mixture { value: mixture });
    }
    // a multiplication by a power of 2 is exact, and doubles from 1/2 to 1 are multiples of 2^-53 already
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in (0, 2^53)")]
    let steps = (mixture * UNIT as f64).ceil() as u64;
    Ok(steps)
}

/// `k log((1 - d) m / (n d) + 1)`, rounded up in the last of many bits.
fn exact_loss(cells: usize, records: u64, draws: usize, mixture: u64) -> FBig<Up, 2> {
    let exactly = |integer: u64| number::<Up>(integer, PRECISION);
    if mixture == UNIT {
        return FBig::ZERO;
    }
    // both products are exact: 77 and 117 bits
    let moved = exactly(UNIT - mixture) * exactly(cells as u64);
    let ratio = moved / (exactly(records) * exactly(mixture));
    log_of_one_plus(ratio) * exactly(draws as u64)
}

/// Whether a loss that is rounded up is within epsilon.
fn is_within(loss: &FBig<Up, 2>, epsilon: f64) -> bool {
    *loss <= double::<Up>(epsilon, PRECISION)
}
