//! The public centre: a number, or a curve.

use std::path::{Path, PathBuf};

use dpfda::kernels::Grid;
use dpfda::smoothing::{Ball, BallError, Center, PublicCurve, PublicCurveError};
use dpfda_study::CenterValue;
use thiserror::Error;

use crate::shown::shown;

/// Why a centre was refused. Nothing of its file is shown.
#[derive(Debug, Error)]
#[error(
    "{}: {reason}{}",
    shown(path),
    if matches!(reason, PublicCurveError::DoesNotCover { .. }) { " (see --grid)" } else { "" }
)]
pub struct CenterError {
    path: PathBuf,
    reason: PublicCurveError,
}

/// A centre before the grid is known.
#[derive(Debug)]
pub enum PublicCenter {
    /// The same value everywhere.
    Constant(f64),
    /// A curve, and the file that it is from.
    Curve(PublicCurve, PathBuf),
}

impl PublicCenter {
    /// The centre of a study that was checked: a file has been read by then.
    pub fn of(value: &CenterValue) -> Self {
        match value {
            CenterValue::Constant(value) => Self::Constant(*value),
            CenterValue::Curve(curve, path) => {
                Self::Curve(curve.clone(), path.clone().unwrap_or_else(|| PathBuf::from("the centre")))
            }
            CenterValue::File(_) => unreachable!("a checked study has the values of its centre"),
        }
    }

    /// Whether a ball about it may have this radius, before the grid is known.
    pub fn check_ball(&self, radius: f64) -> Result<(), BallError> {
        let constant = if let Self::Constant(value) = self { *value } else { 0.0 };
        Ball::new(Center::Constant(constant), radius).map(|_| ())
    }

    /// The centre on a grid; a curve is interpolated linearly and not extrapolated.
    pub fn on(&self, grid: &Grid) -> Result<Center, CenterError> {
        match self {
            Self::Constant(value) => Ok(Center::Constant(*value)),
            Self::Curve(curve, path) => curve.on(grid).map(Center::Curve).map_err(|reason| of_curve(path, reason)),
        }
    }
}

fn of_curve(path: &Path, reason: PublicCurveError) -> CenterError {
    CenterError { path: path.to_owned(), reason }
}
