#![allow(clippy::unwrap_used, reason = "tests")]

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
    assert!(BudgetError::Delta { value: 1.0 }.to_string().contains("the raw data too"));
}
