#![allow(clippy::unwrap_used, reason = "tests")]

use super::{calibrated, family};
use crate::budget::PrivacyBudget;
use crate::calibrate::log_concave::{LogConcaveError, LogConcavePrivacy};

fn refused(name: &str, epsilon: f64, delta: f64) -> LogConcaveError {
    calibrated(family(name), epsilon, delta).unwrap_err()
}

#[test]
fn pure_privacy_is_refused_exactly_where_the_likelihood_ratio_is_unbounded() {
    for name in ["gaussian", "subbotin:1.0000001", "subbotin:1.5", "subbotin:2", "subbotin:100"] {
        assert_eq!(refused(name, 1.0, 0.0), LogConcaveError::UnboundedRatio);
        assert_eq!(LogConcavePrivacy::new(family(name), 1.0).unwrap().epsilon(0.0), f64::INFINITY);
    }
    for name in ["laplace", "logistic", "subbotin:1"] {
        assert!(calibrated(family(name), 1.0, 0.0).is_ok());
    }
    assert!(LogConcaveError::UnboundedRatio.to_string().contains("Theorem 6"));
}

#[test]
fn budgets_outside_the_proved_range_are_refused() {
    for name in ["laplace", "logistic", "gaussian", "subbotin:3"] {
        assert_eq!(refused(name, 0.0, 0.0), LogConcaveError::NoBudget);
        assert_eq!(refused(name, 1.0, 1e-16), LogConcaveError::Delta { value: 1e-16 });
        assert_eq!(refused(name, 1.0, 0.6), LogConcaveError::Delta { value: 0.6 });
        assert_eq!(refused(name, 1e-7, 0.1), LogConcaveError::Epsilon { value: 1e-7 });
        assert_eq!(refused(name, 50.5, 0.1), LogConcaveError::Epsilon { value: 50.5 });
        assert!(refused(name, 50.5, 0.1).to_string().contains("not tested"));
        assert!(calibrated(family(name), 0.0, 0.1).is_ok());
    }
}

#[test]
fn pure_privacy_is_calibrated_at_every_epsilon_to_the_last_digit() {
    for name in ["laplace", "logistic", "subbotin:1"] {
        for epsilon in [1e-199, 1e-9, 0.3, 50.5, 1e3, 1e199] {
            let privacy = calibrated(family(name), epsilon, 0.0).unwrap();
            assert_eq!((privacy.distance(), privacy.delta(epsilon)), (epsilon, 0.0), "{name}");
            assert_eq!(privacy.epsilon(0.0), epsilon, "{name}");
        }
        assert_eq!(refused(name, 1e-300, 0.0), LogConcaveError::NoScale { epsilon: 1e-300, delta: 0.0 });
        // more noise than needed
        assert_eq!(calibrated(family(name), f64::MAX, 0.0).unwrap().distance(), 1e200);
    }
    assert_eq!(refused("gaussian", 1e3, 0.0), LogConcaveError::UnboundedRatio);
}

#[test]
fn numbers_that_are_not_numbers_fail_closed() {
    for name in ["laplace", "logistic", "gaussian", "subbotin:3"] {
        let privacy = LogConcavePrivacy::new(family(name), 1.0).unwrap();
        for epsilon in [f64::NAN, -1.0, f64::NEG_INFINITY] {
            assert_eq!(privacy.delta(epsilon), 1.0);
        }
        for delta in [f64::NAN, -1e-9] {
            assert_eq!(privacy.epsilon(delta), f64::INFINITY);
        }
        for sensitivity in [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e-320] {
            assert!(privacy.scale(sensitivity).is_err() && privacy.variance(sensitivity).is_err(), "{sensitivity}");
        }
        for distance in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            assert!(LogConcavePrivacy::new(family(name), distance).is_err());
        }
    }
}

#[test]
fn several_dimensions_are_refused_because_their_theorem_is_withdrawn() {
    let budget = PrivacyBudget::new(1.0, 0.1).unwrap();
    let one = LogConcavePrivacy::calibrated_in(family("subbotin:4"), &budget, 1).unwrap();
    assert_eq!(one.distance(), calibrated(family("subbotin:4"), 1.0, 0.1).unwrap().distance());
    let refused = |dimension| {
        let refused = LogConcavePrivacy::calibrated_in(family("subbotin:4"), &budget, dimension).unwrap_err();
        assert_eq!(refused, LogConcaveError::SeveralDimensions { dimension });
        refused.to_string()
    };
    assert!([2, 1000].into_iter().all(|dimension| refused(dimension).contains("Lemma 8 and Theorem 9")));
    assert!(refused(0).contains("a query of no numbers") && !refused(0).contains("several dimensions"));
}
