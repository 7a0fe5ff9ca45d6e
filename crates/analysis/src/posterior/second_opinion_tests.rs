#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use ndarray::array;

use super::*;

/// The sums of golden values: two bins over five points.
fn observed() -> (Posterior, Array2<f64>) {
    let grid = Grid::uniform(0.0, 1.0, 5).unwrap();
    let averages = array![[3.0, 0.0], [3.0, 0.0], [0.0, 2.0], [0.0, 2.0], [0.0, 1.0]];
    let roots = grid.weights().mapv(f64::sqrt).insert_axis(Axis(1));
    let map = &averages / &roots;
    let (center, sums) = (Array1::zeros(5), array![0.5, -0.2]);
    let observation = Observation::through(grid, center, 0.1, (sums, map), 0.4, 100.0).unwrap();
    (Posterior::new(observation, &Ladder::default()).unwrap(), averages)
}

#[test]
fn the_second_estimate_agrees_with_golden_values() {
    let (posterior, _) = observed();
    let mean = array![
        0.048_495_815_584_818_566,
        0.045_475_133_620_525_07,
        -0.010_815_297_441_717_418,
        -0.020_004_061_088_925_03,
        -0.011_123_720_902_163_466
    ];
    let variance = array![
        0.006_589_965_430_192_199,
        0.006_564_809_222_822_637,
        0.007_844_114_038_304_185,
        0.007_579_906_523_420_860_4,
        0.009_280_714_878_641_743
    ];
    let apart = &posterior.at_support.mean * 0.1 - &mean;
    let expected = variance + &apart * &apart;
    let found = estimated(&posterior).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9 * b), "{found} {expected}");
}

#[test]
fn the_risk_of_an_estimate_is_that_of_draws_from_the_second_prior() {
    let (posterior, averages) = observed();
    let kernel = DomainKernel::new(Matern::new(KERNEL.0, KERNEL.1).unwrap(), &posterior.observation.unit_grid).unwrap();
    let points = posterior.observation.unit_grid.points().to_owned();
    let inside = Array2::from_shape_fn((5, 5), |(i, j)| 0.01 * kernel.covariance(points[i], points[j]));
    // the error of the estimate is (L A - 1) f + L e
    let map = posterior.linear_map();
    let error = map.dot(&averages.t()) - Array2::<f64>::eye(5);
    let expected = error.dot(&inside).dot(&error.t()).diag().to_owned() + map.dot(&map.t()).diag().mapv(|v| 0.16 * v);
    let found = risked(&posterior, &averages).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9 * b), "{found} {expected}");
    let wide = variance(&posterior, &averages, 29.0).unwrap();
    assert!(wide.iter().zip(&found).all(|(wide, risk)| wide >= risk));
}
