#![doc = include_str!("../README.md")]

pub use dpfda_kernels as kernels;
pub use dpfda_plotting as plotting;
pub use dpfda_privacy as privacy;
pub use dpfda_release as release;
pub use dpfda_smoothing as smoothing;

/// The types that a program making and using releases needs.
pub mod prelude {
    pub use crate::kernels::{
        CovarianceKernel, DEFAULT_TOLERANCE, Exponential, Gaussian, Grid, Kernel, KernelName, Matern, Quadrature,
        Sobolev, Spectrum,
    };
    pub use crate::plotting::Figure;
    pub use crate::privacy::{
        Calibration, GaussianPrivacy, NeighbouringRelation, NonPrivate, PrivacyBudget, Randomness, SeededRandomness,
        SystemRandomness,
    };
    pub use crate::release::{Mechanism, PrivateMean, Release, ReleasedFunction};
    pub use crate::smoothing::{Ball, Center, CsvLayout, CurveSet, GridChoice, PenalizedMean, PrivacyUnit};
}
