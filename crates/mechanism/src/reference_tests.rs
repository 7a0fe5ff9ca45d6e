#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn a_reference_is_read_through_the_checks_of_its_names() {
    let reference = LedgerReference::new("a study", "mean-1".parse().unwrap(), 3, Digest::of(b"entry")).unwrap();
    let json = serde_json::to_string(&reference).unwrap();
    assert_eq!(serde_json::from_str::<LedgerReference>(&json).unwrap(), reference);
    for (from, to) in
        [("a study", "a\\nstudy"), ("mean-1", "mean 1"), ("\"entry\":3", "\"entry\":-3"), ("{", "{\"more\":1,")]
    {
        assert!(json.contains(from), "{from}");
        assert!(serde_json::from_str::<LedgerReference>(&json.replacen(from, to, 1)).is_err(), "{to}");
    }
    assert_eq!(LedgerReference::new("", "mean-1".parse().unwrap(), 3, Digest::none()), Err(NameError));
}
