//! The laws of `V` for which `log V` has a log-concave density: their distribution and quantile functions.

use std::f64::consts::LN_2;

use libm::lgamma;

use crate::calibrate::incomplete_gamma::incomplete_gamma;
use crate::calibrate::mills::{density, ratio, upper_tail};

/// The largest `V`: larger values are cut to this one, both in the profile and in a draw.
pub const LARGEST_V: f64 = 1_048_576.0;

/// A continuous law of `V`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Continuous {
    /// `sqrt(nu / chi^2_nu)`.
    StudentT { nu: f64 },
    /// The root of a gamma variable.
    GammaRoot { shape: f64 },
    /// `exp(sigma N)`.
    LogNormal { sigma: f64 },
}

/// A level in (0, 1) and its complement, so that neither loses digits near 0 or 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    pub(crate) below: f64,
    pub(crate) above: f64,
}

/// Bound on the relative error of the smaller tail in [`Continuous::tails`], and of what is computed from it.
pub(crate) const TAIL_ERROR: f64 = 1e-9;

impl Continuous {
    /// `(P(V <= v), P(V > v))`.
    pub(crate) fn tails(self, v: f64) -> (f64, f64) {
        match self {
            Self::StudentT { nu } => {
                let (above, below) = incomplete_gamma(nu / 2.0, nu / 2.0 / (v * v));
                (below, above)
            }
            Self::GammaRoot { shape } => incomplete_gamma(shape, v * v),
            Self::LogNormal { sigma } => {
                let z = v.ln() / sigma;
                let tail = upper_tail(z.abs());
                if z < 0.0 { (tail, 1.0 - tail) } else { (1.0 - tail, tail) }
            }
        }
    }

    /// `E V^2`.
    pub(crate) fn second_moment(self) -> f64 {
        match self {
            Self::StudentT { nu } if nu <= 2.0 => f64::INFINITY,
            Self::StudentT { nu } => nu / (nu - 2.0),
            Self::GammaRoot { shape } => shape,
            Self::LogNormal { sigma } => (2.0 * sigma * sigma).exp(),
        }
    }

    /// The quantile, to about 1e-11.
    pub(crate) fn quantile(self, level: Level) -> f64 {
        let Level { below, above } = level;
        match self {
            Self::StudentT { nu } => {
                let log_half_chi = gamma_log_quantile(nu / 2.0, Level { below: above, above: below });
                (0.5 * ((nu / 2.0).ln() - log_half_chi)).exp()
            }
            Self::GammaRoot { shape } => (0.5 * gamma_log_quantile(shape, level)).exp(),
            Self::LogNormal { sigma } => (sigma * normal_quantile(level)).exp(),
        }
    }

    /// A value that is at least the quantile at this level, checked by the distribution function itself.
    ///
    /// It is [`LARGEST_V`] if the quantile is larger or cannot be decided.
    pub(crate) fn at_least(self, level: Level) -> f64 {
        let reached = |v: f64| {
            let (below, above) = self.tails(v);
            if level.below <= 0.5 {
                below * (1.0 - TAIL_ERROR) >= level.below
            } else {
                above * (1.0 + TAIL_ERROR) <= level.above
            }
        };
        let mut v = self.quantile(level);
        let mut step = TAIL_ERROR;
        while v < LARGEST_V {
            if reached(v) {
                return v;
            }
            v *= 1.0 + step;
            step *= 2.0;
        }
        LARGEST_V
    }
}

/// `log x` for the quantile `x` of a gamma variable of shape `a`.
///
/// It uses Newton's method on the logarithm of the smaller tail as a function of `log x`. This function is concave, so
/// from the far side of the root one step crosses the root, and the other steps approach it from the near side.
fn gamma_log_quantile(a: f64, level: Level) -> f64 {
    let is_lower = level.below <= level.above;
    let target = level.below.min(level.above);
    // x^a / Gamma(a + 1) is an upper bound of the lower tail, and all of it where x is below the last digit of 1
    let bound = (level.below.ln() + lgamma(a + 1.0)) / a;
    if is_lower && bound < -40.0 {
        return bound;
    }
    // Wilson and Hilferty (1931)
    let root = 1.0 - 1.0 / (9.0 * a) + normal_quantile(level) / (3.0 * a.sqrt());
    let mut log_x = if root > 0.0 { (a.ln() + 3.0 * root.ln()).max(bound) } else { bound };
    for _ in 0..100 {
        let x = log_x.exp();
        let (lower, upper) = incomplete_gamma(a, x);
        let slope = (a * log_x - x - lgamma(a)).exp();
        let newton =
            if is_lower { lower / slope * (target / lower).ln() } else { upper / slope * (upper / target).ln() };
        let step = if newton.is_nan() { if is_lower { LN_2 } else { -LN_2 } } else { newton.clamp(-LN_2, LN_2) };
        log_x += step;
        if step.abs() < 1e-14 * log_x.abs().max(1.0) {
            break;
        }
    }
    log_x
}

/// The standard normal quantile, by Newton's method on the logarithm of the smaller tail.
fn normal_quantile(level: Level) -> f64 {
    let tail = level.below.min(level.above);
    if tail <= 0.0 {
        return if level.below <= level.above { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    // Abramowitz and Stegun 26.2.22, to 0.003
    let t = (-2.0 * tail.ln()).max(0.0).sqrt();
    let mut z = t - (2.307_53 + 0.270_61 * t) / (1.0 + 0.992_29 * t + 0.044_81 * t * t);
    for _ in 0..5 {
        let mills = ratio(z);
        let log_tail = mills.ln() + density(0.0).ln() - 0.5 * z * z;
        z += mills * (log_tail - tail.ln());
    }
    if level.below <= level.above { -z } else { z }
}
