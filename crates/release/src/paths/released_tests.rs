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
