#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::Axis;

use super::super::tests::golden;
use super::*;
use crate::golden::{matrix, numbers};

#[test]
fn normal_centiles_meet_the_golden_values() {
    let case = golden("normal centiles");
    let input = &case["input"];
    let centiles = NormalCentiles {
        mean: numbers(&input["mean"]),
        mean_variance: numbers(&input["variance_of_mean"]),
        variance: numbers(&input["sd"]).mapv(|sd| sd * sd),
        relative_sd: numbers(&input["relative_sd_of_variance"]),
        records: input["records"].as_f64().unwrap(),
    };
    let (q, sd) = (matrix(&case["output"]["q"]), matrix(&case["output"]["sd"]));
    for (k, p) in [0.05, 0.25, 0.5, 0.75, 0.95].into_iter().enumerate() {
        assert_abs_diff_eq!(centiles.centile(p), q.column(k), epsilon = 1e-12);
        assert_abs_diff_eq!(centiles.sd(p), sd.column(k), epsilon = 1e-12);
    }
}

#[test]
fn the_variance_of_a_person_meets_the_golden_values() {
    let case = golden("covariance of a person");
    let input = &case["input"];
    let (t, vectors) = (numbers(&input["t"]), matrix(&input["eigenvectors"]));
    let n = t.len();
    let functions: Vec<Array1<f64>> = vectors.axis_iter(Axis(1)).map(|column| &column * (n as f64).sqrt()).collect();
    let eigenvalues = numbers(&input["eigenvalues"]);
    let left = left_of(&functions.iter().collect::<Vec<_>>(), Array1::from_elem(n, 1.0 / n as f64), |i, j| {
        (-(t[i] - t[j]).abs() / FILL).exp()
    });
    let fill = left * (input["total"].as_f64().unwrap() - eigenvalues.sum());
    let found =
        functions.iter().zip(&eigenvalues).fold(fill, |sum, (function, value)| sum + function * function * *value);
    assert_abs_diff_eq!(found, matrix(&case["output"]["covariance"]).diag(), epsilon = 1e-10);
}
