#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

#[test]
fn a_cell_is_a_number_a_missing_value_or_neither() {
    assert_eq!(number(b" -1e-3\t"), Some(-0.001));
    assert_eq!(number(b"inf"), Some(f64::INFINITY));
    let usual = ["", "  ", "NA", "NaN", " nan ", "null", ".", "N/A", "#N/A", "NULL", "None", "na", "-", "?", "missing"];
    for missing in usual {
        assert!(number(missing.as_bytes()).is_some_and(f64::is_nan), "{missing:?}");
    }
    for other in ["x", "1,5", "0x1", "1 2", ",", "#DIV/0!", "50%", "<0.5", "miss"] {
        assert_eq!(number(other.as_bytes()), None, "{other:?}");
    }
    assert_eq!(number(b"1\xff"), None);
}

#[test]
fn a_decimal_is_the_double_that_the_standard_library_reads() {
    let mut state = 1_u64;
    for round in 0..200_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = (state >> 20).to_string();
        let length = 1 + (state >> 5) as usize % digits.len();
        let mut text = digits[..length].to_owned();
        if round % 5 != 0 {
            text.insert((state >> 9) as usize % (length + 1), '.');
        }
        if round % 3 == 0 {
            text.insert(0, '-');
        }
        let expected: f64 = text.parse().unwrap();
        assert_eq!(number(text.as_bytes()).unwrap().to_bits(), expected.to_bits(), "{text}");
    }
    for (text, value) in [("-0", -0.0_f64), ("0.000000000000001", 1e-15), ("5.", 5.0), (".5", 0.5), ("-.5", -0.5)] {
        assert_eq!(number(text.as_bytes()).unwrap().to_bits(), value.to_bits(), "{text}");
    }
    for text in ["-.", "1..2", "--1", "1-", "1.2.3"] {
        assert_eq!(number(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn a_decimal_comma_is_read_where_it_is_expected_and_a_point_is_not() {
    for (cell, value) in [("1,5", 1.5), (" -1,25e-3 ", -0.00125), ("2", 2.0)] {
        assert_eq!(number_with(cell.as_bytes(), Decimal::Comma), Some(value), "{cell}");
    }
    for other in ["1.5", "1.234,5", "1,2,3", ","] {
        assert_eq!(number_with(other.as_bytes(), Decimal::Comma), None, "{other}");
    }
    assert!(number_with(b" . ", Decimal::Comma).is_some_and(f64::is_nan));
    assert_eq!(number_with(b"1,5", Decimal::Point), None);
}

#[test]
fn what_only_says_missing_is_known_in_every_spelling() {
    for text in [
        "",
        " ",
        ".",
        "-",
        "--",
        "?",
        "...",
        "\u{2013}",
        "\u{200b}",
        "\u{a0}",
        "\u{feff}",
        "NA",
        "na",
        "Na",
        "N/A",
        "n/a",
        "#N/A",
        "#NA",
        "<NA>",
        "N.A.",
        "NaN",
        "nan",
        "-nan",
        "NULL",
        "null",
        "Null",
        "None",
        "none",
        "NIL",
        " N/A\u{a0}",
    ] {
        assert!(says_missing(text), "{text:?}");
    }
    for text in ["0", "-1", "a", "NA1", "nano", "Nonette", "S-01", "\u{e9}", "\u{1f431}", "n/a/n", "N-A"] {
        assert!(!says_missing(text), "{text:?}");
    }
}

#[test]
fn names_are_values_when_none_of_them_is_a_name() {
    for names in ["0.5|0.5|0.5", "0|0.25|0.5", "1", "NA|N/A|", "\"|-1e-3|inf", "0,5|1"] {
        assert!(are_values(names.split('|')), "{names}");
    }
    for names in ["a|b", "0|b", "t0|t1", "1 mm|2", "x;1"] {
        assert!(!are_values(names.split('|')), "{names}");
    }
}
