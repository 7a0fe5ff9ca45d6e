//! Noise whose density generator is given by the user.

use super::{DensityGenerator, EllipticalError, Tail};

/// A law of elliptical noise given by a function `g(c) = -ln f(c^2)` and a declared tail.
///
/// Its epsilon is an upper bound: see [`DensityGenerator::epsilon_of`]. Noise is refused if its tail is not declared,
/// if an evaluation contradicts the declaration, or if the epsilon cannot be bounded.
///
/// # Examples
/// ```
/// use dpfda_privacy::{CustomGenerator, DensityGenerator, EllipticalError, Tail};
///
/// // logistic noise: the slope of g grows to 1
/// let logistic = |c: f64| c + 2.0 * (-c).exp().ln_1p();
/// let noise = CustomGenerator::new(1, logistic, Tail::Convex { from: 0.0, slope: 1.0 })?;
/// assert!((noise.epsilon_of(1.0, 2.0)? - 0.5).abs() < 1e-12);
///
/// let noise = CustomGenerator::new(1, logistic, Tail::Unknown)?;
/// assert_eq!(noise.epsilon_of(1.0, 2.0), Err(EllipticalError::TailUnknown));
/// # Ok::<(), EllipticalError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CustomGenerator<G> {
    dimension: usize,
    neg_log_density: G,
    tail: Tail,
}

impl<G: Fn(f64) -> f64> CustomGenerator<G> {
    /// Makes the law with this `g`, up to a constant, in this many dimensions.
    ///
    /// `g` must always give the same value at the same radius, with an error of at most `1e-14 (1 + |g|)`.
    ///
    /// # Errors
    /// [`EllipticalError::Dimension`] for 0; [`EllipticalError::TailParameter`] for a radius or slope of the tail
    /// outside `[0, 1e100]`. The function is evaluated when an epsilon or a scale is asked for.
    pub fn new(dimension: usize, neg_log_density: G, tail: Tail) -> Result<Self, EllipticalError> {
        if dimension == 0 {
            return Err(EllipticalError::Dimension);
        }
        tail.check()?;
        Ok(Self { dimension, neg_log_density, tail })
    }
}

impl<G: Fn(f64) -> f64> DensityGenerator for CustomGenerator<G> {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn neg_log_density(&self, radius: f64) -> f64 {
        (self.neg_log_density)(radius)
    }

    fn tail(&self) -> Tail {
        self.tail
    }
}
