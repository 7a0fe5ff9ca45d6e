#![allow(clippy::unwrap_used, reason = "tests")]

use super::{calibrated, family};
use crate::calibrate::log_concave::{LogConcaveNoise, LogConcavePrivacy};

/// `int max(p - e^epsilon q, 0)` on the two densities, by the midpoint rule: no threshold, no tail, no log-ratio.
fn by_definition(noise: &impl LogConcaveNoise, epsilon: f64, distance: f64) -> f64 {
    let (from, to, steps) = (-distance - 40.0, 40.0, 1_000_000);
    let step = (to - from) / f64::from(steps);
    let excess = |i: i32| {
        let t = from + (f64::from(i) + 0.5) * step;
        ((-noise.potential(t)).exp() - epsilon.exp() * (-noise.potential(t + distance)).exp()).max(0.0)
    };
    (0..steps).map(excess).sum::<f64>() * step
}

#[test]
fn integrating_the_excess_of_one_density_over_the_other_gives_back_delta() {
    for name in ["laplace", "logistic", "gaussian", "subbotin:1.3", "subbotin:4", "subbotin:30"] {
        for (epsilon, delta) in [(0.0, 0.1), (0.1, 1e-3), (1.0, 1e-5), (4.0, 0.3)] {
            let noise = family(name);
            let distance = calibrated(noise, epsilon, delta).unwrap().distance();
            let found = by_definition(&noise, epsilon, distance);
            assert!((found / delta - 1.0).abs() < 1e-4, "{name} ({epsilon}, {delta}): {found}");
            let too_little = by_definition(&noise, epsilon, distance / 0.9);
            assert!(too_little > 1.05 * delta, "{name} ({epsilon}, {delta}): 10% less noise gives {too_little}");
        }
    }
}

#[test]
fn without_delta_no_density_exceeds_e_to_the_epsilon_times_the_other() {
    for name in ["laplace", "logistic"] {
        for epsilon in [0.1_f64, 1.0, 4.0] {
            let noise = family(name);
            assert!(by_definition(&noise, epsilon, epsilon) < 1e-13);
            assert!(by_definition(&noise, epsilon, epsilon / 0.9) > 1e-4);
        }
    }
}

/// Lemma 1 in its own words, where its difference of tails does not cancel.
#[test]
fn the_difference_of_tails_of_lemma_1_agrees_with_the_profile() {
    for (name, epsilon, distance) in [("subbotin:1.5", 1.0, 1.5), ("subbotin:5", 0.5, 0.4), ("logistic", 2.0, 3.0)] {
        let noise = family(name);
        let tail = |x: f64| if x < 0.0 { 1.0 - noise.upper_tail(-x) } else { noise.upper_tail(x) };
        let (mut low, mut high) = (-distance / 2.0, 100.0);
        for _ in 0..200 {
            let x = f64::midpoint(low, high);
            if noise.potential(x + distance) - noise.potential(x) < epsilon { low = x } else { high = x }
        }
        let expected = tail(low) - epsilon.exp() * tail(low + distance);
        let found = LogConcavePrivacy::new(noise, distance).unwrap().delta(epsilon);
        assert!((found / expected - 1.0).abs() < 1e-10, "{name}: {found} for {expected}");
    }
}

#[test]
fn tails_variances_and_slopes_belong_to_the_densities() {
    for name in ["laplace", "logistic", "gaussian", "subbotin:1.3", "subbotin:4", "subbotin:100"] {
        let noise = family(name);
        let step = 1e-4;
        let (mut mass, mut second) = (0.0, 0.0);
        for i in 0..600_000 {
            let x = (f64::from(i) + 0.5) * step;
            let weight = (-noise.potential(x)).exp() * step;
            mass += weight;
            second += 2.0 * weight * x * x;
            if i == 9_999 {
                let tail = noise.upper_tail(1.0);
                assert!((0.5 - mass - tail).abs() < 1e-6, "{name}: {tail}");
            }
        }
        assert!((mass - 0.5).abs() < 1e-6 && (second / noise.variance() - 1.0).abs() < 1e-5, "{name}");
        let slope = noise.potential(1e3) - noise.potential(999.0);
        let limit = noise.slope_limit();
        assert!(if limit.is_finite() { (slope - limit).abs() < 1e-12 } else { slope > 5.0 }, "{name}: {slope}");
    }
}
