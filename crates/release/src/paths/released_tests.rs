#![allow(clippy::unwrap_used, reason = "tests")]

use super::PathRelease;

const GOOD: &str = r#"{"schema": 3, "kind": "path", "software": "dpfda 0.1.0", "privacy": {"epsilon": 1.0, "delta": 1e-5,
"neighbours": "substitute", "unit": "subject", "records": 40, "arithmetic": "exact", "private": true},
"statistic": {"ball": {"center": 0.5, "radius": 0.25},
"smoother": {"kernel": {"family": "matern", "nu": 2.5, "range": 0.25}, "penalty": 0.01, "power": 1.0},
"dispersion": "kernel", "domain": [0.0, 1.0]},
"noise": {"law": {"gaussian": {"calibration": "tight"}}, "scale": 31294807.0}, "lattice": {}, "labels": {},
"derived": {"id": "0123456789abcdef0123456789abcdef", "units": 40.0,
"functionals": [{"evaluation": {"t": 0.5}}], "values": [0.25], "noise_sd": [0.01]}}"#;

#[test]
fn a_release_that_contradicts_itself_is_refused() {
    PathRelease::from_json(GOOD).unwrap();
    for (from, to) in [
        ("\"schema\": 3", "\"schema\": 9"),
        ("\"schema\": 3", "\"schema\": 2"),
        ("\"kind\": \"path\"", "\"kind\": \"kept-path\""),
        ("dpfda 0.1.0", "dpfda\\u001b[2J"),
        ("0123456789abcdef0123456789abcdef", "0123456789abcdef"),
        ("\"epsilon\": 1.0", "\"epsilon\": -1.0"),
        ("\"delta\": 1e-5", "\"delta\": 1.0"),
        ("\"exact\"", "\"idealised\""),
        ("\"substitute\"", "\"add-remove\""),
        ("\"records\": 40", "\"records\": 41"),
        ("\"records\": 40", "\"records\": null"),
        ("\"units\": 40.0", "\"units\": 0.0"),
        ("\"units\": 40.0", "\"units\": 41.0"),
        ("[0.25]", "[0.25, 0.3]"),
        ("\"radius\": 0.25", "\"radius\": -0.25"),
        ("\"range\": 0.25", "\"range\": 0.0"),
        ("[0.0, 1.0]", "[1.0, 0.0]"),
        ("\"gaussian\"", "\"\\n\""),
        ("{\"gaussian\": {\"calibration\": \"tight\"}}", "{\"k-norm\": {}}"),
        ("\"scale\": 31294807.0", "\"scale\": 0.5"),
        ("\"scale\": 31294807.0", "\"scale\": 31294000.0"),
        ("[0.01]", "[-0.01]"),
        ("[0.01]", "[null]"),
        ("\"t\": 0.5", "\"t\": 0.5, \"s\": 1"),
        ("\"lattice\": {}", "\"lattice\": {\"coordinates\": []}"),
        ("\"private\": true", "\"private\": true, \"more\": 1"),
    ] {
        assert!(GOOD.contains(from));
        assert!(PathRelease::from_json(&GOOD.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn a_document_says_that_its_domain_closes_up() {
    let open = PathRelease::from_json(GOOD).unwrap();
    assert!(!open.to_json().unwrap().contains("periodic"));
    let day = GOOD.replace("\"domain\": [0.0, 1.0]", "\"domain\": [0.0, 24.0], \"periodic\": true");
    let day = PathRelease::from_json(&day).unwrap();
    assert_eq!(PathRelease::from_json(&day.to_json().unwrap()).unwrap(), day);
    assert!(
        day.to_json().unwrap().contains("\"periodic\": true") || day.to_json().unwrap().contains("\"periodic\":true")
    );
    let says =
        |release: &PathRelease| release.facts().iter().any(|fact| fact.text.contains("[0,\u{a0}24) that closes up"));
    assert!(says(&day) && !says(&open));
}
