#![allow(clippy::unwrap_used, reason = "tests")]

use ndarray::{Array2, array};
use proptest::collection::vec;
use proptest::num::f64::ANY;
use proptest::prelude::*;

use super::CellCounts;
use crate::bounds::Bounds;
use crate::cells::Cells;
use crate::points::Points;

fn bounds(dimension: usize) -> Bounds {
    Bounds::new(vec![(-1.0, 3.0); dimension]).unwrap()
}

fn counts(values: Array2<f64>, per_axis: usize) -> Vec<u64> {
    let bounds = bounds(values.ncols());
    let points = Points::new(values, bounds.clone()).unwrap();
    let counts = CellCounts::of(&points, &Cells::new(bounds, per_axis).unwrap());
    assert_eq!(counts.reveal().iter().sum::<u64>(), points.records() as u64);
    counts.reveal().to_vec()
}

#[test]
fn no_point_is_dropped_wherever_it_lies() {
    let values = array![[-1.0], [3.0], [2.0], [-7.0], [1e300], [f64::INFINITY], [f64::NEG_INFINITY], [f64::NAN]];
    assert_eq!(counts(values.clone(), 4), [3, 0, 1, 4]);
    assert_eq!(counts(values, 1), [8]);
    assert_eq!(counts(array![[f64::NAN, 3.0, -1.0]], 3)[15], 1);
    assert_eq!(counts(Array2::zeros((0, 2)), 2), [0; 4]);
}

#[test]
fn counting_agrees_with_the_index_of_each_point() {
    let values = Array2::from_shape_fn((500, 3), |(row, axis)| ((row * 7 + axis * 13) % 101) as f64 / 20.0 - 1.5);
    let points = Points::new(values, bounds(3)).unwrap();
    let cells = Cells::new(bounds(3), 5).unwrap();
    let (mut expected, mut unit) = (vec![0; 125], [0.0; 3]);
    for row in 0..points.records() {
        points.unit_row(row, &mut unit);
        expected[cells.index_of(&unit)] += 1;
    }
    assert_eq!(CellCounts::of(&points, &cells).reveal(), expected);
}

#[test]
fn what_is_printed_of_counts_and_points_shows_nothing() {
    let points = Points::new(array![[0.25]], bounds(1)).unwrap();
    assert_eq!(format!("{points:?}"), "Points(..)");
    let counts = CellCounts::of(&points, &Cells::new(bounds(1), 2).unwrap());
    assert_eq!(format!("{counts:?}"), "CellCounts(..)");
}

proptest! {
    /// Substituting a record moves the counts by 0 or 2 in absolute values, and by 0 or sqrt(2) in the Euclidean norm.
    #[test]
    fn a_record_moves_no_more_than_its_sensitivity(values in vec(ANY, 3..30), other in vec(ANY, 3), dimension in 1_usize..=3) {
        let rows = values.len() / dimension;
        let values = Array2::from_shape_vec((rows, dimension), values[..rows * dimension].to_vec()).unwrap();
        let mut substituted = values.clone();
        for (x, y) in substituted.row_mut(0).iter_mut().zip(&other) {
            *x = *y;
        }
        let (here, there) = (counts(values.clone(), 6), counts(substituted, 6));
        let moved = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).collect::<Vec<_>>();
        let difference = moved(&here, &there);
        prop_assert!(difference.iter().all(|d| *d <= 1));
        prop_assert!([0, 2].contains(&difference.iter().sum::<u64>()));
        let removed = values.select(ndarray::Axis(0), &(1..rows).collect::<Vec<_>>());
        prop_assert_eq!(moved(&here, &counts(removed, 6)).iter().sum::<u64>(), 1);
    }
}
