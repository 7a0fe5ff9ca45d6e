//! Why draws from a smoothed histogram were refused.

use thiserror::Error;

use crate::cells::MAX_DRAWS;

/// Why draws from a smoothed histogram were refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SmoothedHistogramError {
    #[error(
        "epsilon must be positive for draws from a smoothed histogram, got {value:?}: with 0 they would ignore the data"
    )]
    Epsilon { value: f64 },
    #[error(
        "delta must be 0 for draws from a smoothed histogram, got {value:e}: Theorem 5 of Wasserman and Zhou is purely private and would leave it unused; keep it for another release, or use a Gaussian mechanism"
    )]
    Delta { value: f64 },
    #[error(
        "a smoothed histogram needs a public number of records: under add/remove it is private, and the condition of Theorem 5 would have to hold even for one record, with a mixture that drowns any larger data set; use substitute, or the perturbed histogram"
    )]
    AddRemove,
    #[error("a smoothed histogram needs at least one record, got none")]
    NoRecords,
    #[error("the number of draws must be from 1 to {MAX_DRAWS}, got {value}")]
    Draws { value: usize },
    #[error(
        "the mixture must be above 0 and below 1, got {value:?}: at 0 an empty cell tells of everybody that they are not in it, at 1 nothing of the data is left"
    )]
    Mixture { value: f64 },
    #[error(
        "the condition of Theorem 5 is violated: with this mixture {draws} draws cost epsilon = {loss}, more than {epsilon}; use fewer draws, fewer cells or a larger mixture"
    )]
    Condition {
        draws: usize,
        /// What they cost, rounded up.
        loss: f64,
        epsilon: f64,
    },
    #[error(
        "epsilon = {epsilon:e} is too small for {draws} draws in {cells} cells: by Theorem 5 nothing of the data would be left; use fewer draws or fewer cells"
    )]
    NothingLeft { draws: usize, cells: usize, epsilon: f64 },
    #[error("the points and the cells must have the same bounds")]
    Bounds,
    #[error("the public number of records is stated as {stated}, but there are {found}")]
    OtherRecords {
        stated: u64,
        /// The number found, public under substitute-one.
        found: u64,
    },
}
