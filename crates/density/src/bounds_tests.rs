#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Bounds, BoundsError};

#[test]
fn bounds_that_are_none_are_refused() {
    let refused = |axes| Bounds::new(axes).unwrap_err();
    assert_eq!(refused(vec![]), BoundsError::Dimension { found: 0 });
    assert_eq!(refused(vec![(0.0, 1.0); 4]), BoundsError::Dimension { found: 4 });
    assert_eq!(refused(vec![(0.0, 1.0), (2.0, 1.0)]), BoundsError::Inverted { axis: 1, lower: 2.0, upper: 1.0 });
    assert_eq!(refused(vec![(1.0, 1.0)]), BoundsError::Inverted { axis: 0, lower: 1.0, upper: 1.0 });
    assert!(matches!(refused(vec![(f64::NAN, 1.0)]), BoundsError::NotFinite { axis: 0, .. }));
    assert!(matches!(refused(vec![(0.0, f64::INFINITY)]), BoundsError::NotFinite { axis: 0, .. }));
    assert!(matches!(refused(vec![(-f64::MAX, f64::MAX)]), BoundsError::Width { axis: 0, .. }));
    assert!(matches!(refused(vec![(0.0, f64::MIN_POSITIVE)]), BoundsError::Width { axis: 0, .. }));
}

#[test]
fn points_outside_are_clamped_and_what_is_no_number_is_the_centre() {
    let bounds = Bounds::new(vec![(-2.0, 6.0)]).unwrap();
    let cases = [
        (-2.0, 0.0),
        (0.0, 0.25),
        (6.0, 1.0),
        (6.1, 1.0),
        (f64::MAX, 1.0),
        (f64::INFINITY, 1.0),
        (-f64::MAX, 0.0),
        (f64::NEG_INFINITY, 0.0),
        (f64::NAN, 0.5),
    ];
    for (x, unit) in cases {
        assert_eq!(bounds.to_unit(0, x), unit, "{x}");
    }
}

#[test]
fn the_way_back_ends_exactly_at_the_bounds() {
    let bounds = Bounds::new(vec![(0.1, 0.7), (-1e79, 1e79)]).unwrap();
    for axis in 0..2 {
        let (lower, upper) = bounds.axis(axis);
        assert_eq!(bounds.from_unit(axis, 0.0), lower);
        assert_eq!(bounds.from_unit(axis, -1.0), lower);
        assert_eq!(bounds.from_unit(axis, 1.0), upper);
        assert_eq!(bounds.from_unit(axis, f64::INFINITY), upper);
        assert_eq!(bounds.from_unit(axis, f64::NAN), bounds.from_unit(axis, 0.5));
    }
    assert!((bounds.volume() / 1.2e79 - 1.0).abs() < 1e-12);
}

#[test]
fn a_file_passes_the_constructor() {
    let bounds = Bounds::new(vec![(0.0, 1.0), (-1.5, 2.5)]).unwrap();
    let json = serde_json::to_string(&bounds).unwrap();
    assert_eq!(json, "[[0.0,1.0],[-1.5,2.5]]");
    assert_eq!(serde_json::from_str::<Bounds>(&json).unwrap(), bounds);
    assert!(serde_json::from_str::<Bounds>("[[1.0,0.0]]").is_err());
}
