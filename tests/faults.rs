//! The table of planted faults does not rot: each fault still has a place in the code, and its tests still exist.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../benches/faults/table.rs"]
mod table;

use table::{Fault, faults};

const LEAST: usize = 25;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of a package's tests: unit tests stand in `src`.
fn tests_of(fault: &Fault) -> PathBuf {
    let package = root().join("crates").join(fault.package.strip_prefix("dpfda-").unwrap());
    if fault.target == "lib" { package.join("src") } else { package.join("tests").join(format!("{}.rs", fault.target)) }
}

fn code_in(path: &Path) -> String {
    if path.is_file() {
        return fs::read_to_string(path).unwrap();
    }
    fs::read_dir(path).unwrap().map(|entry| code_in(&entry.unwrap().path())).collect()
}

#[test]
fn the_old_text_of_every_fault_stands_in_its_file_exactly_once() {
    let stands_once = |fault: &Fault| {
        let code = fs::read_to_string(root().join(fault.file)).unwrap_or_default();
        code.matches(fault.old).count() == 1 && fault.old != fault.new
    };
    let stale: Vec<_> = faults().filter(|fault| !stands_once(fault)).map(|fault| (fault.id, fault.file)).collect();
    assert_eq!(stale, []);
}

#[test]
fn at_least_25_faults_are_listed_once_and_stand_in_the_table_of_the_page() {
    let ids: HashSet<&str> = faults().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), faults().count());
    assert!(ids.len() >= LEAST, "{}", ids.len());
    let page = fs::read_to_string(root().join("docs/assurance.md")).unwrap();
    let (_, rest) = page.split_once("<!-- faults: begin -->").unwrap();
    let (table, _) = rest.split_once("<!-- faults: end -->").unwrap();
    for fault in faults() {
        assert!(table.contains(&format!("| {} | {} | `{}` |", fault.id, fault.says, fault.file)), "{}", fault.id);
    }
    let rows = table.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, ids.len() + 1, "one row for each fault, below the head");
}

#[test]
fn every_test_that_should_catch_a_fault_exists() {
    for fault in faults() {
        let code = code_in(&tests_of(fault));
        for test in fault.tests {
            let name = test.rsplit("::").next().unwrap();
            assert!(code.contains(&format!("fn {name}(")), "{}: {name}", fault.id);
        }
    }
}
