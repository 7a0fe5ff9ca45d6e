//! Why a chart of centiles was refused.

use dpfda_privacy::LatticeError;
use dpfda_smoothing::BallError;
use thiserror::Error;

/// Why a chart of centiles was refused. Nothing in it depends on the values of curves.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CentilesError {
    #[error("centiles need bounds: the least and the largest value that a curve can have")]
    NoBounds,
    #[error("the centre must lie between the bounds {lower:?} and {upper:?}, got {value:?}")]
    Center { lower: f64, upper: f64, value: f64 },
    #[error(
        "the mean absolute distance from the centre is at most {most:?} for all that lies between the bounds, got {value:?}"
    )]
    Distance { most: f64, value: f64 },
    #[error("there must be from 3 to {most} levels, got {found}")]
    Levels { most: usize, found: usize },
    #[error("a chart shows from 1 to {most} centiles, got {found}")]
    Number { most: usize, found: usize },
    #[error(
        "a centile is a percentage from 2 to 98, got {value:?}: outside, the noise leaves nothing to say. 5,25,50,75,95 are usual"
    )]
    Centile { value: f64 },
    #[error("centiles must be given in their order, each once: {first} stands before {second}")]
    Order { first: f64, second: f64 },
    #[error(
        "the {centile}% centile needs {least} records at least, so that 10 lie beyond it; there are {found}. Leave it out"
    )]
    TooFewBeyond { centile: f64, least: u64, found: u64 },
    #[error(
        "a chart with this budget needs {least} records at least: the noise of {found} would hide how people differ"
    )]
    TooNoisy { least: u64, found: u64 },
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}
