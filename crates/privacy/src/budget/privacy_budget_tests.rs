#![allow(clippy::unwrap_used, reason = "tests")]

use crate::budget::amount::Amount;

use super::{BudgetError, PrivacyBudget};

#[test]
fn minus_zero_is_zero() {
    let budget = PrivacyBudget::new(-0.0, -0.0).unwrap();
    assert!(budget.epsilon().is_sign_positive() && budget.delta().is_sign_positive());
    let read: PrivacyBudget = serde_json::from_str(r#"{"epsilon": -0.0, "delta": -0.0}"#).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"epsilon":0.0,"delta":0.0}"#);
}

#[test]
fn a_delta_of_1_is_refused_because_the_raw_data_would_satisfy_it() {
    for value in [1.0, 1.5, -1e-300, f64::INFINITY] {
        assert_eq!(PrivacyBudget::new(1.0, value), Err(BudgetError::Delta { value }));
    }
    assert!(PrivacyBudget::new(1.0, f64::NAN).is_err());
    assert!(BudgetError::Delta { value: 1.0 }.to_string().contains("a release of the raw data"));
}

#[test]
fn the_epsilon_that_mechanisms_keep_to_is_never_above_its_decimal() {
    let within = |epsilon| PrivacyBudget::new(epsilon, 0.0).unwrap().epsilon_within();
    for epsilon in [0.1, 0.2, 0.3, 0.7, 1e-6, 1.0 / 3.0, 2.5, 49.9] {
        let (kept, decimal) = (within(epsilon), Amount::decimal(epsilon).unwrap());
        assert!(
            Amount::exact(kept).unwrap() <= decimal && Amount::exact(kept.next_up()).unwrap() > decimal,
            "{epsilon}"
        );
    }
    assert_eq!([within(0.0), within(0.5), within(1.0)], [0.0, 0.5, 1.0]);
    assert_eq!(within(0.1), 0.1_f64.next_down());
}
