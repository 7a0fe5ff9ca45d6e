#![allow(clippy::unwrap_used, reason = "tests")]

mod audits;
mod integrals;

use proptest::prelude::*;

use super::{DensityGenerator, EllipticalError, KNorm, StudentT};

#[test]
fn k_norm_spends_the_distance_of_the_centres() {
    for dimension in [1, 2, 5, 100] {
        let law = KNorm::new(dimension).unwrap();
        let epsilon = law.epsilon_of(3.0, 2.0).unwrap();
        assert!((1.5..1.5 + 1e-15).contains(&epsilon), "{epsilon}");
        // in doubles 0.3 / 0.1 is below 3
        assert!(law.epsilon_of(0.3, 0.1).unwrap() >= 3.0);
        let scale = law.scale_for(3.0, 1.5).unwrap();
        assert!((2.0..2.0 + 1e-14).contains(&scale), "{scale}");
    }
}

#[test]
fn t_agrees_with_forty_digit_arithmetic_on_the_form_of_theorem_3() {
    let rows = [
        (3.0, 1, 1.0, 1.139_236_200_073_385_3),
        (1.0, 1, 0.5, 0.494_932_923_094_526_9),
        (0.5, 2, 2.0, 2.865_539_586_951_472),
        (4.0, 5, 1e-6, 2.249_999_999_999_976_8e-6),
        (30.0, 5, 10.0, 28.644_114_060_738_396),
        (5.0, 64, 3.0, 43.373_256_017_713_125),
        (2.0, 2, 1e-3, 1.414_213_532_910_314e-3),
    ];
    for (nu, dimension, distance, expected) in rows {
        let epsilon = StudentT::new(nu, dimension).unwrap().epsilon_of(distance, 1.0).unwrap();
        assert!(epsilon >= expected, "nu {nu}, d {dimension}, D {distance}: {epsilon:e} is below {expected:e}");
        assert!(epsilon <= expected * (1.0 + 1e-13), "nu {nu}, d {dimension}, D {distance}: {epsilon:e}");
    }
}

/// The largest difference of `g` along the line through both centres, and where it is attained.
fn along_the_line(law: &dyn DensityGenerator, distance: f64) -> (f64, f64) {
    let points = (0..=400_000).map(|i| f64::from(i) * 1e-4);
    let differences = points.map(|r| (law.neg_log_density(r + distance) - law.neg_log_density(r), r));
    differences.fold((0.0, 0.0), |best, next| if next.0 > best.0 { next } else { best })
}

#[test]
fn epsilon_depends_on_sensitivity_and_scale_through_their_ratio_alone() {
    let laws: [&dyn DensityGenerator; 2] = [&KNorm::new(2).unwrap(), &StudentT::new(3.0, 2).unwrap()];
    for law in laws {
        for scale in [0.125, 0.5, 4.0, 1024.0] {
            assert_eq!(law.epsilon_of(0.7 * scale, scale), law.epsilon_of(0.7, 1.0));
        }
    }
}

