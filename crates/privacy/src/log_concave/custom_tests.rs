#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::{LN_2, PI};

use libm::erfc;

use super::{CustomNoise, CustomNoiseError};
use crate::budget::PrivacyBudget;
use crate::log_concave::{LogConcaveError, LogConcaveNoise, LogConcavePrivacy};
use crate::noise_family::NoiseFamily;

fn laplace_tail(x: f64) -> f64 {
    (-x).exp() / 2.0
}

fn logistic(x: f64) -> f64 {
    x.abs() + 2.0 * (-x.abs()).exp().ln_1p()
}

fn logistic_tail(x: f64) -> f64 {
    (-x).exp() / (1.0 + (-x).exp())
}

fn gaussian(x: f64) -> f64 {
    x * x / 2.0 + (2.0 * PI).ln() / 2.0
}

fn gaussian_tail(x: f64) -> f64 {
    erfc(x / 2.0_f64.sqrt()) / 2.0
}

#[test]
fn noise_described_by_hand_is_calibrated_as_the_family_it_is() {
    for (epsilon, delta) in
        [(0.0, 0.1), (0.0, 1e-15), (1e-6, 1e-15), (1e-6, 0.1), (1.0, 1e-6), (10.0, 0.5), (50.0, 1e-15)]
    {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let check = |found: f64, family: NoiseFamily| {
            let expected = LogConcavePrivacy::calibrated(family, &budget).unwrap().distance();
            assert!(
                found <= expected * (1.0 + 1e-14) && found > expected * (1.0 - 1e-6),
                "{family} ({epsilon}, {delta:e}): {found} for {expected}"
            );
        };
        let by_hand = CustomNoise::new(|x: f64| x.abs() + LN_2, laplace_tail).unwrap();
        check(LogConcavePrivacy::calibrated(by_hand, &budget).unwrap().distance(), NoiseFamily::Laplace);
        let by_hand = CustomNoise::new(logistic, logistic_tail).unwrap();
        check(LogConcavePrivacy::calibrated(by_hand, &budget).unwrap().distance(), NoiseFamily::Logistic);
        let by_hand = CustomNoise::new(gaussian, gaussian_tail).unwrap();
        check(LogConcavePrivacy::calibrated(by_hand, &budget).unwrap().distance(), NoiseFamily::Gaussian);
    }
}

#[test]
fn slope_limits_and_variances_are_worked_out() {
    let found = CustomNoise::new(logistic, logistic_tail).unwrap();
    assert!(found.slope_limit() >= 1.0 && found.slope_limit() < 1.0 + 1e-14);
    assert!((found.variance() / (PI * PI / 3.0) - 1.0).abs() < 1e-9);
    let pure = PrivacyBudget::new(1.0, 0.0).unwrap();
    let distance = LogConcavePrivacy::calibrated(found, &pure).unwrap().distance();
    assert!(distance <= 1.0 && distance > 1.0 - 1e-14);
    let found = CustomNoise::new(gaussian, gaussian_tail).unwrap();
    assert_eq!(found.slope_limit(), f64::INFINITY);
    assert!((found.variance() - 1.0).abs() < 1e-9);
    assert_eq!(LogConcavePrivacy::calibrated(found, &pure).unwrap_err(), LogConcaveError::UnboundedRatio);
}

/// Slopes that grow too slowly for any probe near the mass to tell.
#[test]
fn an_unbounded_slope_is_not_taken_for_a_bounded_one() {
    let slowly = |x: f64| x.abs().powf(1.000_1);
    assert_eq!(super::slope_limit(&slowly), f64::INFINITY);
    assert_eq!(super::slope_limit(&|x: f64| x * (2.0 + x).ln()), f64::INFINITY);
    assert_eq!(super::slope_limit(&|x: f64| x + 1e-30 * x * x), f64::INFINITY);
    assert_eq!(super::slope_limit(&|x: f64| (1.0 + x * x).sqrt()), f64::INFINITY, "overflow");
    assert!((super::slope_limit(&|x: f64| 3.0 * x.hypot(1.0)) - 3.0).abs() < 1e-13);
}

