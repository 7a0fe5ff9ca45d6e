#![allow(
    clippy::unwrap_used,
    clippy::excessive_precision,
    reason = "tests; reference values keep the digits they were computed with"
)]

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{DiscreteLaplace, DiscreteLaplaceError, LARGEST, STEPS, exponential_coin, on_grid};
use crate::budget::PrivacyBudget;
use crate::calibrate::audit::{LEVEL, refuted};
use crate::draw::randomness::SeededRandomness;

const DRAWS: u32 = 1_000_000;

fn noise(numerator: u64, denominator: u64) -> DiscreteLaplace {
    DiscreteLaplace::new(numerator, denominator).unwrap()
}

fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn draws(noise: &DiscreteLaplace, seed: u64) -> impl Iterator<Item = i128> {
    let mut randomness = SeededRandomness::from_seed(seed);
    (0..DRAWS).map(move |_| noise.sample(&mut randomness))
}

/// `P(k)` at scale `t`.
fn probability(k: i32, t: f64) -> f64 {
    (0.5 / t).tanh() * (-f64::from(k.abs()) / t).exp()
}

/// Whether draws look like the law of scale `t`, by a chi-squared test over cells expecting at least 20.
fn fits(draws: impl Iterator<Item = i128>, t: f64) -> bool {
    const REACH: i32 = 2_000;
    let mut counts = vec![0_u32; 4_001];
    for k in draws {
        if k.abs() <= i128::from(REACH) {
            counts[usize::try_from(k + i128::from(REACH)).unwrap()] += 1;
        }
    }
    let total = f64::from(DRAWS);
    let (mut statistic, mut cells, mut seen_inside, mut expected_inside) = (0.0, 0.0, 0.0, 0.0);
    for (k, seen) in (-REACH..).zip(counts) {
        let expected = total * probability(k, t);
        if expected >= 20.0 {
            statistic += (f64::from(seen) - expected).powi(2) / expected;
            cells += 1.0;
            seen_inside += f64::from(seen);
            expected_inside += expected;
        }
    }
    statistic += (expected_inside - seen_inside).powi(2) / (total - expected_inside).max(1.0);
    ChiSquared::new(cells).unwrap().sf(statistic) > LEVEL
}

#[test]
fn draws_have_the_discrete_laplace_law_and_the_test_sees_two_percent() {
    for (seed, (numerator, denominator)) in
        (1..).zip([(1, 1), (1, 3), (5, 2), (22, 7), (100, 1), (123_456_789, 1 << 22)])
    {
        let t = numerator as f64 / denominator as f64;
        assert!(fits(draws(&noise(numerator, denominator), seed), t), "{numerator}/{denominator}");
    }
    assert!(!fits(draws(&noise(102, 2), 7), 50.0));
    assert!(fits(draws(&noise(100, 2), 7), 50.0));
}

#[test]
fn coins_have_their_probability() {
    let mut randomness = SeededRandomness::from_seed(5);
    for (numerator, denominator) in [(0, 7), (1, 1), (3, 7), (LARGEST - 1, LARGEST)] {
        let heads = (0..DRAWS).filter(|_| exponential_coin(numerator, denominator, &mut randomness)).count() as f64;
        let (p, total) = ((-(numerator as f64 / denominator as f64)).exp(), f64::from(DRAWS));
        assert!((heads - total * p).abs() <= 4.9 * (total * p * (1.0 - p)).sqrt(), "{numerator}/{denominator}");
    }
}

#[test]
fn variance_is_that_of_the_sums() {
    for (numerator, denominator) in [(1, 2), (1, 1), (19, 2)] {
        let t = numerator as f64 / denominator as f64;
        let sum: f64 = (-2_000..=2_000).map(|k| f64::from(k).powi(2) * probability(k, t)).sum();
        assert!((noise(numerator, denominator).variance() / sum - 1.0).abs() < 1e-12);
    }
    assert!((noise(1 << 40, 1).variance() / 2.0_f64.powi(81) - 1.0).abs() < 1e-12);
    assert_eq!(noise(1, 1 << 62).variance(), 0.0);
}

