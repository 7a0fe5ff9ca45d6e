//! Converts zero-concentrated to approximate differential privacy.

/// The smallest delta that a `rho`-zCDP sum is proved to have at this epsilon, rounded up.
///
/// ```text
/// inf over a > 1 of e^((a - 1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1)
/// ```
///
/// (Canonne, Kamath and Steinke 2020, Proposition 12.) The bound holds for every `a`. So the search for the best `a`
/// can cost accuracy, but no privacy.
pub(super) fn delta_of_zcdp(rho: f64, epsilon: f64) -> f64 {
    if rho == 0.0 {
        return 0.0;
    }
    if !(rho.is_finite() && epsilon >= 0.0) {
        return 1.0;
    }
    let logarithm = |log_excess: f64| log_bound(rho, epsilon, libm::exp(log_excess));
    let best = minimum(logarithm, -40.0, 80.0);
    if best.is_nan() { 1.0 } else { libm::exp(best).next_up().min(1.0) }
}

/// The logarithm of the bound at `a = 1 + excess`, rounded up.
fn log_bound(rho: f64, epsilon: f64, excess: f64) -> f64 {
    let order = 1.0 + excess;
    let terms =
        [excess * (order * rho - epsilon), order * (libm::log(excess) - libm::log1p(excess)), -libm::log(excess)];
    let size: f64 = terms.iter().map(|term| term.abs()).sum::<f64>() + excess * (order * rho + epsilon);
    terms.iter().sum::<f64>() + 1e-14 * (1.0 + size)
}

/// The smallest value found in a golden-section search. It is the minimum if the function has only one valley.
fn minimum(f: impl Fn(f64) -> f64, mut lower: f64, mut upper: f64) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (upper - SECTION * (upper - lower), lower + SECTION * (upper - lower));
    let (mut at_a, mut at_b) = (f(a), f(b));
    let mut least = at_a.min(at_b);
    for _ in 0..90 {
        if at_a <= at_b {
            (upper, b, at_b) = (b, a, at_a);
            a = upper - SECTION * (upper - lower);
            at_a = f(a);
        } else {
            (lower, a, at_a) = (a, b, at_b);
            b = lower + SECTION * (upper - lower);
            at_b = f(b);
        }
        least = least.min(at_a).min(at_b);
    }
    least
}
