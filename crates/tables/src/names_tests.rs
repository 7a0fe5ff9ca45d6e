#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn of(names: &str) -> Option<Vec<f64>> {
    positions(&names.split('|').collect::<Vec<_>>())
}

#[test]
fn numbers_in_names_are_found_between_the_same_texts() {
    for (names, expected) in [
        ("cca_1|cca_2|cca_10", vec![1.0, 2.0, 10.0]),
        ("v10|v11|v12", vec![10.0, 11.0, 12.0]),
        ("10|2|1", vec![10.0, 2.0, 1.0]),
        ("t0|t0.5|t1", vec![0.0, 0.5, 1.0]),
        ("1 mm|2 mm|10 mm", vec![1.0, 2.0, 10.0]),
        ("x1_5|x1_10", vec![5.0, 10.0]),
        ("t-0.5|t0|t0.5", vec![-0.5, 0.0, 0.5]),
        ("t-2|t-1", vec![-2.0, -1.0]),
        ("cca-1|cca-2", vec![1.0, 2.0]),
        ("-1|-2", vec![-1.0, -2.0]),
        ("t1e-3|t1e-2", vec![0.001, 0.01]),
        ("h00|h01|h10", vec![0.0, 1.0, 10.0]),
        ("\u{e9}1\u{e9}|\u{e9}2\u{e9}", vec![1.0, 2.0]),
        ("2019|2020", vec![2019.0, 2020.0]),
    ] {
        assert_eq!(of(names), Some(expected), "{names}");
    }
}

#[test]
fn times_and_dates_are_hours_and_days() {
    let from_first = |names: &str| -> Vec<f64> {
        let found = of(names).unwrap();
        found.iter().map(|t| ((t - found[0]) * 1e6).round() / 1e6).collect()
    };
    for (names, expected) in [
        ("00:00|06:30|23:59:60", None),
        ("00:00|06:30|23:00", Some(vec![0.0, 6.5, 23.0])),
        ("2026-01-31|2026-02-01|2026-03-01", Some(vec![0.0, 1.0, 29.0])),
        ("2024-02-28|2024-03-01", Some(vec![0.0, 2.0])),
        ("2000-02-28T12:00|2000-03-01T00:00", Some(vec![0.0, 1.5])),
        ("2026-01-01 00:00|2026-01-01 06:00", Some(vec![0.0, 0.25])),
        ("31.12.2025|01.01.2026", Some(vec![0.0, 1.0])),
        ("20260131|20260201", Some(vec![0.0, 1.0])),
        ("2025-12|2026-01", Some(vec![0.0, 1.0])),
        ("Apr|aug|December", Some(vec![0.0, 4.0, 8.0])),
        ("Mon|Sun", Some(vec![0.0, 6.0])),
        ("2026-13-01|2026-01-02", None),
    ] {
        match expected {
            Some(expected) => assert_eq!(from_first(names), expected, "{names}"),
            None => assert_eq!(of(names), None, "{names}"),
        }
    }
}

#[test]
fn other_names_are_no_positions() {
    for names in
        ["a|b", "t1|u2", "t|t1", "v1_t1|v2_t1x", "1st|2nd", "0|mid|1", "march|mars", "inf|nan", "\u{e9}|\u{ea}"]
    {
        assert_eq!(of(names), None, "{names}");
    }
}

#[test]
fn spacing_is_equal_up_to_rounding_of_what_is_written() {
    assert!(are_equally_spaced(&[0.0, 0.33, 0.67, 1.0]) && are_equally_spaced(&[1.0, 2.0]));
    assert!(are_equally_spaced(&[5.0]) && are_equally_spaced(&[]));
    for other in [&[0.0, 2.0, 20.0, 21.0][..], &[1.0, 2.0, 4.0], &[0.0, 0.5, 1.1]] {
        assert!(!are_equally_spaced(other), "{other:?}");
    }
}

#[test]
fn columns_of_one_curve_have_one_shape() {
    for (name, expected) in [
        ("cca_12", "cca_#"),
        ("t-0.5", "t#"),
        ("2026-01-01 00:00", "#"),
        ("YEAR", "YEAR"),
        ("x1_t2", "x#_t#"),
        ("1 mm", "#mm"),
        ("a-b", "a-b"),
        ("", ""),
    ] {
        assert_eq!(shape(name), expected, "{name}");
    }
}
