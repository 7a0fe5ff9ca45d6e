//! A released histogram with its provenance.

use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{Arithmetic, GaussianPrivacy, NeighbouringRelation, PrivacyBudget};
use serde::{Deserialize, Serialize};

use super::document::HistogramDocument;
use super::noise::HistogramNoise;
use super::risk::{MergedRisk, NoisyTotal, merge};
use super::{HistogramError, PerturbedHistogram};
use crate::cells::Cells;
use crate::piecewise::PiecewiseDensity;

/// A published histogram with its public provenance. Everything in it may be shown to anybody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "HistogramDocument", into = "HistogramDocument")]
pub struct HistogramRelease {
    provenance: Provenance,
    density: PiecewiseDensity,
}

/// What was done, with which public parameters, and the noisy counts that came of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Provenance {
    pub(super) software: String,
    pub(super) budget: PrivacyBudget,
    pub(super) neighbours: NeighbouringRelation,
    /// The public `n`; `None` under add/remove-one.
    pub(super) public_records: Option<u64>,
    pub(super) private: bool,
    pub(super) cells: Cells,
    pub(super) noise: HistogramNoise,
    /// One for each cell, in lattice steps.
    pub(super) noisy: Vec<i64>,
    pub(super) ledger: Option<LedgerReference>,
}

impl Provenance {
    /// The noisy counts in records.
    fn noisy_counts(&self) -> Vec<f64> {
        let steps = self.noise.steps_to_record() as f64;
        self.noisy.iter().map(|noisy| *noisy as f64 / steps).collect()
    }
}

impl HistogramRelease {
    pub(super) fn new(
        settings: &PerturbedHistogram,
        public_records: Option<u64>,
        private: bool,
        noise: HistogramNoise,
        noisy: Vec<i64>,
    ) -> Self {
        let provenance = Provenance {
            software: concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned(),
            budget: settings.budget,
            neighbours: settings.neighbours,
            public_records,
            private,
            cells: settings.cells.clone(),
            noise,
            noisy,
            ledger: None,
        };
        let density = density(provenance.cells.clone(), provenance.noisy_counts());
        Self { provenance, density }
    }

    /// The histogram of this provenance, shown with so many cells along each axis.
    pub(super) fn assemble(provenance: Provenance, per_axis: usize) -> Result<Self, HistogramError> {
        let finest = provenance.cells.per_axis();
        let (cells, sums) = merge(&provenance.cells, &provenance.noisy_counts(), per_axis)
            .ok_or(HistogramError::NotADivisor { per_axis, finest })?;
        Ok(Self { provenance, density: density(cells, sums) })
    }

    /// The same release with its place in the ledger that paid for it.
    #[must_use]
    pub fn in_ledger(mut self, reference: LedgerReference) -> Self {
        self.provenance.ledger = Some(reference);
        self
    }

    /// Where the release stands in a ledger, if one paid for it.
    pub fn ledger(&self) -> Option<&LedgerReference> {
        self.provenance.ledger.as_ref()
    }

    pub(super) fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The released density: noisy counts, merged if they were, cut at 0 and divided by their sum; uniform if none is left.
    pub fn density(&self) -> &PiecewiseDensity {
        &self.density
    }

    /// The same release shown with so many cells along each axis, each the union of released ones: at no cost.
    ///
    /// Noisy counts are merged before negative ones are cut, so their noise cancels.
    ///
    /// # Errors
    /// [`HistogramError::NotADivisor`] unless the number divides that of the released cells along an axis.
    pub fn merged(&self, per_axis: usize) -> Result<Self, HistogramError> {
        Self::assemble(self.provenance.clone(), per_axis)
    }

    /// The same release shown with the cells of the smallest estimated risk: at no cost, since only noisy counts are seen.
    #[must_use]
    pub fn merged_by_risk(&self) -> Self {
        let best = self.risks().into_iter().reduce(|best, next| if next.risk < best.risk { next } else { best });
        best.and_then(|best| self.merged(best.per_axis).ok()).unwrap_or_else(|| self.clone())
    }

    /// Estimates of the integrated squared error of every histogram on merged cells, from coarse to fine.
    ///
    /// ```text
    /// E risk = E int (D_A / (n V_A) - p)^2 - int p^2
    /// ```
    ///
    /// over independent records with density `p` and over the noise: unbiased, from the noisy counts and the known variance
    /// of their noise alone. It speaks of the noisy histogram before negative counts are cut. Under add/remove-one, with a
    /// Poisson number of records in place of `n`, it is so up to a factor that all candidates share.
    pub fn risks(&self) -> Vec<MergedRisk> {
        let cells = &self.provenance.cells;
        let counts = self.provenance.noisy_counts();
        let noise = NoisyTotal {
            records: self.provenance.public_records,
            total: counts.iter().sum(),
            variance: self.provenance.noise.variance() * cells.count() as f64,
        };
        noise.risks(cells, &counts)
    }

    /// The noisy count of each released cell, in records; a count may be negative, and under normal noise is no whole number.
    pub fn noisy_counts(&self) -> Vec<f64> {
        self.provenance.noisy_counts()
    }

    /// The noisy counts as the integers that were drawn, in lattice steps; see [`HistogramNoise::steps_to_record`].
    pub fn coordinates(&self) -> &[i64] {
        &self.provenance.noisy
    }

    /// The cells that were released: the finest that [`HistogramRelease::density`] can show.
    pub fn cells(&self) -> &Cells {
        &self.provenance.cells
    }

    /// The law of the noise in each count.
    pub fn noise(&self) -> HistogramNoise {
        self.provenance.noise
    }

    /// The standard deviation of the noise in each count, in records.
    pub fn noise_sd(&self) -> f64 {
        self.provenance.noise.variance().sqrt()
    }

    /// The guarantee that was asked for.
    pub fn budget(&self) -> PrivacyBudget {
        self.provenance.budget
    }

    /// What was spent, as the `mu` of a Gaussian release, where the noise is normal; `None` for Laplace noise.
    pub fn privacy(&self) -> Option<GaussianPrivacy> {
        self.provenance.noise.gaussian_privacy(self.provenance.neighbours)
    }

    /// Which data sets the release does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.provenance.neighbours
    }

    /// The number of records where it is public; `None` under add/remove-one, where the noisy counts sum to an estimate.
    pub fn records(&self) -> Option<u64> {
        self.provenance.public_records
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.provenance.private
    }

    /// The noise is drawn and added in integers.
    pub fn arithmetic(&self) -> Arithmetic {
        Arithmetic::Exact
    }

    /// The version of dpfda that made the release.
    pub fn software(&self) -> &str {
        &self.provenance.software
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// This finds damage and contradictions, not forgery: sign a release if its origin must be proved.
    ///
    /// # Errors
    /// [`serde_json::Error`] with the reason: unknown or missing fields, values out of range, numbers that contradict.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

/// Clamps the counts at 0 and divides by their sum.
fn density(cells: Cells, mut counts: Vec<f64>) -> PiecewiseDensity {
    for count in &mut counts {
        *count = count.max(0.0);
    }
    PiecewiseDensity::proportional_to(cells, counts)
}
