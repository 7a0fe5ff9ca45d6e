#![allow(clippy::unwrap_used, reason = "tests")]

use super::{calibrated, family};
use crate::budget::PrivacyBudget;
use crate::log_concave::{LogConcaveError, LogConcavePrivacy};

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
        assert_eq!(refused(name, 50.5, 0.0), LogConcaveError::Epsilon { value: 50.5 });
        assert!(calibrated(family(name), 0.0, 0.1).is_ok());
    }
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
    for dimension in [0, 2, 1000] {
        let refused = LogConcavePrivacy::calibrated_in(family("subbotin:4"), &budget, dimension).unwrap_err();
        assert_eq!(refused, LogConcaveError::SeveralDimensions { dimension });
        assert!(refused.to_string().contains("Lemma 8 and Theorem 9"));
    }
}
