#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use ndarray::Array2;

use super::*;
use crate::samples::{assert_on_the_figure, assert_watermarked};

#[test]
fn curves_of_people_are_watermarked_whatever_they_hold() {
    for (curves, value) in [(3, 0.5), (500, 1e90), (0, 0.0), (2, f64::NAN)] {
        let values = Array2::from_shape_fn((curves, 4), |(i, k)| value + (i + k) as f64);
        let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 4).unwrap(), values).unwrap();
        let figure = CurvesFigure::of_people(NonPrivate::new(&curves));
        assert_watermarked(&figure.scene().unwrap());
        assert_on_the_figure(&figure.scene().unwrap());
        assert!(format!("{figure:?}").contains("NonPrivate(..)"));
    }
}
