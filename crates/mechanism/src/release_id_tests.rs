use super::*;

#[test]
fn an_id_can_be_typed_on_one_line() {
    for id in ["", "a b", "a/b", "é", &"x".repeat(101)] {
        assert_eq!(id.parse::<ReleaseId>(), Err(ReleaseIdError), "{id}");
    }
    assert!("mean-2026.1:a_b".parse::<ReleaseId>().is_ok());
}
