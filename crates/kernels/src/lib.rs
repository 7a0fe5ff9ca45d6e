//! Covariance kernels, quadrature grids and their Mercer spectra.
//!
//! Nothing in this crate knows about people or privacy. A [`Kernel`] and a [`Grid`] make a [`Spectrum`]: eigenvalues and
//! eigenfunctions. Smoothing, noise and releases use coordinates with respect to these eigenfunctions.
//!
//! ```
//! use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, Matern, Spectrum};
//!
//! let kernel = Kernel::from(Matern::new(2.5, 0.2)?);
//! let grid = Grid::uniform(0.0, 1.0, 93)?;
//! let spectrum = Spectrum::new(kernel, grid, DEFAULT_TOLERANCE)?;
//!
//! // the eigenvalues, largest first, sum to the integrated variance of the process
//! assert!((spectrum.eigenvalues()[0] - 0.413_375_929_878).abs() < 1e-9);
//! assert!((spectrum.eigenvalues().sum() - 1.0).abs() < 1e-9);
//!
//! // eigenfunctions are known at the grid's points, and anywhere else
//! assert_eq!(spectrum.eigenfunctions().dim(), (93, spectrum.rank()));
//! assert_eq!(spectrum.eigenfunctions_at(0.123).len(), spectrum.rank());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod domain;
mod functions;
mod grid;
mod mercer;
mod surface_grid;

pub use cell::Cell;
pub use domain::Domain;
pub use functions::composite::{Product, Scaled, Sum};
pub use functions::covariance::{CovarianceKernel, KernelError};
pub use functions::domain_kernel::DomainKernel;
pub use functions::kernel_name::UnknownKernel;
#[doc(inline)]
pub use functions::table::families::*;
pub use functions::table::{Kernel, KernelName, families};
pub use grid::{Grid, GridError, LARGEST_WIDTH, LEAST_STEP, LEAST_WIDTH, Quadrature};
pub use mercer::centrosymmetric::eigenpairs;
pub use mercer::eigensolver::{EigenError, Eigenpairs};
pub use mercer::spectrum::{DEFAULT_TOLERANCE, Spectrum, SpectrumError};
pub use surface_grid::{MOST_SURFACE_POINTS, PLACE_TOLERANCE, SurfaceGrid, SurfaceGridError};
