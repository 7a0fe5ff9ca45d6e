//! The types of an ordinary release, for `use dpfda::prelude::*`.

pub use crate::analysis::{
    Band, Difference, Estimated, Ladder, Population, Posterior, SamplingCovariance, SurfacePosterior,
};
pub use crate::crossval::{Candidates, select_after_release};
#[cfg(feature = "density")]
pub use crate::density::{Bounds, Cells, HistogramRelease, PerturbedHistogram, PiecewiseDensity, Points};
pub use crate::kernels::families::*;
pub use crate::kernels::{
    CovarianceKernel, DEFAULT_TOLERANCE, Grid, Kernel, KernelName, Quadrature, Spectrum, SurfaceGrid,
};
pub use crate::mechanism::Release;
#[cfg(feature = "plotting")]
pub use crate::plotting::{DensityFigure, Figure};
pub use crate::privacy::{
    Calibration, GaussianPrivacy, Law, NeighbouringRelation, NonPrivate, PrivacyBudget, PrivacyUnit, Randomness,
    SeededRandomness, SystemRandomness,
};
pub use crate::release::{
    BallShares, Covariate, Dispersion, Functionals, Grouping, Groups, KeptPath, LinearFunctional, Mean, MeanMechanism,
    MeanRelease, MomentsChoice, PathRelease, PrivateFunctionals, PrivateGroups, PrivateMean, PrivatePath,
    PrivateRegression, PrivateRows, Regression, ReleasedFunction, Rows, Surface,
};
pub use crate::smoothing::{Ball, Center, CurveLayout, CurveSet, GridChoice, PenalizedMean, TableFiles, TextColumn};
