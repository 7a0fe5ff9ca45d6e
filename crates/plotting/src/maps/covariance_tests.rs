#![allow(clippy::unwrap_used, reason = "tests")]

use ndarray::{Array2, array};

use super::*;
use crate::canvas::palette::DIVERGING;
use crate::samples::{assert_on_the_figure, assert_readable, text_boxes};

fn figure(points: usize) -> CovarianceFigure {
    let t: Vec<f64> = (0..points).map(|i| 40.0 + i as f64 / (points - 1) as f64).collect();
    let covariance = Array2::from_shape_fn((points, points), |(i, j)| 1e-4 * (4.0 * (t[i] - t[j])).cos());
    CovarianceFigure::new(&t, &covariance).unwrap()
}

#[test]
fn a_covariance_is_readable_and_stays_on_the_figure() {
    crate::canvas::font::check().unwrap();
    for points in [2, 3, 93, 500] {
        let scene = figure(points).caption(&["N = 376", "rank 2"]).axis("position along the tract").scene().unwrap();
        assert_readable(&scene);
        assert_on_the_figure(&scene);
        let says = |word: &str| text_boxes(&scene).iter().any(|(text, _)| text.contains(word));
        assert!(says("N = 376") && says("position along the tract"));
        assert_eq!(says("every 5th point is shown"), points == 500);
    }
    let stamped = figure(5).noise_from_a_seed().to_svg().unwrap();
    assert!(stamped.contains("NOT PRIVATE"));
}

#[test]
fn zero_is_white_and_the_largest_value_has_the_end_of_the_ramp() {
    let covariance = CovarianceFigure::new(&[0.0, 1.0], &array![[2.0, 0.0], [0.0, -1.0]]).unwrap();
    let colour = |value: f64| DIVERGING.at(0.5 + 0.5 * value / covariance.content.largest());
    assert_eq!(colour(0.0), crate::canvas::palette::Paint::solid(247, 247, 247));
    assert_eq!(colour(2.0), crate::canvas::palette::Paint::solid(178, 24, 43));
    assert_eq!(CovarianceFigure::new(&[0.0, 1.0], &Array2::zeros((2, 2))).unwrap().content.largest(), 1.0);
}

#[test]
fn what_is_no_covariance_is_refused() {
    let square = Array2::<f64>::zeros((3, 3));
    let refused = |points: &[f64], values: &Array2<f64>| CovarianceFigure::new(points, values).unwrap_err();
    assert!(matches!(refused(&[0.0], &Array2::zeros((1, 1))), FigureError::NoCandidates { .. }));
    assert!(matches!(refused(&[0.0, 1.0], &square), FigureError::Shape { .. }));
    assert!(matches!(refused(&[0.0, 1.0, 1.0], &square), FigureError::SeriesPoint { point: 2, .. }));
    assert!(matches!(refused(&[0.0, f64::NAN, 1.0], &square), FigureError::SeriesPoint { point: 1, .. }));
    let mut gap = square.clone();
    gap[[1, 2]] = f64::NAN;
    assert!(matches!(refused(&[0.0, 0.5, 1.0], &gap), FigureError::Score { row: 1, column: 2 }));
}
