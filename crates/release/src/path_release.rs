//! What has been published of one noise path so far.

use dpfda_privacy::{Arithmetic, BudgetError, NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda_smoothing::{Ball, PenalizedMean};
use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::SmootherDocument;
use crate::functional::LinearFunctional;
use crate::functional_map::Dispersion;

#[cfg(test)]
mod tests;

/// Published functionals of one private path. Everything in it may be shown to anybody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PathReleaseDocument", into = "PathReleaseDocument")]
pub struct PathRelease {
    pub(crate) id: String,
    pub(crate) software: String,
    pub(crate) budget: PrivacyBudget,
    pub(crate) neighbours: NeighbouringRelation,
    pub(crate) unit: PrivacyUnit,
    pub(crate) units: f64,
    pub(crate) private: bool,
    pub(crate) provenance: PathProvenance,
    pub(crate) functionals: Vec<LinearFunctional>,
    pub(crate) values: Array1<f64>,
    pub(crate) noise_sd: Array1<f64>,
}

/// What the path is of: everything public that was settled before the noise.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PathProvenance {
    pub(crate) ball: Ball,
    pub(crate) smoother: PenalizedMean,
    pub(crate) dispersion: Dispersion,
    pub(crate) domain: (f64, f64),
    /// The law of `V`, in words.
    pub(crate) law: String,
}

/// Why a file is not a path release.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PathReadError {
    /// Written by a version that this one does not know.
    #[error("path release schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// A field that cannot be what it says.
    #[error("the field {field} is not what a path release has: the file was edited or damaged")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// The budget is not a budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

/// The version of the file format.
const SCHEMA: u32 = 1;

impl PathRelease {
    /// 128 random bits that this release and its kept path share, in hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What was asked so far, in the order asked.
    pub fn functionals(&self) -> &[LinearFunctional] {
        &self.functionals
    }

    /// The public ball that every curve was projected on.
    pub fn ball(&self) -> &Ball {
        &self.provenance.ball
    }

    /// The smoother that the mean was seen through.
    pub fn smoother(&self) -> &PenalizedMean {
        &self.provenance.smoother
    }

    /// The covariance of the noise.
    pub fn dispersion(&self) -> Dispersion {
        self.provenance.dispersion
    }

    /// The law of the random scale `V` of the noise, in words; `gaussian` where there is none.
    pub fn law(&self) -> &str {
        &self.provenance.law
    }

    /// The answers.
    pub fn values(&self) -> ArrayView1<'_, f64> {
        self.values.view()
    }

    /// The standard deviations of the privacy noise in the answers, given the `V` that was drawn.
    ///
    /// Under add/remove-one they include, to first order, the noise of the count.
    pub fn noise_sd(&self) -> ArrayView1<'_, f64> {
        self.noise_sd.view()
    }

    /// The guarantee for everything that is ever published of this path.
    pub fn budget(&self) -> PrivacyBudget {
        self.budget
    }

    /// Which data sets the path does not tell apart.
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// What a record is.
    pub fn unit(&self) -> PrivacyUnit {
        self.unit
    }

    /// The number of records: exact where it is public, a noisy estimate under add/remove-one.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// Whether the noise was secret. A release made from a seed is a demonstration and protects nobody.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// The release as a JSON document.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a release back.
    ///
    /// # Errors
    /// [`serde_json::Error`] with the reason.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathReleaseDocument {
    schema: u32,
    software: String,
    id: String,
    epsilon: f64,
    delta: f64,
    arithmetic: Arithmetic,
    neighbours: NeighbouringRelation,
    unit: PrivacyUnit,
    units: f64,
    private: bool,
    ball: Ball,
    smoother: SmootherDocument,
    dispersion: Dispersion,
    domain: (f64, f64),
    /// Of the random scale `V` of the noise.
    law: String,
    functionals: Vec<LinearFunctional>,
    values: Vec<f64>,
    /// Given the `V` of this path.
    noise_sd: Vec<f64>,
}

impl From<PathRelease> for PathReleaseDocument {
    fn from(release: PathRelease) -> Self {
        Self {
            schema: SCHEMA,
            software: release.software,
            id: release.id,
            epsilon: release.budget.epsilon(),
            delta: release.budget.delta(),
            arithmetic: Arithmetic::Exact,
            neighbours: release.neighbours,
            unit: release.unit,
            units: release.units,
            private: release.private,
            ball: release.provenance.ball,
            smoother: (&release.provenance.smoother).into(),
            dispersion: release.provenance.dispersion,
            domain: release.provenance.domain,
            law: release.provenance.law,
            functionals: release.functionals,
            values: release.values.to_vec(),
            noise_sd: release.noise_sd.to_vec(),
        }
    }
}

impl TryFrom<PathReleaseDocument> for PathRelease {
    type Error = PathReadError;

    fn try_from(document: PathReleaseDocument) -> Result<Self, PathReadError> {
        if document.schema != SCHEMA {
            return Err(PathReadError::Schema { found: document.schema });
        }
        let asked = document.functionals.len();
        let sd_is_possible = |sd: &f64| sd.is_finite() && *sd >= 0.0;
        let checks = [
            ("id", is_identifier(&document.id)),
            ("software", is_plain(&document.software)),
            ("law", is_plain(&document.law)),
            ("domain", document.domain.0 < document.domain.1),
            ("arithmetic", document.arithmetic == Arithmetic::Exact),
            ("units", document.units.is_finite() && document.units >= 1.0),
            ("values", document.values.len() == asked && document.values.iter().all(|value| value.is_finite())),
            ("noise_sd", document.noise_sd.len() == asked && document.noise_sd.iter().all(sd_is_possible)),
        ];
        if let Some((field, _)) = checks.into_iter().find(|(_, holds)| !holds) {
            return Err(PathReadError::Field { field });
        }
        Ok(Self {
            id: document.id,
            software: document.software,
            budget: PrivacyBudget::new(document.epsilon, document.delta)?,
            neighbours: document.neighbours,
            unit: document.unit,
            units: document.units,
            private: document.private,
            provenance: PathProvenance {
                ball: document.ball,
                smoother: document.smoother.smoother().map_err(|_| PathReadError::Field { field: "smoother" })?,
                dispersion: document.dispersion,
                domain: document.domain,
                law: document.law,
            },
            functionals: document.functionals,
            values: document.values.into(),
            noise_sd: document.noise_sd.into(),
        })
    }
}

pub(crate) fn is_identifier(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// It is printed: nothing in it may move a terminal's cursor.
pub(crate) fn is_plain(text: &str) -> bool {
    text.len() <= 100 && !text.chars().any(char::is_control)
}
