//! Ellipsoidal K-norm noise, designed for pure privacy.

use crate::budget::PrivacyBudget;
use crate::calibrate::gaussian::{Calibration, CalibrationError, GaussianPrivacy};

use super::{DensityGenerator, EllipticalError, distance};

/// Ellipsoidal K-norm noise, `f(y) = exp(-sqrt y)` (Hardt and Talwar 2010; Reimherr and Awan, Example 4).
///
/// ```text
/// epsilon = Delta / sigma
/// ```
///
/// The likelihood ratio is the same on the whole half-line beyond a centre. So no part of a small epsilon is unused.
/// The radius has the law `Gamma(d, 1)`; in one dimension this is Laplace noise. [`RoundedKNorm`](crate::RoundedKNorm) draws it
/// exactly.
///
/// # Examples
/// ```
/// use dpfda_privacy::{DensityGenerator, KNorm};
///
/// let scale = KNorm::new(3)?.scale_for(2.0, 0.5)?;
/// assert!((scale - 4.0).abs() < 1e-14);
/// # Ok::<(), dpfda_privacy::EllipticalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KNorm {
    dimension: usize,
}

impl KNorm {
    /// Makes the law in this many dimensions.
    pub fn new(dimension: usize) -> Result<Self, EllipticalError> {
        if dimension == 0 { Err(EllipticalError::Dimension) } else { Ok(Self { dimension }) }
    }

    /// The largest dimension in which a coordinate of this noise has no larger variance than one of normal noise with the same
    /// sensitivity, calibrated tightly to the same epsilon with a delta; 0 where there is none.
    ///
    /// ```text
    /// (d + 1) Delta^2 / epsilon^2 <= Delta^2 / mu^2   <=>   d <= epsilon^2 / mu^2 - 1
    /// ```
    ///
    /// Up to that dimension a delta buys nothing.
    pub fn largest_free_dimension(budget: &PrivacyBudget) -> Result<usize, CalibrationError> {
        let mu = GaussianPrivacy::calibrated(Calibration::Tight, budget)?.mu();
        let bound = (budget.epsilon() / mu).powi(2) - 1.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float saturates, below at 0")]
        Ok(bound.floor() as usize)
    }

    /// The variance of one coordinate at scale 1 and `Sigma = I`: `E r^2 / d = d + 1`.
    pub fn coordinate_variance(&self) -> f64 {
        self.dimension as f64 + 1.0
    }
}

impl DensityGenerator for KNorm {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        radius
    }

    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        distance(sensitivity, scale)
    }
}
