#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn a_guarantee_is_read_through_the_checks_of_a_budget() {
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let guarantee = Guarantee::new(budget, NeighbouringRelation::AddRemoveOne, PrivacyUnit::Subject);
    let json = serde_json::to_string(&guarantee).unwrap();
    assert_eq!(json, r#"{"epsilon":1.0,"delta":0.00001,"neighbours":"add-remove","unit":"subject"}"#);
    assert_eq!(serde_json::from_str::<Guarantee>(&json).unwrap(), guarantee);
    for bad in [json.replace("1.0", "-1.0"), json.replace("\"unit\"", "\"other\"")] {
        assert!(serde_json::from_str::<Guarantee>(&bad).is_err(), "{bad}");
    }
}
