//! The law of the random scale as it stands in a document.

use serde::{Deserialize, Serialize};

use super::MixingError;
use super::atoms::Atoms;
use super::law::{Kind, MixingLaw};
use crate::calibrate::enclosure::continuous::Continuous;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum MixingDocument {
    StudentT {
        nu: f64,
    },
    GammaRoot {
        shape: f64,
    },
    LogNormal {
        sigma: f64,
    },
    /// Increasing values, each with the probability of it or less.
    Values {
        values: Vec<f64>,
        cumulative: Vec<f64>,
    },
}

impl TryFrom<MixingDocument> for MixingLaw {
    type Error = MixingError;

    fn try_from(document: MixingDocument) -> Result<Self, MixingError> {
        match document {
            MixingDocument::StudentT { nu } => Self::student_t(nu),
            MixingDocument::GammaRoot { shape } => Self::gamma_root(shape),
            MixingDocument::LogNormal { sigma } => Self::log_normal(sigma),
            MixingDocument::Values { values, cumulative } => Atoms::from_table(values, cumulative).map(Self::from),
        }
    }
}

impl From<MixingLaw> for MixingDocument {
    fn from(law: MixingLaw) -> Self {
        match law.kind {
            Kind::Continuous(Continuous::StudentT { nu }) => Self::StudentT { nu },
            Kind::Continuous(Continuous::GammaRoot { shape }) => Self::GammaRoot { shape },
            Kind::Continuous(Continuous::LogNormal { sigma }) => Self::LogNormal { sigma },
            Kind::Atoms(law) => {
                let (values, cumulative) = law.into_table();
                Self::Values { values, cumulative }
            }
        }
    }
}
