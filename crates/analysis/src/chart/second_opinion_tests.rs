#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::{Array1, Array2, Axis};

use super::super::tests::golden;
use super::*;
use crate::golden::{matrix, numbers};

/// A residual that no chart follows, at these points.
fn observed(points: Array1<f64>, is_periodic: bool) -> (NoisyDistribution, Array2<f64>) {
    let levels: Array1<f64> = (1..16).map(|j| f64::from(j) / 16.0).collect();
    let residual = |i: usize, j: usize| 0.1 * ((7 * i + 3 * j) as f64).sin();
    let residuals = Array2::from_shape_fn((points.len(), 15), |(i, j)| residual(i, j));
    let noisy = NoisyDistribution::new(points, is_periodic, levels, residuals.clone(), 0.05, 100.0);
    (noisy.unwrap(), residuals)
}

#[test]
fn the_columns_meet_the_golden_values() {
    let case = golden("second-opinion columns");
    let (location, scale) = (numbers(&case["input"]["location"]), numbers(&case["input"]["log_scale"]).mapv(f64::exp));
    let levels = numbers(&case["input"]["levels"]);
    for (i, expected) in case["output"]["E"].as_array().unwrap().iter().enumerate() {
        let expected = matrix(expected);
        for (j, &y) in levels.iter().enumerate() {
            let found: Array1<f64> =
                columns(y, location[i], scale[i], 4).iter().zip(1..).map(|(e, k)| e / (SD / f64::from(k))).collect();
            assert_abs_diff_eq!(found, expected.row(j), epsilon = 1e-12);
        }
    }
}

#[test]
fn the_smoother_meets_the_golden_values() {
    let columns_case = golden("second-opinion columns");
    let columns: Vec<Array2<f64>> = columns_case["output"]["E"].as_array().unwrap().iter().map(matrix).collect();
    for name in ["Kalman smoother, step 1/2 (nearly independent points)", "Kalman smoother, step .02"] {
        let case = golden(name);
        let (input, output) = (&case["input"], &case["output"]);
        let sds = numbers(&input["stationary_variance"]).mapv(f64::sqrt);
        let sigma = input["sigma"].as_f64().unwrap();
        let gap = -RANGE * input["phi"].as_f64().unwrap().ln();
        let residuals = matrix(&input["residual"]);
        let seen: Vec<Seen> = columns
            .iter()
            .zip(residuals.rows())
            .map(|(columns, residual)| {
                let rows = columns * &sds / sigma;
                Seen { information: rows.t().dot(&rows), sum: rows.t().dot(&residual) / sigma }
            })
            .collect();
        let found = smoothed(ndarray::array![0.0, gap, 2.0 * gap].view(), &seen);
        let means = matrix(&output["mean"]);
        for (i, covariance) in output["covariance"].as_array().unwrap().iter().enumerate() {
            assert_abs_diff_eq!(&found.means[i] * &sds, means.row(i), epsilon = 1e-8);
            let column = sds.view().insert_axis(Axis(1));
            assert_abs_diff_eq!(&found.covariances[i] * &sds * column, matrix(covariance), epsilon = 1e-8);
        }
    }
}

/// The law of all waves at all points at once, from a covariance along the domain.
fn dense(observed: &NoisyDistribution, residuals: &Array2<f64>, chart: &[(f64, f64)]) -> (Array2<f64>, Array2<f64>) {
    let (n, size) = (chart.len(), chart.len() * WAVES);
    let correlation = |d: f64| (-4..=4).map(|round| (-(d + f64::from(round)).abs() / RANGE).exp()).sum::<f64>();
    let prior = Array2::from_shape_fn((size, size), |(a, b)| {
        let apart = observed.points[a / WAVES] - observed.points[b / WAVES];
        if a % WAVES == b % WAVES { correlation(apart) } else { 0.0 }
    });
    let m = observed.levels.len();
    let mut rows = Array2::zeros((n * m, size));
    for (i, &(location, scale)) in chart.iter().enumerate() {
        for (j, &y) in observed.levels.iter().enumerate() {
            let own = columns(y, location, scale, WAVES);
            own.iter().enumerate().for_each(|(k, e)| rows[[i * m + j, i * WAVES + k]] = *e);
        }
    }
    let across = rows.dot(&prior);
    let noisy = across.dot(&rows.t()) + Array2::<f64>::eye(n * m) * observed.noise_sd[0].powi(2);
    let root = cholesky(noisy, observed.noise_sd[0].powi(2));
    let half = solve_lower(&root, across, 0);
    let z = Array1::from_iter(residuals.iter().copied()).insert_axis(Axis(1));
    (half.t().dot(&solve_lower(&root, z, 0)), &prior - &half.t().dot(&half))
}

#[test]
fn three_rounds_of_a_circle_are_the_dense_law_of_the_circle() {
    for points in [ndarray::array![0.0, 0.02, 0.3, 0.31, 0.62, 0.97], (0..20).map(|i| f64::from(i) / 20.0).collect()] {
        let (observed, residuals) = observed(points, true);
        let chart: Vec<(f64, f64)> = observed.points.iter().map(|t| (0.5 + 0.1 * t, 0.1)).collect();
        let found = SecondOpinion::of(&observed, &residuals, &chart);
        let (means, covariance) = dense(&observed, &residuals, &chart);
        for i in 0..chart.len() {
            for k in 0..WAVES {
                let place = i * WAVES + k;
                assert_abs_diff_eq!(found.means[i][k], means[[place, 0]], epsilon = 1e-8);
                assert_abs_diff_eq!(found.covariances[i][[k, k]], covariance[[place, place]], epsilon = 1e-8);
            }
        }
    }
}
