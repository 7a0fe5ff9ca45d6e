#![allow(clippy::unwrap_used, reason = "tests")]

use super::PathRelease;

const GOOD: &str = r#"{"schema": 1, "software": "dpfda 0.1.0", "id": "0123456789abcdef0123456789abcdef", "epsilon": 1.0,
"delta": 1e-5, "arithmetic": "exact", "neighbours": "substitute", "unit": "subject", "units": 40.0, "private": true,
"ball": {"center": 0.5, "radius": 0.25}, "smoother": {"kernel": "matern52", "range": 0.25, "penalty": 0.01, "eta": 1.0},
"dispersion": "kernel", "domain": [0.0, 1.0], "law": "gaussian", "functionals": [{"evaluation": {"t": 0.5}}], "values": [0.25], "noise_sd": [0.01]}"#;

#[test]
fn a_release_that_contradicts_itself_is_refused() {
    PathRelease::from_json(GOOD).unwrap();
    for (from, to) in [
        ("\"schema\": 1", "\"schema\": 9"),
        ("dpfda 0.1.0", "dpfda\\u001b[2J"),
        ("0123456789abcdef0123456789abcdef", "0123456789abcdef"),
        ("\"epsilon\": 1.0", "\"epsilon\": -1.0"),
        ("\"delta\": 1e-5", "\"delta\": 1.0"),
        ("\"exact\"", "\"idealised\""),
        ("\"units\": 40.0", "\"units\": 0.0"),
        ("[0.25]", "[0.25, 0.3]"),
        ("\"radius\": 0.25", "\"radius\": -0.25"),
        ("\"range\": 0.25", "\"range\": 0.0"),
        ("[0.0, 1.0]", "[1.0, 0.0]"),
        ("\"gaussian\"", "\"\\n\""),
        ("[0.01]", "[-0.01]"),
        ("\"t\": 0.5", "\"t\": 0.5, \"s\": 1"),
        ("\"private\": true", "\"private\": true, \"more\": 1"),
    ] {
        assert!(GOOD.contains(from));
        assert!(PathRelease::from_json(&GOOD.replace(from, to)).is_err(), "{to}");
    }
}
