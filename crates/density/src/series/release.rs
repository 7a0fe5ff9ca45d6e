//! A released series, and the file it is written to.

use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{Arithmetic, BudgetError, MAX_RECORDS, NeighbouringRelation, PrivacyBudget};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::basis::{BasisError, CosineBasis};
use super::density::SeriesDensity;
use super::encoding::{LATTICE_BITS, PLACE_BITS};
use super::mechanism::{NoisySeries, SeriesError, SeriesMechanism, SeriesTerms};
use super::noise::{NoiseDocument, SeriesNoise, SeriesNoiseError};
use super::selection::SeriesSelection;
use crate::bounds::Bounds;

#[cfg(test)]
mod tests;

/// The version of the file format.
const SCHEMA: u32 = 1;

/// Derived numbers in a file must agree with recomputed ones to this relative error.
const AGREEMENT: f64 = 1e-6;

/// The noisy coefficients of a series with all that is public about them; serialised, it is the release file.
///
/// It is read back through validation: the noise must be that of the stated budget, and every derived number that which
/// follows from the integers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ReleaseDocument", into = "ReleaseDocument")]
pub struct SeriesRelease {
    software: String,
    mechanism: SeriesMechanism,
    bounds: Bounds,
    basis: CosineBasis,
    records: Option<u64>,
    noise: SeriesNoise,
    noisy: NoisySeries,
    private: bool,
    ledger: Option<LedgerReference>,
}

