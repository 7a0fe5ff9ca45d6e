//! The Gaussian (squared exponential) kernel.

use serde::{Deserialize, Serialize};

use crate::functions::covariance::{CovarianceKernel, FAR, KernelError, checked_range, read_range};

/// The Gaussian kernel. Its paths have every derivative.
///
/// ```text
/// C(t, s) = exp(-(t - s)^2 / rho)
/// ```
///
/// The range `rho` is in squared units of `t` and carries no factor 2, as `C1` in Mirshani, Reimherr and
/// Slavkovic, eq. (6). The length scale `l` of scikit-learn and scikit-fda, `exp(-d^2 / (2 l^2))`, is `rho = 2 l^2`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gaussian {
    #[serde(deserialize_with = "read_range")]
    range: f64,
}

impl Gaussian {
    /// A Gaussian kernel with range `rho`.
    pub fn new(range: f64) -> Result<Self, KernelError> {
        Ok(Self { range: checked_range(range)? })
    }

    /// The range `rho`.
    pub fn range(&self) -> f64 {
        self.range
    }
}

impl CovarianceKernel for Gaussian {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        let d = t - s;
        (-d * d / self.range).exp()
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        let d = t - s;
        let exponent = d * d / self.range;
        Some(if exponent < FAR { -2.0 * d / self.range * (-exponent).exp() } else { 0.0 })
    }

    fn is_stationary(&self) -> bool {
        true
    }

    fn is_isotropic(&self) -> bool {
        true
    }
}
