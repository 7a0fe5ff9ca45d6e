//! A release as it stands in a file, and the checks it passes on the way back.

use dpfda_kernels::{Grid, GridError, Kernel, KernelError, KernelName, SpectrumError};
use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{
    BudgetError, Calibration, LATTICE_BITS, MAX_RECORDS, NeighbouringRelation, NoiseScaleError, NoisySum,
    PrivacyBudget, PrivacyUnit, RoundedNormal,
};
use dpfda_smoothing::{Ball, PenalizedMean, PenaltyError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::mechanism::{Mechanism, MechanismName, ReleaseError};
use crate::path_release::is_plain;
use crate::release::{Provenance, Release};

#[cfg(test)]
mod tests;

/// The version of the file format.
const SCHEMA: u32 = 1;

/// Derived numbers in a file must agree with recomputed ones to this relative error.
const AGREEMENT: f64 = 1e-6;

/// Why a file is not a release.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReleaseReadError {
    /// Written by a version that this one does not know.
    #[error("release schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// A lattice of another resolution.
    #[error("the lattice must have {LATTICE_BITS} bits, got {found}")]
    LatticeBits {
        /// The bits in the file.
        found: u32,
    },
    /// The version of the software is a line of text.
    #[error("the field software must be a short line of plain text")]
    Software,
    /// The number of coordinates does not fit grid and mechanism.
    #[error("grid and mechanism call for {expected} coordinates, the file has {found}")]
    Coordinates {
        /// The number that grid and mechanism call for.
        expected: usize,
        /// The number in the file.
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
    /// The noise scale is out of range.
    #[error(transparent)]
    Noise(#[from] NoiseScaleError),
    /// The kernel is unusable.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The smoother is unusable.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// The grid is unusable.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The kernel has no spectrum on this grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The release could not be rebuilt.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

/// The document `release.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReleaseDocument {
    schema: u32,
    software: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
    privacy: PrivacyDocument,
    ball: Ball,
    mechanism: MechanismName,
    /// The smoother that the Cameron-Martin mechanism applied before the noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    released_smoother: Option<SmootherDocument>,
    smoother: SmootherDocument,
    quadrature: dpfda_kernels::Quadrature,
    lattice: LatticeDocument,
    noise: NoiseDocument,
    grid: Vec<f64>,
    values: Vec<f64>,
    noise_sd: Vec<f64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PrivacyDocument {
    epsilon: f64,
    delta: f64,
    mu: f64,
    calibration: Calibration,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    units: f64,
    private: bool,
}

/// Derived numbers, for human readers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoiseDocument {
    sensitivity: f64,
    scale: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeDocument {
    bits: u32,
    step: f64,
    noise_scale: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<i64>,
    coordinates: Vec<i64>,
}

/// `kernel` is a name with a `range`, or a composite kernel in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SmootherDocument {
    kernel: KernelDocument,
    range: Option<f64>,
    penalty: f64,
    eta: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum KernelDocument {
    Name(String),
    Composite(Kernel),
}

impl From<&PenalizedMean> for SmootherDocument {
    fn from(smoother: &PenalizedMean) -> Self {
        let (kernel, range) = match KernelName::of(smoother.kernel()) {
            Some((name, range)) => (KernelDocument::Name(name.to_string()), Some(range)),
            None => (KernelDocument::Composite(smoother.kernel().clone()), None),
        };
        Self { kernel, range, penalty: smoother.penalty(), eta: smoother.power() }
    }
}

impl SmootherDocument {
    pub(crate) fn smoother(self) -> Result<PenalizedMean, ReleaseReadError> {
        let kernel = match (self.kernel, self.range) {
            (KernelDocument::Name(name), Some(range)) => {
                let name: KernelName =
                    name.parse().map_err(|_| ReleaseReadError::Contradiction { field: "smoother.kernel" })?;
                name.with_range(range)?
            }
            (KernelDocument::Composite(kernel), None) => kernel,
            _ => return Err(ReleaseReadError::Contradiction { field: "smoother.range" }),
        };
        Ok(PenalizedMean::new(kernel, self.penalty, self.eta)?)
    }
}

impl From<Release> for ReleaseDocument {
    fn from(release: Release) -> Self {
        let provenance = release.provenance();
        let (mechanism, released_smoother) = match &provenance.mechanism {
            Mechanism::Isonormal => (MechanismName::Isonormal, None),
            Mechanism::CameronMartin(smoother) => (MechanismName::CameronMartin, Some(smoother.into())),
        };
        Self {
            schema: SCHEMA,
            software: provenance.software.clone(),
            ledger: provenance.ledger.clone(),
            privacy: PrivacyDocument {
                epsilon: provenance.budget.epsilon(),
                delta: provenance.budget.delta(),
                mu: release.mu(),
                calibration: provenance.calibration,
                neighbours: provenance.neighbours,
                unit: provenance.unit,
                units: provenance.units(),
                private: provenance.private,
            },
            ball: provenance.ball.clone(),
            mechanism,
            released_smoother,
            smoother: release.smoother().into(),
            quadrature: provenance.grid.quadrature(),
            lattice: LatticeDocument {
                bits: LATTICE_BITS,
                step: provenance.lattice_step(),
                noise_scale: provenance.noise.scale(),
                count: provenance.noisy.count,
                coordinates: provenance.noisy.coordinates.clone(),
            },
            noise: NoiseDocument { sensitivity: release.sensitivity(), scale: release.noise_scale() },
            grid: provenance.grid.points().to_vec(),
            values: release.function().values().to_vec(),
            noise_sd: release.function().noise_sd().to_vec(),
        }
    }
}

impl TryFrom<ReleaseDocument> for Release {
    type Error = ReleaseReadError;

    fn try_from(document: ReleaseDocument) -> Result<Self, ReleaseReadError> {
        let written = document.clone();
        if document.schema != SCHEMA {
            return Err(ReleaseReadError::Schema { found: document.schema });
        }
        if document.lattice.bits != LATTICE_BITS {
            return Err(ReleaseReadError::LatticeBits { found: document.lattice.bits });
        }
        // It is printed: nothing in it may move a terminal's cursor.
        if !is_plain(&document.software) {
            return Err(ReleaseReadError::Software);
        }
        let smoother = document.smoother.clone().smoother()?;
        let mechanism = match (document.mechanism, document.released_smoother.clone()) {
            (MechanismName::Isonormal, None) => Mechanism::Isonormal,
            (MechanismName::CameronMartin, Some(smoother)) => Mechanism::CameronMartin(smoother.smoother()?),
            _ => return Err(ReleaseReadError::Contradiction { field: "released_smoother" }),
        };
        let grid = Grid::with_quadrature(document.grid.clone(), document.quadrature)?;
        let dimension = document.lattice.coordinates.len();
        let whitening = Self::whitening_on_reading(&mechanism, &grid.to_unit()?, dimension)?;
        let provenance = provenance(document, mechanism, whitening.amplification(), grid)?;
        let release = Self::assemble(provenance, &whitening, &smoother)?;
        agree(&written, &Self::clone(&release).into())?;
        Ok(release)
    }
}

fn provenance(
    document: ReleaseDocument,
    mechanism: Mechanism,
    amplification: f64,
    grid: Grid,
) -> Result<Provenance, ReleaseReadError> {
    let PrivacyDocument { epsilon, delta, calibration, neighbours, unit, units, private, .. } = document.privacy;
    let budget = PrivacyBudget::new(epsilon, delta)?;
    let noise = RoundedNormal::new(document.lattice.noise_scale)?;
    // A file may not claim more privacy than its noise gives.
    if noise.privacy(neighbours).delta(epsilon) > delta {
        return Err(ReleaseReadError::Contradiction { field: "privacy.delta" });
    }
    let public_units = match (neighbours, document.lattice.count) {
        (NeighbouringRelation::SubstituteOne, None) => Some(whole_number(units)?),
        (NeighbouringRelation::AddRemoveOne, Some(_)) => None,
        _ => return Err(ReleaseReadError::Contradiction { field: "lattice.count" }),
    };
    let noisy = NoisySum { coordinates: document.lattice.coordinates, count: document.lattice.count };
    Ok(Provenance {
        software: document.software,
        budget,
        calibration,
        neighbours,
        unit,
        public_units,
        private,
        ball: document.ball,
        mechanism,
        amplification,
        grid,
        noise,
        noisy,
        ledger: document.ledger,
    })
}

pub(crate) fn whole_number(units: f64) -> Result<u64, ReleaseReadError> {
    if units.fract() == 0.0 && (2.0..=MAX_RECORDS as f64).contains(&units) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in [2, 2^40]")]
        let whole = units as u64;
        Ok(whole)
    } else {
        Err(ReleaseReadError::Contradiction { field: "privacy.units" })
    }
}

/// Numbers that can be derived from the rest must be what they should be, up to another machine's rounding.
fn agree(written: &ReleaseDocument, derived: &ReleaseDocument) -> Result<(), ReleaseReadError> {
    let size = derived.values.iter().chain(&derived.noise_sd).fold(derived.ball.radius(), |m, x| m.max(x.abs()));
    let close = |a: f64, b: f64, size: f64| (a - b).abs() <= AGREEMENT * size;
    let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b, size));
    let same = |a: f64, b: f64| close(a, b, b.abs());
    let checks = [
        ("privacy.mu", same(written.privacy.mu, derived.privacy.mu)),
        ("privacy.units", same(written.privacy.units, derived.privacy.units)),
        ("lattice.step", same(written.lattice.step, derived.lattice.step)),
        ("noise.sensitivity", same(written.noise.sensitivity, derived.noise.sensitivity)),
        ("noise.scale", same(written.noise.scale, derived.noise.scale)),
        ("values", all_close(&written.values, &derived.values)),
        ("noise_sd", all_close(&written.noise_sd, &derived.noise_sd)),
    ];
    match checks.into_iter().find(|(_, agrees)| !agrees) {
        Some((field, _)) => Err(ReleaseReadError::Contradiction { field }),
        None => Ok(()),
    }
}
