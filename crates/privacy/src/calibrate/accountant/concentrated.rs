//! Converts zero-concentrated to approximate differential privacy.

use crate::budget::amount::Amount;
use crate::calibrate::enclosure::Bound;
use crate::calibrate::enclosure::laws::zcdp_delta;

/// The smallest delta that a `rho`-zCDP sum is proved to have at this epsilon, in doubles.
///
/// ```text
/// inf over a > 1 of e^((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1)
/// ```
///
/// (Canonne, Kamath and Steinke 2020, Proposition 12.) The bound holds for every `a`. So the search for the best `a`
/// can cost accuracy, but no privacy.
pub(super) fn delta_of_zcdp(twice_rho: &Amount, epsilon: &Amount) -> f64 {
    best_order(twice_rho, epsilon).map_or_else(|trivial| trivial, |(_, log)| libm::exp(log).next_up().min(1.0))
}

/// A number that this delta does not exceed, by an enclosure at the `a` that was found in doubles.
pub(super) fn proved_delta_of_zcdp(twice_rho: &Amount, epsilon: &Amount) -> Bound {
    match best_order(twice_rho, epsilon) {
        Ok((log_excess, _)) => zcdp_delta(twice_rho, epsilon, libm::exp(log_excess)),
        Err(0.0) => Bound::zero(),
        Err(_) => Bound::one(),
    }
}

/// The logarithm of the best `a - 1` and that of the bound there; a delta where there is nothing to search.
fn best_order(twice_rho: &Amount, epsilon: &Amount) -> Result<(f64, f64), f64> {
    if twice_rho.is_zero() {
        return Err(0.0);
    }
    let (rho, epsilon) = ((twice_rho.to_f64_up() / 2.0).next_up(), epsilon.to_f64());
    if !(rho.is_finite() && epsilon >= 0.0) {
        return Err(1.0);
    }
    Ok(minimum(|log_excess| log_bound(rho, epsilon, libm::exp(log_excess)), -40.0, 80.0))
}

/// The logarithm of the bound at `a = 1 + excess`, rounded up.
fn log_bound(rho: f64, epsilon: f64, excess: f64) -> f64 {
    let order = 1.0 + excess;
    let terms =
        [excess * (order * rho - epsilon), order * (libm::log(excess) - libm::log1p(excess)), -libm::log(excess)];
    let size: f64 = terms.iter().map(|term| term.abs()).sum::<f64>() + excess * (order * rho + epsilon);
    terms.iter().sum::<f64>() + 1e-14 * (1.0 + size)
}

/// The place and the smallest value found in a golden-section search. It is the minimum if the function has only one valley.
fn minimum(f: impl Fn(f64) -> f64, mut lower: f64, mut upper: f64) -> (f64, f64) {
    const SECTION: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (upper - SECTION * (upper - lower), lower + SECTION * (upper - lower));
    let (mut at_a, mut at_b) = (f(a), f(b));
    let mut least = (a, f64::INFINITY);
    for _ in 0..=90 {
        for (place, value) in [(a, at_a), (b, at_b)] {
            // what is not a number is not smaller
            if value < least.1 {
                least = (place, value);
            }
        }
        if at_a <= at_b {
            (upper, b, at_b) = (b, a, at_a);
            a = upper - SECTION * (upper - lower);
            at_a = f(a);
        } else {
            (lower, a, at_a) = (a, b, at_b);
            b = lower + SECTION * (upper - lower);
            at_b = f(b);
        }
    }
    least
}
