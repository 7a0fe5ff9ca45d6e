//! A released histogram as it stands in a file, and the checks it passes on the way back.

use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{
    Arithmetic, BudgetError, DiscreteLaplace, DiscreteLaplaceError, NeighbouringRelation, NoiseScaleError,
    PrivacyBudget, RoundedNormal,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::HistogramError;
use super::noise::HistogramNoise;
use super::release::{HistogramRelease, Provenance};
use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};

#[cfg(test)]
mod tests;

/// The version of the file format.
const SCHEMA: u32 = 1;

/// Derived numbers in a file must agree with recomputed ones to this relative error.
const AGREEMENT: f64 = 1e-6;

/// Why a file is not a released histogram.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum HistogramReadError {
    /// Written by a version that this one does not know.
    #[error("histogram schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// The version of the software is a line of text.
    #[error("the field software must be a short line of plain text")]
    Software,
    /// Every cell has one noisy count.
    #[error("there are {expected} cells, but the file has {found} noisy counts")]
    Counts {
        /// The number of cells.
        expected: usize,
        /// The number of noisy counts in the file.
        found: usize,
    },
    /// Two fields contradict each other.
    #[error("the field {field} contradicts the rest of the release: the file was edited or damaged")]
    Contradiction {
        /// The field, as a path in the document.
        field: &'static str,
    },
    /// The budget is not a budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The cells are unusable.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The noise scale is out of range.
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    /// The noise scale is out of range.
    #[error(transparent)]
    Normal(#[from] NoiseScaleError),
    /// The release could not be rebuilt.
    #[error(transparent)]
    Histogram(#[from] HistogramError),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MechanismName {
    PerturbedHistogram,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawName {
    DiscreteLaplace,
    RoundedNormal,
}

/// The document of a released histogram.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HistogramDocument {
    schema: u32,
    software: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
    mechanism: MechanismName,
    privacy: PrivacyDocument,
    bounds: Bounds,
    cells_per_axis: usize,
    noise: NoiseDocument,
    /// In lattice steps, the first axis slowest.
    noisy_counts: Vec<i64>,
    density: DensityDocument,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PrivacyDocument {
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    /// Where their number is public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    arithmetic: Arithmetic,
    private: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoiseDocument {
    law: LawName,
    steps_to_record: u64,
    /// In lattice steps.
    scale_numerator: u64,
    scale_denominator: u64,
    /// In records.
    sd: f64,
}

/// What the noisy counts were made into; the cells may be merged ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DensityDocument {
    cells_per_axis: usize,
    probabilities: Vec<f64>,
}

impl From<HistogramRelease> for HistogramDocument {
    fn from(release: HistogramRelease) -> Self {
        let provenance = release.provenance();
        let (law, (scale_numerator, scale_denominator)) = match provenance.noise {
            HistogramNoise::DiscreteLaplace(laplace) => (LawName::DiscreteLaplace, laplace.scale()),
            HistogramNoise::RoundedNormal(normal) => (LawName::RoundedNormal, (normal.scale(), 1)),
        };
        Self {
            schema: SCHEMA,
            software: provenance.software.clone(),
            ledger: provenance.ledger.clone(),
            mechanism: MechanismName::PerturbedHistogram,
            privacy: PrivacyDocument {
                epsilon: provenance.budget.epsilon(),
                delta: provenance.budget.delta(),
                neighbours: provenance.neighbours,
                records: provenance.public_records,
                arithmetic: release.arithmetic(),
                private: provenance.private,
            },
            bounds: provenance.cells.bounds().clone(),
            cells_per_axis: provenance.cells.per_axis(),
            noise: NoiseDocument {
                law,
                steps_to_record: provenance.noise.steps_to_record(),
                scale_numerator,
                scale_denominator,
                sd: release.noise_sd(),
            },
            noisy_counts: provenance.noisy.clone(),
            density: DensityDocument {
                cells_per_axis: release.density().cells().per_axis(),
                probabilities: release.density().probabilities().to_vec(),
            },
        }
    }
}

impl TryFrom<HistogramDocument> for HistogramRelease {
    type Error = HistogramReadError;

    fn try_from(document: HistogramDocument) -> Result<Self, HistogramReadError> {
        if document.schema != SCHEMA {
            return Err(HistogramReadError::Schema { found: document.schema });
        }
        // It is printed: nothing in it may move a terminal's cursor.
        if document.software.len() > 100 || document.software.chars().any(char::is_control) {
            return Err(HistogramReadError::Software);
        }
        let (noise, density) = (document.noise.clone(), document.density.clone());
        let release = Self::assemble(provenance(document)?, density.cells_per_axis)?;
        let derived = release.density().probabilities();
        let largest = derived.iter().fold(0.0_f64, |largest, q| largest.max(*q));
        let close = |a: f64, b: f64, size: f64| (a - b).abs() <= AGREEMENT * size;
        let equal_length = derived.len() == density.probabilities.len();
        let all_close = derived.iter().zip(&density.probabilities).all(|(a, b)| close(*a, *b, largest));
        let checks = [
            ("noise.steps_to_record", noise.steps_to_record == release.noise().steps_to_record()),
            ("noise.sd", close(noise.sd, release.noise_sd(), release.noise_sd())),
            ("density.probabilities", equal_length && all_close),
        ];
        match checks.into_iter().find(|(_, agrees)| !agrees) {
            Some((field, _)) => Err(HistogramReadError::Contradiction { field }),
            None => Ok(release),
        }
    }
}

fn provenance(document: HistogramDocument) -> Result<Provenance, HistogramReadError> {
    let PrivacyDocument { epsilon, delta, neighbours, records, arithmetic, private } = document.privacy;
    let contradiction = |field| Err(HistogramReadError::Contradiction { field });
    let budget = PrivacyBudget::new(epsilon, delta)?;
    let cells = Cells::new(document.bounds, document.cells_per_axis)?;
    if document.noisy_counts.len() != cells.count() {
        return Err(HistogramReadError::Counts { expected: cells.count(), found: document.noisy_counts.len() });
    }
    let NoiseDocument { law, scale_numerator, scale_denominator, .. } = document.noise;
    let noise = match (law, scale_denominator) {
        (LawName::DiscreteLaplace, _) => {
            HistogramNoise::DiscreteLaplace(DiscreteLaplace::new(scale_numerator, scale_denominator)?)
        }
        (LawName::RoundedNormal, 1) => HistogramNoise::RoundedNormal(RoundedNormal::new(scale_numerator)?),
        (LawName::RoundedNormal, _) => return contradiction("noise.scale_denominator"),
    };
    // A file may not claim more privacy than its noise gives.
    if !noise.meets(&budget, neighbours) {
        return contradiction("privacy.epsilon");
    }
    if arithmetic != Arithmetic::Exact {
        return contradiction("privacy.arithmetic");
    }
    let records_are_public = neighbours == NeighbouringRelation::SubstituteOne;
    if records.is_some() != records_are_public || records.is_some_and(|records| records < 2) {
        return contradiction("privacy.records");
    }
    Ok(Provenance {
        software: document.software,
        budget,
        neighbours,
        public_records: records,
        private,
        cells,
        noise,
        noisy: document.noisy_counts,
        ledger: document.ledger,
    })
}
