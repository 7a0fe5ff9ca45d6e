#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::Array1;

use super::super::shape::normal_distribution;
use super::super::tests::golden;
use super::*;
use crate::golden::{matrix, numbers};

/// The ends for each centile (a row) and each function of a golden case.
fn meets_golden(name: &str, functions: &[fn(f64) -> f64], variance: f64, records: f64, c: f64) {
    let case = golden(name);
    let released: Array1<f64> = (1..64).map(|j| f64::from(j) / 64.0).collect();
    let (levels, seen) = fine_levels(released.view());
    assert_eq!((levels.len(), seen), (255, (3, 251)));
    let (lower, upper) = (matrix(&case["output"]["lower"]), matrix(&case["output"]["upper"]));
    let variances = Array1::from_elem(255, variance);
    for (k, function) in functions.iter().enumerate() {
        let distribution: Array1<f64> = levels.iter().map(|&y| function(y)).collect();
        let fine = Array1::from(levels.clone());
        let uncertain =
            Uncertain { levels: fine.view(), distribution: distribution.view(), variance: variances.view(), seen };
        for (i, p) in [0.05, 0.25, 0.5, 0.75, 0.95].into_iter().enumerate() {
            let (from, to) = uncertain.ends(p, c, p * (1.0 - p) / records);
            assert_abs_diff_eq!(from, lower[[i, k]], epsilon = 1e-9);
            assert_abs_diff_eq!(to, upper[[i, k]], epsilon = 1e-9);
        }
    }
}

#[test]
fn the_inversion_meets_the_golden_values() {
    let normal: [fn(f64) -> f64; 2] =
        [|y| normal_distribution((y - 0.5) / 0.1), |y| normal_distribution((y - 0.3) / 0.05)];
    meets_golden("inversion", &normal, 1e-4, 1000.0, 3.5);
    meets_golden("inversion, a tail that is not closed", &normal, 9e-4, 376.0, 3.866);
    let atom: [fn(f64) -> f64; 1] = [|y| 0.6 + 0.4 * normal_distribution((y - 0.1) / 0.05)];
    meets_golden("inversion, atom at the floor", &atom, 1e-4, 1000.0, 3.5);
}

#[test]
fn fine_levels_part_each_step_in_four() {
    let (levels, seen) = fine_levels(ndarray::array![0.2, 0.6].view());
    let expected = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    assert_abs_diff_eq!(Array1::from(levels), numbers(&serde_json::json!(expected)), epsilon = 1e-15);
    assert_eq!(seen, (3, 7));
}
