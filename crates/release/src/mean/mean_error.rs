//! Why there is no mean.

use dpfda_kernels::{GridError, SpectrumError};
use dpfda_privacy::{ContractionError, LatticeError};
use dpfda_smoothing::BallError;
use thiserror::Error;

/// The most public coordinates of a mean with K-norm noise, whose variance in each grows with their number.
pub const MOST_COORDINATES: usize = 64;

/// Why there is no mean on this grid in this ball.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MeanError {
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error("grid and mechanism call for {expected} coordinates, the plan has {found}")]
    Rank { expected: usize, found: usize },
    #[error(
        "a bound on slopes is not there for a domain that closes up: its norm is that of an interval, and charges a curve nothing for a jump \
         at the end. Leave the bound out, or do not close the domain"
    )]
    SlopeOnCircle,
    #[error("a Sobolev norm has one length for each axis: this domain has {axes}, and the norm has {found}")]
    Lengths { axes: usize, found: usize },
    #[error(
        "the number of coordinates must be from 1 to {most}, got {found}: there are no more coordinates than points, and above \
         {MOST_COORDINATES} the noise of each, which grows with their number, hides them all"
    )]
    Coordinates { most: usize, found: usize },
    #[error(
        "on a domain that closes up the number of coordinates must be odd, or that of all points, got {found}: a cosine without its sine \
          would make the release depend on where the domain begins"
    )]
    EvenOnCircle { found: usize },
    #[error(
        "second moments are released with isonormal noise alone: the coordinates of the Cameron-Martin mechanism are those of \
         smoothed curves"
    )]
    MomentsOfSmoothed,
    #[error("second moments are released with a delta above 0 alone: their noise is normal")]
    MomentsWithoutDelta,
    #[error(
        "the noise of second moments would leave the range of the integers at this budget, and tell nothing; the mean alone can be \
         released with much less budget"
    )]
    MomentsBudget,
    #[error(transparent)]
    Basis(#[from] ContractionError),
    #[error(
        "a mean of surfaces has isonormal noise with a delta above 0, in the ball or with a roughness along each axis: {what} belongs to \
         curves, because its functions are those of one axis. Leave it out"
    )]
    OnRectangle { what: &'static str },
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}
