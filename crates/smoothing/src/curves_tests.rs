#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use ndarray::{ShapeBuilder, array};
use proptest::prelude::*;

use super::*;

fn grid(n: usize) -> Grid {
    Grid::uniform(0.0, 1.0, n).unwrap()
}

fn groups(curves: &CurveSet) -> Vec<Vec<usize>> {
    curves.records().map(|rows| rows.to_vec()).collect()
}

#[test]
fn without_ids_every_curve_is_a_record() {
    let curves = CurveSet::new(grid(2), array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).unwrap();
    assert_eq!((curves.unit(), curves.units(), curves.len()), (PrivacyUnit::Curve, 3, 3));
    assert_eq!(groups(&curves), [[0], [1], [2]]);
    assert_eq!(curves.records().len(), 3);
}

#[test]
fn subjects_are_grouped_in_any_order_of_rows() {
    let values = Array2::zeros((5, 2));
    let curves = CurveSet::new(grid(2), values).unwrap().with_subjects(&["b", "a", "b", "c", "a"]).unwrap();
    assert_eq!((curves.unit(), curves.units(), curves.len()), (PrivacyUnit::Subject, 3, 5));
    assert_eq!(groups(&curves), [vec![0, 2], vec![1, 4], vec![3]]);
}

proptest! {
    #[test]
    fn grouping_is_the_partition_by_id(ids in prop::collection::vec(0_u8..6, 0..40)) {
        let curves = CurveSet::new(grid(2), Array2::zeros((ids.len(), 2))).unwrap().with_subjects(&ids).unwrap();
        let mut seen: Vec<usize> = Vec::new();
        let mut owners = std::collections::HashSet::new();
        for rows in curves.records() {
            prop_assert!(!rows.is_empty());
            prop_assert!(rows.iter().all(|&row| ids[row] == ids[rows[0]]));
            prop_assert!(owners.insert(ids[rows[0]]));
            seen.extend(rows.iter());
        }
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..ids.len()).collect::<Vec<_>>());
    }
}

#[test]
fn curves_that_do_not_fit_are_refused() {
    let error = CurveSet::new(grid(3), array![[1.0, 2.0]]).unwrap_err();
    assert_eq!(error, CurveSetError::Columns { points: 3, columns: 2 });
    let error = CurveSet::new(grid(2), array![[1.0, 2.0], [3.0, f64::NEG_INFINITY]]).unwrap_err();
    assert_eq!(error, CurveSetError::Infinite { row: 1, column: 1 });
    let error = CurveSet::new(grid(2), array![[1.0, 2.0]]).unwrap().with_subjects(&[1, 2]).unwrap_err();
    assert_eq!(error, CurveSetError::Subjects { curves: 1, ids: 2 });
}

#[test]
fn an_empty_set_is_allowed() {
    let curves = CurveSet::new(grid(2), Array2::zeros((0, 2))).unwrap();
    assert!(curves.is_empty());
    assert_eq!((curves.units(), curves.records().count()), (0, 0));
    let curves = curves.with_subjects::<&str>(&[]).unwrap();
    assert_eq!((curves.units(), curves.unit()), (0, PrivacyUnit::Subject));
}

#[test]
fn column_major_values_are_the_same_curves() {
    let values = Array2::from_shape_vec((2, 3).f(), vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap();
    let curves = CurveSet::new(grid(3), values).unwrap();
    assert_eq!(curves.curve(0), [1.0, 2.0, 3.0]);
    assert_eq!(curves.curve(1), [4.0, 5.0, 6.0]);
}

#[test]
fn complete_keeps_the_subjects_of_the_curves_it_keeps() {
    let values = array![[1.0, 1.0], [f64::NAN, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, f64::NAN]];
    let curves = CurveSet::new(grid(2), values).unwrap();
    assert_eq!(curves.complete().values(), array![[1.0, 1.0], [3.0, 3.0], [4.0, 4.0]]);
    let complete = curves.with_subjects(&["a", "b", "c", "a", "c"]).unwrap().complete();
    assert_eq!(groups(&complete), [vec![0, 2], vec![1]]);
}

#[test]
fn the_raw_mean_weighs_subjects_and_not_curves() {
    let values = array![[1.0, 1.0, 1.0], [3.0, f64::NAN, 5.0], [10.0, 10.0, 10.0], [f64::NAN, f64::NAN, f64::NAN]];
    let curves = CurveSet::new(grid(3), values).unwrap().with_subjects(&["a", "a", "b", "c"]).unwrap();
    let mean = curves.raw_mean().into_revealed();
    assert_relative_eq!(mean.as_slice().unwrap(), [6.0, 6.25, 6.5].as_slice(), max_relative = 1e-15);
}

#[test]
fn debug_shows_the_number_of_points_and_nothing_private() {
    let curves = CurveSet::new(grid(2), array![[0.123_456, 987.654]]).unwrap();
    let text = format!("{curves:?} {curves:#?}");
    assert!(!text.contains("123") && !text.contains("987"), "{text}");
    assert!(text.starts_with("CurveSet { points: 2, .. }"), "{text}");
    let many = CurveSet::new(grid(2), Array2::zeros((31, 2))).unwrap().with_subjects(&[7; 31]).unwrap();
    assert_eq!(format!("{many:?}"), "CurveSet { points: 2, .. }");
}

#[test]
fn the_unit_reads_and_prints_in_lower_case() {
    assert_eq!(serde_json::to_string(&PrivacyUnit::Subject).unwrap(), "\"subject\"");
    assert_eq!(format!("{}", PrivacyUnit::Curve), "curve");
}
