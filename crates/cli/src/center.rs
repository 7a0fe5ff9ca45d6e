//! The public centre: a number, or a curve from a CSV file.

use std::io;
use std::path::{Path, PathBuf};

use dpfda::kernels::Grid;
use dpfda::smoothing::{Ball, BallError, Center, PublicCurve, PublicCurveError};
use thiserror::Error;

use crate::input::whole;
use crate::shown::shown;
use crate::values::CenterArgument;

/// The largest file that is read, in bytes: far more than the points that a grid can have.
const LARGEST_FILE: u64 = 1 << 23;

/// Why a centre was refused. The file may be the private one, given by mistake: nothing in it is shown.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CenterError {
    #[error("`{}` is not a number and cannot be read as a CSV file: {source}", shown(path))]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "{}: {reason}{}",
        shown(path),
        if matches!(reason, PublicCurveError::DoesNotCover { .. }) { " (see --grid)" } else { "" }
    )]
    Curve { path: PathBuf, reason: PublicCurveError },
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
    /// The centre an argument stands for.
    pub fn read(argument: &CenterArgument) -> Result<Self, CenterError> {
        let path = match argument {
            CenterArgument::Constant(value) => return Ok(Self::Constant(*value)),
            CenterArgument::File(path) => path,
        };
        let bytes = whole(path, LARGEST_FILE).map_err(|source| CenterError::Read { path: path.clone(), source })?;
        let curve = PublicCurve::from_csv_reader(bytes.as_slice()).map_err(|reason| of_curve(path, reason))?;
        Ok(Self::Curve(curve, path.clone()))
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
    CenterError::Curve { path: path.to_owned(), reason }
}
