#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::{Calibration, CalibrationError, GaussianPrivacy, largest_mu, profile};
use crate::budget::PrivacyBudget;

fn tight(epsilon: f64, delta: f64) -> Result<GaussianPrivacy, CalibrationError> {
    GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(epsilon, delta).unwrap())
}

fn classical(epsilon: f64, delta: f64) -> Result<GaussianPrivacy, CalibrationError> {
    GaussianPrivacy::calibrated(Calibration::Classical, &PrivacyBudget::new(epsilon, delta).unwrap())
}

#[test]
fn profile_agrees_with_sixty_digit_arithmetic_and_delta_is_never_below_it() {
    let mut worst = 0.0_f64;
    let mut rows = 0;
    for line in include_str!("../../golden/gaussian_profile.csv").lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let [epsilon, mu, expected] = numbers[..] else { panic!("three columns") };
        worst = worst.max((profile(epsilon, mu) / expected - 1.0).abs());
        assert!(GaussianPrivacy::new(mu).unwrap().delta(epsilon) >= expected, "eps {epsilon}, mu {mu}");
        rows += 1;
    }
    assert!(rows > 90, "{rows}");
    assert!(worst < 1e-12, "largest relative error {worst:e}: the rounding up by 1e-11 must cover it amply");
}

#[test]
fn golden_scales_are_met_to_1e_9_and_never_undercut() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../golden/gaussian_calibration.json")).unwrap();
    let rows = golden.as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        let scale = tight(number("epsilon"), number("delta")).unwrap().scale(1.0).unwrap();
        let expected: f64 = row["sigma_per_unit_sensitivity"].as_str().unwrap().parse().unwrap();
        assert!(scale >= expected, "{row}: {scale} is below the true scale");
        assert!(scale <= expected * (1.0 + 1e-9), "{row}: {scale} is too large");
    }
}

/// However wrong the search in doubles may be, what leaves it is private, and almost as large as can be.
#[test]
fn a_mu_that_a_search_found_too_large_is_moved_to_the_private_side() {
    for (epsilon, delta) in [(1.0, 1e-5), (1e-6, 1e-15), (0.1, 0.5), (50.0, 1e-15), (50.0, 0.5), (0.0, 1e-9)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let right = tight(epsilon, delta).unwrap();
        assert_eq!(GaussianPrivacy::verified(right.mu(), &budget), Some(right));
        for wrong in [1e-10, 1e-6, 0.01, 1.0, 1e3] {
            let found = GaussianPrivacy::verified(right.mu() * (1.0 + wrong), &budget).unwrap();
            let (epsilon, delta) = budget.least();
            assert!(found.bound(&epsilon).is_within(&delta), "{budget:?}, {wrong}");
            assert!(found.mu() > right.mu() / (1.0 + 4.0 * wrong), "{budget:?}, {wrong}: {}", found.mu());
        }
    }
}

#[test]
fn a_scale_is_the_smallest_double_not_below_sensitivity_over_mu() {
    for i in 1..2000_u32 {
        let (sensitivity, mu) = (f64::from(i).sqrt(), 1.0 + f64::from(i % 37) / 19.0);
        let scale = GaussianPrivacy::new(mu).unwrap().scale(sensitivity).unwrap();
        // a fused multiplication and addition has the sign of the true value
        assert!(scale.mul_add(mu, -sensitivity) >= 0.0, "{sensitivity} / {mu} is above {scale}");
        assert!(scale.next_down().mul_add(mu, -sensitivity) < 0.0, "{sensitivity} / {mu} needs less than {scale}");
    }
}

#[test]
fn composition_of_scales_2_3_5_is_exact() {
    let parts = [2.0, 3.0, 5.0].map(|sigma: f64| GaussianPrivacy::new(1.0 / sigma).unwrap());
    let total = GaussianPrivacy::compose(parts).unwrap();
    assert!((total.mu() - 19.0 / 30.0).abs() < 1e-14 && total.mu() >= 19.0 / 30.0);
    assert!((total.epsilon(1e-6) / 2.926_099_202_796_989_5 - 1.0).abs() < 1e-10);
    assert!(total.epsilon(1e-6) >= 2.926_099_202_796_989_5);
    assert!((total.delta(1.0) / 0.024_578_639_654_761_3 - 1.0).abs() < 1e-10);
    assert_eq!(GaussianPrivacy::compose([]), None);
}

#[test]
fn tight_needs_2_25_times_less_noise_than_classical_at_the_papers_budget() {
    let ratio = tight(1.0, 0.1).unwrap().mu() / classical(1.0, 0.1).unwrap().mu();
    assert!((ratio - 2.254).abs() < 1e-3, "{ratio}");
}

