//! Who may import whom: the directions between the crates of this workspace, as `cargo metadata` tells them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// What each crate may import of the others; `ARCHITECTURE.md` draws it.
///
/// `smoothing` imports `privacy` for two types, which have a test of its own below.
const MAY_IMPORT: [(&str, &[&str]); 21] = [
    ("dpfda-kernels", &[]),
    ("dpfda-privacy", &[]),
    ("dpfda-tables", &["dpfda-kernels"]),
    ("dpfda-mechanism", &["dpfda-privacy"]),
    ("dpfda-ledger", &["dpfda-privacy", "dpfda-mechanism"]),
    ("dpfda-smoothing", &["dpfda-kernels", "dpfda-privacy", "dpfda-tables"]),
    ("dpfda-release", &["dpfda-kernels", "dpfda-privacy", "dpfda-mechanism", "dpfda-smoothing"]),
    ("dpfda-analysis", &["dpfda-kernels", "dpfda-privacy", "dpfda-mechanism", "dpfda-release"]),
    ("dpfda-crossval", &["dpfda-kernels", "dpfda-privacy", "dpfda-smoothing", "dpfda-release"]),
    ("dpfda-density", &["dpfda-privacy", "dpfda-mechanism", "dpfda-tables"]),
    (
        "dpfda-audit",
        &["dpfda-kernels", "dpfda-privacy", "dpfda-mechanism", "dpfda-smoothing", "dpfda-release", "dpfda-density"],
    ),
    (
        "dpfda-plotting",
        &[
            "dpfda-kernels",
            "dpfda-privacy",
            "dpfda-mechanism",
            "dpfda-smoothing",
            "dpfda-release",
            "dpfda-analysis",
            "dpfda-crossval",
            "dpfda-density",
        ],
    ),
    (
        "dpfda",
        &[
            "dpfda-kernels",
            "dpfda-privacy",
            "dpfda-mechanism",
            "dpfda-ledger",
            "dpfda-smoothing",
            "dpfda-release",
            "dpfda-analysis",
            "dpfda-crossval",
            "dpfda-density",
            "dpfda-audit",
            "dpfda-plotting",
        ],
    ),
    ("dpfda-signature", &[]),
    ("dpfda-study", &["dpfda"]),
    ("dpfda-report", &["dpfda"]),
    ("dpfda-cli", &["dpfda", "dpfda-report", "dpfda-signature", "dpfda-study"]),
    ("dpfda-reproduction", &["dpfda", "dpfda-cli"]),
    ("dpfda-benches", &["dpfda", "dpfda-study", "dpfda-reproduction"]),
    ("dpfda-python", &["dpfda", "dpfda-report", "dpfda-signature", "dpfda-study"]),
    ("dpfda-r", &["dpfda", "dpfda-report", "dpfda-study"]),
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn is_ours(name: &str) -> bool {
    name == "dpfda" || name.starts_with("dpfda-")
}

/// Every normal dependency between our crates that [`MAY_IMPORT`] does not allow, and every crate it does not know.
fn wrong_edges(metadata: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let from = package["name"].as_str().unwrap();
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == from) else {
            wrong.push(format!("{from} has no place"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = dependency["name"].as_str().unwrap();
            let is_normal = dependency["kind"].is_null();
            if is_normal && is_ours(to) && !allowed.contains(&to) {
                wrong.push(format!("{from} imports {to}"));
            }
        }
    }
    wrong
}

/// The real metadata with one more dependency.
fn with_edge(from: &str, to: &str, kind: &Value) -> Value {
    let mut metadata = metadata();
    let packages = metadata["packages"].as_array_mut().unwrap();
    let package = packages.iter_mut().find(|package| package["name"] == from).unwrap();
    package["dependencies"].as_array_mut().unwrap().push(json!({ "name": to, "kind": kind }));
    metadata
}

#[test]
fn no_crate_imports_against_the_direction() {
    assert_eq!(wrong_edges(&metadata()), Vec::<String>::new());
}

#[test]
fn the_order_of_the_crates_has_no_cycle() {
    let position = |name: &str| MAY_IMPORT.iter().position(|(known, _)| *known == name).unwrap();
    for (from, allowed) in MAY_IMPORT {
        assert!(allowed.iter().all(|to| position(to) < position(from)), "{from}");
    }
}

#[test]
fn a_planted_wrong_edge_is_caught() {
    let planted = [
        ("dpfda-kernels", "dpfda-privacy"),
        ("dpfda-tables", "dpfda-privacy"),
        ("dpfda-privacy", "dpfda-kernels"),
        ("dpfda-privacy", "dpfda-ledger"),
        ("dpfda-mechanism", "dpfda-ledger"),
        ("dpfda-release", "dpfda-ledger"),
        ("dpfda-smoothing", "dpfda-release"),
        ("dpfda-release", "dpfda-crossval"),
        ("dpfda-analysis", "dpfda-smoothing"),
        ("dpfda-analysis", "dpfda-tables"),
        ("dpfda-analysis", "dpfda-ledger"),
        ("dpfda-analysis", "dpfda-density"),
        ("dpfda-analysis", "dpfda-crossval"),
        ("dpfda-crossval", "dpfda-plotting"),
        ("dpfda-density", "dpfda-release"),
        ("dpfda-density", "dpfda-plotting"),
        ("dpfda-plotting", "dpfda"),
        ("dpfda", "dpfda-cli"),
        ("dpfda-cli", "dpfda-reproduction"),
        ("dpfda-cli", "dpfda-release"),
        ("dpfda", "dpfda-signature"),
        ("dpfda-signature", "dpfda-mechanism"),
    ];
    for (from, to) in planted {
        assert_eq!(wrong_edges(&with_edge(from, to, &Value::Null)), [format!("{from} imports {to}")]);
    }
}

#[test]
fn what_is_built_by_default_does_not_rerun_the_papers() {
    let metadata = metadata();
    let defaults = metadata["workspace_default_members"].as_array().unwrap();
    assert!(!defaults.is_empty());
    let packages = metadata["packages"].as_array().unwrap().iter();
    for package in packages.filter(|package| defaults.contains(&package["id"])) {
        assert_ne!(package["name"], "dpfda-reproduction");
        let mut imports = package["dependencies"].as_array().unwrap().iter();
        assert!(imports.all(|import| import["name"] != "dpfda-reproduction"), "{}", package["name"]);
    }
}

#[test]
fn a_crate_without_a_place_is_caught() {
    let stranger = json!({ "packages": [{ "name": "dpfda-telemetry", "dependencies": [] }] });
    assert_eq!(wrong_edges(&stranger), ["dpfda-telemetry has no place"]);
}

#[test]
fn dependencies_of_tests_and_of_other_projects_are_free() {
    assert!(wrong_edges(&with_edge("dpfda-kernels", "dpfda-release", &json!("dev"))).is_empty());
    assert!(wrong_edges(&with_edge("dpfda-kernels", "ndarray", &Value::Null)).is_empty());
}

/// The code of a crate's own files, without comments and tests.
fn code_of(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name != "tests.rs" && !name.ends_with("_tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap().lines();
                let code: Vec<&str> = code.map(|line| line.split("//").next().unwrap_or_default()).collect();
                files.push((path, code.join("\n")));
            }
        }
    }
    files
}

