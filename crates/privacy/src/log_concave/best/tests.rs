#![allow(clippy::unwrap_used, reason = "tests")]

use super::best_family;
use crate::budget::PrivacyBudget;
use crate::log_concave::{LogConcaveError, LogConcaveNoise, LogConcavePrivacy};
use crate::noise_family::{NoiseFamily, Subbotin};

#[test]
fn the_best_family_beats_every_named_one_and_a_finer_search_of_shapes() {
    for (epsilon, delta) in [(1.0, 1e-6), (1.0, 0.1), (0.1, 0.05), (5.0, 1e-3), (0.0, 0.1)] {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let best = best_family(&budget).unwrap();
        assert_eq!(best.candidates().len(), 4);
        assert!(best.candidates().iter().all(|candidate| best.variance() <= candidate.variance()));
        for i in 0..60 {
            let shape = (f64::from(i) / 59.0 * 100.0_f64.ln()).exp().min(100.0);
            let other = NoiseFamily::Subbotin(Subbotin::new(shape).unwrap());
            let variance = LogConcavePrivacy::calibrated(other, &budget).unwrap().variance(1.0).unwrap();
            assert!(best.variance() <= variance * (1.0 + 1e-4), "({epsilon}, {delta}): {:?}, {shape}", best.family());
        }
    }
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
