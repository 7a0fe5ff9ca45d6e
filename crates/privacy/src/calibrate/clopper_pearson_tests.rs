#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

/// Count, draws, level, and the two bounds as another program computes them (quantiles of the beta law).
const REFERENCE: [(u64, u64, f64, f64, f64); 9] = [
    (3, 10, 0.025, 0.066_739_511_177_734_47, 0.652_452_850_059_997_3),
    (1, 1_000_000, 1e-10, 1.000_000_000_05e-16, 2.633_364_803_596_376e-5),
    (10, 1_000_000, 1e-10, 4.727_241_081_332_993e-7, 4.656_376_983_773_857e-5),
    (5_000, 1_000_000, 1e-10, 0.004_564_251_499_441_859, 0.005_462_828_290_105_005),
    (500_000, 1_000_000, 1e-10, 0.496_818_862_535_105_7, 0.503_181_137_464_894_2),
    (999_990, 1_000_000, 1e-10, 0.999_953_436_230_162_3, 0.999_999_527_275_891_9),
    (5_000_000, 10_000_000, 1e-11, 0.498_939_635_858_077_93, 0.501_060_364_141_922),
    (12, 10_000_000, 1e-11, 6.748_331_510_447_514e-8, 5.330_106_475_080_358e-6),
    (500_000, 1_000_000, 5e-7, 0.497_553_696_012_634_9, 0.502_446_303_987_365_1),
];

#[test]
fn the_bounds_are_those_of_clopper_and_pearson_on_the_safe_side() {
    for (count, draws, level, least, most) in REFERENCE {
        let (lower, upper) = binomial_bounds(count, draws, level);
        assert!(lower <= least && upper >= most, "{count} of {draws} at {level}: {lower} to {upper}");
        // lowering the level by a hundredth moves the bounds by no more than this part of their distance from the count
        let seen = count as f64 / draws as f64;
        assert!(least - lower < 0.011 * (seen - least).max(least), "{count} of {draws}: {lower} for {least}");
        assert!(upper - most < 0.011 * (most - seen), "{count} of {draws}: {upper} for {most}");
    }
}

#[test]
fn nothing_and_everything_have_one_bound_each() {
    let (lower, upper) = binomial_bounds(0, 1_000_000, 1e-6);
    assert!(lower == 0.0 && (upper - 1.381_6e-5).abs() < 1e-7, "{upper}");
    assert_eq!(binomial_bounds(1_000_000, 1_000_000, 1e-6), (1.0 - upper, 1.0));
    for (count, draws, level) in [(2, 1, 0.1), (0, 0, 0.1), (1, 2, 0.0), (1, 2, f64::NAN), (1, u64::MAX, 0.1)] {
        assert_eq!(binomial_bounds(count, draws, level), (0.0, 1.0));
    }
}

#[test]
fn the_tail_is_the_sum_of_the_probabilities() {
    let (n, p) = (30_u64, 0.3_f64);
    for count in 0..=n {
        let choose = |k: u64| (1..=k).fold(1.0, |c, i| c * (n - k + i) as f64 / i as f64);
        let probability = |k: u64| choose(k) * p.powi(i32::try_from(k).unwrap()) * 0.7_f64.powf((n - k) as f64);
        let sum: f64 = (count..=n).map(probability).sum();
        assert!((binomial_tail(count, n, p) / sum - 1.0).abs() < 1e-10, "{count}");
    }
    assert_eq!([binomial_tail(3, 2, 0.5), binomial_tail(1, 2, 0.0), binomial_tail(1, 2, 1.0)], [0.0, 0.0, 1.0]);
}

#[test]
fn equal_counts_refute_nothing_and_unequal_ones_do() {
    assert!(!refuted(500_000, 500_000, 1_000_000, 0.0, 0.0, 1e-6));
    assert!(refuted(500_000, 490_000, 1_000_000, 0.0, 0.0, 1e-6));
    assert!(!refuted(0, 1_000_000, 1_000_000, 0.0, 0.0, 1e-6));
    assert!(!refuted(500_000, 490_000, 1_000_000, f64::NAN, 0.0, 1e-6));
}
