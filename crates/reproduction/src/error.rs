//! Why an experiment could not be run again.

use dpfda::crossval::{CandidateError, FoldError, SelectionError, SurfaceError};
use dpfda::kernels::{GridError, KernelError, SpectrumError};
use dpfda::privacy::{BudgetError, CalibrationError};
use dpfda::release::ReleaseError;
use dpfda::smoothing::{BallError, CurveSetError};
use thiserror::Error;

/// Why an experiment could not be run again. Nothing in it is a value of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReproductionError {
    #[error("the folds hold {folds} records, but not so many curves have no missing value, and only those are used")]
    Records { folds: usize },
    #[error("too few curves have no missing value; ten folds need at least 10")]
    TooFewComplete,
    /// The radius read off the curves bounds nothing; it is private, and not told.
    #[error("the curves are all zero, or too large for double precision")]
    Radius,
    #[error("figure {number} has no simulated curves; those with are 1 and 4 to 10")]
    NotSimulated { number: u8 },
    #[error("figure {number} is not about the real curves; those that are: 2, 3, 11 and 12")]
    NotOfData { number: u8 },
    #[error("the decay p must be finite and above 1, or the curves are not square integrable; got {value}")]
    Decay { value: f64 },
    #[error(transparent)]
    Curves(#[from] CurveSetError),
    #[error(transparent)]
    Selection(#[from] SelectionError),
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    #[error(transparent)]
    Folds(#[from] FoldError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    #[error(transparent)]
    Candidates(#[from] CandidateError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
}