/// `psi = |x|` up to 1 and `2|x| - 1` beyond: a potential with two corners, of which the tail is known.
#[test]
fn a_potential_with_corners_is_calibrated_and_is_purely_private_at_its_largest_slope() {
    let mass = 2.0 * (1.0 - (-1.0_f64).exp() / 2.0);
    let potential = move |x: f64| x.abs().max(2.0 * x.abs() - 1.0) + mass.ln();
    let tail = move |x: f64| {
        let beyond = (1.0 - 2.0 * x.max(1.0)).exp() / 2.0;
        let before = if x < 1.0 { (-x).exp() - (-1.0_f64).exp() } else { 0.0 };
        (before + beyond) / mass
    };
    let noise = CustomNoise::new(potential, tail).unwrap();
    let pure = LogConcavePrivacy::calibrated(noise, &PrivacyBudget::new(1.0, 0.0).unwrap()).unwrap();
    assert!((pure.distance() - 0.5).abs() < 1e-14 && pure.distance() <= 0.5);
    // by hand for d = 0.8, epsilon = 1.2: psi(x + d) - psi(x) = 1.2 where 2(x + d) - 1 - x = 1.2, x = 0.6
    let privacy = LogConcavePrivacy::new(noise, 0.8).unwrap();
    let expected = tail(0.6) - 1.2_f64.exp() * tail(1.4);
    assert!((privacy.delta(1.2) / expected - 1.0).abs() < 1e-8);
    assert!(privacy.delta(1.2) >= expected);
}

#[test]
fn each_condition_of_lemma_1_is_probed() {
    let name = |error: CustomNoiseError| error.to_string();
    let nowhere = CustomNoise::new(
        |x: f64| if x.abs() < 2.0 { 4.0_f64.ln() } else { f64::INFINITY },
        |x| ((2.0 - x) / 4.0).max(0.0),
    );
    assert!(matches!(nowhere.err(), Some(CustomNoiseError::NotFinite { .. })));
    let nan = CustomNoise::new(|x: f64| if x.abs() < 1.0 { x.abs() + LN_2 } else { f64::NAN }, laplace_tail);
    assert!(matches!(nan.err(), Some(CustomNoiseError::NotFinite { .. })));
    let skewed = CustomNoise::new(|x: f64| if x < 0.0 { 2.0 * x.abs() } else { x + LN_2 }, laplace_tail);
    assert!(matches!(skewed.err(), Some(CustomNoiseError::NotEven { .. })));
    // Cauchy noise, and a density with two peaks
    let cauchy = CustomNoise::new(|x: f64| (PI * (1.0 + x * x)).ln(), |x: f64| (1.0 / x).atan() / PI);
    assert!(name(cauchy.err().unwrap()).contains("rescale"));
    let root =
        CustomNoise::new(|x: f64| x.abs().sqrt() + 4.0_f64.ln(), |x: f64| (1.0 + x.sqrt()) * (-x.sqrt()).exp() / 2.0);
    assert!(matches!(root.err(), Some(CustomNoiseError::NotConvex { .. })));
    let peaks = CustomNoise::new(|x: f64| (x.abs() - 1.0).powi(2), gaussian_tail);
    assert!(matches!(peaks.err(), Some(CustomNoiseError::NotConvex { .. })));
    let not_normalised = CustomNoise::new(f64::abs, laplace_tail);
    assert!(matches!(not_normalised.err(), Some(CustomNoiseError::NotTheTail { .. })));
    let other_tail = CustomNoise::new(|x: f64| x.abs() + LN_2, gaussian_tail);
    assert!(matches!(other_tail.err(), Some(CustomNoiseError::NotTheTail { .. })));
    let slightly_off = CustomNoise::new(|x: f64| x.abs() + LN_2 + 1e-7, laplace_tail);
    assert!(matches!(slightly_off.err(), Some(CustomNoiseError::NotTheTail { .. })));
    let not_half = CustomNoise::new(|x: f64| x.abs() + LN_2, |x: f64| (-x).exp());
    assert_eq!(not_half.err(), Some(CustomNoiseError::NotHalfAtZero { value: 1.0 }));
    let nan_tail = CustomNoise::new(|x: f64| x.abs() + LN_2, |_| f64::NAN);
    assert!(matches!(nan_tail.err(), Some(CustomNoiseError::NotHalfAtZero { .. })));
    let far_too_wide = CustomNoise::new(|x: f64| (x / 1e9).abs() + LN_2, |x: f64| laplace_tail(x / 1e9));
    assert_eq!(far_too_wide.err(), Some(CustomNoiseError::Scale));
    let far_too_narrow = CustomNoise::new(|x: f64| (x * 1e9).abs() + LN_2, |x: f64| laplace_tail(x * 1e9));
    assert_eq!(far_too_narrow.err(), Some(CustomNoiseError::Scale));
}
