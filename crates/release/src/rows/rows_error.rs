//! Why there are no sums of rows.

use dpfda_kernels::GridError;
use dpfda_privacy::LatticeError;
use dpfda_smoothing::BallError;
use thiserror::Error;

/// The largest number of bins.
pub const MOST_BINS: usize = 10_000;

/// The largest bound on one value, in radii.
pub(crate) const MOST_RADII: f64 = 1024.0;

/// Why there is no such statistic. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RowsError {
    #[error("there must be from 2 to {MOST_BINS} bins, got {found}; 20 are enough for sparse data")]
    Bins { found: usize },
    #[error(
        "the bound on one value must be from the radius, {radius:?}, to {MOST_RADII} times the radius, got {bound:?}: a curve cannot be farther \
         from the centre on average than at one point. Give a larger bound, or a smaller radius"
    )]
    Bound { bound: f64, radius: f64 },
    #[error("the domain cannot be divided into bins: {0}")]
    Domain(#[from] GridError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}
