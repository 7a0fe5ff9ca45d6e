//! Noise given by the user.

use std::fmt;

use thiserror::Error;

use super::LogConcaveNoise;
use super::profile::numeric_profile;
use super::quadrature::integrate;

#[cfg(test)]
#[path = "custom_tests.rs"]
mod tests;

/// Noise given by its potential `psi` and its upper tail, tested at some points for the conditions of Lemma 1 of
/// Vinterbo (2022).
///
/// Such tests cannot prove that a function is convex everywhere: the guarantee depends on the formula of the caller.
/// The slope limit and the variance are computed, because a limit that is stated too small would break pure privacy.
/// The limit counts as infinite, and delta = 0 is refused, unless `psi` can be computed and is a straight line at
/// `2^500` and `2^1001`. So write `x.hypot(1.0)` and not `(1 + x^2).sqrt()`.
#[derive(Clone, Copy)]
pub struct CustomNoise<P, T> {
    potential: P,
    upper_tail: T,
    slope_limit: f64,
    variance: f64,
}

/// The condition of Lemma 1 that a user's noise does not meet.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CustomNoiseError {
    /// The density is not positive at a point where the tail is positive.
    #[error(
        "psi({at:e}) must be a finite number wherever the tail is positive: Lemma 1 of Vinterbo asks here for a density exp(-psi) that is positive everywhere"
    )]
    NotFinite {
        /// The argument probed.
        at: f64,
    },
    /// The potential is not even: `psi(-x)` differs from `psi(x)`.
    #[error("psi must be even (Lemma 1 of Vinterbo), but differs at {at:e} and its negative")]
    NotEven {
        /// The argument probed.
        at: f64,
    },
    /// The potential is not convex: the slope of `psi` decreases.
    #[error("psi must be convex (Lemma 1 of Vinterbo: log-concave noise), but its slope decreases at {at:e}")]
    NotConvex {
        /// The argument probed.
        at: f64,
    },
    /// The upper tail at 0 is not 1/2.
    #[error("the upper tail at 0 must be 1/2, got {value:?}: exp(-psi) must be an even density that integrates to 1")]
    NotHalfAtZero {
        /// The tail at 0.
        value: f64,
    },
    /// The tail is not the integral of the density.
    #[error(
        "the upper tail is not the integral of exp(-psi) at {at:e}: it must be P(X > x), and psi must include the constant that makes exp(-psi) integrate to 1"
    )]
    NotTheTail {
        /// The argument probed.
        at: f64,
    },
    /// The noise at scale 1 is not of the order of 1.
    #[error(
        "the tail does not fall, or falls too far from scale 1: rescale psi so that the noise is of the order of 1"
    )]
    Scale,
}

/// The largest relative difference that counts as rounding.
const TOLERANCE: f64 = 1e-9;

/// The smallest tail that is tested, far below what matters for a delta of 1e-15.
const LOWEST_TAIL: f64 = 1e-200;

impl<P: Fn(f64) -> f64, T: Fn(f64) -> f64> CustomNoise<P, T> {
    /// Makes noise of density `exp(-psi)` with `upper_tail(x) = P(X > x)` for `x >= 0`, at scale 1.
    ///
    /// Both functions must be accurate to a few units in the last place, and `psi` must include its constant.
    ///
    /// # Errors
    /// [`CustomNoiseError`] if one of several hundred tests shows that `psi` is infinite, not even or not convex, or
    /// that the tail does not belong to it.
    pub fn new(potential: P, upper_tail: T) -> Result<Self, CustomNoiseError> {
        let half = upper_tail(0.0);
        if !agree(half, 0.5, 1e-12) {
            return Err(CustomNoiseError::NotHalfAtZero { value: half });
        }
        let probes = probes(&upper_tail)?;
        check_shape(&potential, &probes)?;
        check_tail(&potential, &upper_tail, &probes)?;
        let slope_limit = slope_limit(&potential);
        let second_moment = integrate(|x| 2.0 * x * x * (-potential(x)).exp(), &probes).0;
        Ok(Self { potential, upper_tail, slope_limit, variance: second_moment })
    }
}

impl<P, T> fmt::Debug for CustomNoise<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("CustomNoise");
        fields.field("slope_limit", &self.slope_limit).field("variance", &self.variance).finish_non_exhaustive()
    }
}

