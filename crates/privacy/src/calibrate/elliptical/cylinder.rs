//! K-norm noise of the cylinder that a sum and its number of records move in.

use super::{DensityGenerator, EllipticalError, KNorm};

/// K-norm noise of a cylinder (Hardt and Talwar 2010) on a sum `z` in `R^p` and its count `c`, for a pure epsilon under add/remove-one.
///
/// ```text
/// density of (Z, C)  proportional to  exp(-|(z, c)|),    |(z, c)| = max(|z|_2, 2 |c|)
/// epsilon = Delta / sigma,                               Delta = sup |(S, N w) - (S', N' w)|
/// ```
///
/// A record that is added moves the sum by at most a radius `R` and the count by `w = R/2`, so `Delta = R`: the cylinder is the convex hull of
/// all such differences, and no other body that holds them is smaller. The ball around it has the radius `R sqrt(5)/2`.
///
/// ```text
///                         cylinder                ball
/// Var Z_j  (R / eps)^2    p + 3                   1.25 (p + 2)          less from p = 3 on
/// Var C    (w / eps)^2    (p + 2)(p + 3) / 3      5 (p + 2)             less below p = 12, equal at 12
/// ```
///
/// [`RoundedCylinder`](crate::RoundedCylinder) draws it exactly. The proof is section 8 of `docs/proofs/pure-epsilon.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cylinder {
    coordinates: usize,
}

impl Cylinder {
    /// The fewest coordinates of a sum for which a coordinate has less noise than under K-norm noise of the ball:
    /// `p + 3 < 1.25 (p + 2)` exactly for `p > 2`.
    pub const LEAST_COORDINATES: usize = 3;

    /// The law for a sum of so many coordinates, the count left out.
    ///
    /// # Errors
    /// [`EllipticalError::Dimension`] for none.
    pub fn new(coordinates: usize) -> Result<Self, EllipticalError> {
        if coordinates == 0 { Err(EllipticalError::Dimension) } else { Ok(Self { coordinates }) }
    }

    /// The coordinates of the sum, the count left out.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// The coordinates of the sum and its count.
    pub fn dimension(&self) -> usize {
        self.coordinates.saturating_add(1)
    }

    /// `max(|z|_2, 2 |c|)` of a sum with its count at the end.
    pub fn norm(point: &[f64]) -> f64 {
        let (count, sum) = point.split_last().map_or((0.0, point), |(count, sum)| (*count, sum));
        sum.iter().map(|z| z * z).sum::<f64>().sqrt().max(2.0 * count.abs())
    }

    /// The smallest scale with this pure epsilon, rounded up.
    ///
    /// # Errors
    /// As [`DensityGenerator::scale_for`].
    pub fn scale_for(&self, sensitivity: f64, epsilon: f64) -> Result<f64, EllipticalError> {
        // the loss is the distance over the scale, as in every norm
        KNorm::new(self.dimension())?.scale_for(sensitivity, epsilon)
    }

    /// The variance of one coordinate of the sum at scale 1: `p + 3`.
    pub fn coordinate_variance(&self) -> f64 {
        self.coordinates as f64 + 3.0
    }

    /// The variance of the count at scale 1: `(p + 2)(p + 3) / 12`.
    pub fn count_variance(&self) -> f64 {
        (self.coordinates as f64 + 2.0) * (self.coordinates as f64 + 3.0) / 12.0
    }
}
