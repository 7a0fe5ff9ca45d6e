//! Multivariate Laplace noise, which gives pure privacy in one dimension only.

use std::f64::consts::SQRT_2;

use super::{DensityGenerator, EllipticalError, Tail, distance, rounded_up};

/// Multivariate Laplace noise, `sqrt(W) Z` with `W` exponential and `Z` normal: refused in two or more dimensions.
///
/// ```text
/// f(y) = (y/2)^{v/2} K_v(sqrt(2y)),    v = (2 - d)/2
/// ```
///
/// with `K_v` the modified Bessel function of the second kind. For `d >= 2` the density has a pole at its centre (Reimherr
/// and Awan, Example 3). For `d = 1`, `f(y)` is proportional to `exp(-sqrt(2y))` and `epsilon = sqrt(2) Delta / sigma`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MultivariateLaplace {
    dimension: usize,
}

impl MultivariateLaplace {
    /// The law in this many dimensions.
    ///
    /// # Errors
    /// [`EllipticalError::Dimension`] for 0.
    pub fn new(dimension: usize) -> Result<Self, EllipticalError> {
        if dimension == 0 { Err(EllipticalError::Dimension) } else { Ok(Self { dimension }) }
    }

    /// The variance of one coordinate at scale 1 and `Sigma = I`, which is 1.
    pub fn coordinate_variance(&self) -> f64 {
        1.0
    }
}

impl DensityGenerator for MultivariateLaplace {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        let x = SQRT_2 * radius;
        if self.dimension == 1 {
            return x;
        }
        if x == 0.0 {
            return f64::NEG_INFINITY;
        }
        let order = (self.dimension as f64 - 2.0) / 2.0;
        order * x.ln() - log_bessel_k(order, x)
    }

    fn tail(&self) -> Tail {
        // Bessel's K and powers of negative order are log-convex
        Tail::Concave { from: 0.0 }
    }

    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        let distance = distance(sensitivity, scale)?;
        if self.dimension == 1 { Ok(rounded_up(SQRT_2 * distance)) } else { Err(EllipticalError::Pole) }
    }
}

/// `ln K_v(x)` for `v >= 0`, `x > 0`, by the trapezoid rule, which converges geometrically here.
///
/// ```text
/// K_v(x) = 1/2 int exp(v t - x cosh t) dt    over the real line
/// ```
fn log_bessel_k(order: f64, x: f64) -> f64 {
    let peak = (order / x).asinh();
    // the integrand falls like a normal density of this width, or faster, and is analytic in a strip of width pi/2
    let step = 0.1_f64.min(0.3 * x.hypot(order).sqrt().recip());
    // v t - x cosh t below its value at the peak, where v = x sinh(peak); x (cosh t - 1) is kept apart for large x
    let exponent = |t: f64| order * t - 2.0 * x * (t / 2.0).sinh().powi(2);
    let top = exponent(peak);
    let side = |sign: f64| -> f64 {
        let terms = (1_u32..).map(|i| (exponent(peak + sign * step * f64::from(i)) - top).exp());
        terms.take_while(|term| *term > 1e-18).sum()
    };
    top - x + (step * 0.5 * (1.0 + side(1.0) + side(-1.0))).ln()
}
