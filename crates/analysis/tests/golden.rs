//! The posterior and its ingredients against numbers that another program computed.

use approx::assert_abs_diff_eq;
use dpfda_analysis::{Ladder, Observation, Posterior};
use dpfda_kernels::{Exponential, Gaussian, Grid, Kernel, Matern};
use ndarray::{Array1, Array2};
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

fn numbers(value: &Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Array2<f64> {
    let rows: Vec<Array1<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j])
}

fn kernel(candidate: &Value) -> Kernel {
    let range = candidate[1].as_f64().unwrap();
    match candidate[0].as_str().unwrap() {
        "gaussian" => Gaussian::new(range).unwrap().into(),
        "matern32" => Matern::new(1.5, range).unwrap().into(),
        "matern52" => Matern::new(2.5, range).unwrap().into(),
        "exponential" => Exponential::new(range).unwrap().into(),
        other => panic!("{other}"),
    }
}

#[test]
fn the_posterior_meets_the_golden_values() {
    let golden: Value = serde_json::from_str(include_str!("golden/posterior.json")).unwrap();
    let number = |name: &str| golden[name].as_f64().unwrap();
    let (tau, sigma, center) = (number("tau"), number("sigma"), number("center"));
    let curve = numbers(&golden["curve"]);
    let grid = Grid::uniform(0.0, 1.0, curve.len()).unwrap();
    let y = (&curve - center) * grid.weights().mapv(f64::sqrt);
    let rungs = golden["candidates"].as_array().unwrap().iter().map(kernel).collect();
    let amplitudes = numbers(&golden["amplitudes"]) / (tau * tau);
    let ladder = Ladder::new(vec![rungs], amplitudes.to_vec(), -1.0, 0.7).unwrap();
    let centre = Array1::from_elem(curve.len(), center);
    let observation = Observation::isonormal(grid, centre, tau, y, sigma, 100.0).unwrap();
    let posterior = Posterior::new(observation, &ladder).unwrap();

    assert_abs_diff_eq!(posterior.log_evidence(), matrix(&golden["log_evidence"]), epsilon = TOLERANCE);
    assert_abs_diff_eq!(posterior.weights(), matrix(&golden["weights"]), epsilon = TOLERANCE);
    assert_abs_diff_eq!(posterior.values(), numbers(&golden["posterior_mean"]), epsilon = TOLERANCE);
    assert_abs_diff_eq!(posterior.sd(), numbers(&golden["posterior_sd"]), epsilon = TOLERANCE);
    let first_row = posterior.covariance().row(0).to_owned();
    assert_abs_diff_eq!(first_row, numbers(&golden["posterior_cov_first_row"]), epsilon = TOLERANCE);
}
