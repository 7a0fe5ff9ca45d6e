//! Why there is no noise.

use thiserror::Error;

use crate::calibrate::elliptical::EllipticalError;
use crate::calibrate::gaussian::CalibrationError;
use crate::calibrate::mixing::MixingError;
use crate::draw::discrete_laplace::DiscreteLaplaceError;
use crate::draw::rounded_normal::NoiseScaleError;

/// Why there is no noise for a budget.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum NoiseError {
    /// The budget cannot be met by normal noise.
    #[error(transparent)]
    Gaussian(#[from] CalibrationError),
    /// The budget cannot be met by discrete Laplace noise.
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    /// The budget cannot be met by spherical noise, or there is no such law.
    #[error(transparent)]
    Elliptical(#[from] EllipticalError),
    /// The budget cannot be met by noise of a random scale.
    #[error(transparent)]
    Mixing(#[from] MixingError),
    /// The noise would leave the integers.
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
    /// A block that no body has.
    #[error("noise has blocks of at least one coordinate, each with a unit of at least one lattice step")]
    Block,
    /// A purely private law has no use for a delta.
    #[error("this law of noise has delta 0, so a delta of {delta:e} would be left unused: keep it for another release")]
    DeltaUnused {
        /// The delta given.
        delta: f64,
    },
}