/// Why a file is not a release of a series.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SeriesReadError {
    /// Written by a version that this one does not know.
    #[error("series schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// The version of the software is a line of text.
    #[error("the field software must be a short line of plain text")]
    Software,
    /// A field contradicts the others.
    #[error("the field {field} contradicts the rest of the release: the file was edited or damaged")]
    Contradiction {
        /// The field.
        field: &'static str,
    },
    /// The budget is not a budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The basis is unusable.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// The noise is unusable.
    #[error(transparent)]
    Noise(#[from] SeriesNoiseError),
    /// The mechanism is unusable.
    #[error(transparent)]
    Mechanism(#[from] SeriesError),
}

impl SeriesRelease {
    pub(super) fn new(
        mechanism: SeriesMechanism,
        bounds: Bounds,
        basis: CosineBasis,
        records: Option<u64>,
        noise: SeriesNoise,
        noisy: NoisySeries,
        private: bool,
    ) -> Self {
        let software = concat!("dpfda ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { software, mechanism, bounds, basis, records, noise, noisy, private, ledger: None }
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

    /// The mechanism, with budget and relation.
    pub fn mechanism(&self) -> &SeriesMechanism {
        &self.mechanism
    }

    /// The public bounds.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The terms released.
    pub fn basis(&self) -> &CosineBasis {
        &self.basis
    }

    /// Whether nobody can repeat the noise.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Always [`Arithmetic::Exact`].
    pub fn arithmetic(&self) -> Arithmetic {
        Arithmetic::Exact
    }

    /// The number of records: public under substitute-one, and otherwise what the noisy count says, at least 1.
    pub fn records(&self) -> f64 {
        let noisy = || self.noisy.count.map_or(1.0, |count| (count as f64 / steps()).max(1.0));
        self.records.map_or_else(noisy, |records| records as f64)
    }

    /// The noisy coefficients `b_k`, all that were released.
    pub fn coefficients(&self) -> Vec<f64> {
        let unit = steps() * self.records();
        self.noisy.coordinates.iter().map(|k| *k as f64 / unit).collect()
    }

    /// The standard deviation of the noise in each coefficient, the number of records taken as it is.
    pub fn noise_sd(&self) -> f64 {
        self.noise.variance().sqrt() / (steps() * self.records())
    }

    /// The scale of the noise in each coefficient: `t / n` for Laplace noise, `sigma / n` for Gaussian.
    pub fn noise_scale(&self) -> f64 {
        self.noise.scale() / (steps() * self.records())
    }

    /// Scores of all numbers of terms, from the noisy coefficients alone: at no cost.
    pub fn selection(&self) -> SeriesSelection {
        SeriesSelection::of(&self.basis, &self.coefficients(), self.noise_sd().powi(2), self.records())
    }

    /// The number of terms that are used: all that were released, or what [`SeriesRelease::selection`] chose.
    pub fn terms(&self) -> usize {
        match self.mechanism.terms() {
            SeriesTerms::Given(_) | SeriesTerms::Smoothness(_) => self.basis.terms(),
            SeriesTerms::ChosenUpTo(_) => self.selection().chosen,
        }
    }

    /// The density with [`SeriesRelease::terms`] terms.
    pub fn density(&self) -> SeriesDensity {
        self.density_with(self.terms())
    }

    /// The density with the first so many terms, at most all: at no cost.
    pub fn density_with(&self, terms: usize) -> SeriesDensity {
        let basis = self.basis.first(terms);
        let mut coefficients = self.coefficients();
        coefficients.truncate(terms);
        coefficients.resize(basis.terms(), 0.0);
        SeriesDensity::on(self.bounds.clone(), basis, coefficients)
    }
}

fn steps() -> f64 {
    f64::from(1_u32 << LATTICE_BITS)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum MechanismName {
    #[serde(rename = "series")]
    Series,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum BasisName {
    #[serde(rename = "cosine")]
    Cosine,
}

/// The release file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReleaseDocument {
    schema: u32,
    software: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    bounds: Bounds,
    mechanism: MechanismName,
    basis: BasisName,
    terms: SeriesTerms,
    terms_used: usize,
    arithmetic: Arithmetic,
    private: bool,
    lattice: LatticeDocument,
    /// Scale and standard deviation of the noise in each coefficient, for human readers.
    noise_scale: f64,
    noise_sd: f64,
    coefficients: Vec<f64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeDocument {
    bits: u32,
    place_bits: u32,
    noise: NoiseDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    coordinates: Vec<i64>,
}

impl From<SeriesRelease> for ReleaseDocument {
    fn from(release: SeriesRelease) -> Self {
        let budget = release.mechanism.budget();
        Self {
            schema: SCHEMA,
            epsilon: budget.epsilon(),
            delta: budget.delta(),
            neighbours: release.mechanism.neighbours(),
            records: release.records,
            mechanism: MechanismName::Series,
            basis: BasisName::Cosine,
            terms: release.mechanism.terms(),
            terms_used: release.terms(),
            arithmetic: release.arithmetic(),
            private: release.private,
            noise_scale: release.noise_scale(),
            noise_sd: release.noise_sd(),
            coefficients: release.coefficients(),
            lattice: LatticeDocument {
                bits: LATTICE_BITS,
                place_bits: PLACE_BITS,
                noise: release.noise.document(),
                count: release.noisy.count,
                coordinates: release.noisy.coordinates,
            },
            software: release.software,
            ledger: release.ledger,
            bounds: release.bounds,
        }
    }
}

impl TryFrom<ReleaseDocument> for SeriesRelease {
    type Error = SeriesReadError;

    fn try_from(document: ReleaseDocument) -> Result<Self, SeriesReadError> {
        if document.schema != SCHEMA {
            return Err(SeriesReadError::Schema { found: document.schema });
        }
        // It is printed: nothing in it may move a terminal's cursor.
        if document.software.len() > 100 || document.software.chars().any(char::is_control) {
            return Err(SeriesReadError::Software);
        }
        let budget = PrivacyBudget::new(document.epsilon, document.delta)?;
        let mechanism = SeriesMechanism::new(document.terms, budget, document.neighbours)?;
        let dimension = document.bounds.dimension();
        let basis = CosineBasis::new(dimension, document.terms.number(dimension, document.records)?)?;
        document.check(&basis)?;
        let noise = SeriesNoise::try_from(document.lattice.noise)?;
        check_noise(&noise, &SeriesNoise::calibrated(&basis, document.neighbours, &budget)?)?;
        let release = Self {
            software: document.software.clone(),
            mechanism,
            bounds: document.bounds.clone(),
            basis,
            records: document.records,
            noise,
            noisy: NoisySeries { coordinates: document.lattice.coordinates.clone(), count: document.lattice.count },
            private: document.private,
            ledger: document.ledger.clone(),
        };
        document.check_derived(&release)?;
        Ok(release)
    }
}

impl ReleaseDocument {
    /// What is there must be there under this relation, and as many numbers as there are terms.
    fn check(&self, basis: &CosineBasis) -> Result<(), SeriesReadError> {
        let is_public = self.neighbours == NeighbouringRelation::SubstituteOne;
        let allowed = |records: u64| (1..=MAX_RECORDS).contains(&records);
        demand("records", self.records.is_some() == is_public && self.records.is_none_or(allowed))?;
        demand("arithmetic", self.arithmetic == Arithmetic::Exact)?;
        demand("lattice.bits", self.lattice.bits == LATTICE_BITS)?;
        demand("lattice.place_bits", self.lattice.place_bits == PLACE_BITS)?;
        demand("lattice.count", self.lattice.count.is_some() != is_public)?;
        demand("lattice.coordinates", self.lattice.coordinates.len() == basis.terms())?;
        demand("coefficients", self.coefficients.len() == basis.terms())
    }

    /// What follows from the integers must be what the file says.
    fn check_derived(&self, release: &SeriesRelease) -> Result<(), SeriesReadError> {
        let derived = release.coefficients();
        let size = derived.iter().fold(release.noise_sd(), |size, b| size.max(b.abs()));
        let mut pairs = self.coefficients.iter().zip(&derived);
        demand("coefficients", pairs.all(|(a, b)| (a - b).abs() <= AGREEMENT * size))?;
        demand("noise_scale", agrees(self.noise_scale, release.noise_scale()))?;
        demand("noise_sd", agrees(self.noise_sd, release.noise_sd()))?;
        demand("terms_used", self.terms_used == release.terms())
    }
}

/// The noise in a file must be of the law and the scale that its budget calls for.
fn check_noise(found: &SeriesNoise, expected: &SeriesNoise) -> Result<(), SeriesReadError> {
    let same_law = std::mem::discriminant(found) == std::mem::discriminant(expected);
    // by one step of its grid, and no more, a scale may differ where a cosine differs in its last bit between machines
    let step = match expected {
        SeriesNoise::Laplace(_) => expected.scale() * AGREEMENT,
        SeriesNoise::Gaussian(_) => 1.0,
    };
    let close = (found.scale() - expected.scale()).abs() <= step;
    demand("lattice.noise", same_law && close)
}

fn agrees(a: f64, b: f64) -> bool {
    (a - b).abs() <= AGREEMENT * b.abs()
}

fn demand(field: &'static str, holds: bool) -> Result<(), SeriesReadError> {
    if holds { Ok(()) } else { Err(SeriesReadError::Contradiction { field }) }
}
