//! The short names of the one-range kernels, as commands and release files write them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::covariance::KernelError;
use crate::{Exponential, Gaussian, Kernel, Matern, Sobolev};

/// A kernel family that needs nothing but a range: `gaussian`, `matern12`, `matern32`, `matern52`, `matern:NU`,
/// `exponential`, `sobolev`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KernelName {
    /// [`Gaussian`]
    Gaussian,
    /// [`Matern`] with this smoothness.
    Matern(f64),
    /// [`Exponential`]
    Exponential,
    /// [`Sobolev`]
    Sobolev,
}

/// A kernel name that nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "unknown kernel; known are gaussian, matern12, matern32, matern52, matern:NU (NU a positive number), exponential, sobolev"
)]
pub struct UnknownKernel;

impl KernelName {
    /// The kernel of this family with the given range.
    ///
    /// # Errors
    /// [`KernelError`] as the family's constructor.
    pub fn with_range(self, range: f64) -> Result<Kernel, KernelError> {
        Ok(match self {
            Self::Gaussian => Gaussian::new(range)?.into(),
            Self::Matern(nu) => Matern::new(nu, range)?.into(),
            Self::Exponential => Exponential::new(range)?.into(),
            Self::Sobolev => Sobolev::new(range)?.into(),
        })
    }

    /// The name and range of a kernel that has both; `None` for sums, products and scalings.
    pub fn of(kernel: &Kernel) -> Option<(Self, f64)> {
        match kernel {
            Kernel::Gaussian(kernel) => Some((Self::Gaussian, kernel.range())),
            Kernel::Matern(kernel) => Some((Self::Matern(kernel.smoothness()), kernel.range())),
            Kernel::Exponential(kernel) => Some((Self::Exponential, kernel.range())),
            Kernel::Sobolev(kernel) => Some((Self::Sobolev, kernel.range())),
            Kernel::Sum(_) | Kernel::Product(_) | Kernel::Scaled(_) => None,
        }
    }
}

impl FromStr for KernelName {
    type Err = UnknownKernel;

    fn from_str(name: &str) -> Result<Self, UnknownKernel> {
        match name {
            "gaussian" => Ok(Self::Gaussian),
            "matern12" => Ok(Self::Matern(0.5)),
            "matern32" => Ok(Self::Matern(1.5)),
            "matern52" => Ok(Self::Matern(2.5)),
            "exponential" => Ok(Self::Exponential),
            "sobolev" => Ok(Self::Sobolev),
            other => {
                let nu = other.strip_prefix("matern:").and_then(|nu| nu.parse::<f64>().ok());
                nu.filter(|nu| nu.is_finite() && *nu > 0.0).map(Self::Matern).ok_or(UnknownKernel)
            }
        }
    }
}

impl fmt::Display for KernelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gaussian => f.write_str("gaussian"),
            Self::Exponential => f.write_str("exponential"),
            Self::Sobolev => f.write_str("sobolev"),
            Self::Matern(0.5) => f.write_str("matern12"),
            Self::Matern(1.5) => f.write_str("matern32"),
            Self::Matern(2.5) => f.write_str("matern52"),
            Self::Matern(nu) => write!(f, "matern:{nu}"),
        }
    }
}
