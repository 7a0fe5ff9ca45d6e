//! Why components, scores or synthetic curves were refused. Everything in an error is public.

use dpfda_kernels::EigenError;
use dpfda_mechanism::rounded;
use thiserror::Error;

use super::MOST_VALUES;
use crate::error::AnalysisError;

/// Why components, scores or synthetic curves were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ComponentsError {
    /// A release of the mean alone.
    #[error(
        "this release holds no second moments, and components are made of them; release with isonormal noise and the \
         moments `mean` or `covariance`, which spends the budget of a new release"
    )]
    NoMoments,
    /// A number of records that covariances cannot be divided by.
    #[error(
        "a covariance needs at least 2 records, and a noisy number of records that is above 10 and above 4 of its standard \
         deviations; this release says {records}"
    )]
    TooFewRecords {
        /// The number of records, noisy where it is private.
        records: f64,
    },
    /// More components than the release shows.
    #[error("{asked} components were asked for, but only {rank} can be told from the privacy noise in this release")]
    Rank {
        /// The number asked for.
        asked: usize,
        /// The number of components that the noise allows.
        rank: usize,
    },
    /// A curve of another length.
    #[error("a curve to be scored must have one value for each of the {expected} points of the release, got {found}")]
    Length {
        /// The number of points of the grid.
        expected: usize,
        /// The number of values given.
        found: usize,
    },
    /// A curve with a gap.
    #[error("a curve to be scored must be finite and at most 1e100 in size, but value {place} (counted from 0) is not")]
    Value {
        /// Which value.
        place: usize,
    },
    /// A variance that may be noise.
    #[error(
        "the total variance of the curves, {}, cannot be told from the privacy noise, whose standard deviation is \
         {}; synthetic curves would show noise alone. They need a total variance above 2 standard deviations: more \
         people, a smaller radius or a larger budget would help",
        rounded(*total),
        rounded(*sd)
    )]
    Indistinct {
        /// The estimated total variance.
        total: f64,
        /// The standard deviation of its privacy noise.
        sd: f64,
    },
    /// No curves, or too many.
    #[error(
        "the number of synthetic curves must be from 1 to {most} on this grid (at most {MOST_VALUES} values), got {found}"
    )]
    Curves {
        /// The number given.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// Bounds that no value is between.
    #[error("the lower bound of synthetic values must be finite and below the upper one, got {lower:?} and {upper:?}")]
    Clip {
        /// The lower bound given.
        lower: f64,
        /// The upper bound given.
        upper: f64,
    },
    /// The analysis that components are made of was refused.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

impl ComponentsError {
    /// The refusal of second moments in the words of components.
    pub(super) fn of_moments(error: AnalysisError) -> Self {
        match error {
            AnalysisError::TooFewRecords { records, .. } => Self::TooFewRecords { records },
            other => Self::Analysis(other),
        }
    }
}

impl From<EigenError> for ComponentsError {
    fn from(error: EigenError) -> Self {
        Self::Analysis(error.into())
    }
}
