//! Why components, scores or synthetic curves were refused. Everything in an error is public.

use dpfda_kernels::EigenError;
use dpfda_mechanism::rounded;
use thiserror::Error;

use super::MOST_VALUES;
use crate::error::AnalysisError;

/// Why components, scores or synthetic curves were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ComponentsError {
    #[error(
        "this release holds no second moments, and components are made of them; release with isonormal noise and the \
         moments `mean` or `covariance`, which spends the budget of a new release"
    )]
    NoMoments,
    #[error(
        "a covariance needs at least 2 records, and a noisy number of records that is above 10 and above 4 of its standard \
         deviations; this release says {records}"
    )]
    TooFewRecords {
        /// The number of records, noisy where it is private.
        records: f64,
    },
    #[error("{asked} components were asked for, but only {rank} can be told from the privacy noise in this release")]
    Rank { asked: usize, rank: usize },
    #[error("a curve to be scored must have one value for each of the {expected} points of the release, got {found}")]
    Length { expected: usize, found: usize },
    #[error("a curve to be scored must be finite and at most 1e100 in size, but value {place} (counted from 0) is not")]
    Value { place: usize },
    #[error(
        "the total variance of the curves, {}, cannot be told from the privacy noise, whose standard deviation is \
         {}; synthetic curves would show noise alone. They need a total variance above 2 standard deviations: more \
         people, a smaller radius or a larger budget would help",
        rounded(*total),
        rounded(*sd)
    )]
    Indistinct { total: f64, sd: f64 },
    #[error(
        "the total variance of the curves, {}, cannot be told from the privacy noise, whose standard deviation is \
         {}; centiles would show noise alone. They need a total variance above 2 standard deviations: more \
         people, a smaller radius or a larger budget would help",
        rounded(*total),
        rounded(*sd)
    )]
    IndistinctVariance { total: f64, sd: f64 },
    #[error(
        "the number of synthetic curves must be from 1 to {most} on this grid (at most {MOST_VALUES} values), got {found}"
    )]
    Curves { found: usize, most: usize },
    #[error("the lower bound of synthetic values must be finite and below the upper one, got {lower:?} and {upper:?}")]
    Clip { lower: f64, upper: f64 },
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
