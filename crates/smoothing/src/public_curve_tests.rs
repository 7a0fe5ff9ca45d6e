use approx::assert_relative_eq;
use ndarray::array;
use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Result<PublicCurve, PublicCurveError> {
    PublicCurve::from_csv_reader(text.as_bytes())
}

#[test]
fn a_curve_is_linear_between_its_points() {
    let curve = PublicCurve::new(&[(0.0, 1.0), (1.0, 3.0), (4.0, 0.0)]).unwrap();
    let grid = Grid::new(vec![0.0, 0.25, 1.0, 2.0, 4.0]).unwrap();
    assert_eq!(curve.on(&grid).unwrap(), array![1.0, 1.5, 3.0, 2.0, 0.0]);
    let inner = Grid::new(vec![0.5, 1.5]).unwrap();
    assert_eq!(curve.on(&inner).unwrap(), array![2.0, 2.5]);
}

#[test]
fn a_curve_is_not_extrapolated_but_for_the_last_digits() {
    let curve = PublicCurve::new(&[(0.1, 1.0), (0.9, 3.0)]).unwrap();
    let on = |lower, upper| curve.on(&Grid::new(vec![lower, upper]).unwrap());
    for (lower, upper, begins_late) in [(0.0, 0.9, true), (0.1, 1.0, false), (0.0, 1.0, true)] {
        let refused = on(lower, upper).unwrap_err();
        assert_eq!(refused, PublicCurveError::DoesNotCover { lower, upper, begins_late });
    }
    assert_eq!(on(0.1 - 1e-11, 0.9 + 1e-11).unwrap(), array![1.0, 3.0]);
    assert!(PublicCurve::new(&[(0.5, 1.0)]).unwrap().on(&Grid::new(vec![0.0, 1.0]).unwrap()).is_err());
}

#[test]
fn a_file_has_the_columns_of_a_released_curve_in_any_order() {
    let expected = PublicCurve::new(&[(0.0, 0.4), (0.8, 0.6)]).unwrap();
    for text in [
        "t,value\n0,0.4\n0.8,0.6\n",
        "\u{feff} value , t\r\n 0.4 ,0\r\n0.6, 8e-1",
        "\nt,value,noise_sd\n\n0,0.4,x\n\n0.8,0.6,\n\n",
        "\"t\",\"value\"\n\"0\",\"0.4\"\n0.8,0.6\n",
    ] {
        assert_eq!(read(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn a_file_that_is_no_public_curve_is_refused_by_its_place_alone() {
    for (text, expected) in [
        ("", PublicCurveError::NoColumn { column: "t" }),
        ("\n\n", PublicCurveError::NoColumn { column: "t" }),
        ("0,777\n1,0.777\n", PublicCurveError::NoColumn { column: "t" }),
        ("t,777\n0,1\n", PublicCurveError::NoColumn { column: "value" }),
        ("t,value\n", PublicCurveError::Empty),
        ("id,t,value\n777,0,0.777\n", PublicCurveError::OtherColumn { column: 1 }),
        ("t,value,t\n0,1,2\n", PublicCurveError::OtherColumn { column: 3 }),
        ("t,value\n0,1\n777\n", PublicCurveError::Ragged { row: 2, expected: 2, found: 1 }),
        ("t,value\n0,x777\n", PublicCurveError::NotFinite { row: 1, column: "value" }),
        ("t,value\n777,\n", PublicCurveError::NotFinite { row: 1, column: "value" }),
        ("t,value\n0,1\n777,1e101\n", PublicCurveError::NotFinite { row: 2, column: "value" }),
        ("t,value\nnan,777\n", PublicCurveError::NotFinite { row: 1, column: "t" }),
        ("t,value\n777,1\n777,2\n", PublicCurveError::NotIncreasing { row: 2 }),
        ("t,value\n0,\"777\n\"\n", PublicCurveError::Line(RecordError::QuotedLine { line: 2 })),
    ] {
        let refused = read(text).unwrap_err();
        assert_eq!(refused, expected, "{text:?}");
        assert!(!format!("{refused} {refused:?}").contains("777"), "{refused}");
    }
    assert_eq!(PublicCurve::new(&[]), Err(PublicCurveError::Empty));
}

proptest! {
    /// A value lies between those at the two points around it, and is theirs at a point.
    #[test]
    fn a_curve_stays_between_its_points(values in prop::collection::vec(-1e3..1e3, 2..9), share in 0.0..1.0) {
        let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(t, &value)| (t as f64, value)).collect();
        let curve = PublicCurve::new(&points).unwrap();
        let t = share * (values.len() - 1) as f64;
        let before = points.iter().rfind(|(point, _)| *point <= t).unwrap().1;
        let after = points.iter().find(|(point, _)| *point >= t).unwrap().1;
        let at = curve.at(t);
        prop_assert!(at >= before.min(after) - 1e-9 && at <= before.max(after) + 1e-9);
        for (t, value) in points {
            assert_relative_eq!(curve.at(t), value, max_relative = 1e-12);
        }
    }
}

#[test]
fn on_a_circle_a_curve_must_reach_its_last_point_and_not_its_end() {
    let day = Grid::circle(0.0, 24.0, 4).unwrap();
    let curve = PublicCurve::new(&[(0.0, 1.0), (18.0, 4.0)]).unwrap();
    assert_eq!(curve.on(&day).unwrap().to_vec(), [1.0, 2.0, 3.0, 4.0]);
    assert!(PublicCurve::new(&[(0.0, 1.0), (17.0, 4.0)]).unwrap().on(&day).is_err());
}