#[test]
fn the_profile_agrees_with_eighty_digit_sums_and_is_never_below_them() {
    for (numerator, denominator, sensitivity, epsilon, exact) in [
        (10, 1, 1, 0.05, 0.025_603_537_098_495_456),
        (10, 1, 7, 0.3, 0.181_269_246_922_018_146),
        (3, 2, 5, 1.0, 0.701_025_754_722_188_766),
        (3, 2, 5, 3.3, 0.021_662_170_399_493_317_6),
        (1, 3, 1, 2.0, 0.602_141_689_372_621_86),
        (40, 7, 100, 0.0, 0.999_841_538_674_884_249),
        // all but one part in 3e14 cancels in sensitivity - epsilon scale
        (7, 1, 1, 0.142_857_142_857_142, 4.651_364_766_074_438_19e-16),
        (7, 1, 3, 0.4285, 0.000_038_259_610_057_233_367_2),
        (25, 1, 10, 0.1, 0.139_421_109_332_893_941),
    ] {
        let found = noise(numerator, denominator).delta(sensitivity, epsilon);
        assert!((1.0..1.0 + 2e-13).contains(&(found / exact)), "{found} for {exact}");
    }
}

#[test]
fn the_profile_fails_closed_and_ends_exactly_at_the_pure_epsilon() {
    let noise = noise(7, 1);
    for nothing in [f64::NAN, -f64::NAN, -f64::MIN_POSITIVE, -1.0, f64::NEG_INFINITY] {
        assert_eq!(noise.delta(1, nothing), 1.0);
    }
    assert_eq!(noise.delta(1, -0.0), noise.delta(1, 0.0));
    assert_eq!(noise.delta(1, f64::INFINITY), 0.0);
    assert_eq!(noise.delta(1, f64::MAX), 0.0);
    for sensitivity in [1, 2, 3, 7, 50, u64::MAX] {
        let epsilon = noise.epsilon(sensitivity);
        assert_eq!(noise.delta(sensitivity, epsilon), 0.0);
        assert!(noise.delta(sensitivity, epsilon.next_down()) > 0.0);
    }
    assert_eq!(noise.epsilon(14), 2.0);
    assert!(DiscreteLaplace::new(1, 1 << 62).unwrap().delta(1, 1e18) > 0.999_999);
}

/// The scale before this one on the grid.
fn one_less(noise: &DiscreteLaplace) -> DiscreteLaplace {
    let (mut low, mut high) = (0, 104 * STEPS);
    let exceeds = |a: (u64, u64), b: (u64, u64)| u128::from(a.0) * u128::from(b.1) > u128::from(b.0) * u128::from(a.1);
    while low + 1 < high {
        let middle = u64::midpoint(low, high);
        if exceeds(noise.scale(), on_grid(middle).scale()) { low = middle } else { high = middle }
    }
    on_grid(low)
}

#[test]
fn the_grid_increases_by_less_than_one_part_in_a_million() {
    for index in [0, 1, STEPS - 2, STEPS - 1, 61 * STEPS - 1, 62 * STEPS - 1, 62 * STEPS, 104 * STEPS - 2] {
        let ratio = |noise: DiscreteLaplace| noise.scale().0 as f64 / noise.scale().1 as f64;
        let step = ratio(on_grid(index + 1)) / ratio(on_grid(index)) - 1.0;
        assert!(step > 0.0 && step <= 1.0 / STEPS as f64, "index {index}");
    }
    assert_eq!(on_grid(104 * STEPS - 1).scale(), (LARGEST, 1));
}

#[test]
fn pure_calibration_is_exact_and_the_smallest_on_the_grid() {
    assert_eq!(DiscreteLaplace::calibrated(10, 5, &budget(1.0, 0.0)).unwrap().scale(), (10, 1));
    // a tenth, not the double nearest to it
    assert_eq!(DiscreteLaplace::calibrated(1, 5, &budget(0.1, 0.0)).unwrap().scale(), (10, 1));
    assert_eq!(DiscreteLaplace::calibrated(1 << 60, 1, &budget(0.5, 0.0)).unwrap().scale(), (1 << 61, 1));
    for (sensitivity, epsilon) in [(1, 0.1), (3, 0.7), (1 << 23, 0.3), (12_345, 20.0), (1, 1e-15), (1, 1e12), (7, 3.3)]
    {
        let noise = DiscreteLaplace::calibrated(sensitivity, 100, &budget(epsilon, 0.0)).unwrap();
        assert!(noise.epsilon(sensitivity) <= epsilon, "{sensitivity} at {epsilon}");
        assert!(one_less(&noise).epsilon(sensitivity) > epsilon, "{sensitivity} at {epsilon}");
    }
}

