//! The privacy profile of discrete Laplace noise.

use dashu_float::FBig;
use dashu_float::round::mode::Zero;

use super::DiscreteLaplace;
use crate::calibrate::enclosure::decode;
use crate::calibrate::enclosure::laws::discrete_laplace_delta;
use crate::draw::exact_sampling::number;

/// The number of bits with which `epsilon * numerator` and its difference from `sensitivity * denominator` are exact:
/// from `2^126` down to `2^-1074`.
const PRECISION: usize = 1300;

/// By so much the profile in doubles is raised, so that what is found with it also passes the enclosure: about twenty roundings, and
/// functions accurate to 1 unit in the last place.
const PROFILE_ERROR: f64 = 1e-13;

impl DiscreteLaplace {
    /// The smallest delta at this epsilon for one integer of this sensitivity, rounded up; 1 for an epsilon that is
    /// negative or not a number.
    ///
    /// ```text
    /// sum_k max(p(k) - e^epsilon p(k + D), 0) = (1 - e^(-(w - j)/t) + q (1 - e^(-j/t))) / (1 + q)
    /// ```
    ///
    /// with `w = D - epsilon t`, and `j = ceil(w/2) - 1` the last `j` for which `p(-j)` exceeds `e^epsilon p(D - j)`.
    /// The profile is exactly 0 for `w <= 0`, which is decided exactly.
    pub fn delta(&self, sensitivity: u64, epsilon: f64) -> f64 {
        let near = self.near_delta(sensitivity, epsilon);
        // without the sign of -0
        near.max(discrete_laplace_delta(epsilon.abs(), sensitivity, self.scale()).to_f64_up()).min(1.0)
    }

    /// The profile in doubles, for a search.
    pub(super) fn near_delta(&self, sensitivity: u64, epsilon: f64) -> f64 {
        if epsilon.is_nan() || epsilon < 0.0 {
            return 1.0;
        }
        // without the sign of -0
        let Some(excess) = self.excess(sensitivity, epsilon.abs()) else {
            return 0.0;
        };
        let steps = excess / self.denominator as f64;
        let reach = ((steps / 2.0).ceil() - 1.0).max(0.0);
        let rate = self.denominator as f64 / self.numerator as f64;
        let mass = |steps: f64| -libm::expm1(-steps * rate);
        let q = libm::exp(-rate);
        let delta = (mass(steps - reach) + q * mass(reach)) / (1.0 + q);
        (delta * (1.0 + PROFILE_ERROR)).clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// The pure epsilon of integers whose absolute changes sum to at most `sensitivity`, in any dimension: the smallest
    /// double that is at least `sensitivity / scale`.
    pub fn epsilon(&self, sensitivity: u64) -> f64 {
        let close = sensitivity as f64 * self.denominator as f64 / self.numerator as f64;
        let mut epsilon = close * (1.0 - 1e-15);
        while self.excess(sensitivity, epsilon).is_some() {
            epsilon = epsilon.next_up();
        }
        epsilon
    }

    /// `sensitivity * denominator - epsilon * numerator`, if it is positive, rounded once; for `epsilon >= 0`.
    fn excess(&self, sensitivity: u64, epsilon: f64) -> Option<f64> {
        if epsilon == f64::INFINITY {
            return None;
        }
        let (mantissa, exponent) = decode(epsilon);
        let exactly = |integer: u64| number::<Zero>(integer, PRECISION);
        let bound: FBig<Zero, 2> = exactly(sensitivity) * exactly(self.denominator);
        let within = (exactly(mantissa) * exactly(self.numerator)) << exponent;
        (bound > within).then(|| (bound - within).to_f64().value())
    }
}
