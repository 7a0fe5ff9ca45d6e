//! Why there is no mean.

use dpfda_kernels::{GridError, SpectrumError};
use dpfda_privacy::{ContractionError, LatticeError};
use dpfda_smoothing::BallError;
use thiserror::Error;

/// The most public coordinates of a mean with K-norm noise, whose variance in each grows with their number.
pub const MOST_COORDINATES: usize = 64;

/// Why there is no mean on this grid in this ball.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeanError {
    /// The grid cannot be mapped to the unit interval.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The ball does not fit the grid.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The kernel has no spectrum on this grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The plan states another number of coordinates than its kernel has on this grid.
    #[error("grid and mechanism call for {expected} coordinates, the plan has {found}")]
    Rank {
        /// The number that grid and mechanism call for.
        expected: usize,
        /// The number that is stated.
        found: usize,
    },
    /// A bound on roughness on a circle.
    #[error(
        "a bound on slopes or on roughness is not there for a domain that closes up: its norm is that of an interval, and charges a curve \
         nothing for a jump at the end. Leave the bound out, or do not close the domain"
    )]
    RoughnessOnCircle,
    /// No coordinates, or more than there are.
    #[error(
        "the number of coordinates must be from 1 to {most}, got {found}: there are no more coordinates than points, and above \
         {MOST_COORDINATES} the noise of each, which grows with their number, hides them all"
    )]
    Coordinates {
        /// The most on this grid.
        most: usize,
        /// The number given.
        found: usize,
    },
    /// A cosine without its sine.
    #[error(
        "on a domain that closes up the number of coordinates must be odd, or that of all points, got {found}: a cosine without its sine \
          would make the release depend on where the domain begins"
    )]
    EvenOnCircle {
        /// The number given.
        found: usize,
    },
    /// Second moments of other coordinates than those of the curves.
    #[error(
        "second moments are released with isonormal noise alone: the coordinates of the Cameron-Martin mechanism are those of \
         smoothed curves"
    )]
    MomentsOfSmoothed,
    /// Second moments without a delta.
    #[error("second moments are released with a delta above 0 alone: their noise is normal")]
    MomentsWithoutDelta,
    /// Second moments at a budget too small for them.
    #[error(
        "the noise of second moments would leave the range of the integers at this budget, and tell nothing; the mean alone can be \
         released with much less budget"
    )]
    MomentsBudget,
    /// Smooth functions that are not orthonormal on this grid.
    #[error(transparent)]
    Basis(#[from] ContractionError),
    /// What only one axis has.
    #[error(
        "a mean of surfaces has isonormal noise with a delta above 0, and the ball alone: {what} belongs to curves, because its functions \
         are those of one axis. Leave it out"
    )]
    OnRectangle {
        /// What was asked for.
        what: &'static str,
    },
    /// Too many points, or second moments of too many coordinates.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}
