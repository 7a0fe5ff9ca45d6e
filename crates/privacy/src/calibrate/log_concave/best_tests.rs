#![allow(clippy::unwrap_used, reason = "tests")]

use super::best_family;
use crate::budget::PrivacyBudget;
use crate::calibrate::log_concave::{LogConcaveError, LogConcaveNoise, LogConcavePrivacy};
use crate::calibrate::noise_family::{NoiseFamily, Subbotin};

fn variance(shape: f64, budget: &PrivacyBudget) -> f64 {
    let subbotin = NoiseFamily::Subbotin(Subbotin::new(shape).unwrap());
    LogConcavePrivacy::calibrated(subbotin, budget).unwrap().variance(1.0).unwrap()
}

#[test]
#[ignore = "half a minute long: a search of all shapes"]
fn the_best_family_beats_every_named_one_and_loses_less_than_1e_4_to_a_finer_search_of_shapes() {
    for delta in [1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 3e-5, 3e-4, 3e-3, 0.05, 0.5] {
        for epsilon in [0.0, 1e-3, 0.1, 1.0, 5.0, 50.0] {
            let budget = PrivacyBudget::new(epsilon, delta).unwrap();
            let best = best_family(&budget).unwrap();
            assert_eq!(best.candidates().len(), 4);
            assert!(best.candidates().iter().all(|candidate| best.variance() <= candidate.variance()));
            for i in 0..40 {
                let shape = (1.0 + (f64::from(i) / 39.0 * 1e5_f64.ln()).exp() * 1e-3).min(100.0);
                let at = format!("({epsilon}, {delta}): {}, {shape}", best.family());
                assert!(best.variance() < variance(shape, &budget) * (1.0 + 1e-4), "{at}");
            }
        }
    }
}

#[test]
fn shapes_a_few_thousandths_above_1_are_found_where_they_are_best() {
    for (epsilon, delta, shape, gain) in [(0.1, 3e-5, 1.003, 2.2e-3), (1.0, 3e-4, 1.002, 7e-4)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let best = best_family(&budget).unwrap();
        assert!(best.variance() <= variance(shape, &budget) * (1.0 + 1e-5), "{}", best.family());
        assert!(best.variance() <= variance(1.0, &budget) * (1.0 - gain), "{}", best.family());
    }
}

#[test]
fn shapes_are_given_to_two_decimals_and_near_1_to_two_digits_of_what_is_above_it() {
    let shape = |above_1: f64| super::shape_at(above_1.ln());
    assert_eq!([0.0, 1e-4, 0.003_249, 0.0567].map(shape), [1.0, 1.0001, 1.0032, 1.057]);
    assert_eq!([0.123, 1.0001, 7.7777, 99.0, 1e9].map(shape), [1.12, 2.0, 8.78, 100.0, 100.0]);
}

#[test]
fn the_scale_and_variance_of_the_best_family_are_its_calibrated_ones() {
    let budget = PrivacyBudget::new(1.0, 0.1).unwrap();
    let best = best_family(&budget).unwrap();
    let privacy = LogConcavePrivacy::calibrated(best.family(), &budget).unwrap();
    assert_eq!(best.scale(), privacy.scale(1.0).unwrap());
    assert!((best.variance() / (best.scale().powi(2) * best.family().variance()) - 1.0).abs() < 1e-14);
    assert!(privacy.delta(1.0) <= 0.1);
}

#[test]
fn small_deltas_choose_laplace_and_total_variation_chooses_the_most_uniform() {
    let best = |epsilon, delta| best_family(&PrivacyBudget::new(epsilon, delta).unwrap()).unwrap().family();
    assert_eq!(best(1.0, 1e-9), NoiseFamily::Laplace);
    assert_eq!(best(0.0, 0.01), NoiseFamily::Subbotin(Subbotin::new(100.0).unwrap()));
}

#[test]
fn pure_privacy_is_left_to_the_two_families_that_can_and_laplace_is_the_better() {
    let best = best_family(&PrivacyBudget::new(1.0, 0.0).unwrap()).unwrap();
    assert_eq!(best.candidates().len(), 2);
    assert_eq!((best.family(), best.scale()), (NoiseFamily::Laplace, 1.0));
    assert_eq!(best_family(&PrivacyBudget::new(0.0, 0.0).unwrap()), Err(LogConcaveError::NoBudget));
}
