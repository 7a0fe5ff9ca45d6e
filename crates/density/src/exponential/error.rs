//! Why the exponential mechanism was refused.

use thiserror::Error;

/// The largest epsilon.
pub(super) const MOST_EPSILON: f64 = 1000.0;

/// The most entries of the table of cells and cumulative counts.
pub(super) const MOST_ENTRIES: usize = 1 << 24;

pub(super) const MOST_RECORDS: u64 = 1 << 36;

/// Why the exponential mechanism with the Kolmogorov-Smirnov distance was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum KsExponentialError {
    #[error("epsilon must be above 0 and at most {MOST_EPSILON} for the exponential mechanism, got {value:?}")]
    Epsilon { value: f64 },
    #[error(
        "delta must be 0 for the exponential mechanism, got {value:e}: Theorem 9 of Wasserman and Zhou is purely private and would leave it unused; keep it for another release"
    )]
    Delta { value: f64 },
    #[error(
        "the exponential mechanism with the Kolmogorov-Smirnov distance is drawn exactly on one axis, got {dimension}: use the perturbed or the smoothed histogram"
    )]
    SeveralAxes { dimension: usize },
    #[error("the number of draws must be at least 1, got 0")]
    NoDraws,
    #[error(
        "{draws} draws on {cells} cells need a table of more than {MOST_ENTRIES} entries, {gibibytes:.1} GiB: use fewer draws or fewer cells"
    )]
    TooLarge { cells: usize, draws: usize, gibibytes: f64 },
    #[error("the points and the cells must have the same bounds")]
    Bounds,
    #[error("under substitute there must be at least one record, got none")]
    NoRecords,
    #[error("there may be at most {MOST_RECORDS} records")]
    TooManyRecords,
}