/// Increasing arguments, from 0 to the point where the tail is too small to test.
fn probes(upper_tail: &impl Fn(f64) -> f64) -> Result<Vec<f64>, CustomNoiseError> {
    let growth = 2.0_f64.powf(1.0 / 16.0);
    let (mut probes, mut x) = (vec![0.0], 1e-6);
    while x < 1e6 {
        probes.push(x);
        let tail = upper_tail(x);
        if tail.is_nan() || tail < 0.0 {
            return Err(CustomNoiseError::NotTheTail { at: x });
        }
        if tail < LOWEST_TAIL {
            // a handful of probes at least must lie where the mass is
            let seen = probes.iter().filter(|&&x| upper_tail(x) < 0.49).count();
            return if x > 1e-3 && seen > 8 { Ok(probes) } else { Err(CustomNoiseError::Scale) };
        }
        x *= growth;
    }
    Err(CustomNoiseError::Scale)
}

/// Whether two numbers differ by no more than this; `false` for NaN.
fn agree(a: f64, b: f64, apart: f64) -> bool {
    (a - b).abs() <= apart
}

/// Checks that `psi` is finite and even, and that its slope starts at 0 or above and never decreases.
fn check_shape(potential: &impl Fn(f64) -> f64, probes: &[f64]) -> Result<(), CustomNoiseError> {
    let mut steepest = 0.0_f64;
    for ends in probes.windows(2) {
        let (near, far) = (ends[0], ends[1]);
        let (low, high) = (potential(near), potential(far));
        if !(low.is_finite() && high.is_finite()) {
            return Err(CustomNoiseError::NotFinite { at: far });
        }
        let rounding = 1e-14 * (1.0 + high.abs());
        if !agree(potential(-far), high, rounding) {
            return Err(CustomNoiseError::NotEven { at: far });
        }
        let uncertain = 2.0 * rounding / (far - near);
        let slope = (high - low) / (far - near);
        if slope + uncertain < steepest * (1.0 - TOLERANCE) {
            return Err(CustomNoiseError::NotConvex { at: far });
        }
        steepest = steepest.max(slope - uncertain);
    }
    Ok(())
}

/// Checks that the tail falls by the integral of the density between any two arguments.
fn check_tail(
    potential: &impl Fn(f64) -> f64,
    upper_tail: &impl Fn(f64) -> f64,
    probes: &[f64],
) -> Result<(), CustomNoiseError> {
    for ends in probes.windows(2) {
        let (near, far) = (upper_tail(ends[0]), upper_tail(ends[1]));
        let (mass, error) = integrate(|x| (-potential(x)).exp(), ends);
        if !agree(near - far, mass, TOLERANCE * near + error) {
            return Err(CustomNoiseError::NotTheTail { at: ends[1] });
        }
    }
    Ok(())
}

/// An upper bound on the limit of the slope of a convex function; infinite unless the limit is reached by `2^500`.
///
/// By convexity no slope below `2^1000` exceeds the slope between `2^1000` and `2^1001`. It counts as the limit only if
/// it is the same at `2^500`, so that a potential such as `x^1.001` or `x log x` does not count as a straight line.
fn slope_limit(potential: &impl Fn(f64) -> f64) -> f64 {
    let slope_at = |exponent: i32| {
        let x = 2.0_f64.powi(exponent);
        (potential(2.0 * x) - potential(x)) / x
    };
    let (early, late) = (slope_at(500), slope_at(1000));
    if late.is_finite() && late > 0.0 && (late - early).abs() <= TOLERANCE * late {
        late.max(early) * (1.0 + 16.0 * f64::EPSILON)
    } else {
        f64::INFINITY
    }
}

impl<P: Fn(f64) -> f64, T: Fn(f64) -> f64> LogConcaveNoise for CustomNoise<P, T> {
    fn potential(&self, x: f64) -> f64 {
        (self.potential)(x)
    }

    fn upper_tail(&self, x: f64) -> f64 {
        (self.upper_tail)(x)
    }

    fn slope_limit(&self) -> f64 {
        self.slope_limit
    }

    fn variance(&self) -> f64 {
        self.variance
    }

    fn profile(&self, epsilon: f64, distance: f64) -> f64 {
        // the mass was only seen to be right up to the tolerance
        (numeric_profile(self, epsilon, distance) * (1.0 + 2.0 * TOLERANCE)).min(1.0)
    }
}
