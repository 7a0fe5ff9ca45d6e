//! Multivariate Gaussian noise, which gives no pure privacy.

use super::{DensityGenerator, EllipticalError, Tail};

/// Multivariate Gaussian noise, `f(y) = exp(-y/2)`: refused, its likelihood ratio has no bound.
///
/// `g(r + D) - g(r) = r D + D^2/2` grows with `r` (Reimherr and Awan, Example 5). For `delta > 0` see
/// [`GaussianPrivacy`](crate::GaussianPrivacy).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MultivariateGaussian {
    dimension: usize,
}

impl MultivariateGaussian {
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

impl DensityGenerator for MultivariateGaussian {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        radius * radius / 2.0
    }

    fn tail(&self) -> Tail {
        Tail::Unbounded
    }
}
