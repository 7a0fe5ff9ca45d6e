#![allow(clippy::unwrap_used, reason = "tests")]

use statrs::distribution::{ContinuousCDF, Normal};

use super::*;
use crate::calibrate::gaussian::Calibration;

fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn gaussian(epsilon: f64, delta: f64) -> GaussianPrivacy {
    GaussianPrivacy::calibrated(Calibration::Tight, &budget(epsilon, delta)).unwrap()
}

const RATES: [f64; 7] = [1e-9, 0.001, 0.01, 0.05, 0.1, 0.5, 0.99];

#[test]
fn the_power_against_gaussian_noise_is_that_of_the_test_of_neyman_and_pearson() {
    let normal = Normal::standard();
    for mu in [0.01, 0.268, 1.0, 4.0] {
        let trade_off = TradeOff::Gaussian(GaussianPrivacy::new(mu).unwrap());
        for wrong in RATES {
            let expected = 1.0 - normal.cdf(normal.inverse_cdf(1.0 - wrong) - mu);
            let power = trade_off.power(wrong);
            assert!((power / expected - 1.0).abs() < 1e-6, "{mu}, {wrong}: {power} is not {expected}");
        }
        assert!((trade_off.right_guesses() - normal.cdf(mu / 2.0)).abs() < 1e-10);
    }
}

/// The Gaussian curve touches that of each (epsilon, delta) of its own profile and never lies above it.
#[test]
fn gaussian_noise_allows_no_more_than_any_budget_that_it_meets_and_as_much_as_all_of_them() {
    let privacy = gaussian(1.0, 1e-5);
    let exact = TradeOff::Gaussian(privacy);
    for wrong in RATES {
        let mut least = f64::INFINITY;
        for step in 0..4000 {
            let epsilon = f64::from(step) * 5e-4;
            let bound = TradeOff::Budget(budget(epsilon, privacy.delta(epsilon))).power(wrong);
            assert!(exact.power(wrong) <= bound * (1.0 + 1e-9), "{wrong}, {epsilon}");
            least = least.min(bound);
        }
        assert!(least / exact.power(wrong) - 1.0 < 1e-5, "{wrong}: {least} is not {}", exact.power(wrong));
    }
}

/// Randomised response attains a pure guarantee.
#[test]
fn the_bound_of_a_pure_guarantee_is_attained_by_randomised_response() {
    for epsilon in [0.1_f64, 1.0, 3.0] {
        let truth = epsilon.exp() / (1.0 + epsilon.exp());
        let trade_off = TradeOff::Budget(budget(epsilon, 0.0));
        assert!((trade_off.power(1.0 - truth) - truth).abs() < 1e-9);
        assert!((trade_off.right_guesses() - truth).abs() < 1e-9);
        assert!((trade_off.certainty().unwrap() - truth).abs() < 1e-9);
    }
}

/// The table of the threat model, which was made by other formulas in another language.
#[test]
fn the_numbers_are_those_of_the_table_in_the_threat_model() {
    let table = [
        (0.1, 5.4, 50.7, 52.6),
        (0.5, 6.7, 52.9, 61.1),
        (1.0, 8.5, 55.4, 70.4),
        (2.0, 12.7, 60.0, 84.3),
        (3.0, 17.8, 64.1, 92.3),
        (5.0, 30.1, 71.3, 98.4),
    ];
    for (epsilon, yes, guesses, sure) in table {
        let trade_off = TradeOff::Gaussian(gaussian(epsilon, 1e-5));
        let found = [trade_off.power(0.05), trade_off.right_guesses(), trade_off.certainty().unwrap()];
        let up = found.map(|share| (share * 1000.0).ceil() / 10.0);
        assert_eq!(up, [yes, guesses, sure], "{epsilon}");
    }
}

#[test]
fn a_right_yes_is_never_rarer_than_a_wrong_one_and_no_data_tell_nothing() {
    for trade_off in [
        TradeOff::Budget(budget(0.0, 0.0)),
        TradeOff::Budget(budget(2.0, 1e-3)),
        TradeOff::Gaussian(gaussian(1.0, 1e-5)),
    ] {
        for wrong in RATES {
            assert!((wrong..=1.0).contains(&trade_off.power(wrong)));
        }
        assert_eq!((trade_off.power(1.0), trade_off.power(f64::NAN), trade_off.power(-1.0)), (1.0, 1.0, 1.0));
    }
    let nothing = TradeOff::Budget(budget(0.0, 0.0));
    assert!((nothing.power(0.05) - 0.05).abs() < 1e-12 && nothing.power(0.0) == 0.0);
    assert_eq!(TradeOff::Budget(budget(1.0, 1e-5)).certainty(), None);
}

#[test]
fn a_release_of_gaussian_noise_is_judged_by_its_mu_and_any_other_by_its_budget() {
    let privacy = gaussian(1.0, 1e-5);
    let TradeOff::Gaussian(found) = TradeOff::of_release(&Spend::of_gaussian(privacy), budget(1.0, 1e-5)) else {
        panic!("Gaussian noise")
    };
    assert!(found.mu() >= privacy.mu() && found.mu() / privacy.mu() - 1.0 < 1e-12);
    let pure = budget(1.0, 0.0);
    assert_eq!(TradeOff::of_release(&Spend::of_budget(&pure), pure), TradeOff::Budget(pure));
}

#[test]
fn several_people_have_k_times_the_mu_and_a_sum_of_deltas() {
    let gaussian = TradeOff::Gaussian(GaussianPrivacy::new(0.25).unwrap());
    assert_eq!(gaussian.of_several(4), Some(TradeOff::Gaussian(GaussianPrivacy::new(1.0).unwrap())));
    // delta + e^0.5 delta + e^1 delta, by hand
    let budget = TradeOff::Budget(PrivacyBudget::new(0.5, 1e-3).unwrap());
    let Some(TradeOff::Budget(three)) = budget.of_several(3) else { panic!("a budget") };
    assert!((three.epsilon() - 1.5).abs() < 1e-15 && (three.delta() - 5.367_003_1e-3).abs() < 1e-9, "{three:?}");
    let Some(TradeOff::Budget(two)) = TradeOff::Budget(PrivacyBudget::new(0.0, 0.1).unwrap()).of_several(2) else {
        panic!("a budget")
    };
    assert!((two.delta() - 0.2).abs() < 1e-15);
    assert_eq!(TradeOff::Budget(PrivacyBudget::new(5.0, 0.1).unwrap()).of_several(4), None);
}
