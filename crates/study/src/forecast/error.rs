//! Why nothing is foretold.

use dpfda::mechanism::exact;
use dpfda::release::MAX_RECORDS;
use thiserror::Error;

use crate::blame::Blamed;
use crate::refusal::Refusal;

/// The most points of a grid, and the most values of a subject.
pub const MOST_POINTS: usize = 5000;
pub const MOST_VALUES: usize = 1_000_000;

/// Why nothing is foretold. Everything in the error is public.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ForecastError {
    #[error(transparent)]
    Study(Refusal),
    #[error("the error of a density is not foretold")]
    Density,
    #[error("the number of points must be from 2 to {MOST_POINTS}, got {found}")]
    Points { found: usize },
    #[error("a subject has from 1 to {MOST_VALUES} values, got {found}")]
    Values { found: usize },
    #[error("people must differ by more than 0, and at most by the stated radius {}, got {}", exact(*.radius), exact(*.found))]
    Spread { radius: f64, found: f64 },
    #[error("a number of records is from 2 to {MAX_RECORDS}, got {found}")]
    Records { found: u64 },
    #[error("an error must be positive and finite, got {found:?}")]
    Error { found: f64 },
    #[error("no release reaches an error of {error:?}, not even of {MAX_RECORDS} records")]
    Unreachable { error: f64 },
}

impl<E: Blamed> From<E> for ForecastError {
    fn from(error: E) -> Self {
        Self::Study(error.into())
    }
}

impl From<Refusal> for ForecastError {
    fn from(refusal: Refusal) -> Self {
        Self::Study(refusal)
    }
}

impl ForecastError {
    /// The argument of a forecast that has to change; `None` where it is the study.
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Study(_) => None,
            Self::Density => Some("kind"),
            Self::Points { .. } => Some("points"),
            Self::Values { .. } => Some("points_per_subject"),
            Self::Spread { .. } => Some("spread"),
            Self::Records { .. } => Some("records"),
            Self::Error { .. } | Self::Unreachable { .. } => Some("error"),
        }
    }
}
