//! A mean without a delta: which coordinates are released, and with which noise.

use dpfda_privacy::{Calibration, Law};

use super::{MechanismName, PrivateMean, ReleaseError};

/// The number of public coordinates of a mean with delta 0 where none is given, as far as there are points.
pub const DEFAULT_COORDINATES: usize = 12;

impl PrivateMean {
    /// Sets how many public coordinates of the mean are released with delta 0 (default: 12, and no more than there are points).
    ///
    /// ```text
    /// z_j = <P(X) - c, q_j>,  j = 1..d      noise  (Delta / epsilon) |g| h,   g ~ N(0, I_{d+1}), h ~ N(0, I_d)
    /// ```
    ///
    /// `q_j` are orthonormal: `1, t, t^2, cos(pi t), cos(2 pi t), ...` in this order. A coordinate has the variance
    /// `(d + 1) (Delta / epsilon)^2`, and what the mean is outside their span is not released: it is the same whatever the data are.
    /// The number must be public.
    #[must_use]
    pub fn coordinates(mut self, number: usize) -> Self {
        self.coordinates = Some(number);
        self
    }

    /// Whether the guarantee is pure: isonormal noise with delta 0. Other settings with delta 0 have normal noise, which is refused.
    pub(super) fn is_pure(&self) -> bool {
        self.mechanism == MechanismName::Isonormal
            && self.calibration == Calibration::Tight
            && self.budget.delta() == 0.0
    }

    pub(super) fn law(&self) -> Law {
        if self.is_pure() { Law::KNorm {} } else { Law::gaussian(self.calibration) }
    }

    /// The number of coordinates on so many points, where delta is 0.
    pub(super) fn pure_coordinates(&self, points: usize) -> Result<Option<usize>, ReleaseError> {
        match (self.is_pure(), self.coordinates) {
            (true, _) if self.roughness.is_some() => Err(ReleaseError::RoughWithoutDelta),
            (true, number) => Ok(Some(number.unwrap_or_else(|| points.min(DEFAULT_COORDINATES)))),
            (false, Some(_)) => Err(ReleaseError::CoordinatesWithDelta),
            (false, None) => Ok(None),
        }
    }
}
