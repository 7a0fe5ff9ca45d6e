//! Exactly rounded K-norm noise of the cylinder, on a sum and its number of records together.

use dashu_int::UBig;
use rand::Rng;

use crate::calibrate::elliptical::Cylinder;
use crate::draw::noise_error::NoiseError;
use crate::draw::rounded_k_norm::{Deviate, Radius, rounded_half_root, signed};
use crate::draw::rounded_normal::{NoiseScaleError, RoundedNormal};

#[cfg(test)]
#[path = "rounded_cylinder_tests.rs"]
mod tests;

/// The distribution of `round(scale (Z, C))`, coordinate by coordinate, for an integer scale and `(Z, C)` of the law of [`Cylinder`].
///
/// ```text
/// Z_j = |g| h_j  (j <= p),    C = |g| |h| u / 2,    g ~ N(0, I_{p+3}),  h ~ N(0, I_{p+2}),  u ~ U(-1, 1) independent
/// ```
///
/// The `2p + 5` normals and the uniform deviate are drawn exactly, with as many digits as the rounding of every coordinate needs, as
/// [`RoundedKNorm`](crate::RoundedKNorm) draws its own. See section 8 of `docs/proofs/pure-epsilon.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundedCylinder {
    law: Cylinder,
    /// The normal noise of the same scale. It checks the scale.
    normal: RoundedNormal,
}

impl RoundedCylinder {
    /// Noise of this law and scale, in lattice steps.
    ///
    /// # Errors
    /// [`NoiseScaleError`] unless the scale is from 1 to `2^56`.
    pub fn new(law: Cylinder, scale: u64) -> Result<Self, NoiseScaleError> {
        Ok(Self { law, normal: RoundedNormal::new(scale)? })
    }

    /// The least integer scale that makes a sum and its count `epsilon`-private, where neighbours are this far apart in the norm of the
    /// cylinder, in lattice steps.
    ///
    /// # Errors
    /// [`NoiseError::Elliptical`] for a sensitivity or an epsilon that is not positive, [`NoiseError::Scale`] for noise beyond `2^56`
    /// lattice steps.
    pub fn calibrated(law: Cylinder, sensitivity: f64, epsilon: f64) -> Result<Self, NoiseError> {
        Ok(Self { law, normal: RoundedNormal::at_least(law.scale_for(sensitivity, epsilon)?)? })
    }

    /// The law at scale 1.
    pub fn law(&self) -> Cylinder {
        self.law
    }

    /// The scale, in lattice steps.
    pub fn scale(&self) -> u64 {
        self.normal.scale()
    }

    /// The variance of one coordinate of the sum, in squared lattice steps. Rounding adds that of a uniform deviate, up to terms that
    /// vanish with the scale.
    pub fn variance(&self) -> f64 {
        self.squared_scale() * self.law.coordinate_variance() + 1.0 / 12.0
    }

    /// The same of the count.
    pub fn count_variance(&self) -> f64 {
        self.squared_scale() * self.law.count_variance() + 1.0 / 12.0
    }

    fn squared_scale(&self) -> f64 {
        (self.scale() as f64).powi(2)
    }

    /// Draws one value for each coordinate of the sum, and one for the count at the end.
    pub fn sample<R: Rng + ?Sized>(&self, randomness: &mut R) -> Vec<i128> {
        let coordinates = self.law.coordinates();
        let mut length = Radius::new(coordinates + 3, randomness);
        let mut others: Vec<_> = (0..coordinates + 2).map(|_| Deviate::new(randomness)).collect();
        let coordinate = |deviate: &mut Deviate| {
            let magnitude = length.round_product(self.scale(), deviate, randomness);
            signed(magnitude, randomness)
        };
        let mut drawn: Vec<i128> = others.iter_mut().take(coordinates).map(coordinate).collect();
        let mut height = Deviate::uniform(randomness);
        let count = round_count(self.scale(), &mut length, &mut Radius::of(others), &mut height, randomness);
        drawn.push(signed(count, randomness));
        drawn
    }
}

/// `round(scale / 2 |g| |h| u)`: digits are drawn until both ends of the interval round to the same integer.
fn round_count<R: Rng + ?Sized>(
    scale: u64,
    length: &mut Radius,
    other: &mut Radius,
    height: &mut Deviate,
    randomness: &mut R,
) -> i128 {
    // floor(2 (scale / 2) x) = floor(scale x)
    let factor = UBig::from(scale) * UBig::from(scale);
    let mut doublings = 0;
    loop {
        let digits = 1 << doublings;
        let (low, high) = length.squares(doublings, randomness);
        let (other_low, other_high) = other.squares(doublings, randomness);
        let (least, most) = height.squares(digits, randomness);
        let rounded = |square: UBig| rounded_half_root(square * &factor, 384 * digits);
        let (below, above) = (rounded(low * other_low * least), rounded(high * other_high * most));
        if below == above {
            // far outside the words of any sum, where it is clamped
            return i128::try_from(below).unwrap_or(i128::MAX);
        }
        doublings += 1;
    }
}
