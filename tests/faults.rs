//! The table of planted faults agrees with itself and with its page. Whether each fault still has its place in the code is
//! for `cargo run -p dpfda-benches --bin faults -- --check`: code may move without a test failing here.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

#[path = "../benches/faults/table.rs"]
mod table;

use table::{faults, markdown};

#[test]
fn every_fault_has_an_id_of_its_own_another_text_and_a_test() {
    let faults = faults().unwrap();
    let ids: HashSet<&str> = faults.iter().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), faults.len());
    for fault in faults {
        assert!(fault.old != fault.new && !fault.old.trim().is_empty(), "{}", fault.id);
        assert!(!fault.tests.is_empty(), "{}", fault.id);
    }
}

#[test]
fn the_page_shows_the_table_of_faults() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/assurance.md")).unwrap();
    assert!(page.contains(&markdown().unwrap()), "write it with cargo run -p dpfda-benches --bin faults -- --page");
}
