//! A kept path as it stands in the curator's file.

use dpfda_kernels::{Grid, Quadrature};
use dpfda_privacy::{LATTICE_BITS, NeighbouringRelation, NoisySum, PrivacyBudget, PrivacyUnit, RoundedNormal};
use dpfda_smoothing::Ball;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::{ReleaseReadError, SmootherDocument, whole_number};
use crate::functional_map::{Dispersion, FunctionalBasis, FunctionalMapError};
use crate::kept_path::KeptPath;
use crate::path_release::{is_identifier, is_plain};

/// The version of the file format.
const SCHEMA: u32 = 1;

/// Why a file is not a kept path. It never shows the path.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum KeptPathReadError {
    /// Written by a version that this one does not know.
    #[error("kept path schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// A field that cannot be what it says.
    #[error("the field {field} is not what a kept path has: the file was edited or damaged")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// A part that a release has too.
    #[error(transparent)]
    Part(#[from] ReleaseReadError),
    /// The smoother does not fit the grid.
    #[error(transparent)]
    Map(#[from] FunctionalMapError),
}

/// The curator's file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptPathDocument {
    /// For whoever opens the file.
    warning: String,
    schema: u32,
    id: String,
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    units: Option<f64>,
    private: bool,
    dispersion: Dispersion,
    smoother: SmootherDocument,
    ball: Ball,
    quadrature: Quadrature,
    grid: Vec<f64>,
    law: String,
    lattice_bits: u32,
    noise_scale: u64,
    count: Option<i64>,
    coordinates: Vec<i64>,
}

const WARNING: &str = "for the curator alone: whoever has this file can publish more of the release";

impl From<&KeptPath> for KeptPathDocument {
    fn from(path: &KeptPath) -> Self {
        Self {
            warning: WARNING.to_owned(),
            schema: SCHEMA,
            id: path.id.clone(),
            epsilon: path.budget.epsilon(),
            delta: path.budget.delta(),
            neighbours: path.neighbours,
            unit: path.unit,
            units: path.public_units.map(|units| units as f64),
            private: path.private,
            dispersion: path.dispersion,
            smoother: (&path.smoother).into(),
            ball: path.ball.clone(),
            quadrature: path.grid.quadrature(),
            grid: path.grid.points().to_vec(),
            law: path.law.clone(),
            lattice_bits: LATTICE_BITS,
            noise_scale: path.noise.scale(),
            count: path.noisy.count,
            coordinates: path.noisy.coordinates.clone(),
        }
    }
}

impl TryFrom<KeptPathDocument> for KeptPath {
    type Error = KeptPathReadError;

    fn try_from(document: KeptPathDocument) -> Result<Self, KeptPathReadError> {
        if document.schema != SCHEMA {
            return Err(KeptPathReadError::Schema { found: document.schema });
        }
        if document.lattice_bits != LATTICE_BITS {
            return Err(KeptPathReadError::Field { field: "lattice_bits" });
        }
        if !is_identifier(&document.id) {
            return Err(KeptPathReadError::Field { field: "id" });
        }
        if !is_plain(&document.law) {
            return Err(KeptPathReadError::Field { field: "law" });
        }
        let public_units = match (document.neighbours, document.units, document.count) {
            (NeighbouringRelation::SubstituteOne, Some(units), None) => Some(whole_number(units)?),
            (NeighbouringRelation::AddRemoveOne, None, Some(_)) => None,
            _ => return Err(KeptPathReadError::Field { field: "units" }),
        };
        let grid = Grid::with_quadrature(document.grid, document.quadrature).map_err(ReleaseReadError::from)?;
        let path = Self {
            id: document.id,
            budget: PrivacyBudget::new(document.epsilon, document.delta).map_err(ReleaseReadError::from)?,
            smoother: document.smoother.smoother()?,
            dispersion: document.dispersion,
            neighbours: document.neighbours,
            unit: document.unit,
            public_units,
            private: document.private,
            ball: document.ball,
            grid,
            law: document.law,
            noise: RoundedNormal::new(document.noise_scale).map_err(ReleaseReadError::from)?,
            noisy: NoisySum { coordinates: document.coordinates, count: document.count },
        };
        path.check_dimension()?;
        Ok(path)
    }
}

impl KeptPath {
    fn check_dimension(&self) -> Result<(), KeptPathReadError> {
        let found = self.noisy.coordinates.len();
        let basis = FunctionalBasis::with_dimension(&self.smoother, self.dispersion, &self.grid, &self.ball, found)?;
        if basis.whitening.dimension() == found {
            Ok(())
        } else {
            Err(ReleaseReadError::Coordinates { expected: basis.whitening.dimension(), found }.into())
        }
    }
}
