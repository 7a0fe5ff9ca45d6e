//! Why an experiment could not be run again.

use dpfda::crossval::{CandidateError, FoldError, SelectionError, SurfaceError};
use dpfda::kernels::{GridError, KernelError, SpectrumError};
use dpfda::privacy::{BudgetError, CalibrationError};
use dpfda::release::ReleaseError;
use dpfda::smoothing::{BallError, CurveSetError};
use thiserror::Error;

/// Why an experiment could not be run again. Nothing in it is a value of the curves.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReproductionError {
    /// The folds are of another number of curves; how many have no missing value depends on the data.
    #[error("the folds hold {folds} records, but not so many curves have no missing value, and only those are used")]
    Records {
        /// The records in the folds.
        folds: usize,
    },
    /// Ten folds need ten curves.
    #[error("too few curves have no missing value; ten folds need at least 10")]
    TooFewComplete,
    /// The radius read off the curves bounds nothing; it is private, and not told.
    #[error("the curves are all zero, or too large for double precision")]
    Radius,
    /// The paper has no such figure with simulated curves.
    #[error("figure {number} has no simulated curves; those with are 1 and 4 to 10")]
    NotSimulated {
        /// The number given.
        number: u8,
    },
    /// The paper has no such figure with the real curves.
    #[error("figure {number} is not about the real curves; those that are: 2, 3, 11 and 12")]
    NotOfData {
        /// The number given.
        number: u8,
    },
    /// Simulated curves must be square integrable, whatever the number of terms.
    #[error("the decay p must be finite and above 1, or the curves are not square integrable; got {value}")]
    Decay {
        /// The decay given.
        value: f64,
    },
    /// The simulated curves do not fit their grid.
    #[error(transparent)]
    Curves(#[from] CurveSetError),
    /// No smoother could be chosen.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The chosen smoother has no spectrum on the grid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The curves cannot be divided into ten folds.
    #[error(transparent)]
    Folds(#[from] FoldError),
    /// The grid cannot be used.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The candidates cannot be scored.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// The candidates were refused.
    #[error(transparent)]
    Candidates(#[from] CandidateError),
    /// A kernel was refused.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// No privacy at all can be stated.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The budget was refused.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The ball was refused.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The release was refused.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}
