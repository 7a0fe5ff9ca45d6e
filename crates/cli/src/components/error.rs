//! What `dpfda components` and `dpfda simulate` refuse.

use std::io;
use std::path::PathBuf;

use dpfda::analysis::ComponentsError;
use dpfda::smoothing::PublicCurveError;
use thiserror::Error;

use crate::shown::shown;

/// Why there are no components, scores or synthetic curves. Nothing of a scored curve is shown.
#[derive(Debug, Error)]
pub enum ComponentsRefusal {
    /// The release does not hold what is needed.
    #[error("RELEASE.json: {}{}", .0, advice(.0))]
    Release(#[source] ComponentsError),
    /// The file of a curve to be scored cannot be read.
    #[error("--curve: cannot read `{}`: {source}; give a CSV file with the columns t,value", shown(path))]
    ReadCurve {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file holds no curve on the domain of the release.
    #[error("--curve (`{}`): {reason}; give a CSV file with the columns t,value", shown(path))]
    Curve {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: PublicCurveError,
    },
    /// A number of synthetic curves that is not drawn.
    #[error("--curves: {0}\nhint: give a number such as 100; more can be drawn at any time, at no cost in privacy")]
    Curves(#[source] ComponentsError),
    /// Bounds that no value is between.
    #[error(
        "--clip: {0}\nhint: give the least and the largest value that a curve can have, such as 0,1, or leave --clip out"
    )]
    Clip(#[source] ComponentsError),
    /// Not two bounds.
    #[error(
        "--clip: give two numbers, the least and the largest value that a curve can have, such as 0,1; got {found}"
    )]
    TwoBounds {
        /// The number of numbers given.
        found: usize,
    },
}

/// What to do about a release of the mean alone.
fn advice(error: &ComponentsError) -> &'static str {
    match error {
        ComponentsError::NoMoments => "\nhint: give --moments mean or --moments covariance to the new release",
        _ => "",
    }
}
