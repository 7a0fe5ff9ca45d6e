//! The table of planted faults agrees with itself. Whether each fault still has its place in the code is
//! for `cargo run -p dpfda-benches --bin faults -- --check`: code may move without a test failing here.

use std::collections::HashSet;

#[path = "../benches/faults/table.rs"]
mod table;

use table::faults;

#[test]
fn every_fault_has_an_id_of_its_own_another_text_and_a_test() {
    let faults = faults().unwrap();
    let ids: HashSet<&str> = faults.iter().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), faults.len());
    for fault in faults {
        assert!(fault.old != fault.new && !fault.old.trim().is_empty(), "{}", fault.id);
        assert!(!fault.says.is_empty() && !fault.tests.is_empty(), "{}", fault.id);
    }
}
