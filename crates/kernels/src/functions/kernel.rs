//! Arithmetic of kernels; the enum itself stands with the table of kernels.

use crate::functions::composite::{Product, Scaled, Sum};
use crate::functions::covariance::{CovarianceKernel, KernelError};
use crate::functions::table::Kernel;

#[cfg(test)]
#[path = "kernel_tests.rs"]
mod tests;

impl Kernel {
    /// The kernel `factor * C`.
    pub fn scaled(self, factor: f64) -> Result<Self, KernelError> {
        Scaled::new(factor, self).map(Self::Scaled)
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

    fn is_isotropic(&self) -> bool {
        self.as_dyn().is_isotropic()
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
