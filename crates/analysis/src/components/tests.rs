#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Matern, Quadrature, Spectrum, eigenpairs};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use serde_json::Value;

use super::basis::PublicBasis;
use super::noisy::NoisyCovariance;
use super::tensor::{TensorSmoother, capped, without_inflation};
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::psd::{positive_part, with_values};
use crate::sampling::decoded::DecodedMoments;

const TOLERANCE: f64 = 1e-9;

fn golden() -> Value {
    serde_json::from_str(include_str!("../../tests/golden/components.json")).unwrap()
}

fn numbers(value: &Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Array2<f64> {
    let rows: Vec<Array1<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j])
}

/// White noise of this standard deviation on the moments alone.
fn white(matrix: Array2<f64>, sd: f64) -> NoisyCovariance {
    let size = matrix.nrows();
    NoisyCovariance { matrix, root: Array2::eye(size), mean: Array1::zeros(size), sd, mean_sd: 0.0, count_sd: 0.0 }
}

#[test]
fn smoothing_capping_and_the_eigenvalue_behind_the_noise_meet_the_golden_values() {
    let example = &golden()["sure"];
    let noisy = white(matrix(&example["Y"]), example["s"].as_f64().unwrap());
    let eigenvalues = numbers(&example["kernel_eigenvalues"]);
    for case in example["cases"].as_array().unwrap() {
        let number = |name: &str| case[name].as_f64().unwrap();
        let smoother = TensorSmoother::new(&eigenvalues, number("phi"));
        assert_abs_diff_eq!(*smoother.factors(), numbers(&case["q"]), epsilon = TOLERANCE);
        assert_abs_diff_eq!(smoother.risk(&noisy), number("sure"), epsilon = TOLERANCE);
        let smoothed = smoother.smoothed(&noisy.matrix);
        assert_abs_diff_eq!(positive_part(&smoothed).unwrap(), matrix(&case["psd"]), epsilon = TOLERANCE);
        let pairs = eigenpairs(&smoothed).unwrap();
        let cap = with_values(&pairs, &capped(&pairs.values, 1.2));
        assert_abs_diff_eq!(cap, matrix(&case["trace_cap_at_1_2"]), epsilon = TOLERANCE);
        assert_abs_diff_eq!(pairs.values[2], number("top_eigenvalue"), epsilon = TOLERANCE);
        let vector = pairs.vectors.column(2);
        let quotient = vector.dot(&noisy.matrix.dot(&vector));
        assert_abs_diff_eq!(quotient, number("rayleigh"), epsilon = TOLERANCE);
        let inflation = noisy.inflation(vector, &smoother.passed(vector));
        assert_abs_diff_eq!(without_inflation(quotient, inflation), number("theta_hat"), epsilon = TOLERANCE);
    }
}

#[test]
fn the_eigenvalue_behind_white_noise_meets_the_golden_values() {
    for case in golden()["spike"].as_array().unwrap() {
        let number = |name: &str| case[name].as_f64().unwrap();
        let inflation = 0.5 * number("d") * number("s").powi(2);
        assert_abs_diff_eq!(without_inflation(number("lam"), inflation), number("theta_back"), epsilon = TOLERANCE);
    }
    // noise alone could give these
    assert_eq!([without_inflation(-1.0, 0.1), without_inflation(0.5, 0.1)], [0.0, 0.25]);
}

#[test]
fn the_least_risk_of_all_penalties_is_chosen() {
    let example = &golden()["sure"];
    let noisy = white(matrix(&example["Y"]), 0.25);
    let eigenvalues = numbers(&example["kernel_eigenvalues"]);
    let chosen = TensorSmoother::chosen(&eigenvalues, &noisy).risk(&noisy);
    assert!([1e-6, 1e-3, 0.01, 0.1, 1.0, 10.0].iter().all(|penalty| {
        // between two of the penalties that are tried the risk may be a little smaller
        chosen <= TensorSmoother::new(&eigenvalues, *penalty).risk(&noisy) + 1e-3
    }));
}

const DRAWS: f64 = 40_000.0;

