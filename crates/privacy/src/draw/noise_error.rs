//! Why there is no noise.

use thiserror::Error;

use crate::calibrate::elliptical::EllipticalError;
use crate::calibrate::gaussian::CalibrationError;
use crate::calibrate::mixing::MixingError;
use crate::draw::discrete_laplace::DiscreteLaplaceError;
use crate::draw::rounded_normal::NoiseScaleError;

/// Why there is no noise for a budget.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoiseError {
    #[error(transparent)]
    Gaussian(#[from] CalibrationError),
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    #[error(transparent)]
    Elliptical(#[from] EllipticalError),
    #[error(transparent)]
    Mixing(#[from] MixingError),
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
    #[error("noise has blocks of at least one coordinate, each with a unit of at least one lattice step")]
    Block,
    #[error(
        "K-norm noise of a cylinder is for sums in a Euclidean ball and their private number of records: use it with add-remove"
    )]
    Cylinder,
    #[error("this law of noise has delta 0, so a delta of {delta:e} would be left unused: keep it for another release")]
    DeltaUnused { delta: f64 },
}
