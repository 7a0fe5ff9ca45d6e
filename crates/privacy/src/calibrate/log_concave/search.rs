//! Finds the largest distance within a budget, for a profile that increases with the distance.

use super::LogConcaveNoise;

/// The largest number of steps, many more than the search needs. The returned end has always been checked.
const MOST_STEPS: u32 = 300;

/// Finds the largest distance at which the likelihood ratio never exceeds `e^epsilon`: `epsilon / m`, rounded down,
/// where `m` is the slope limit.
///
/// The result is `None` for budgets so small that doubles lose digits, and if the profile contradicts it.
pub(super) fn largest_pure_distance(noise: &impl LogConcaveNoise, epsilon: f64) -> Option<f64> {
    const SAFE: std::ops::RangeInclusive<f64> = 1e-200..=1e200;
    let (slope, epsilon) = (noise.slope_limit(), epsilon.min(*SAFE.end()));
    let mut distance = epsilon / slope;
    if !(SAFE.contains(&epsilon) && SAFE.contains(&distance)) {
        return None;
    }
    // the sign of a fused multiplication and addition is that of the true value
    while slope.mul_add(distance, -epsilon) > 0.0 {
        distance = distance.next_down();
    }
    (noise.profile(epsilon, distance) <= 0.0).then_some(distance)
}

/// Finds the largest distance at which the profile is within a positive `delta`, to a few units in the last place;
/// `None` if there is none.
pub(super) fn largest_distance(noise: &impl LogConcaveNoise, epsilon: f64, delta: f64) -> Option<f64> {
    let spent = |distance: f64| noise.profile(epsilon, distance);
    let mut small = 1.0;
    // what is not a number is not within
    let within = |distance: f64| spent(distance) <= delta;
    while !within(small) {
        small *= 0.5;
        if small < f64::MIN_POSITIVE {
            return None;
        }
    }
    let mut large = small * 2.0;
    while within(large) {
        small = large;
        large *= 2.0;
        if large == f64::INFINITY {
            return None;
        }
    }
    Some(refine(small, large, |distance| (spent(distance) / delta).ln()))
}

/// Shrinks the bracket by false position (Illinois), and returns the end where `excess` is at most 0.
///
/// Every third step halves the bracket. This also works where `excess` is not finite.
fn refine(mut inside: f64, mut outside: f64, excess: impl Fn(f64) -> f64) -> f64 {
    let (mut below, mut above) = (excess(inside), excess(outside));
    for step in 0..MOST_STEPS {
        let middle = inside + (outside - inside) / 2.0;
        if outside - inside <= 2.0 * f64::EPSILON * inside || middle == inside || middle == outside {
            break;
        }
        let slanted = inside + (outside - inside) * (below / (below - above));
        let is_useful = slanted > inside && slanted < outside;
        let next = if step % 3 == 2 || !is_useful { middle } else { slanted };
        let value = excess(next);
        if value <= 0.0 {
            (inside, below) = (next, value);
            above *= 0.5;
        } else {
            (outside, above) = (next, value);
            below *= 0.5;
        }
    }
    inside
}