/// The noise of this file, drawn many times, has the variances that the formulas say.
#[test]
fn variances_of_the_noise_are_those_of_its_draws() {
    use rand::SeedableRng;
    use rand::rngs::ChaCha20Rng;

    let root = array![[1.0, 0.2, 0.0], [0.0, 0.7, 0.1], [0.3, 0.0, 0.5]];
    let mean = array![0.8, -0.3, 0.2];
    let noisy = NoisyCovariance { matrix: Array2::zeros((3, 3)), root, mean, sd: 0.3, mean_sd: 0.5, count_sd: 0.0 };
    let (x, y) = (array![0.6, -0.8, 0.0], array![0.0, 0.5, 1.0]);
    let smoother = array![0.9, 0.5, 0.2];
    let mut generator = ChaCha20Rng::seed_from_u64(3);
    let (mut form, mut energy, mut average) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..40_000 {
        let noise = noisy.root.dot(&noisy.noise(&mut generator)).dot(&noisy.root.t());
        let value = x.dot(&noise.dot(&y));
        let through = &noise * &smoother.view().insert_axis(ndarray::Axis(1));
        average += value / DRAWS;
        form += value * value / DRAWS;
        energy += through.dot(&through).diag().sum() / DRAWS;
    }
    // 40 000 draws: standard errors of about 1%; the chance of 6 of them is below 1e-8
    assert!(average.abs() < 6.0 * (form / DRAWS).sqrt(), "{average}");
    assert!((form / noisy.variance(x.view(), y.view()) - 1.0).abs() < 0.06, "{form}");
    assert!((energy / noisy.passed_energy(&smoother) - 1.0).abs() < 0.08, "{energy}");
}

proptest! {
    #[test]
    fn a_capped_spectrum_is_the_nearest_one_of_its_total(values in prop::collection::vec(-1.0..3.0_f64, 1..8), total in 0.0..4.0_f64) {
        let values = Array1::from(values);
        let result = capped(&values, total);
        let positive = values.mapv(|value| value.max(0.0));
        prop_assert!(result.iter().all(|value| *value >= 0.0) && result.sum() <= total.max(positive.sum().min(total)) + 1e-12);
        if positive.sum() <= total {
            prop_assert_eq!(&result, &positive);
        } else {
            prop_assert!((result.sum() - total).abs() < 1e-12);
            // all that is left lost the same, and what is gone had no more than that to lose
            let lost = &positive - &result;
            let most = lost.iter().fold(0.0_f64, |most, x| most.max(*x));
            let equal = result.iter().zip(&lost).all(|(kept, lost)| *kept == 0.0 || (lost - most).abs() < 1e-12);
            prop_assert!(equal);
        }
    }
}

#[test]
fn the_public_basis_is_that_of_its_kernel_which_meets_the_golden_values() {
    let golden = &golden()["public_basis_m32_rho0.5_n93_w1_over_n"];
    let points: Vec<f64> = (0..93).map(|i| f64::from(i) / 92.0).collect();
    let spectrum = |quadrature, range| {
        let grid = Grid::with_quadrature(points.clone(), quadrature).unwrap();
        Spectrum::new(Matern::new(1.5, range).unwrap(), grid, DEFAULT_TOLERANCE).unwrap().eigenvalues().to_owned()
    };
    // the golden points are the middles of 93 equal intervals: distances are 92/93 of those between the ends
    let golden_range = 0.5 * 93.0 / 92.0;
    for (value, expected) in
        spectrum(Quadrature::Equal, golden_range).iter().zip(&numbers(&golden["eigenvalues_first10"]))
    {
        assert_abs_diff_eq!(value, expected, epsilon = TOLERANCE);
    }
    // a release has the weights of the trapezoid rule
    let grid = Grid::new(points.clone()).unwrap();
    let observation = Observation::isonormal(grid, Array1::zeros(93), 1.0, Array1::zeros(93), 0.1, 100.0).unwrap();
    let posterior = Posterior::new(observation, &Ladder::default()).unwrap();
    let (basis, nothing) = (Array2::eye(93), Array2::zeros((93, 93)));
    let decoded =
        DecodedMoments { basis, covariance: nothing.clone(), positive: nothing, total: 0.0, total_upper: 0.0 };
    let found = PublicBasis::of(&posterior, &decoded).unwrap();
    for (value, expected) in found.eigenvalues.iter().zip(&spectrum(Quadrature::Trapezoid, 0.5)) {
        assert_abs_diff_eq!(value, expected, epsilon = TOLERANCE);
    }
    assert!(found.functions.row(0).iter().all(|value| *value >= 0.0));
}
