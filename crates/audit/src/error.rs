//! Why an audit could not be made.

use dpfda_density::{
    BasisError, BoundsError, CellsError, HistogramError, KsExponentialError, PointsError, SeriesError,
    SeriesExponentialError, SmoothedHistogramError,
};
use dpfda_kernels::{GridError, KernelError, SurfaceGridError};
use dpfda_privacy::{
    BudgetError, CalibrationError, DiscreteLaplaceError, EllipticalError, MixingError, NoiseScaleError,
};
use dpfda_release::{BallShareError, FunctionalsError, GroupsError, PathError, RegressionError, ReleaseError};
use dpfda_smoothing::{BallError, CurveSetError, PenaltyError};
use thiserror::Error;

/// Why an audit could not be made. All data sets in it are synthetic.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AuditError {
    /// A release was not exact sums with the noise that it states, from the same random bits.
    #[error(
        "{mechanism}, data set {data_set}: the release is not the exact sums plus the stated noise; that contradicts its guarantee"
    )]
    OtherNoise {
        /// The mechanism.
        mechanism: &'static str,
        /// The place of the data set in the list.
        data_set: usize,
    },
    /// Two laws of one pair cannot be compared.
    #[error("{mechanism}, pair {pair}: releases of neighbours have different shapes; that contradicts the guarantee")]
    OtherShape {
        /// The mechanism.
        mechanism: &'static str,
        /// The place of the pair in the list.
        pair: usize,
    },
    /// Sums without noise.
    #[error("exact sums cannot be drawn from")]
    NoNoise,
    /// No draws, or more than counts are exact for.
    #[error("an audit needs from 1 to 2^40 draws a side, got {found}")]
    Draws {
        /// The number given.
        found: u64,
    },
    /// A mechanism that is not made for such a budget or relation.
    #[error("{mechanism} is not made for this: {reason}")]
    NotMadeFor {
        /// The mechanism.
        mechanism: &'static str,
        /// Delta or the relation.
        reason: &'static str,
    },
    /// The budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The Gaussian noise.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The mixture.
    #[error(transparent)]
    Mixing(#[from] MixingError),
    /// The Laplace noise.
    #[error(transparent)]
    Laplace(#[from] DiscreteLaplaceError),
    /// The elliptical noise.
    #[error(transparent)]
    Elliptical(#[from] EllipticalError),
    /// The noise scale.
    #[error(transparent)]
    Scale(#[from] NoiseScaleError),
    /// The curves.
    #[error(transparent)]
    Curves(#[from] CurveSetError),
    /// The grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The grid of surfaces.
    #[error(transparent)]
    SurfaceGrid(#[from] SurfaceGridError),
    /// The kernel.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The penalty.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// The ball.
    #[error(transparent)]
    Ball(#[from] BallError),
    /// The shares that buy a ball.
    #[error(transparent)]
    Shares(#[from] BallShareError),
    /// A mean.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A regression.
    #[error(transparent)]
    Regression(#[from] RegressionError),
    /// Groups.
    #[error(transparent)]
    Groups(#[from] GroupsError),
    /// Functionals.
    #[error(transparent)]
    Functionals(#[from] FunctionalsError),
    /// A path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The bounds.
    #[error(transparent)]
    Bounds(#[from] BoundsError),
    /// The points.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// The cells.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// A histogram.
    #[error(transparent)]
    Histogram(#[from] HistogramError),
    /// A smoothed histogram.
    #[error(transparent)]
    Smoothed(#[from] SmoothedHistogramError),
    /// The exponential mechanism.
    #[error(transparent)]
    KsExponential(#[from] KsExponentialError),
    /// A basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// A series.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// The exponential mechanism on series.
    #[error(transparent)]
    SeriesExponential(#[from] SeriesExponentialError),
}
