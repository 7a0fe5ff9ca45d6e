#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use super::{calibrated, family, scale};
use crate::calibrate::log_concave::LogConcaveNoise;

#[test]
fn laplace_scales_are_those_of_theorem_3() {
    for (epsilon, delta) in [(0.0_f64, 0.2_f64), (0.5, 0.0), (1.0, 1e-6), (3.0, 0.3), (50.0, 1e-15)] {
        let found = scale(family("laplace"), epsilon, delta);
        let expected = 1.0 / (epsilon - 2.0 * (1.0 - delta).ln());
        assert!((found / expected - 1.0).abs() < 1e-12, "({epsilon}, {delta}): {found} for {expected}");
    }
}

#[test]
fn logistic_scales_are_those_of_theorem_4() {
    for (epsilon, delta) in [(0.0_f64, 0.2_f64), (0.5, 0.0), (1.0, 1e-6), (3.0, 0.3), (50.0, 1e-15)] {
        let found = scale(family("logistic"), epsilon, delta);
        let root = (delta * (epsilon.exp() + delta - 1.0)).sqrt();
        let expected = 1.0 / (2.0 * (((epsilon / 2.0).exp() + root) / (1.0 - delta)).ln());
        assert!((found / expected - 1.0).abs() < 1e-12, "({epsilon}, {delta}): {found} for {expected}");
    }
}

/// Theorem 6: what is bounded settles as delta falls, what is unbounded does not, and worse so the larger `r`.
#[test]
fn scales_grow_without_end_as_delta_falls_exactly_for_unbounded_ratios() {
    let growth = |name: &str| scale(family(name), 1.0, 1e-15) / scale(family(name), 1.0, 1e-3);
    assert!(growth("laplace") < 1.01 && growth("logistic") < 1.1);
    let unbounded = ["subbotin:1.2", "gaussian", "subbotin:4"].map(growth);
    assert!(
        unbounded[0] > 1.3 && unbounded[1] > 1.5 * unbounded[0] && unbounded[2] > 1.5 * unbounded[1],
        "{unbounded:?}"
    );
}

/// Theorem 7: the Laplace scale is between one and two times the logistic one, falling with epsilon; two is approached as
/// epsilon / delta and delta tend to 0.
#[test]
fn laplace_scales_are_one_to_two_times_logistic_ones_and_both_bounds_are_sharp() {
    let ratio = |epsilon, delta| scale(family("laplace"), epsilon, delta) / scale(family("logistic"), epsilon, delta);
    for delta in [1e-12, 1e-6, 1e-3, 0.1, 0.5] {
        let ratios = [0.0, 1e-6, 1e-3, 0.1, 1.0, 5.0, 50.0].map(|epsilon| ratio(epsilon, delta));
        assert!(ratios.iter().all(|r| *r < 2.0 && *r > 1.0 - 1e-12), "{ratios:?}");
        assert!(ratios.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{ratios:?}");
    }
    assert!(ratio(0.0, 1e-6) > 1.999_99 && ratio(50.0, 1e-12) < 1.000_01);
}

/// Corollary 1: the two variances agree where the ratio of scales is `pi / sqrt(6)`.
#[test]
fn laplace_has_the_smaller_variance_exactly_where_the_ratio_of_scales_is_below_pi_over_root_6() {
    for epsilon in [0.01, 0.1, 1.0, 3.0] {
        for delta in [1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.4] {
            let [laplace, logistic] =
                ["laplace", "logistic"].map(|name| calibrated(family(name), epsilon, delta).unwrap());
            let ratio = laplace.scale(1.0).unwrap() / logistic.scale(1.0).unwrap();
            assert_eq!(
                laplace.variance(1.0).unwrap() < logistic.variance(1.0).unwrap(),
                ratio < PI / 6.0_f64.sqrt(),
                "({epsilon}, {delta}): {ratio}"
            );
        }
    }
    assert!((family("laplace").variance() / family("logistic").variance() - 6.0 / (PI * PI)).abs() < 1e-15);
}

/// Lemma 2: scales are proportional to sensitivities, variances to their squares.
#[test]
fn scales_are_linear_in_the_sensitivity() {
    let privacy = calibrated(family("subbotin:3"), 1.0, 1e-3).unwrap();
    let (one, seven) = (privacy.scale(1.0).unwrap(), privacy.scale(7.0).unwrap());
    assert!((seven / one - 7.0).abs() < 1e-14);
    assert!((privacy.variance(7.0).unwrap() / privacy.variance(1.0).unwrap() - 49.0).abs() < 1e-12);
}
