//! Mills' ratio of the normal distribution, the cancellation-free core of Gaussian calibration.

use std::f64::consts::{PI, SQRT_2};

use libm::erfc;

#[cfg(test)]
#[path = "mills_tests.rs"]
mod tests;

/// From here on the continued fraction is used; below it, the complementary error function.
const FRACTION_FROM: f64 = 3.0;

/// The standard normal density `phi(x)`.
pub(crate) fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// The upper tail `P(Z > x)` of a standard normal `Z`, for `x` that is not large.
pub(crate) fn upper_tail(x: f64) -> f64 {
    0.5 * erfc(x / SQRT_2)
}

/// Mills' ratio `R(x) = P(Z > x) / phi(x)`, for `x >= -37`.
pub(crate) fn ratio(x: f64) -> f64 {
    if x < FRACTION_FROM { upper_tail(x) / density(x) } else { 1.0 / (x + fraction(x)) }
}

/// Minus the derivative of Mills' ratio, `-R'(x) = 1 - x R(x) > 0`, for `x >= -37`.
pub(crate) fn negative_slope(x: f64) -> f64 {
    if x < FRACTION_FROM {
        1.0 - x * ratio(x)
    } else {
        // 1 - x / (x + K) without the cancellation
        let k = fraction(x);
        k / (x + k)
    }
}

/// `K` in Laplace's continued fraction `R(x) = 1 / (x + K)`, `K = 1/(x + 2/(x + 3/(x + ...)))`.
fn fraction(x: f64) -> f64 {
    // 150 levels settle the last bit at x = 3; larger x need fewer, and the rest add nothing.
    (1..=150_u32).rev().fold(0.0, |tail, level| f64::from(level) / (x + tail))
}
