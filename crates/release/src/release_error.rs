//! Why a release was refused.

use dpfda_kernels::{GridError, KernelError, SpectrumError};
use dpfda_mechanism::{MechanismError, PartialError};
use dpfda_privacy::{CalibrationError, NoiseError};
use dpfda_smoothing::{BallError, PenaltyError};
use thiserror::Error;

use crate::mean::mean_error::MeanError;
use crate::rows::rows_error::RowsError;

/// Why a release was refused. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReleaseError {
    /// The penalty of this mechanism acts before the noise, and its default would need the private `N`.
    #[error(
        "the Cameron-Martin mechanism needs an explicit penalty here: its default is computed from the number of records, which is \
         private under add-remove, and not known yet where curves come in parts or from a stream"
    )]
    PenaltyNeeded,
    /// The Cameron-Martin mechanism keeps the ball that is stated.
    #[error(
        "a centre or a radius can be bought for isonormal noise alone: the smoother of the Cameron-Martin mechanism acts before the \
         noise and depends on the radius. State a radius, and buy none"
    )]
    BoughtSmoothed,
    /// A centre that would be bought from records that are gone through once.
    #[error(
        "a centre can be bought where curves are gone through twice: from an array, files, a stream or parts, and not from rows of a long table. \
         State a centre, and buy none (a centre share of none)"
    )]
    CenterNeedsCurves,
    /// Parts of a plan that buys a centre, as if they were encoded once.
    #[error(
        "parts buy a centre in two steps of `dpfda merge`, and not here: state a centre, and buy none (a centre share of none)"
    )]
    CenterNeedsSteps,
    /// Records that would be encoded twice, for a plan that needs them once.
    #[error("no centre is bought by this plan: its records are encoded once")]
    BuysNoCenter,
    /// A bound on roughness for noise that is not isonormal.
    #[error(
        "a bound on roughness or slope belongs to isonormal noise: the Cameron-Martin mechanism has a norm of its own"
    )]
    RoughSmoothed,
    /// A largest slope that is no bound.
    #[error(
        "the largest root-mean-square slope must be positive and finite, and at least {least:?} here, got {value:?}: below, every curve \
         would count as its average"
    )]
    Slope {
        /// The least slope that makes a norm.
        least: f64,
        /// The slope given.
        value: f64,
    },
    /// A length of roughness outside its range.
    #[error("the length of the roughness must be from {least:?} to {most:?} in the units of the grid, got {value:?}")]
    Length {
        /// A millionth of the domain.
        least: f64,
        /// Ten thousand times the domain.
        most: f64,
        /// The length given.
        value: f64,
    },
    /// A half-Sobolev body whose radius nobody knows.
    #[error(
        "nobody knows the largest half-Sobolev norm of a curve: with a bound on roughness the radius must be bought. Leave the radius \
         share as it is, or state the largest slope instead"
    )]
    RoughnessNeedsRadius,
    /// Noise in other coordinates, asked for as white noise.
    #[error("the noise of a mean with a bound on roughness or slope, or with delta 0, is not white on the mean itself")]
    NotWhite,
    /// A ball that would be bought without a delta.
    #[error(
        "with delta 0 the ball is stated: what buys a centre or a radius is normal noise, which needs a delta above 0. State a radius that \
         you know, and buy nothing"
    )]
    BoughtWithoutDelta,
    /// A bound on roughness without a delta.
    #[error(
        "with delta 0 the bound is the ball alone: leave the bound on roughness or slope out, or choose a delta above 0"
    )]
    RoughWithoutDelta,
    /// Coordinates for noise that is on all of the mean.
    #[error(
        "a number of coordinates belongs to isonormal noise with delta 0, which grows with it; with a delta above 0 the noise does not, and \
         all coordinates are released"
    )]
    CoordinatesWithDelta,
    /// The grid cannot be mapped to the unit interval.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The kernel is unusable.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The smoother is unusable.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// The ball does not fit the curves.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The kernel has no spectrum on this grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The mean cannot be encoded.
    #[error(transparent)]
    Mean(MeanError),
    /// Bins, a bound on one value or a domain that cannot be.
    #[error(transparent)]
    Rows(RowsError),
    /// Too few or too many records, or no noise for the budget.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// Parts that do not belong together.
    #[error(transparent)]
    Partial(#[from] PartialError),
}

impl From<MeanError> for ReleaseError {
    fn from(error: MeanError) -> Self {
        match error {
            MeanError::Grid(error) => error.into(),
            MeanError::Ball(error) => error.into(),
            MeanError::Spectrum(error) => error.into(),
            other => Self::Mean(other),
        }
    }
}

impl From<RowsError> for ReleaseError {
    fn from(error: RowsError) -> Self {
        match error {
            RowsError::Ball(error) => error.into(),
            RowsError::Lattice(error) => MechanismError::from(error).into(),
            other => Self::Rows(other),
        }
    }
}

impl From<CalibrationError> for ReleaseError {
    fn from(error: CalibrationError) -> Self {
        MechanismError::from(NoiseError::from(error)).into()
    }
}

impl From<NoiseError> for ReleaseError {
    fn from(error: NoiseError) -> Self {
        MechanismError::from(error).into()
    }
}
