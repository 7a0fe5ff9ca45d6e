//! Multivariate t noise, which has polynomial tails.

use rand::CryptoRng;
use rand_distr::{ChiSquared, Distribution, StandardNormal};

use super::{DensityGenerator, EllipticalError, distance, rounded_up, smallest_scale};
use crate::calibrate::enclosure::laws::student_t_epsilon;
use crate::calibrate::enclosure::raised;

/// Multivariate t noise, `f(y) = (1 + y/nu)^{-(nu+d)/2}` (Reimherr and Awan, Example 6).
///
/// The supremum is attained at distances `c = (D + sqrt(D^2 + 4 nu)) / 2` and `r = c - D = nu / c` from the centres.
/// Since `r c = nu`, the ratio of Theorem 3 is `(c/r)^{(nu+d)/2}` there, and
///
/// ```text
/// epsilon = (nu + d) asinh(Delta / (2 sigma sqrt(nu)))
/// ```
///
/// At equal epsilon and with the best `nu`, t noise has a larger variance than [`KNorm`](crate::KNorm) for small
/// epsilon: larger by the factor `(d + 2) / (d + 1)` in the limit, at `nu = d + 4`. It has a smaller variance beyond
/// the epsilon at which both are equal, which is at least 5.784. There its scale falls exponentially in epsilon, and
/// not like `1 / epsilon`:
///
/// | d | equal at epsilon | nu there | variance ratio t/K-norm at epsilon 1 | 8 | 16 |
/// |---|---|---|---|---|---|
/// | 1 | 5.784 | 3.50 | 1.486 | 0.607 | 0.026 |
/// | 2 | 6.694 | 4.37 | 1.326 | 0.856 | 0.135 |
/// | 4 | 8.259 | 6.24 | 1.197 | 1.013 | 0.486 |
/// | 8 | 10.760 | 10.13 | 1.110 | 1.051 | 0.858 |
/// | 16 | 14.543 | 18.07 | 1.059 | 1.041 | 0.987 |
/// | 32 | 20.084 | 34.04 | 1.030 | 1.026 | 1.011 |
/// | 64 | 28.059 | 66.02 | 1.015 | 1.014 | 1.010 |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentT {
    nu: f64,
    dimension: usize,
    chi_squared: ChiSquared<f64>,
}

impl StudentT {
    /// Makes the law with `nu` degrees of freedom in this many dimensions.
    ///
    /// # Errors
    /// [`EllipticalError::DegreesOfFreedom`] unless `nu` is positive and finite; [`EllipticalError::Dimension`] for 0.
    pub fn new(nu: f64, dimension: usize) -> Result<Self, EllipticalError> {
        if dimension == 0 {
            return Err(EllipticalError::Dimension);
        }
        if !(nu.is_normal() && nu > 0.0) {
            return Err(EllipticalError::DegreesOfFreedom { value: nu });
        }
        let chi_squared = ChiSquared::new(nu).map_err(|_| EllipticalError::DegreesOfFreedom { value: nu })?;
        Ok(Self { nu, dimension, chi_squared })
    }

    /// The degrees of freedom `nu`.
    pub fn nu(&self) -> f64 {
        self.nu
    }

    /// The variance of one coordinate at scale 1 and `Sigma = I`: `nu / (nu - 2)`, infinite for `nu <= 2`.
    pub fn coordinate_variance(&self) -> f64 {
        if self.nu > 2.0 { self.nu / (self.nu - 2.0) } else { f64::INFINITY }
    }

    /// Draws a vector of length `d` at scale 1 and `Sigma = I`: normals divided by the root of a chi-squared variable
    /// over `nu`.
    ///
    /// The draw is in floating point. A release made from it is private only in real numbers and must be stamped
    /// [`Arithmetic::Idealised`](crate::Arithmetic::Idealised).
    pub fn draw_spherical<R: CryptoRng + ?Sized>(&self, randomness: &mut R) -> Vec<f64> {
        let mixing = (self.nu / self.chi_squared.sample(randomness)).sqrt();
        let normal = || -> f64 { StandardNormal.sample(randomness) };
        std::iter::repeat_with(normal).take(self.dimension).map(|x| x * mixing).collect()
    }

    /// The closed form in doubles, for a search.
    fn near_epsilon(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        let half = distance(sensitivity, scale)? / (2.0 * self.nu.sqrt());
        Ok(rounded_up(self.order() * half.asinh()))
    }

    fn order(&self) -> f64 {
        self.nu + self.dimension as f64
    }
}

impl DensityGenerator for StudentT {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        let ratio = radius / self.nu.sqrt();
        // the square of a ratio beyond 1e8 swallows the 1, and might overflow
        let log = if ratio < 1e8 { (ratio * ratio).ln_1p() } else { 2.0 * ratio.ln() };
        self.order() / 2.0 * log
    }

    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        let proved = student_t_epsilon(self.nu, self.dimension, distance(sensitivity, scale)?);
        Ok(self.near_epsilon(sensitivity, scale)?.max(proved.map_or(f64::INFINITY, |bound| bound.to_f64_up())))
    }

    /// Searches in doubles, and raises what was found until the enclosed epsilon is within.
    fn scale_for(&self, sensitivity: f64, epsilon: f64) -> Result<f64, EllipticalError> {
        if !(epsilon.is_finite() && epsilon > 0.0) {
            return Err(EllipticalError::Epsilon { value: epsilon });
        }
        let found = smallest_scale(sensitivity, |scale| Ok(self.near_epsilon(sensitivity, scale)? <= epsilon))?;
        let scale = raised(found, |scale| self.epsilon_of(sensitivity, scale).is_ok_and(|spent| spent <= epsilon));
        // an error if no scale was enough
        self.epsilon_of(sensitivity, scale).map(|_| scale)
    }
}
