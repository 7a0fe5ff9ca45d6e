//! Draws from a smoothed histogram.

use dashu_float::FBig;
use dashu_float::round::mode::Up;
use dpfda_mechanism::Guarantee;
use dpfda_privacy::exact_sampling::{double, log_of_one_plus, number, smallest_double_from, uniform_below};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Randomness};
use rand::Rng;

use crate::cells::Cells;
use crate::counts::CellCounts;
use crate::draws::{CellDraws, DrawsMechanism, DrawsPlan, MAX_DRAWS, PreparedDraws, Source};
use crate::points::Points;

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
/// The loss is attained for `m >= 2`, when all draws fall in a cell that one record has left (`docs/errata.md`, entry 14b),
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

    /// The most draws that the budget allows for this mixture, which is rounded up to a multiple of `2^-53`.
    ///
    /// # Errors
    /// [`SmoothedHistogramError`] as for the smallest mixture, for a mixture outside `(0, 1)`, and if not even one draw is
    /// allowed.
    pub fn with_most_draws(
        budget: PrivacyBudget,
        relation: NeighbouringRelation,
        records: u64,
        cells: Cells,
        mixture: f64,
    ) -> Result<Self, SmoothedHistogramError> {
        check(&budget, relation, records)?;
        let mixture = on_grid(mixture)?;
        let meets =
            |draws: usize| is_within(&exact_loss(cells.count(), records, draws, mixture), budget.epsilon_within());
        let (mut low, mut high) = (0, MAX_DRAWS);
        while low < high {
            let middle = usize::midpoint(low, high + 1);
            if meets(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if low == 0 {
            let loss = smallest_double_from(&exact_loss(cells.count(), records, 1, mixture));
            return Err(SmoothedHistogramError::Condition { draws: 1, loss, epsilon: budget.epsilon() });
        }
        Ok(Self { budget, unit: PrivacyUnit::Curve, records, cells, draws: low, mixture })
    }

    /// So many draws with this mixture, which is rounded up to a multiple of `2^-53`.
    ///
    /// # Errors
    /// [`SmoothedHistogramError`] as for the other two, and if the condition of Theorem 5 is violated.
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
        Ok(PreparedDraws::new(plan, found, Source::Mixture(source)))
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
pub(crate) struct Mixture {
    /// The number of records in each cell and those before it.
    ends: Vec<u64>,
    /// `d 2^53`.
    weight: u64,
    draws: usize,
}

impl Mixture {
    /// For counts of at least one record.
    fn new(counts: &[u64], weight: u64, draws: usize) -> Self {
        let mut total = 0;
        let end = |count: &u64| {
            total += count;
            total
        };
        Self { ends: counts.iter().map(end).collect(), weight, draws }
    }

    pub(crate) fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Vec<usize> {
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

    /// Gives the exact cumulative counts to a keyed digest.
    pub(crate) fn absorb(&self, mut digest: impl FnMut(&[u8])) {
        self.ends.iter().for_each(|end| digest(&end.to_le_bytes()));
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
