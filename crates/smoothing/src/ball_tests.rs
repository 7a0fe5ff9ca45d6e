#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use ndarray::{Array2, array};

use super::*;
use crate::curves::CurveSet;

#[test]
fn bad_bounds_are_refused() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310, 9e-101, 1.1e100] {
        assert!(matches!(Ball::new(Center::Constant(0.0), radius), Err(BallError::Radius { .. })), "{radius}");
    }
    assert!(matches!(Ball::new(Center::Constant(f64::NAN), 1.0), Err(BallError::Center { .. })));
    let error = Ball::new(Center::Curve(array![0.0, f64::INFINITY]), 1.0).unwrap_err();
    assert_eq!(error, BallError::CenterValue { index: 1, value: f64::INFINITY });
    for (center, radius) in [(1e-90, 1e-100), (1e100, 1e88), (-1e100, 1e100)] {
        assert!(Ball::new(Center::Constant(center), radius).is_ok());
        assert!(Ball::new(Center::Curve(array![0.0, center]), radius).is_ok());
    }
    for (center, radius) in [(1e100, 1e-100), (-0.5, 4e-13)] {
        for center in [Center::Constant(center), Center::Curve(array![0.0, center])] {
            assert!(matches!(Ball::new(center, radius), Err(BallError::Rounding { .. })));
        }
    }
}

#[test]
fn extreme_bounds_are_shown_with_an_exponent() {
    let of = |center, radius| Ball::new(center, radius).unwrap_err().to_string();
    for (radius, words) in
        [(1e300, "got 1e300;"), (1e-320, "got 1e-320;"), (-0.25, "got -0.25;"), (f64::NAN, "got NaN;")]
    {
        let message = of(Center::Constant(0.0), radius);
        assert!(message.contains(words) && message.contains("at least 1e-100 and at most 1e100"), "{message}");
    }
    let message = of(Center::Constant(-2e100), 1.0);
    assert!(message.contains("at most 1e100") && message.ends_with("got -2e100"), "{message}");
    let message = of(Center::Curve(array![0.0, 1e200]), 1.0);
    assert!(message.contains("at most 1e100") && message.ends_with("value 1 (counted from 0) is 1e200"), "{message}");
}

#[test]
fn a_bad_centre_in_a_file_is_explained_without_names_of_types() {
    for text in [r#"{"center":"x","radius":1}"#, r#"{"center":{"a":1},"radius":1}"#, r#"{"center":null,"radius":1}"#] {
        let message = serde_json::from_str::<Ball>(text).unwrap_err().to_string();
        assert!(message.contains("expected a number or a list of numbers"), "{message}");
    }
    for text in [r#"{"center":[1,"x"],"radius":1}"#, "3", "{}"] {
        let message = serde_json::from_str::<Ball>(text).unwrap_err().to_string();
        assert!(!message.contains("Document"), "{message}");
    }
    let ball: Ball = serde_json::from_str(r#"{"center":[-1,2,0.5],"radius":1}"#).unwrap();
    assert_eq!(ball.center(), &Center::Curve(array![-1.0, 2.0, 0.5]));
    let ball: Ball = serde_json::from_str(r#"{"center":-3,"radius":1}"#).unwrap();
    assert_eq!(ball.center(), &Center::Constant(-3.0));
}

#[test]
fn a_centre_curve_must_fit_the_grid() {
    let ball = Ball::new(Center::Curve(array![0.0, 1.0]), 1.0).unwrap();
    let grid = Grid::uniform(0.0, 1.0, 3).unwrap();
    let error = BallError::CenterLength { points: 3, found: 2 };
    assert_eq!(ball.center_at(&grid).unwrap_err(), error);
    let curves = CurveSet::new(grid, Array2::zeros((1, 3))).unwrap();
    assert_eq!(ball.bound(&curves).unwrap_err(), error);
}

#[test]
fn a_ball_survives_the_round_trip() {
    for ball in [
        Ball::new(Center::Constant(0.5), 0.25).unwrap(),
        Ball::new(Center::Curve(array![0.1, 0.2, 0.3]), 7.0).unwrap(),
        Ball::within(-1.0, 3.0).unwrap(),
        Ball::within(0.0, 1.0).unwrap().moved(Center::Curve(array![0.1, 0.2, 0.3]), 0.125).unwrap(),
    ] {
        let text = serde_json::to_string(&ball).unwrap();
        assert_eq!(serde_json::from_str::<Ball>(&text).unwrap(), ball);
    }
    let whole: Ball = serde_json::from_str(r#"{"center":0,"radius":1}"#).unwrap();
    assert_eq!(whole.center(), &Center::Constant(0.0));
}

#[test]
fn a_file_cannot_smuggle_in_a_bad_ball() {
    for text in [
        r#"{"center":0.5,"radius":0}"#,
        r#"{"center":0.5,"radius":-1}"#,
        r#"{"center":null,"radius":1}"#,
        r#"{"center":"0.5","radius":1}"#,
        r#"{"center":0.5,"radius":1,"norm":2}"#,
        r#"{"center":0.5}"#,
        r#"{"center":0.5,"radius":1,"bounds":[1,1]}"#,
        r#"{"center":0.5,"radius":1,"bounds":[0,null]}"#,
    ] {
        assert!(serde_json::from_str::<Ball>(text).is_err(), "{text}");
    }
}

#[test]
fn curves_between_two_bounds_lie_in_a_ball_and_values_outside_are_clamped() {
    let ball = Ball::within(1.0, 5.0).unwrap();
    assert_eq!((ball.center(), ball.radius(), ball.bounds()), (&Center::Constant(3.0), 2.0, Some((1.0, 5.0))));
    let grid = Grid::uniform(0.0, 1.0, 3).unwrap();
    let values = array![[1.0, 5.0, 1.0], [-9.0, 1e300, 0.0], [f64::NAN, 1e300, 4.0]];
    let curves = CurveSet::new(grid, values).unwrap();
    let bounded = ball.bound(&curves).unwrap();
    let means = bounded.record_means().into_revealed();
    for (found, expected) in means.iter().zip([1.0, 5.0, 1.0, 1.0, 5.0, 1.0, 5.0, 5.0, 4.0]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(bounded.projected().into_revealed(), 0, "half the distance between the bounds holds every curve");
}

#[test]
fn bounds_are_two_finite_numbers_in_order() {
    for (lower, upper) in [(1.0, 0.0), (1.0, 1.0), (0.0, f64::NAN), (f64::NEG_INFINITY, 0.0), (0.0, 1e101)] {
        assert!(matches!(Ball::within(lower, upper), Err(BallError::Bounds { .. })), "{lower} {upper}");
    }
    assert!(matches!(Ball::within(0.0, 1e-101), Err(BallError::Radius { .. })));
}
