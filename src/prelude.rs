//! The types of an ordinary release, for `use dpfda::prelude::*`.

pub use crate::crossval::{Candidates, select_after_release};
pub use crate::density::{Bounds, Cells, HistogramRelease, PerturbedHistogram, PiecewiseDensity, Points};
pub use crate::kernels::families::*;
pub use crate::kernels::{CovarianceKernel, DEFAULT_TOLERANCE, Grid, Kernel, KernelName, Quadrature, Spectrum};
pub use crate::plotting::{DensityFigure, Figure};
pub use crate::privacy::{
    Calibration, GaussianPrivacy, NeighbouringRelation, NonPrivate, PrivacyBudget, PrivacyUnit, Randomness,
    SeededRandomness, SystemRandomness,
};
pub use crate::release::{
    Dispersion, FunctionalNoise, KeptPath, LinearFunctional, Mechanism, PathRelease, PrivateFunctionals, PrivateMean,
    PrivatePath, Release, ReleasedFunction,
};
pub use crate::smoothing::{Ball, Center, CsvLayout, CurveSet, GridChoice, PenalizedMean};
