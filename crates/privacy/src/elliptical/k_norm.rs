//! Ellipsoidal K-norm noise, designed for pure privacy.

use rand::CryptoRng;
use rand_distr::{Distribution, Exp1, StandardNormal};

use super::{DensityGenerator, EllipticalError, Tail, distance};

/// Ellipsoidal K-norm noise, `f(y) = exp(-sqrt y)` (Hardt and Talwar 2010; Reimherr and Awan, Example 4).
///
/// ```text
/// epsilon = Delta / sigma
/// ```
///
/// The likelihood ratio is the same on the whole half-line beyond a centre. So no part of a small epsilon is unused.
/// The radius has the law `Gamma(d, 1)`; in one dimension this is Laplace noise.
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
    ///
    /// # Errors
    /// [`EllipticalError::Dimension`] for 0.
    pub fn new(dimension: usize) -> Result<Self, EllipticalError> {
        if dimension == 0 { Err(EllipticalError::Dimension) } else { Ok(Self { dimension }) }
    }

    /// The variance of one coordinate at scale 1 and `Sigma = I`: `E r^2 / d = d + 1`.
    pub fn coordinate_variance(&self) -> f64 {
        self.dimension as f64 + 1.0
    }

    /// Draws a vector of length `d` at scale 1 and `Sigma = I`.
    ///
    /// The draw is in floating point. A release made from it is private only in real numbers and must be stamped
    /// [`Arithmetic::Idealised`](crate::Arithmetic::Idealised).
    pub fn draw_spherical<R: CryptoRng + ?Sized>(&self, randomness: &mut R) -> Vec<f64> {
        let radius: f64 = (0..self.dimension).map(|_| -> f64 { Exp1.sample(randomness) }).sum();
        loop {
            let mut point: Vec<f64> = (0..self.dimension).map(|_| StandardNormal.sample(randomness)).collect();
            let norm = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            // a null direction has probability 0 in real numbers
            if norm > 0.0 {
                for x in &mut point {
                    *x *= radius / norm;
                }
                return point;
            }
        }
    }
}

impl DensityGenerator for KNorm {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        radius
    }

    fn tail(&self) -> Tail {
        Tail::Concave { from: 0.0 }
    }

    fn epsilon_of(&self, sensitivity: f64, scale: f64) -> Result<f64, EllipticalError> {
        distance(sensitivity, scale)
    }
}
