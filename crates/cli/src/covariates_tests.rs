#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_study::{Refusal, Sections};

use super::*;

fn of(on: &str, ranges: &str) -> Result<Vec<Covariate>, Refusal> {
    Sections::of_texts([("on", on), ("covariate_bounds", ranges)]).unwrap().regression.covariates()
}

#[test]
fn each_covariate_has_its_range_whatever_the_order() {
    let found = of("case, age", "age=-1.5:90,case = control|case").unwrap();
    let levels = ["control", "case"].map(str::to_owned).into();
    let age = Covariate::Number { name: "age".to_owned(), lower: -1.5, upper: 90.0 };
    assert_eq!(found, [Covariate::Category { name: "case".to_owned(), levels }, age]);
    assert_eq!(values_at(&pairs("age=3,case=case"), &found).unwrap(), ["case", "3"]);
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    for (on, ranges, expected) in [
        ("age", "", "is not among"),
        ("age", "sex=0:1", "`sex` is not among"),
        ("age,sex", "age=0:1", "the range of `sex`"),
        ("age", "age=1", "age=1:8"),
        ("age", "age=a:b", "two bounds"),
    ] {
        let refusal = of(on, ranges).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
    let age = of("age", "age=0:9").unwrap();
    for (at, expected) in
        [("", "age=..."), ("sex=1", "age=..."), ("age=10", "from 0 to 9"), ("age=1,age=2", "one value")]
    {
        let refusal = values_at(&pairs(at), &age).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}
