#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::{Array2, Axis, array, concatenate};

use super::*;

/// A group of 42 and one of 334, without an intercept.
fn two_groups() -> Array2<f64> {
    let rows = |number: usize, row: [f64; 2]| Array2::from_shape_fn((number, 2), |(_, j)| row[j]);
    concatenate![Axis(0), rows(42, [1.0, 0.0]), rows(334, [0.0, 1.0])]
}

#[test]
fn groups_get_the_noise_that_they_get_alone() {
    let (design, _) = PublicDesign::of(&two_groups()).unwrap();
    let shape = design.root().dot(design.root());
    // golden/inference.json, public_groups_42_334_optimal_shape_sd: 1/42 and 1/334
    assert_abs_diff_eq!(shape[[0, 0]].sqrt(), 1.0 / 42.0, epsilon = 1e-9);
    assert_abs_diff_eq!(shape[[1, 1]].sqrt(), 1.0 / 334.0, epsilon = 1e-9);
    assert_abs_diff_eq!(shape[[0, 1]], 0.0, epsilon = 1e-12);
}

#[test]
fn no_weight_is_longer_than_one_and_the_weights_give_least_squares_back() {
    let rows = Array2::from_shape_fn((200, 3), |(i, j)| match j {
        0 => 1.0,
        1 => {
            if i % 5 == 0 {
                1.0
            } else {
                -1.0
            }
        }
        _ => (i % 8) as f64 / 3.5 - 1.0,
    });
    let (design, weights) = PublicDesign::of(&rows).unwrap();
    let longest = squared_lengths(&weights).fold(0.0, f64::max);
    assert!(longest <= 1.0 + 1e-15 && longest > 1.0 - 1e-12);
    let curves = Array2::from_shape_fn((200, 2), |(i, j)| ((i * 7 + j) % 11) as f64);
    let released = design.root().dot(&weights.t().dot(&curves));
    assert_abs_diff_eq!(design.gram().dot(&released), rows.t().dot(&curves), epsilon = 1e-9);
    // no worse than the shapes that one would think of: X'Z, and the same noise on every coefficient
    let trace = design.root().dot(design.root()).diag().sum();
    let inverse = changed(design.gram(), |value| 1.0 / value).unwrap();
    let longest_row = squared_lengths(&rows).fold(0.0, f64::max);
    assert!(trace <= longest_row * inverse.dot(&inverse).diag().sum() * (1.0 + 1e-9));
    let largest = squared_lengths(&rows.dot(&inverse)).fold(0.0, f64::max);
    assert!(trace <= 3.0 * largest * (1.0 + 1e-9));
}

#[test]
fn designs_that_tell_no_coefficients_apart_are_refused() {
    let constant = Array2::from_elem((9, 2), 1.0);
    assert_eq!(PublicDesign::of(&constant).unwrap_err(), DesignError::Collinear { columns: 2 });
    let few = array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]];
    assert_eq!(PublicDesign::of(&few).unwrap_err(), DesignError::TooFewRecords { columns: 2, records: 3 });
}

#[test]
fn a_plan_reads_back_and_an_impossible_one_does_not() {
    let (design, _) = PublicDesign::of(&two_groups()).unwrap();
    let plan = design.to_plan();
    assert_eq!(PublicDesign::from_plan(&plan, 2).unwrap(), design);
    let refused = |plan: &PublicDesignPlan| PublicDesign::from_plan(plan, 2).unwrap_err();
    let matrices = DesignError::Matrices { columns: 2 };
    assert_eq!(refused(&PublicDesignPlan { root: vec![1.0, 2.0, 1.0], ..plan.clone() }), matrices);
    assert_eq!(refused(&PublicDesignPlan { gram: vec![1.0, 0.0], ..plan.clone() }), matrices);
    assert_eq!(refused(&PublicDesignPlan { gram: vec![f64::NAN, 0.0, 1.0], ..plan.clone() }), matrices);
    assert_eq!(refused(&PublicDesignPlan { records: 3, ..plan }), matrices);
}
