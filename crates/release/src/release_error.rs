//! Why a release was refused.

use dpfda_kernels::{GridError, KernelError, SpectrumError};
use dpfda_mechanism::{MechanismError, PartialError};
use dpfda_privacy::{CalibrationError, NoiseError};
use dpfda_smoothing::{BallError, PenaltyError};
use thiserror::Error;

use crate::centiles::centiles_error::CentilesError;
use crate::coordinates::sobolev::LengthError;
use crate::mean::mean_error::MeanError;
use crate::rows::rows_error::RowsError;

/// Why a release was refused. Nothing in it depends on the values of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReleaseError {
    /// The penalty of this mechanism acts before the noise, and its default would need the private `N`.
    #[error(
        "the Cameron-Martin mechanism needs an explicit penalty here: its default is computed from the number of records, which is \
         private under add-remove, and not known yet where curves come in parts or from a stream"
    )]
    PenaltyNeeded,
    #[error(
        "a centre or a radius can be bought for isonormal noise alone: the smoother of the Cameron-Martin mechanism acts before the \
         noise and depends on the radius. State a radius, and buy none"
    )]
    BoughtSmoothed,
    #[error(
        "a centre can be bought where curves are gone through twice: from an array, files, a stream or parts, and not from rows of a long table. \
         State a centre, and buy none (a centre share of none)"
    )]
    CenterNeedsCurves,
    #[error(
        "parts buy a centre in two steps of `dpfda merge`, and not here: state a centre, and buy none (a centre share of none)"
    )]
    CenterNeedsSteps,
    #[error("no centre is bought by this plan: its records are encoded once")]
    BuysNoCenter,
    #[error(
        "a bound on roughness or slope belongs to isonormal noise: the Cameron-Martin mechanism has a norm of its own"
    )]
    RoughSmoothed,
    #[error(
        "the largest root-mean-square slope must be positive and finite, and at least {least:?} here, got {value:?}: below, every curve \
         would count as its average"
    )]
    Slope { least: f64, value: f64 },
    #[error("the length of the roughness must be from {least:?} to {most:?} in the units of the grid, got {value:?}")]
    Length { least: f64, most: f64, value: f64 },
    #[error(transparent)]
    Lengths(LengthError),
    #[error(
        "nobody knows the largest half-Sobolev norm of a curve: with a bound on roughness the radius must be bought. Leave the radius \
         share as it is, or state the largest slope instead"
    )]
    RoughnessNeedsRadius,
    #[error("the noise of a mean with a bound on roughness or slope, or with delta 0, is not white on the mean itself")]
    NotWhite,
    #[error(
        "with delta 0 the ball is stated: what buys a centre or a radius is normal noise, which needs a delta above 0. State a radius that \
         you know, and buy nothing"
    )]
    BoughtWithoutDelta,
    #[error(
        "with delta 0 the bound is the ball alone: leave the bound on roughness or slope out, or choose a delta above 0"
    )]
    RoughWithoutDelta,
    #[error(
        "a number of coordinates belongs to isonormal noise with delta 0, which grows with it; with a delta above 0 the noise does not, and \
         all coordinates are released"
    )]
    CoordinatesWithDelta,
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Mean(MeanError),
    #[error(transparent)]
    Rows(RowsError),
    #[error(transparent)]
    Centiles(CentilesError),
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
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

impl From<CentilesError> for ReleaseError {
    fn from(error: CentilesError) -> Self {
        match error {
            CentilesError::Ball(error) => error.into(),
            CentilesError::Lattice(error) => MechanismError::from(error).into(),
            other => Self::Centiles(other),
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
