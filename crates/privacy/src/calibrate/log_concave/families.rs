//! The named families of noise.

use std::f64::consts::{LN_2, PI};

use libm::tgamma;

use super::LogConcaveNoise;
use super::profile::{numeric_profile, threshold};
use crate::calibrate::enclosure::laws::{laplace_delta, logistic_delta};
use crate::calibrate::enclosure::subbotin::subbotin_delta;
use crate::calibrate::gaussian::GaussianPrivacy;
use crate::calibrate::incomplete_gamma::incomplete_gamma;
use crate::calibrate::mills;
use crate::calibrate::noise_family::NoiseFamily;

/// Laplace, logistic and Gaussian noise have their profiles in closed form (Vinterbo 2022, Theorems 3 to 5);
/// `subbotin:1` is Laplace and `subbotin:2` Gaussian noise. The others are integrated.
impl LogConcaveNoise for NoiseFamily {
    fn potential(&self, x: f64) -> f64 {
        let x = x.abs();
        match self.canonical() {
            Family::Laplace => x + LN_2,
            Family::Logistic => x + 2.0 * (-x).exp().ln_1p(),
            Family::Gaussian => x * x / 2.0 + (2.0 * PI).ln() / 2.0,
            Family::Subbotin(r) => x.powf(r) / r + (2.0 * r.powf(1.0 / r) * tgamma(1.0 + 1.0 / r)).ln(),
        }
    }

    fn upper_tail(&self, x: f64) -> f64 {
        match self.canonical() {
            Family::Laplace => (-x).exp() / 2.0,
            Family::Logistic => (-x).exp() / (1.0 + (-x).exp()),
            Family::Gaussian => mills::upper_tail(x),
            Family::Subbotin(r) => incomplete_gamma(1.0 / r, x.powf(r) / r).1 / 2.0,
        }
    }

    fn slope_limit(&self) -> f64 {
        match self.canonical() {
            Family::Laplace | Family::Logistic => 1.0,
            Family::Gaussian | Family::Subbotin(_) => f64::INFINITY,
        }
    }

    fn variance(&self) -> f64 {
        match self.canonical() {
            Family::Laplace => 2.0,
            Family::Logistic => PI * PI / 3.0,
            Family::Gaussian => 1.0,
            Family::Subbotin(r) => r.powf(2.0 / r) * tgamma(3.0 / r) / tgamma(1.0 / r),
        }
    }

    fn log_ratio(&self, x: f64, distance: f64) -> f64 {
        let (far, sum) = (x + distance, 2.0 * x + distance);
        match self.canonical() {
            Family::Laplace => sum.min(distance) * (1.0 + f64::EPSILON),
            Family::Logistic => {
                let bend = |x: f64| 2.0 * (-x.abs()).exp().ln_1p();
                sum.min(distance) + bend(far) - bend(x) + 16.0 * f64::EPSILON * (1.0 + distance)
            }
            Family::Gaussian => distance * sum / 2.0 * (1.0 + 4.0 * f64::EPSILON),
            Family::Subbotin(r) => subbotin_log_ratio(r, x.abs(), far, if x < 0.0 { sum } else { distance }),
        }
    }

    fn profile(&self, epsilon: f64, distance: f64) -> f64 {
        // of two given numbers, so that nothing is lost when they are close
        let excess = distance - epsilon;
        match self.canonical() {
            Family::Gaussian => GaussianPrivacy::new(distance).map_or(1.0, |privacy| privacy.near_delta(epsilon)),
            Family::Subbotin(_) => numeric_profile(self, epsilon, distance),
            _ if excess <= 0.0 => 0.0,
            Family::Laplace => rounded_up(-(-excess / 2.0).exp_m1()),
            Family::Logistic => rounded_up((-excess / 2.0).exp_m1().powi(2) / -(-distance).exp_m1()),
        }
    }

    fn proved_profile(&self, epsilon: f64, distance: f64) -> f64 {
        let profile = self.profile(epsilon, distance);
        let bound = match self.canonical() {
            Family::Laplace => laplace_delta(epsilon, distance).to_f64_up(),
            Family::Logistic => logistic_delta(epsilon, distance).to_f64_up(),
            Family::Gaussian => GaussianPrivacy::new(distance).map_or(1.0, |privacy| privacy.delta(epsilon)),
            Family::Subbotin(shape) => subbotin_delta(shape, epsilon, distance, threshold(self, epsilon, distance))
                .map_or(profile, |bound| bound.to_f64_up()),
        };
        profile.max(bound).min(1.0)
    }
}

/// A relative error above that of the at most ten roundings of a closed form.
const CLOSED_FORM_ROUNDING: f64 = 1e-14;

/// Rounds up a profile in closed form; 1 if it is not a number.
fn rounded_up(delta: f64) -> f64 {
    let delta = delta * (1.0 + CLOSED_FORM_ROUNDING);
    if delta.is_nan() { 1.0 } else { delta.clamp(f64::MIN_POSITIVE, 1.0) }
}

/// `(far^r - near^r) / r` for `far >= near >= 0`, given their difference, rounded up.
///
/// Each power and function is rounded at most once or twice; the rounding in `far` counts at most `r` times.
fn subbotin_log_ratio(r: f64, near: f64, far: f64, difference: f64) -> f64 {
    let value = if difference > near {
        // nothing cancels: the ratio of the powers is at least 2
        (far.powf(r) - near.powf(r)) / r
    } else {
        near.powf(r) * (r * (difference / near).ln_1p()).exp_m1() / r
    };
    value * (1.0 + (8.0 + 4.0 * r) * f64::EPSILON)
}

/// A family with its two coincidences removed.
enum Family {
    Laplace,
    Logistic,
    Gaussian,
    Subbotin(f64),
}

impl NoiseFamily {
    fn canonical(self) -> Family {
        match self {
            Self::Laplace => Family::Laplace,
            Self::Logistic => Family::Logistic,
            Self::Gaussian => Family::Gaussian,
            Self::Subbotin(subbotin) if subbotin.shape() == 1.0 => Family::Laplace,
            Self::Subbotin(subbotin) if subbotin.shape() == 2.0 => Family::Gaussian,
            Self::Subbotin(subbotin) => Family::Subbotin(subbotin.shape()),
        }
    }
}
