//! Entries 1, 8 and the group privacy of entry 6: what Gaussian noise of the classical scale is worth.

use dpfda::prelude::*;

use super::{assert_close, classical};

#[test]
fn the_classical_scale_breaks_its_promise_from_epsilon_7_09_or_9_40_on_and_not_before() {
    for (delta, last_kept, first_broken) in [(0.1, 7.08, 7.09), (1e-5, 9.39, 9.40)] {
        let keeps = |epsilon: f64| classical(epsilon, delta).delta(epsilon) <= delta;
        let hundredths = |from: i32, to: i32| (from..=to).map(|i| f64::from(i) / 100.0);
        assert!(hundredths(1, 5000).filter(|epsilon| *epsilon <= last_kept).all(keeps), "{delta}");
        assert!(!hundredths(1, 5000).filter(|epsilon| *epsilon >= first_broken).any(keeps), "{delta}");
    }
}

#[test]
fn at_epsilon_20_the_classical_scale_gives_a_hundred_times_the_stated_delta() {
    assert_close(classical(20.0, 1e-5).delta(20.0), 9.7e-4, 5e-6);
    assert_close(classical(20.0, 0.1).delta(20.0), 0.93, 5e-3);
    assert!(classical(50.0, 0.1).delta(50.0) > 1.0 - 1e-13, "it tends to 1");
}

#[test]
fn a_delta_of_1_promises_nothing_and_is_refused_but_the_formula_still_adds_noise() {
    assert!(PrivacyBudget::new(1.0, 1.0).is_err());
    let captioned = |epsilon: f64| classical(epsilon, 1.0);
    assert_close(1.0 / captioned(1.0).mu(), 1.18, 5e-3);
    // at epsilon 1 it is even (1, 0.1)-private, as the formula asks for more than is needed; at 5 and 2 it is not
    assert!(captioned(1.0).delta(1.0) < 0.1);
    assert_close(captioned(5.0).delta(5.0), 0.76, 5e-3);
    assert_close(captioned(2.0).delta(2.0), 0.21, 5e-3);
}

#[test]
fn at_epsilon_5_and_2_the_classical_scale_for_a_delta_of_a_tenth_suffices_but_is_not_proved() {
    for epsilon in [5.0, 2.0] {
        assert!(classical(epsilon, 0.1).delta(epsilon) < 0.1);
        let budget = PrivacyBudget::new(epsilon, 0.1).unwrap();
        assert!(GaussianPrivacy::calibrated(Calibration::Classical, &budget).is_err());
    }
}

#[test]
fn a_person_with_k_scans_has_k_times_the_mu_of_a_scan() {
    let budget = PrivacyBudget::new(1.0, 0.1).unwrap();
    let person = |calibration, scans: f64| {
        let scan = GaussianPrivacy::calibrated(calibration, &budget).unwrap();
        GaussianPrivacy::new(scans * scan.mu()).unwrap()
    };
    let stated = [
        (Calibration::Classical, 8.0, 3.27, 0.84, 8.70),
        (Calibration::Classical, 7.0, 2.86, 0.76, 6.94),
        (Calibration::Tight, 8.0, 7.37, 0.9996, 35.66),
    ];
    for (calibration, scans, mu, delta, epsilon) in stated {
        let found = person(calibration, scans);
        assert_close(found.mu(), mu, 5e-3);
        assert_close(found.delta(1.0), delta, 5e-3);
        assert_close(found.epsilon(0.1), epsilon, 5e-3);
    }
}
