//! The Sobolev kernel of the unit interval.

use serde::{Deserialize, Serialize};

use crate::functions::covariance::{CovarianceKernel, KernelError, checked_range, read_range};

/// The reproducing kernel of the first-order Sobolev space on `[0, 1]`.
///
/// ```text
/// C(t, s) = rho / sinh(rho) * cosh(rho (1 - max(t, s))) * cosh(rho min(t, s)),   0 <= t, s <= 1
/// ```
///
/// The kernel reproduces the norm `||f||^2 + ||f'||^2 / rho^2` and is the fourth kernel of the PFDA R package. A *larger*
/// `rho` means a shorter memory: away from the ends, `C` is about `rho/2 exp(-rho |t - s|)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sobolev {
    #[serde(deserialize_with = "read_range")]
    range: f64,
}

impl Sobolev {
    /// A Sobolev kernel with parameter `rho`.
    pub fn new(range: f64) -> Result<Self, KernelError> {
        Ok(Self { range: checked_range(range)? })
    }

    /// The parameter `rho`.
    pub fn range(&self) -> f64 {
        self.range
    }

    /// `2 cosh(rho x) exp(-rho x)`: the hyperbolic cosine itself would overflow for large `rho`.
    fn scaled_cosh(self, x: f64) -> f64 {
        1.0 + (-2.0 * self.range * x).exp()
    }

    /// `rho / (1 - exp(-2 rho)) / 2`, the factor of the kernel beside `exp(-rho |t - s|)` and the scaled cosines.
    fn amplitude(self) -> f64 {
        self.range / (-(-2.0 * self.range).exp_m1()) / 2.0
    }
}

impl CovarianceKernel for Sobolev {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        let (low, high) = (t.min(s), t.max(s));
        let decay = (-self.range * (high - low)).exp();
        self.amplitude() * decay * self.scaled_cosh(1.0 - high) * self.scaled_cosh(low)
    }

    fn derivative(&self, _t: f64, _s: f64) -> Option<f64> {
        None
    }

    fn domain(&self) -> (f64, f64) {
        (0.0, 1.0)
    }
}
