//! Ellipsoidal K-norm noise, designed for pure privacy.

use crate::budget::PrivacyBudget;
use crate::budget::neighbours::NeighbouringRelation;
use crate::calibrate::gaussian::{Calibration, CalibrationError, GaussianPrivacy};

use super::{Cylinder, DensityGenerator, EllipticalError, distance};

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

    /// The most coordinates of a sum in a Euclidean ball for which a coordinate of K-norm noise has no larger variance than one of normal
    /// noise, calibrated tightly to the same epsilon with a delta; 0 where there are none.
    ///
    /// ```text
    /// substitute-one:  (d + 1) (2R)^2 / epsilon^2 <= (2R)^2 / mu^2      <=>  d <= epsilon^2 / mu^2 - 1
    /// add/remove-one:  (d + 3) R^2 / epsilon^2 <= 1.25 R^2 / mu^2       <=>  d <= 1.25 epsilon^2 / mu^2 - 3      (d >= 3: the cylinder)
    ///                  (d + 2) 1.25 R^2 / epsilon^2 <= 1.25 R^2 / mu^2  <=>  d <= epsilon^2 / mu^2 - 2           (d <= 2: the ball)
    /// ```
    ///
    /// Up to so many a delta buys nothing. The count of add/remove-one is left out.
    ///
    /// # Errors
    /// [`CalibrationError`] where no normal noise meets the budget.
    pub fn largest_free_dimension(
        budget: &PrivacyBudget,
        relation: NeighbouringRelation,
    ) -> Result<usize, CalibrationError> {
        let mu = GaussianPrivacy::calibrated(Calibration::Tight, budget)?.mu();
        let squared = (budget.epsilon() / mu).powi(2);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float saturates, below at 0")]
        let whole = |bound: f64| bound.floor() as usize;
        let of_cylinder = whole(1.25 * squared - 3.0);
        Ok(match relation {
            NeighbouringRelation::SubstituteOne => whole(squared - 1.0),
            NeighbouringRelation::AddRemoveOne if of_cylinder >= Cylinder::LEAST_COORDINATES => of_cylinder,
            NeighbouringRelation::AddRemoveOne => whole(squared - 2.0),
        })
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
