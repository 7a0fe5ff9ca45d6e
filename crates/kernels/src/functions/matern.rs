//! The Matern family.

use complex_bessel::besselk_scaled;
use libm::tgamma as gamma;
use num_complex::Complex;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::functions::covariance::{CovarianceKernel, FAR, KernelError, checked_range, positive, read_range};

#[cfg(test)]
#[path = "matern_tests.rs"]
mod tests;

/// The Matern kernel of smoothness `nu > 0`.
///
/// ```text
/// C(t, s) = 2^{1-nu} / Gamma(nu) * x^nu * K_nu(x),   x = sqrt(2 nu) |t - s| / rho
/// ```
///
/// For `nu` = 1/2, 3/2 and 5/2 the kernel has closed forms (`C4`, `C3`, `C2` in Mirshani, Reimherr and Slavkovic, eq. (6)).
/// The length scale of scikit-learn and scikit-fda is `rho` itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matern {
    #[serde(deserialize_with = "read_smoothness")]
    nu: f64,
    #[serde(deserialize_with = "read_range")]
    range: f64,
}

/// From this smoothness on, the Gamma mixture is used: the large factors of the Bessel form begin to lose digits.
const MIXTURE_FROM: f64 = 10.0;

fn smoothness(nu: f64) -> Result<f64, KernelError> {
    positive(nu, |value| KernelError::Smoothness { value })
}

fn read_smoothness<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    smoothness(f64::deserialize(source)?).map_err(D::Error::custom)
}

impl Matern {
    /// A Matern kernel of smoothness `nu` with range `rho`, in units of `t`.
    pub fn new(nu: f64, range: f64) -> Result<Self, KernelError> {
        Ok(Self { nu: smoothness(nu)?, range: checked_range(range)? })
    }

    /// The smoothness `nu`; paths are `k` times differentiable for every integer `k < nu`.
    pub fn smoothness(&self) -> f64 {
        self.nu
    }

    /// The range `rho`.
    pub fn range(&self) -> f64 {
        self.range
    }

    fn scaled_distance(&self, d: f64) -> f64 {
        std::f64::consts::SQRT_2 * self.nu.sqrt() * d / self.range
    }

    /// The derivative of the correlation with respect to the distance; `nu > 1/2`.
    fn slope(&self, d: f64) -> f64 {
        let x = self.scaled_distance(d);
        if d == 0.0 || x.is_infinite() || (x > FAR && self.nu < MIXTURE_FROM) {
            return 0.0;
        }
        let by_x = if self.nu == 1.5 {
            -x * (-x).exp()
        } else if self.nu == 2.5 {
            -x * (1.0 + x) / 3.0 * (-x).exp()
        } else if self.nu > 1.0 {
            // d/dx x^nu K_nu(x) = -x^nu K_{nu-1}(x)
            -0.5 * x / (self.nu - 1.0) * correlation(self.nu - 1.0, x)
        } else {
            -bessel_term(self.nu, 1.0 - self.nu, x).unwrap_or(0.0)
        };
        by_x * std::f64::consts::SQRT_2 * self.nu.sqrt() / self.range
    }
}

/// The Matern correlation at scaled distance `x = sqrt(2 nu) d / rho`.
fn correlation(nu: f64, x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    if x > FAR && nu < MIXTURE_FROM {
        return 0.0;
    }
    if nu == 0.5 {
        (-x).exp()
    } else if nu == 1.5 {
        (1.0 + x) * (-x).exp()
    } else if nu == 2.5 {
        (1.0 + x + x * x / 3.0) * (-x).exp()
    } else if nu >= MIXTURE_FROM {
        gamma_mixture(nu, x)
    } else {
        // K overflows only for nu > 1 and x < 1e-30, where the correlation is 1 to double precision
        bessel_term(nu, nu, x).map_or(1.0, |value| value.min(1.0))
    }
}

/// `2^{1-nu} / Gamma(nu) x^nu K_order(x)`, or `None` where `K` overflows.
fn bessel_term(nu: f64, order: f64, x: f64) -> Option<f64> {
    // the library takes no argument near the smallest double
    let x = x.max(1e-300);
    let scaled = besselk_scaled(order, Complex::new(x, 0.0)).ok()?.re;
    // powers, not the exponential of a sum of logarithms: large logarithms that cancel would cost digits
    let value = 2.0 / gamma(nu) * (0.5 * x).powf(nu) * scaled * (-x).exp();
    value.is_finite().then_some(value)
}

/// The Matern correlation as a Gamma mixture of Gaussian correlations, for large `nu`.
///
/// ```text
/// C = E[ exp(-x^2 / (4 U)) ],   U ~ Gamma(nu, 1)
/// ```
///
/// (the integral representation of `K_nu`, DLMF 10.32.10). With `U = nu exp(y / sqrt(nu))` the integrand is analytic
/// and bell-shaped in `y`, so the trapezoid rule converges faster than any power of its step.
fn gamma_mixture(nu: f64, x: f64) -> f64 {
    const STEP: f64 = 0.25;
    let root = nu.sqrt();
    let half = x / (2.0 * root);
    let (mut total, mut mass) = (0.0, 0.0);
    for i in -60..=48 {
        let y = STEP * f64::from(i) / root;
        // log density, without the cancellation of nu log U - U at large nu
        let weight = (nu * (y - y.exp_m1())).exp();
        mass += weight;
        total += weight * (-half * half * (-y).exp()).exp();
    }
    total / mass
}

impl CovarianceKernel for Matern {
    fn covariance(&self, t: f64, s: f64) -> f64 {
        correlation(self.nu, self.scaled_distance((t - s).abs()))
    }

    fn derivative(&self, t: f64, s: f64) -> Option<f64> {
        (self.nu > 0.5).then(|| (t - s).signum() * self.slope((t - s).abs()))
    }

    fn is_stationary(&self) -> bool {
        true
    }

    fn is_isotropic(&self) -> bool {
        true
    }
}
