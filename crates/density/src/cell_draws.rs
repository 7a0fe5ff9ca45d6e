//! The release of a mechanism that draws cells.

use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{Arithmetic, NeighbouringRelation, PrivacyBudget};
use ndarray::Array2;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::piecewise::PiecewiseDensity;

mod document;
#[cfg(test)]
mod tests;

pub use document::CellDrawsReadError;

/// The most draws of one release.
pub const MAX_DRAWS: usize = 1 << 24;

/// Cells that were drawn privately: a public release, with where it comes from.
///
/// It is written as JSON and read back through the checks that it was made with. Everything computed from it is free.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "document::CellDrawsDocument", into = "document::CellDrawsDocument")]
pub struct CellDraws {
    software: String,
    budget: PrivacyBudget,
    neighbours: NeighbouringRelation,
    records: Option<u64>,
    cells: Cells,
    mechanism: DrawsMechanism,
    arithmetic: Arithmetic,
    private: bool,
    draws: Vec<usize>,
    ledger: Option<LedgerReference>,
}

/// What drew the cells.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DrawsMechanism {
    /// Independent draws from a mixture of the histogram and the uniform density (Wasserman and Zhou, Theorem 5).
    SmoothedHistogram {
        /// The weight of the uniform density, exactly.
        mixture: f64,
    },
    /// One draw of all cells by the exponential mechanism with the Kolmogorov-Smirnov distance (Theorem 9); their order,
    /// from low to high, tells nothing.
    KsExponential {},
}

impl CellDraws {
    /// A release by exact arithmetic; the mechanism answers for the rest.
    pub(crate) fn exact(
        budget: PrivacyBudget,
        neighbours: NeighbouringRelation,
        records: Option<u64>,
        cells: Cells,
        mechanism: DrawsMechanism,
        draws: Vec<usize>,
        private: bool,
    ) -> Self {
        let software = concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned();
        let arithmetic = Arithmetic::Exact;
        Self { software, budget, neighbours, records, cells, mechanism, arithmetic, private, draws, ledger: None }
    }

    /// The same release with its place in the ledger that paid for it.
    #[must_use]
    pub fn in_ledger(mut self, reference: LedgerReference) -> Self {
        self.ledger = Some(reference);
        self
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.ledger.as_ref()
    }

    /// Name and version of the software that made the release.
    pub fn software(&self) -> &str {
        &self.software
    }

    /// The budget that was spent; its delta is 0.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// Which data sets are not told apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// The number of records, which is public under substitute-one alone.
    pub fn records(&self) -> Option<u64> {
        self.records
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// What drew them.
    pub fn mechanism(&self) -> DrawsMechanism {
        self.mechanism
    }

    /// The arithmetic in which they were drawn: exact.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// Whether nobody can repeat the randomness.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// The index of each drawn cell.
    pub fn draws(&self) -> &[usize] {
        &self.draws
    }

    /// The density that gives each cell its share of the draws.
    pub fn empirical(&self) -> PiecewiseDensity {
        let mut counts = vec![0.0; self.cells.count()];
        for &cell in &self.draws {
            counts[cell] += 1.0;
        }
        PiecewiseDensity::proportional_to(self.cells.clone(), counts)
    }

    /// One point for each draw, uniform in its cell (`k x r`, in data units): the sanitised data set of the paper.
    pub fn points<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array2<f64> {
        let bounds = self.cells.bounds();
        let mut points = Array2::zeros((self.draws.len(), bounds.dimension()));
        for (mut point, &cell) in points.rows_mut().into_iter().zip(&self.draws) {
            let at = self.cells.position(cell);
            for (axis, x) in point.iter_mut().enumerate() {
                let u = (at[axis] as f64 + randomness.random::<f64>()) / self.cells.per_axis() as f64;
                *x = bounds.from_unit(axis, u);
            }
        }
        points
    }
}