#[test]
fn epsilon_is_attained_on_the_line_through_both_centres() {
    for distance in [0.2, 1.0, 4.0] {
        let nu = 3.0;
        let t = StudentT::new(nu, 2).unwrap();
        let (largest, at) = along_the_line(&t, distance);
        assert!((largest / t.epsilon_of(distance, 1.0).unwrap() - 1.0).abs() < 1e-7);
        let c = f64::midpoint(distance, (distance * distance + 4.0 * nu).sqrt());
        assert!((at + distance - c).abs() < 1e-3, "attained at {at} from the one centre");
        assert!((nu / c + distance - c).abs() < 1e-12);
        let k_norm = KNorm::new(5).unwrap();
        let (largest, _) = along_the_line(&k_norm, distance);
        assert!((largest / k_norm.epsilon_of(distance, 1.0).unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn t_tends_to_the_cost_of_its_tail_for_far_centres() {
    // asinh(x) = ln(2x) for large x
    let epsilon = StudentT::new(2.0, 1).unwrap().epsilon_of(1e50, 1.0).unwrap();
    assert!((epsilon / (3.0 * (50.0 * 10.0_f64.ln() - 2.0_f64.sqrt().ln())) - 1.0).abs() < 1e-12, "{epsilon}");
}

#[test]
fn numbers_without_meaning_are_refused_by_name() {
    assert_eq!(KNorm::new(0), Err(EllipticalError::Dimension));
    assert_eq!(StudentT::new(3.0, 0), Err(EllipticalError::Dimension));
    let law = KNorm::new(2).unwrap();
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(StudentT::new(value, 2), Err(EllipticalError::DegreesOfFreedom { .. })), "{value}");
        assert!(matches!(law.epsilon_of(value, 1.0), Err(EllipticalError::Sensitivity { .. })), "{value}");
        assert!(matches!(law.epsilon_of(1.0, value), Err(EllipticalError::Scale { .. })), "{value}");
        assert!(matches!(law.scale_for(value, 1.0), Err(EllipticalError::Sensitivity { .. })), "{value}");
        assert!(matches!(law.scale_for(1.0, value), Err(EllipticalError::Epsilon { .. })), "{value}");
    }
    assert!(matches!(law.epsilon_of(1e60, 1e-60), Err(EllipticalError::Distance { .. })));
    assert!(matches!(law.scale_for(1.0, 1e-200), Err(EllipticalError::Distance { .. })));
    assert!(matches!(StudentT::new(1.0, 1).unwrap().scale_for(1.0, 1e6), Err(EllipticalError::Distance { .. })));
}

/// The best variance of t noise over that of K-norm noise at equal epsilon, and the `nu` that gives it.
fn best_t_over_k_norm(dimension: usize, epsilon: f64) -> (f64, f64) {
    let k_norm = KNorm::new(dimension).unwrap();
    let per_unit = k_norm.coordinate_variance() * k_norm.scale_for(1.0, epsilon).unwrap().powi(2);
    let ratios = (0..=2000).map(|i| {
        let nu = 2.0 + (f64::from(i) * 0.006 - 6.0).exp();
        let law = StudentT::new(nu, dimension).unwrap();
        (law.coordinate_variance() * law.scale_for(1.0, epsilon).unwrap().powi(2) / per_unit, nu)
    });
    ratios.fold((f64::INFINITY, 0.0), |best, next| if next.0 < best.0 { next } else { best })
}

#[test]
fn t_beats_k_norm_only_beyond_the_documented_epsilon() {
    for (dimension, equal, nu, at_1, at_8, at_16) in [
        (1, 5.784, 3.50, 1.486, 0.607, 0.026),
        (4, 8.259, 6.24, 1.197, 1.013, 0.486),
        (16, 14.543, 18.07, 1.059, 1.041, 0.987),
        (64, 28.059, 66.02, 1.015, 1.014, 1.010),
    ] {
        let (ratio, best) = best_t_over_k_norm(dimension, equal);
        assert!((ratio - 1.0).abs() < 2e-4 && (best / nu - 1.0).abs() < 0.01, "d {dimension}: {ratio} at nu {best}");
        for (epsilon, documented) in [(1.0, at_1), (8.0, at_8), (16.0, at_16)] {
            let (ratio, _) = best_t_over_k_norm(dimension, epsilon);
            assert!((ratio - documented).abs() < 6e-4, "d {dimension}, epsilon {epsilon}: {ratio}");
        }
        let (limit, best) = best_t_over_k_norm(dimension, 1e-3);
        let d = dimension as f64;
        assert!((limit - (d + 2.0) / (d + 1.0)).abs() < 1e-5 && (best - d - 4.0).abs() < 0.01 * best);
    }
}

proptest! {
    #[test]
    fn the_scale_keeps_its_epsilon_and_a_smaller_one_does_not(
        epsilon in 1e-6..50.0_f64, sensitivity in 1e-9..1e9_f64, nu in 0.1..100.0_f64, dimension in 1..40_usize,
    ) {
        let laws: [&dyn DensityGenerator; 2] = [&KNorm::new(dimension).unwrap(), &StudentT::new(nu, dimension).unwrap()];
        for law in laws {
            let scale = law.scale_for(sensitivity, epsilon).unwrap();
            prop_assert!(law.epsilon_of(sensitivity, scale).unwrap() <= epsilon);
            prop_assert!(law.epsilon_of(sensitivity, scale * (1.0 - 1e-12)).unwrap() > epsilon);
        }
    }
}
