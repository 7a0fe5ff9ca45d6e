//! The perturbed histogram: counts of cells with noise.

use dpfda_mechanism::{Mechanism, MechanismError, Prepared, Terms};
use dpfda_privacy::{Law, NeighbouringRelation, Noise, PrivacyBudget, PrivacyUnit, Randomness};
use thiserror::Error;

use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};
use crate::points::Points;

mod release;
mod risk;
mod statistic;
#[cfg(test)]
mod tests;

pub use release::HistogramRelease;
pub use risk::MergedRisk;
pub use statistic::Histogram;

/// A histogram with noise on its counts (Wasserman and Zhou 2010, Theorem 8), ready to be released.
///
/// ```text
/// D_j = C_j + v_j,    q_j = max(D_j, 0) / sum_s max(D_s, 0),    p(x) = q_j / |B_j| for x in B_j
/// ```
///
/// `C_j` is the number of points in cell `B_j`. With `delta = 0` the noise `v_j` is discrete Laplace, of scale
/// `2 / epsilon` when one record is substituted (two counts move by 1) and `1 / epsilon` when one is added or removed.
/// With `delta > 0` it is an exactly rounded normal of the tight scale for a Euclidean sensitivity of `sqrt(2)` or 1, on a
/// lattice of `2^20` steps to a record. Both guarantees hold to the last bit; see `docs/proofs/histogram.md`.
///
/// At one epsilon the Laplace noise is the smaller unless delta is large (above 0.0073 at epsilon 1, above 0.00045 at
/// epsilon 0.1, for substitution): normal noise pays where many releases are composed.
///
/// ```
/// use dpfda_density::{Bounds, Cells, PerturbedHistogram, Points};
/// use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// use ndarray::Array2;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bounds = Bounds::new(vec![(0.0, 100.0)])?;
/// let points = Points::new(Array2::from_shape_fn((500, 1), |(i, _)| (i % 80) as f64), bounds.clone())?;
/// let histogram = PerturbedHistogram::new(Cells::new(bounds, 48)?, PrivacyBudget::new(1.0, 0.0)?);
/// let release = histogram.release(&points, &mut SystemRandomness::new()?)?.merged_by_risk();
/// println!("median {:.1}", release.density().quantile(0.5)?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PerturbedHistogram {
    cells: Cells,
    terms: Terms,
}

/// Why a histogram was refused. Nothing in it depends on the values of the points.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum HistogramError {
    #[error("points and cells must have the same bounds")]
    BoundsDiffer,
    #[error(
        "the number of cells of Theorem 8 is computed from the number of records, which is private under add-remove: give the number of cells, or choose it after the release"
    )]
    PrivateCount,
    #[error("cells can be merged into equal ones only: {per_axis} along each axis does not divide {finest}")]
    NotADivisor { per_axis: usize, finest: usize },
    #[error(transparent)]
    Cells(#[from] CellsError),
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
}

/// The cells of the rate of Theorem 8 for a public number of records, `m = n^{r/(2+r)}`.
///
/// ```text
/// per_axis = round(n^{1/(2+r)}), at least 1
/// ```
pub fn cells_by_rate(bounds: Bounds, records: u64, neighbours: NeighbouringRelation) -> Result<Cells, HistogramError> {
    if neighbours == NeighbouringRelation::AddRemoveOne {
        return Err(HistogramError::PrivateCount);
    }
    let per_axis = per_axis_by_rate(&bounds, records);
    Ok(Cells::new(bounds, per_axis)?)
}

/// The cells to release where they are merged afterwards: about four times as many as by the rate of Theorem 8.
///
/// ```text
/// c = 4 rate (r = 1),  2 rate (r = 2),  1.6 rate (r = 3),    rate = round(n^{1/(2+r)})
/// per_axis = the least of 2, 3, 4, 6, 8, 12 and the multiples of 12 that is at least c
/// ```
///
/// With far more of them, merged cells would have more noise than they need; numbers of many divisors leave many numbers of
/// merged cells to choose from ([`HistogramRelease::merged_by_risk`]). `records` must be public: under add/remove-one it is a
/// guess, made without the data.
pub fn cells_to_merge(bounds: Bounds, records: u64) -> Result<Cells, CellsError> {
    const SMALL: [usize; 6] = [2, 3, 4, 6, 8, 12];
    let rate = per_axis_by_rate(&bounds, records);
    // 4, and its square and cube roots
    let wanted = match bounds.dimension() {
        1 => 4 * rate,
        2 => 2 * rate,
        _ => (8 * rate).div_ceil(5),
    };
    let per_axis = SMALL.into_iter().find(|small| *small >= wanted).unwrap_or_else(|| wanted.next_multiple_of(12));
    Cells::new(bounds, per_axis)
}

/// `round(n^{1/(2+r)})`, at least 1.
fn per_axis_by_rate(bounds: &Bounds, records: u64) -> usize {
    let exponent = 1.0 / (2.0 + bounds.dimension() as f64);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer in [1, 2^22]")]
    let per_axis = (records as f64).powf(exponent).round().max(1.0) as usize;
    per_axis
}

impl PerturbedHistogram {
    /// A histogram on these cells, for this budget.
    ///
    /// The cells must not be chosen from the data: take them from [`cells_by_rate`], or release fine ones and choose
    /// afterwards, [`HistogramRelease::merged_by_risk`].
    pub fn new(cells: Cells, budget: PrivacyBudget) -> Self {
        Self { cells, terms: Terms::new(budget).noise(Law::exact(&budget)) }
    }

    /// Sets which data sets are neighbours (default: substitute one).
    #[must_use]
    pub fn neighbours(mut self, neighbours: NeighbouringRelation) -> Self {
        self.terms = self.terms.neighbours(neighbours);
        self
    }

    /// Sets what a point is (default: a record alone; a subject, if nobody has two points).
    #[must_use]
    pub fn unit(mut self, unit: PrivacyUnit) -> Self {
        self.terms = self.terms.unit(unit);
        self
    }

    /// The public plan of a release, with its noise and its cost: what parts are encoded by.
    pub fn mechanism(&self) -> Result<Mechanism<Histogram>, HistogramError> {
        Ok(Mechanism::new(Histogram::new(self.cells.clone()), self.terms.clone())?)
    }

    /// The noise that a release with these settings has, in lattice steps: a function of public numbers alone.
    pub fn noise(&self) -> Result<Noise, HistogramError> {
        Ok(self.mechanism()?.noise().clone())
    }

    /// Does everything but the noise: what can be refused is refused here, before anything is paid for.
    ///
    /// # Errors
    /// [`HistogramError`]; nothing has been drawn or spent then.
    pub fn prepare(&self, points: &Points) -> Result<Prepared<Histogram>, HistogramError> {
        if points.bounds() != self.cells.bounds() {
            return Err(HistogramError::BoundsDiffer);
        }
        Ok(self.mechanism()?.prepare_all(points.rows())?)
    }

    /// Releases the histogram of the points: **spends the budget**, and no ledger remembers it.
    ///
    /// Calling it twice spends it twice. Under add/remove-one no points at all are as good as any.
    ///
    /// # Errors
    /// [`HistogramError`]; nothing has been drawn or spent then.
    pub fn release<R: Randomness + ?Sized>(
        &self,
        points: &Points,
        randomness: &mut R,
    ) -> Result<HistogramRelease, HistogramError> {
        Ok(self.prepare(points)?.draw_unrecorded(randomness).into())
    }
}