/// `release` has types on both sides of the boundary; `analysis` imports it for those that are public.
#[test]
fn analysis_names_nothing_that_has_seen_a_curve() {
    let private = [
        "dpfda_smoothing",
        "CurveSet",
        "BoundedCurves",
        "CurveRecord",
        "CellCounts",
        "ExactSum",
        "Partial",
        "Prepared",
        "NonPrivate",
        "PrivateMean",
        "PrivatePath",
        "PrivateFunctionals",
        "KeptPath",
        "Randomness",
    ];
    let names = |code: &str, word: &str| code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word);
    assert!(names("use dpfda_smoothing::CurveSet;", "CurveSet"), "the check itself");
    let files = code_of("crates/analysis/src");
    assert!(files.len() > 10);
    for (path, code) in files {
        let found: Vec<_> = private.iter().filter(|word| names(&code, word)).collect();
        assert!(found.is_empty(), "{} names {found:?}", path.display());
    }
}

/// Budgets, noise and lattices begin where the encoding does, in `release`; before that there is only private data.
#[test]
fn smoothing_imports_nothing_of_privacy_but_private_values_and_their_unit() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/smoothing/src")];
    let mut imports = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            for after in fs::read_to_string(&path).unwrap().split("dpfda_privacy").skip(1) {
                let allowed = ["::NonPrivate", "::PrivacyUnit", "::{NonPrivate, PrivacyUnit}"];
                assert!(allowed.iter().any(|import| after.starts_with(import)), "{}", path.display());
                imports += 1;
            }
        }
    }
    assert!(imports > 0, "with no import left, the edge should go too");
}