#[test]
fn budgets_outside_the_proved_range_are_refused() {
    assert_eq!(tight(1.0, 0.0), Err(CalibrationError::DeltaZero));
    assert_eq!(tight(1.0, 1e-16), Err(CalibrationError::Delta { value: 1e-16 }));
    assert_eq!(tight(1.0, 0.6), Err(CalibrationError::Delta { value: 0.6 }));
    assert_eq!(tight(1e-7, 0.1), Err(CalibrationError::Epsilon { value: 1e-7 }));
    assert_eq!(tight(50.5, 0.1), Err(CalibrationError::Epsilon { value: 50.5 }));
    assert_eq!(classical(1.5, 0.1), Err(CalibrationError::ClassicalEpsilon { value: 1.5 }));
    assert_eq!(classical(0.0, 0.1), Err(CalibrationError::ClassicalEpsilon { value: 0.0 }));
    assert!(tight(0.0, 0.1).is_ok());
}

#[test]
fn delta_is_never_below_the_true_one_at_a_negative_epsilon_either() {
    // the true one at epsilon = -1 and mu = 0.5 is 0.6346, that at epsilon = 0 only 0.1974
    for mu in [1e-3, 0.5, 8.0] {
        let privacy = GaussianPrivacy::new(mu).unwrap();
        for epsilon in [-f64::MIN_POSITIVE, -1e-9, -1.0, -50.0] {
            assert_eq!(privacy.delta(epsilon), 1.0, "mu {mu}, epsilon {epsilon}");
        }
        assert_eq!(privacy.delta(-0.0), privacy.delta(0.0));
    }
}

#[test]
fn numbers_that_are_not_numbers_fail_closed() {
    let privacy = GaussianPrivacy::new(1.0).unwrap();
    assert_eq!((privacy.delta(f64::NAN), privacy.delta(f64::NEG_INFINITY)), (1.0, 1.0));
    assert_eq!(privacy.epsilon(f64::NAN), f64::INFINITY);
    assert_eq!(privacy.epsilon(0.0), f64::INFINITY);
    assert!(GaussianPrivacy::new(f64::NAN).is_err());
    for sensitivity in [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e-320] {
        assert!(privacy.scale(sensitivity).is_err(), "{sensitivity}");
    }
    assert!(PrivacyBudget::new(f64::NAN, 0.1).is_err());
    assert!(PrivacyBudget::new(1.0, f64::NAN).is_err());
    assert!(serde_json::from_str::<PrivacyBudget>(r#"{"epsilon": -1.0, "delta": 0.1}"#).is_err());
    assert!(serde_json::from_str::<PrivacyBudget>(r#"{"epsilon": 1.0, "delta": 0.1, "more": 1}"#).is_err());
}

proptest! {
    #[test]
    fn the_tight_scale_is_within_budget_and_nothing_smaller_is(
        log_epsilon in -13.8..3.9_f64,
        log_delta in -34.5..-0.7_f64,
    ) {
        let (epsilon, delta) = (log_epsilon.exp(), log_delta.exp());
        let privacy = tight(epsilon, delta).unwrap();
        prop_assert!(privacy.delta(epsilon) <= delta);
        // what the search found was proved, and did not move
        prop_assert_eq!(privacy.mu(), largest_mu(epsilon, delta));
        let bolder = GaussianPrivacy::new(privacy.mu() * (1.0 + 1e-9)).unwrap();
        prop_assert!(bolder.delta(epsilon) > delta);
    }

    #[test]
    fn epsilon_inverts_delta_on_the_private_side(log_mu in -7.0..2.5_f64, log_delta in -34.5..-0.7_f64) {
        let (privacy, delta) = (GaussianPrivacy::new(log_mu.exp()).unwrap(), log_delta.exp());
        let epsilon = privacy.epsilon(delta);
        prop_assert!(privacy.delta(epsilon) <= delta);
        prop_assert!(epsilon == 0.0 || privacy.delta(epsilon * (1.0 - 1e-9)) > delta);
    }

    #[test]
    fn the_classical_scale_is_never_below_the_tight_one(log_epsilon in -13.8..0.0_f64, log_delta in -34.5..-0.7_f64) {
        let (epsilon, delta) = (log_epsilon.exp(), log_delta.exp());
        prop_assert!(classical(epsilon, delta).unwrap().mu() <= tight(epsilon, delta).unwrap().mu());
    }
}
