//! The exponential (Ornstein-Uhlenbeck) kernel.

use serde::{Deserialize, Serialize};

use crate::functions::covariance::{CovarianceKernel, KernelError, checked_range, read_range};

/// The exponential kernel, whose paths are continuous but nowhere differentiable.
///
/// ```text
/// C(t, s) = exp(-|t - s| / rho)
/// ```
///
/// `C4` in Mirshani, Reimherr and Slavkovic, eq. (6); equal to Matern with `nu = 1/2`. Its length scale is `rho`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exponential {
    #[serde(deserialize_with = "read_range")]
    range: f64,
}

impl Exponential {
    /// An exponential kernel with range `rho`, in units of `t`.
    pub fn new(range: f64) -> Result<Self, KernelError> {
        Ok(Self { range: checked_range(range)? })
    }

    /// The range `rho`.
    pub fn range(&self) -> f64 {
        self.range
    }
}

impl CovarianceKernel for Exponential {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        (-(t - s).abs() / self.range).exp()
    }

    fn derivative(&self, _t: f64, _s: f64) -> Option<f64> {
        None
    }

    fn is_stationary(&self) -> bool {
        true
    }

    fn is_isotropic(&self) -> bool {
        true
    }
}
