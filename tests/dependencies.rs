//! docs/dependencies.md says of every crate why it is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The crates that one of ours names as a dependency of any kind.
fn direct() -> BTreeSet<String> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    crates
        .chain([root(), root().join("benches"), root().join("bindings/python"), root().join("bindings/r/src/rust")])
        .flat_map(|folder| named(&folder.join("Cargo.toml")))
        .collect()
}

fn named(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap();
    let mut is_list = false;
    let mut names = Vec::new();
    for line in text.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_list = section.trim_end_matches(']').ends_with("dependencies");
        } else if let Some((name, _)) = line.split_once('=').filter(|_| is_list) {
            names.push(name.trim().trim_end_matches(".workspace").to_owned());
        }
    }
    names.retain(|name| !name.starts_with('#') && !name.starts_with("dpfda"));
    names
}

/// The versions of every crate from elsewhere in Cargo.lock.
fn locked() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in text.split("[[package]]").filter(|package| package.contains("\nsource = ")) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.unwrap().trim_matches('"').to_owned()
        };
        found.entry(value("name")).or_default().push(value("version"));
    }
    found
}

/// Holds a part of the page to what was found, or writes it where `DPFDA_WRITE_PAGES` is set.
fn assert_page_shows(part: &str, expected: impl FnOnce(&str) -> String) {
    let path = root().join("docs/dependencies.md");
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(&format!("<!-- {part} -->\n")).unwrap();
    let end = format!("<!-- end of {part} -->\n");
    let (found, tail) = rest.split_once(&end).unwrap();
    let expected = expected(found);
    if std::env::var_os("DPFDA_WRITE_PAGES").is_some() {
        fs::write(&path, format!("{head}<!-- {part} -->\n{expected}{end}{tail}")).unwrap();
    } else {
        assert_eq!(found, expected, "write it with DPFDA_WRITE_PAGES=1 cargo test --test integration dependencies");
    }
}

#[test]
fn every_crate_has_its_reason_and_its_version_and_there_is_no_other() {
    let locked = locked();
    // those that this platform's lock has in several versions are told by the first
    assert_page_shows("direct", |page| {
        let (header, rows) = page.split_at(page.match_indices('\n').nth(1).unwrap().0 + 1);
        let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let reasons: BTreeMap<String, Vec<String>> =
            rows.lines().map(|row| (cells(row)[0].clone(), cells(row))).collect();
        let names: BTreeSet<String> = reasons.keys().cloned().collect();
        assert_eq!(names, direct(), "the crates on the page are not those of the manifests");
        let row = |(name, cells): (&String, &Vec<String>)| {
            assert!(cells.len() == 4 && cells[3].len() > 8, "{name} needs a reason");
            format!("| {name} | {} | {} | {} |\n", locked[name].join(", "), cells[2], cells[3])
        };
        header.to_owned() + &reasons.iter().map(row).collect::<String>()
    });
    let direct = direct();
    assert_page_shows("all", |_| {
        let others = locked.iter().filter(|(name, _)| !direct.contains(*name));
        let words: Vec<String> = others.map(|(name, versions)| format!("{name} {}", versions.join(" and "))).collect();
        format!("{} crates: {}.\n", words.len(), words.join(", "))
    });
}
