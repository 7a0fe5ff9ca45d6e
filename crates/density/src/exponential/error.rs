//! Why the exponential mechanism was refused.

use thiserror::Error;

/// The largest epsilon.
pub(super) const MOST_EPSILON: f64 = 1000.0;

/// The most entries of the table of cells and cumulative counts.
pub(super) const MOST_ENTRIES: usize = 1 << 24;

/// The most records.
pub(super) const MOST_RECORDS: u64 = 1 << 36;

/// Why the exponential mechanism with the Kolmogorov-Smirnov distance was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum KsExponentialError {
    /// Epsilon is outside the range of the sampler.
    #[error("epsilon must be above 0 and at most {MOST_EPSILON} for the exponential mechanism, got {value:?}")]
    Epsilon {
        /// The epsilon given.
        value: f64,
    },
    /// Theorem 9 has no delta.
    #[error(
        "delta must be 0 for the exponential mechanism, got {value:e}: Theorem 9 of Wasserman and Zhou is purely private and would leave it unused; keep it for another release"
    )]
    Delta {
        /// The delta given.
        value: f64,
    },
    /// The sampler walks along one axis.
    #[error(
        "the exponential mechanism with the Kolmogorov-Smirnov distance is drawn exactly on one axis, got {dimension}: use the perturbed or the smoothed histogram"
    )]
    SeveralAxes {
        /// The number of axes.
        dimension: usize,
    },
    /// Nothing would be released.
    #[error("the number of draws must be at least 1, got 0")]
    NoDraws,
    /// The table would be too large.
    #[error(
        "{draws} draws on {cells} cells need a table of more than {MOST_ENTRIES} entries, {gibibytes:.1} GiB: use fewer draws or fewer cells"
    )]
    TooLarge {
        /// The number of cells.
        cells: usize,
        /// The number of draws.
        draws: usize,
        /// The memory it would take, in GiB.
        gibibytes: f64,
    },
    /// Points and cells lie on different bounds.
    #[error("the points and the cells must have the same bounds")]
    Bounds,
    /// There is nobody to substitute.
    #[error("under substitute there must be at least one record, got none")]
    NoRecords,
    /// The distances would leave the integers.
    #[error("there may be at most {MOST_RECORDS} records")]
    TooManyRecords,
}
