//! What `dpfda components` refuses.

use std::io;
use std::path::PathBuf;

use dpfda::analysis::ComponentsError;
use dpfda::smoothing::PublicCurveError;
use thiserror::Error;

use crate::error::own_refusals;
use crate::shown::shown;

/// Why there are no components, scores or synthetic curves. Nothing of a scored curve is shown.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ComponentsRefusal {
    #[error("RELEASE.json: {}{}", .0, advice(.0))]
    Release(#[source] ComponentsError),
    #[error("--curve: cannot read `{}`: {source}; give a CSV file with the columns t,value", shown(path))]
    ReadCurve { path: PathBuf, source: io::Error },
    #[error("--curve (`{}`): {reason}; give a CSV file with the columns t,value", shown(path))]
    Curve { path: PathBuf, reason: PublicCurveError },
    #[error("--synthetic: {0}\nhint: give a number such as 100; more can be drawn at any time, at no cost in privacy")]
    Synthetic(#[source] ComponentsError),
    #[error(
        "--clip: {0}\nhint: give the least and the largest value that a curve can have, such as 0,1, or leave --clip out"
    )]
    Clip(#[source] ComponentsError),
    #[error(
        "--clip: give two numbers, the least and the largest value that a curve can have, such as 0,1; got {found}"
    )]
    TwoBounds { found: usize },
}

own_refusals!(ComponentsRefusal);

/// What to do about a release of the mean alone.
fn advice(error: &ComponentsError) -> &'static str {
    match error {
        ComponentsError::NoMoments => "\nhint: give --moments mean or --moments covariance to the new release",
        _ => "",
    }
}
