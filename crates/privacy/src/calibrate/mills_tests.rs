#![allow(clippy::unwrap_used, reason = "tests")]

use super::{negative_slope, ratio};

#[test]
fn ratio_and_slope_agree_with_forty_digit_arithmetic() {
    let mut rows = 0;
    for line in include_str!("../../golden/mills.csv").lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let [x, expected_ratio, expected_slope] = numbers[..] else { panic!("three columns") };
        assert!((ratio(x) / expected_ratio - 1.0).abs() < 2e-14, "R({x}) = {} is not {expected_ratio}", ratio(x));
        let slope = negative_slope(x);
        assert!((slope / expected_slope - 1.0).abs() < 2e-13, "-R'({x}) = {slope} is not {expected_slope}");
        rows += 1;
    }
    assert_eq!(rows, 18);
}
