//! A mean without a delta: which coordinates are released, and with which noise.

use dpfda_privacy::Law;

use super::{MechanismName, PrivateMean, ReleaseError, Shape};
use crate::coordinates::rotation::whole_frequencies;
use crate::defaults::DEFAULT_COORDINATES;

/// The number of public coordinates of a mean with delta 0 on so many points where none is given: [`DEFAULT_COORDINATES`], on a circle one
/// less, and no more than there are points.
pub fn default_coordinates(points: usize, is_periodic: bool) -> usize {
    whole_frequencies(points, is_periodic, DEFAULT_COORDINATES)
}

impl PrivateMean {
    /// Sets how many public coordinates of the mean are released with delta 0 (default: [`default_coordinates`]).
    ///
    /// ```text
    /// z_j = <P(X) - c, q_j>,  j = 1..d      noise  (Delta / epsilon) |g| h,   g ~ N(0, I_{d+1}), h ~ N(0, I_d)
    /// ```
    ///
    /// `q_j` are orthonormal: `1, t, t^2, cos(pi t), cos(2 pi t), ...` in this order. A coordinate has the variance
    /// `(d + 1) (Delta / epsilon)^2` under substitute-one, and `(d + 3) (tau / epsilon)^2` in the sum under add/remove-one from three
    /// coordinates on ([`Cylinder`](dpfda_privacy::Cylinder)). What the mean is outside their span is not released: it is the same whatever the data are.
    /// The number must be public. On a circle it must be odd, or that of all points.
    #[must_use]
    pub fn coordinates(mut self, number: usize) -> Self {
        self.coordinates = Some(number);
        self
    }

    /// Whether the guarantee is pure: isonormal noise with delta 0. Other settings with delta 0 have normal noise, which is refused.
    pub(super) fn is_pure(&self) -> bool {
        self.mechanism == MechanismName::Isonormal
            && *self.terms.law() == Law::GAUSSIAN
            && self.terms.guarantee().budget().delta() == 0.0
    }

    /// The law of the noise, with so many coordinates where delta is 0.
    pub(super) fn law(&self, coordinates: Option<usize>) -> Law {
        let pure = |number| Law::k_norm(number, self.terms.guarantee().neighbours());
        coordinates.map_or_else(|| self.terms.law().clone(), pure)
    }

    /// The number of coordinates on so many points, where delta is 0.
    pub(super) fn pure_coordinates(&self, points: usize, is_periodic: bool) -> Result<Option<usize>, ReleaseError> {
        match (self.is_pure(), self.coordinates) {
            (true, _) if matches!(self.shape, Shape::Rough(_)) => Err(ReleaseError::RoughWithoutDelta),
            (true, number) => Ok(Some(number.unwrap_or_else(|| default_coordinates(points, is_periodic)))),
            (false, Some(_)) => Err(ReleaseError::CoordinatesWithDelta),
            (false, None) => Ok(None),
        }
    }
}