#[test]
fn calibration_with_delta_gives_the_scales_of_eighty_digit_arithmetic() {
    for (sensitivity, epsilon, delta, n, power) in [
        (1, 1.0, 1e-6, 2_097_150, -21),
        (1, 0.1, 1e-3, 1_286_219, -17),
        (10, 0.5, 0.01, 1_261_069, -16),
        (1_000, 1.0, 1e-9, 2_048_000, -11),
        (3, 0.0, 0.05, 1_921_954, -16),
        (1 << 23, 0.3, 1e-7, 1_747_626, 4),
    ] {
        let found = DiscreteLaplace::calibrated(sensitivity, 1, &budget(epsilon, delta)).unwrap();
        let (numerator, denominator) = found.scale();
        assert_eq!(numerator as f64 / denominator as f64, f64::from(n) * 2.0_f64.powi(power));
        assert!(found.delta(sensitivity, epsilon) <= delta);
        assert!(one_less(&found).delta(sensitivity, epsilon) > delta);
    }
}

#[test]
fn what_is_not_proved_is_refused() {
    let refused = |sensitivity, dimension, epsilon, delta| {
        DiscreteLaplace::calibrated(sensitivity, dimension, &budget(epsilon, delta)).unwrap_err()
    };
    assert_eq!(refused(1, 2, 1.0, 1e-6), DiscreteLaplaceError::SeveralCoordinates { delta: 1e-6, dimension: 2 });
    assert_eq!(refused(0, 1, 1.0, 0.0), DiscreteLaplaceError::Sensitivity { value: 0 });
    assert_eq!(refused(1, 0, 1.0, 0.0), DiscreteLaplaceError::Dimension { value: 0 });
    assert_eq!(refused(1, 1, 0.0, 0.0), DiscreteLaplaceError::NothingToSpend);
    assert_eq!(refused(1, 1, 1e-30, 0.0), DiscreteLaplaceError::TooLarge);
    assert_eq!(refused(1, 1, 0.0, 1e-20), DiscreteLaplaceError::TooLarge);
    for (numerator, denominator) in [(0, 1), (1, 0), (LARGEST + 1, 1), (1, LARGEST + 1)] {
        let expected = DiscreteLaplaceError::Scale { numerator, denominator };
        assert_eq!(DiscreteLaplace::new(numerator, denominator), Err(expected));
    }
}

#[test]
fn audits_accept_the_guarantee_and_refute_it_for_a_scale_ten_percent_too_small() {
    // the events are those where the likelihood ratio exceeds e^epsilon
    for (epsilon, delta) in [(1.0, 0.0), (0.5, 0.01)] {
        let audited = |noise: &DiscreteLaplace| {
            let here = draws(noise, 8).filter(|k| *k >= 0).count() as u64;
            let there = draws(noise, 9).filter(|k| *k - 10 >= 0).count() as u64;
            refuted(here, there, u64::from(DRAWS), epsilon, delta)
        };
        let right = DiscreteLaplace::calibrated(10, 1, &budget(epsilon, delta)).unwrap();
        assert!(!audited(&right));
        let (numerator, denominator) = right.scale();
        assert!(audited(&noise(9 * numerator, 10 * denominator)), "delta {delta}: a false claim stands");
    }
}

#[test]
fn pure_privacy_holds_in_two_dimensions() {
    // changes of 4 and 6 in two coordinates: the corner where both likelihood ratios are largest
    let noise = DiscreteLaplace::calibrated(10, 2, &budget(1.0, 0.0)).unwrap();
    let corner = |seed, shifts: (i128, i128)| {
        let pairs = draws(&noise, seed).zip(draws(&noise, seed + 1));
        pairs.filter(|(a, b)| a - shifts.0 >= 0 && b - shifts.1 >= 0).count() as u64
    };
    let (here, there) = (corner(20, (0, 0)), corner(30, (4, 6)));
    assert!(!refuted(here, there, u64::from(DRAWS), 1.0, 0.0));
    assert!(refuted(here, there, u64::from(DRAWS), 0.9, 0.0));
}

#[test]
fn neighbouring_integers_have_the_same_support_and_large_scales_do_not_overflow() {
    let mut seen = draws(&noise(5, 2), 11).collect::<Vec<_>>();
    seen.sort_unstable();
    seen.dedup();
    assert!((-15..=15).all(|k| seen.binary_search(&k).is_ok()));
    let mut randomness = SeededRandomness::from_seed(12);
    let largest = noise(LARGEST, 1);
    let total = 20_000;
    let mean =
        (0..total).map(|_| largest.sample(&mut randomness).unsigned_abs() as f64).sum::<f64>() / f64::from(total);
    // the mean of an exponential deviate, with standard error 1/141
    assert!((mean / LARGEST as f64 - 1.0).abs() < 4.9 / 141.0, "{mean}");
}
