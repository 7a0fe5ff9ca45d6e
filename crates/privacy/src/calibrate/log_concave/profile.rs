//! Computes the profile of noise without a closed form, by integrating positive terms.

use super::LogConcaveNoise;
use super::quadrature::integrate;

/// The relative charge for the rounding of the densities, in addition to the error of the quadrature.
///
/// The tests check it against arithmetic with 60 digits.
const ROUNDING: f64 = 1e-12;

/// The part of the tail, relative to the result, that may be counted in full instead of being integrated.
const TAIL_SHARE: f64 = 1e-13;

/// Computes `delta(epsilon)` at this distance, rounded up. Infinite potentials and NaN count as delta = 1.
///
/// With `L(t) = psi(t + d) - psi(t)`, which never decreases, and `L(x) <= epsilon`,
///
/// ```text
/// delta = int_x^inf exp(-psi(t)) (1 - exp(epsilon - L(t)))+ dt
/// ```
///
/// Nearly equal numbers are not subtracted. An `L` that is too large, or an `x` that is too small, errs on the private
/// side.
pub(super) fn numeric_profile<N: LogConcaveNoise + ?Sized>(noise: &N, epsilon: f64, distance: f64) -> f64 {
    // exact: the sign of a fused multiplication and addition is that of the true value
    if noise.slope_limit().mul_add(distance, -epsilon) <= 0.0 {
        return 0.0;
    }
    let density = |t: f64| (-noise.potential(t)).exp();
    let delta = if epsilon == 0.0 {
        // L is odd about -d/2, so x = -d/2 and delta = P(|X| < d/2)
        let end = (distance / 2.0).min(reach(noise, 0.0, f64::MIN_POSITIVE));
        let (half, error) = integrate(density, &[0.0, end]);
        let beyond = if end < distance / 2.0 { noise.upper_tail(end) } else { 0.0 };
        2.0 * (half + error + beyond)
    } else {
        let outside = |t: f64| {
            let ratio = noise.log_ratio(t, distance);
            // NaN, infinity less infinity, counts as a ratio without bound
            if ratio.is_nan() { 1.0 } else { (-(epsilon - ratio).exp_m1()).max(0.0) }
        };
        integral_to_infinity(noise, |t| density(t) * outside(t), threshold(noise, epsilon, distance))
    };
    let rounded_up = delta * (1.0 + ROUNDING);
    if rounded_up.is_nan() { 1.0 } else { rounded_up.clamp(f64::MIN_POSITIVE, 1.0) }
}

/// Finds a point `x` with `L(x) <= epsilon`, as large as doubles allow, or where the tail is too small to matter.
///
/// `L` is odd about `-d/2`, where it is 0: the search starts there.
pub(super) fn threshold<N: LogConcaveNoise + ?Sized>(noise: &N, epsilon: f64, distance: f64) -> f64 {
    let start = -distance / 2.0;
    let within = |offset: f64| noise.log_ratio(start + offset, distance) <= epsilon;
    let (mut low, mut high) = (0.0, 1.0);
    while within(high) {
        low = high;
        high *= 2.0;
        if start + low > 0.0 && noise.upper_tail(start + low) < f64::MIN_POSITIVE {
            return start + low;
        }
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high < f64::MIN_POSITIVE {
            return start + low;
        }
        if within(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// `int_x^inf f`, for `0 <= f <= exp(-psi)`, increased by the error of the quadrature and by the tail that is left out.
fn integral_to_infinity<N: LogConcaveNoise + ?Sized>(noise: &N, f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let (mut from, mut total, mut level) = (x, 0.0, if x > 0.0 { noise.upper_tail(x) } else { 0.5 });
    loop {
        level *= 1e-20;
        let to = reach(noise, from, level);
        let points = if from < 0.0 && to > 0.0 { vec![from, 0.0, to] } else { vec![from, to] };
        let (integral, error) = integrate(&f, &points);
        total += integral + error;
        let beyond = noise.upper_tail(to);
        if beyond <= TAIL_SHARE * total || level < f64::MIN_POSITIVE {
            return total + beyond;
        }
        from = to;
    }
}

/// A point beyond `from` and 0 where the upper tail is at most `level`, no farther than about an eighth of the way more
/// than needed.
pub(super) fn reach<N: LogConcaveNoise + ?Sized>(noise: &N, from: f64, level: f64) -> f64 {
    let from = from.max(0.0);
    let too_much = |step: f64| noise.upper_tail(from + step) > level;
    let mut step = 1.0;
    while too_much(step) && step < f64::MAX / 4.0 {
        step *= 2.0;
    }
    while !too_much(step / 2.0) && from + step / 2.0 > from {
        step /= 2.0;
    }
    let (mut low, mut high) = (step / 2.0, step);
    for _ in 0..3 {
        let middle = f64::midpoint(low, high);
        if too_much(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    from + high
}
