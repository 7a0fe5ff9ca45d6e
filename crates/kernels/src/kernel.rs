//! The closed set of kernels that a release can name in its provenance.

use serde::{Deserialize, Serialize};

use crate::composite::{Product, Scaled, Sum};
use crate::covariance::{CovarianceKernel, KernelError};
use crate::exponential::Exponential;
use crate::gaussian::Gaussian;
use crate::matern::Matern;
use crate::sobolev::Sobolev;

#[cfg(test)]
mod tests;

/// Any kernel that dpfda ships, alone or combined with `+`, `*` and [`Kernel::scaled`].
///
/// A release must be readable in ten years, so the kernels it may name form a closed set; [`CovarianceKernel`] is open
/// for everything that is not written to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case")]
pub enum Kernel {
    /// `exp(-d^2 / rho)`
    Gaussian(Gaussian),
    /// The Matern family.
    Matern(Matern),
    /// `exp(-d / rho)`
    Exponential(Exponential),
    /// The Sobolev kernel of `[0, 1]`.
    Sobolev(Sobolev),
    /// A sum of kernels.
    Sum(Sum),
    /// A product of kernels.
    Product(Product),
    /// A kernel times a factor.
    Scaled(Scaled),
}

impl Kernel {
    /// The kernel `factor * C`.
    ///
    /// # Errors
    /// [`KernelError::Factor`] unless `factor` is positive and finite.
    pub fn scaled(self, factor: f64) -> Result<Self, KernelError> {
        Scaled::new(factor, self).map(Self::Scaled)
    }

    /// The length scale `l` in the convention of scikit-learn and scikit-fda, for kernels that have one.
    pub fn length_scale(&self) -> Option<f64> {
        match self {
            Self::Gaussian(kernel) => Some(kernel.length_scale()),
            Self::Matern(kernel) => Some(kernel.length_scale()),
            Self::Exponential(kernel) => Some(kernel.length_scale()),
            Self::Sobolev(_) | Self::Sum(_) | Self::Product(_) | Self::Scaled(_) => None,
        }
    }

    fn as_dyn(&self) -> &dyn CovarianceKernel {
        match self {
            Self::Gaussian(kernel) => kernel,
            Self::Matern(kernel) => kernel,
            Self::Exponential(kernel) => kernel,
            Self::Sobolev(kernel) => kernel,
            Self::Sum(kernel) => kernel,
            Self::Product(kernel) => kernel,
            Self::Scaled(kernel) => kernel,
        }
    }
}

impl CovarianceKernel for Kernel {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        self.as_dyn().covariance(t, s)
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        self.as_dyn().derivative(t, s)
    }

    fn is_stationary(&self) -> bool {
        self.as_dyn().is_stationary()
    }

    fn domain(&self) -> (f64, f64) {
        self.as_dyn().domain()
    }
}

impl std::ops::Add for Kernel {
    type Output = Self;

    /// The sum of two kernels; sums of sums are kept flat.
    fn add(self, other: Self) -> Self {
        let terms = [self, other].into_iter().flat_map(|kernel| match kernel {
            Self::Sum(sum) => sum.terms().to_vec(),
            single => vec![single],
        });
        Sum::new(terms.collect()).map_or_else(|_| unreachable!("a sum of two kernels has terms"), Self::Sum)
    }
}

impl std::ops::Mul for Kernel {
    type Output = Self;

    /// The product of two kernels; products of products are kept flat.
    fn mul(self, other: Self) -> Self {
        let terms = [self, other].into_iter().flat_map(|kernel| match kernel {
            Self::Product(product) => product.terms().to_vec(),
            single => vec![single],
        });
        Product::new(terms.collect()).map_or_else(|_| unreachable!("a product of two kernels has terms"), Self::Product)
    }
}

impl From<Gaussian> for Kernel {
    fn from(kernel: Gaussian) -> Self {
        Self::Gaussian(kernel)
    }
}

impl From<Matern> for Kernel {
    fn from(kernel: Matern) -> Self {
        Self::Matern(kernel)
    }
}

impl From<Exponential> for Kernel {
    fn from(kernel: Exponential) -> Self {
        Self::Exponential(kernel)
    }
}

impl From<Sobolev> for Kernel {
    fn from(kernel: Sobolev) -> Self {
        Self::Sobolev(kernel)
    }
}
