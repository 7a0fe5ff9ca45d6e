//! Kernels made of kernels: sums, products and scalings stay positive semi-definite.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::functions::covariance::{CovarianceKernel, KernelError, positive};
use crate::functions::table::Kernel;

/// The sum of kernels, `C(t, s) = sum_i C_i(t, s)`: the covariance of a sum of independent processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    #[serde(deserialize_with = "read_terms")]
    terms: Vec<Kernel>,
}

/// The product of kernels, `C(t, s) = prod_i C_i(t, s)`: positive semi-definite by Schur's product theorem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    #[serde(deserialize_with = "read_terms")]
    terms: Vec<Kernel>,
}

/// A kernel times a positive factor, `a C(t, s)`: the covariance of `sqrt(a) Z`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaled {
    #[serde(deserialize_with = "read_factor")]
    factor: f64,
    kernel: Box<Kernel>,
}

impl Sum {
    /// The sum of the given kernels.
    pub fn new(terms: Vec<Kernel>) -> Result<Self, KernelError> {
        Ok(Self { terms: non_empty(terms)? })
    }

    /// The kernels summed.
    pub fn terms(&self) -> &[Kernel] {
        &self.terms
    }
}

impl Product {
    /// The product of the given kernels.
    pub fn new(terms: Vec<Kernel>) -> Result<Self, KernelError> {
        Ok(Self { terms: non_empty(terms)? })
    }

    /// The kernels multiplied.
    pub fn terms(&self) -> &[Kernel] {
        &self.terms
    }
}

impl Scaled {
    /// The kernel `factor * C`.
    pub fn new(factor: f64, kernel: Kernel) -> Result<Self, KernelError> {
        Ok(Self { factor: checked_factor(factor)?, kernel: Box::new(kernel) })
    }

    /// The factor.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The kernel that is scaled.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }
}

fn non_empty(terms: Vec<Kernel>) -> Result<Vec<Kernel>, KernelError> {
    if terms.is_empty() { Err(KernelError::Empty) } else { Ok(terms) }
}

/// The interval on which every one of the kernels is a covariance.
fn common_domain(terms: &[Kernel]) -> (f64, f64) {
    terms
        .iter()
        .map(CovarianceKernel::domain)
        .fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), (l, h)| (low.max(l), high.min(h)))
}

impl CovarianceKernel for Sum {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        self.terms.iter().map(|kernel| kernel.covariance(t, s)).sum()
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        self.terms.iter().map(|kernel| kernel.derivative(t, s)).sum()
    }

    fn is_stationary(&self) -> bool {
        self.terms.iter().all(CovarianceKernel::is_stationary)
    }

    fn is_isotropic(&self) -> bool {
        self.terms.iter().all(CovarianceKernel::is_isotropic)
    }

    fn domain(&self) -> (f64, f64) {
        common_domain(&self.terms)
    }
}

impl CovarianceKernel for Product {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        self.terms.iter().map(|kernel| kernel.covariance(t, s)).product()
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        // (fg)' = f'g + fg', one factor at a time: no division by a covariance that may be zero
        let start = Some((1.0, 0.0));
        let folded = self.terms.iter().fold(start, |state, kernel| {
            let (value, slope) = state?;
            let (c, dc) = (kernel.covariance(t, s), kernel.derivative(t, s)?);
            Some((value * c, slope * c + value * dc))
        });
        folded.map(|(_, slope)| slope)
    }

    fn is_stationary(&self) -> bool {
        self.terms.iter().all(CovarianceKernel::is_stationary)
    }

    fn is_isotropic(&self) -> bool {
        self.terms.iter().all(CovarianceKernel::is_isotropic)
    }

    fn domain(&self) -> (f64, f64) {
        common_domain(&self.terms)
    }
}

impl CovarianceKernel for Scaled {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        self.factor * self.kernel.covariance(t, s)
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        Some(self.factor * self.kernel.derivative(t, s)?)
    }

    fn is_stationary(&self) -> bool {
        self.kernel.is_stationary()
    }

    fn is_isotropic(&self) -> bool {
        self.kernel.is_isotropic()
    }

    fn domain(&self) -> (f64, f64) {
        self.kernel.domain()
    }
}

fn read_terms<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<Kernel>, D::Error> {
    non_empty(Vec::deserialize(source)?).map_err(D::Error::custom)
}

fn checked_factor(factor: f64) -> Result<f64, KernelError> {
    positive(factor, |value| KernelError::Factor { value })
}

fn read_factor<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    checked_factor(f64::deserialize(source)?).map_err(D::Error::custom)
}
