#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn named_codes_are_missing_as_text_and_as_numbers_and_unnamed_ones_are_suspected() {
    let named = Missing::new("-999, n.d.").unwrap();
    for missing in ["-999", " -999.0", "-9.99e2", "N.D.", "NA", ""] {
        assert!(named.read(missing.as_bytes(), Decimal::Point).is_some_and(f64::is_nan), "{missing:?}");
    }
    assert_eq!(named.read(b"-9999", Decimal::Point), Some(-9999.0));
    assert!(named.value(-999.0).is_nan() && !named.suspects(-9999.0));
    assert_eq!(named.read(b"n.d", Decimal::Point), None);
    let nothing = Missing::default();
    assert_eq!(nothing.read(b"-999", Decimal::Point), Some(-999.0));
    for code in [-999.0, -9999.0, -99999.0] {
        assert!(nothing.suspects(code));
    }
    for value in [-998.9, 999.0, -1.0, f64::NAN, -1e5] {
        assert!(!nothing.suspects(value));
    }
    for list in ["", ",", "-999,", " "] {
        assert_eq!(Missing::new(list), Err(TableError::MissingCodes), "{list:?}");
    }
}

#[test]
fn one_rule_says_which_numbers_are_values() {
    let (nothing, named) = (Missing::default(), Missing::new("-999").unwrap());
    assert_eq!(nothing.measured(-999.0), Err(Unfit::Code));
    assert!(named.measured(-999.0).unwrap().is_nan() && nothing.measured(f64::NAN).unwrap().is_nan());
    for missing in [nothing, named] {
        for number in [f64::INFINITY, f64::NEG_INFINITY, 1e100, -1e300] {
            assert_eq!(missing.measured(number), Err(Unfit::Infinite), "{number}");
        }
        for value in [0.0, -998.9, 1e99] {
            assert_eq!(missing.measured(value), Ok(value));
        }
    }
}
