//! Why an audit could not be made.

use dpfda_density::{
    BasisError, BoundsError, CellsError, HistogramError, KsExponentialError, PointsError, SeriesError,
    SeriesExponentialError, SmoothedHistogramError,
};
use dpfda_kernels::{GridError, KernelError, SurfaceGridError};
use dpfda_privacy::{
    BudgetError, CalibrationError, DiscreteLaplaceError, EllipticalError, MixingError, NoiseScaleError,
};
use dpfda_release::{
    BallShareError, ChangeError, FunctionalsError, GroupsError, PathError, RegressionError, ReleaseError,
};
use dpfda_smoothing::{BallError, CurveSetError, PenaltyError};
use thiserror::Error;

/// Why an audit could not be made. All data sets in it are synthetic.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AuditError {
    #[error(
        "{mechanism}, data set {data_set}: the release is not the exact sums plus the stated noise; that contradicts its guarantee"
    )]
    OtherNoise { mechanism: &'static str, data_set: usize },
    #[error("{mechanism}, pair {pair}: releases of neighbours have different shapes; that contradicts the guarantee")]
    OtherShape { mechanism: &'static str, pair: usize },
    #[error("exact sums cannot be drawn from")]
    NoNoise,
    #[error("an audit needs from 1 to 2^40 draws a side, got {found}")]
    Draws { found: u64 },
    #[error("{mechanism} is not made for this: {reason}")]
    NotMadeFor { mechanism: &'static str, reason: &'static str },
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    #[error(transparent)]
    Mixing(#[from] MixingError),
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    #[error(transparent)]
    Elliptical(#[from] EllipticalError),
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
    #[error(transparent)]
    Curves(#[from] CurveSetError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    SurfaceGrid(#[from] SurfaceGridError),
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    #[error(transparent)]
    Ball(#[from] BallError),
    #[error(transparent)]
    Shares(#[from] BallShareError),
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    Regression(#[from] RegressionError),
    #[error(transparent)]
    Groups(#[from] GroupsError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Functionals(#[from] FunctionalsError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Bounds(#[from] BoundsError),
    #[error(transparent)]
    Points(#[from] PointsError),
    #[error(transparent)]
    Cells(#[from] CellsError),
    #[error(transparent)]
    Histogram(#[from] HistogramError),
    #[error(transparent)]
    Smoothed(#[from] SmoothedHistogramError),
    #[error(transparent)]
    KsExponential(#[from] KsExponentialError),
    #[error(transparent)]
    Basis(#[from] BasisError),
    #[error(transparent)]
    Series(#[from] SeriesError),
    #[error(transparent)]
    SeriesExponential(#[from] SeriesExponentialError),
}
