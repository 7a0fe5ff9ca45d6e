//! Covariance kernels, quadrature grids and their Mercer spectra: the functional half of dpfda.
//!
//! Nothing in this crate knows about people or privacy. A [`Kernel`] and a [`Grid`] make a [`Spectrum`]:
//! the eigenvalues and eigenfunctions that smoothing, noise and releases are written in.

mod centrosymmetric;
mod composite;
mod covariance;
mod eigensolver;
mod exponential;
mod gaussian;
mod grid;
mod kernel;
mod kernel_name;
mod matern;
mod sobolev;
mod spectrum;

pub use composite::{Product, Scaled, Sum};
pub use covariance::{CovarianceKernel, KernelError};
pub use eigensolver::EigenError;
pub use exponential::Exponential;
pub use gaussian::Gaussian;
pub use grid::{Grid, GridError, Quadrature};
pub use kernel::Kernel;
pub use kernel_name::{KernelName, UnknownKernel};
pub use matern::Matern;
pub use sobolev::Sobolev;
pub use spectrum::{DEFAULT_TOLERANCE, Spectrum, SpectrumError};
