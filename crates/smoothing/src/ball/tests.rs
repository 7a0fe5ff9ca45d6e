#![allow(clippy::unwrap_used, reason = "tests")]

use ndarray::{Array2, array};

use super::*;

#[test]
fn bad_bounds_are_refused() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        assert!(matches!(Ball::new(Center::Constant(0.0), radius), Err(BallError::Radius { .. })), "{radius}");
    }
    assert!(matches!(Ball::new(Center::Constant(f64::NAN), 1.0), Err(BallError::Center { .. })));
    let error = Ball::new(Center::Curve(array![0.0, f64::INFINITY]), 1.0).unwrap_err();
    assert_eq!(error, BallError::CenterValue { index: 1, value: f64::INFINITY });
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
    for ball in
        [Ball::new(Center::Constant(0.5), 0.25).unwrap(), Ball::new(Center::Curve(array![0.1, 0.2, 0.3]), 7.0).unwrap()]
    {
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
    ] {
        assert!(serde_json::from_str::<Ball>(text).is_err(), "{text}");
    }
}
