#![allow(clippy::unwrap_used, reason = "tests")]

use ndarray::arr2;

use super::*;

fn largest_entry(matrix: &Array2<f64>) -> f64 {
    matrix.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// `sum_j f(lambda_j) u_j u_j^T`.
fn function_of(pairs: &Eigenpairs, f: impl Fn(f64) -> f64) -> Array2<f64> {
    let scaled = &pairs.vectors * &pairs.values.mapv(f);
    scaled.dot(&pairs.vectors.t())
}

/// A symmetric matrix without any structure, by a multiplicative congruential generator.
fn scrambled(n: usize) -> Array2<f64> {
    let mut state = 12_345_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let square = Array2::from_shape_simple_fn((n, n), &mut next);
    &square + &square.t()
}

type Solver = fn(&Array2<f64>) -> Result<Eigenpairs, EigenError>;

/// The solvers this build has.
fn solvers() -> Vec<(&'static str, Solver)> {
    vec![
        ("faer", by_faer),
        #[cfg(feature = "lapack")]
        ("LAPACK", by_lapack),
    ]
}

#[test]
fn pairs_of_a_two_by_two_matrix_are_as_by_hand() {
    for (name, solve) in solvers() {
        let pairs = solve(&arr2(&[[2.0, 1.0], [1.0, 2.0]])).unwrap();
        assert!((pairs.values[0] - 1.0).abs() < 1e-15 && (pairs.values[1] - 3.0).abs() < 1e-15, "{name}");
        assert!((pairs.vectors[[0, 1]] - pairs.vectors[[1, 1]]).abs() < 1e-15, "{name}");
        assert!((pairs.vectors[[0, 0]] + pairs.vectors[[1, 0]]).abs() < 1e-15, "{name}");
    }
}

#[test]
fn pairs_are_orthonormal_increasing_and_rebuild_the_matrix() {
    for (name, solve) in solvers() {
        for n in [1, 2, 3, 10, 93, 150] {
            let matrix = scrambled(n);
            let pairs = solve(&matrix).unwrap();
            assert!(pairs.values.windows(2).into_iter().all(|w| w[0] <= w[1]), "{name}, n = {n}");
            let identity = pairs.vectors.t().dot(&pairs.vectors);
            assert!(largest_entry(&(identity - Array2::<f64>::eye(n))) < 1e-13, "{name}, n = {n}");
            let rebuilt = function_of(&pairs, |value| value);
            assert!(largest_entry(&(rebuilt - &matrix)) < 1e-13 * n as f64, "{name}, n = {n}");
        }
    }
}

#[test]
fn vectors_are_stored_by_column() {
    for (_, solve) in solvers() {
        let pairs = solve(&scrambled(7)).unwrap();
        assert_eq!(pairs.vectors.strides(), [1, 7]);
    }
}

#[test]
fn row_major_and_column_major_matrices_give_the_same_pairs() {
    for (name, solve) in solvers() {
        let matrix = scrambled(20);
        let mut columns = Array2::zeros((20, 20).f());
        columns.assign(&matrix);
        let (by_rows, by_columns) = (solve(&matrix).unwrap(), solve(&columns).unwrap());
        assert!(by_rows.values.iter().zip(&by_columns.values).all(|(a, b)| (a - b).abs() < 1e-13), "{name}");
    }
}

#[test]
fn repeated_eigenvalues_are_all_found() {
    for (_, solve) in solvers() {
        let pairs = solve(&Array2::eye(12)).unwrap();
        assert!(pairs.values.iter().all(|value| (value - 1.0).abs() < 1e-15));
    }
}

#[test]
fn the_same_matrix_gives_the_same_bits() {
    let matrix = scrambled(93);
    let (first, second) = (symmetric_eigenpairs(&matrix).unwrap(), symmetric_eigenpairs(&matrix).unwrap());
    assert_eq!(first.values, second.values);
    assert_eq!(first.vectors, second.vectors);
}

#[test]
fn the_error_names_the_size() {
    let message = EigenError { size: 93 }.to_string();
    assert!(message.contains("93 x 93"), "{message}");
}

#[cfg(feature = "lapack")]
mod parity {
    use super::*;
    use crate::{CovarianceKernel, Exponential, Gaussian, Grid, Kernel, Matern};

    fn gram(kernel: &Kernel, n: usize) -> Array2<f64> {
        let grid = Grid::uniform(0.0, 1.0, n).unwrap();
        let (t, w) = (grid.points(), grid.weights());
        Array2::from_shape_fn((n, n), |(i, j)| (w[i] * w[j]).sqrt() * kernel.covariance(t[i], t[j]))
    }

    #[test]
    fn faer_and_lapack_agree_to_1e_10() {
        let kernels: [Kernel; 4] = [
            Gaussian::new(0.03).unwrap().into(),
            Matern::new(1.5, 0.25).unwrap().into(),
            Matern::new(1.2, 0.2).unwrap().into(),
            Exponential::new(0.466).unwrap().into(),
        ];
        let (mut worst_value, mut worst_projector) = (0.0_f64, 0.0_f64);
        for kernel in kernels {
            let matrix = gram(&kernel, 93);
            let (faer, lapack) = (by_faer(&matrix).unwrap(), by_lapack(&matrix).unwrap());
            let largest = lapack.values[92];
            let values = (&faer.values - &lapack.values).iter().fold(0.0_f64, |m, x| m.max(x.abs())) / largest;
            assert!(values <= 1e-10, "{kernel:?}: eigenvalues differ by {values:e}");
            worst_value = worst_value.max(values);

            // what smoothing does with the pairs: a function of the matrix
            let smoother = |value: f64| value / (value + 1e-3 * largest);
            let smoothed = largest_entry(&(function_of(&faer, smoother) - function_of(&lapack, smoother)));
            assert!(smoothed <= 1e-10, "{kernel:?}: smoothers differ by {smoothed:e}");

            for j in 81..93 {
                let projector = |pairs: &Eigenpairs| {
                    let u = pairs.vectors.column(j).insert_axis(ndarray::Axis(1)).to_owned();
                    u.dot(&u.t())
                };
                let difference = largest_entry(&(projector(&faer) - projector(&lapack)));
                assert!(difference <= 1e-10, "{kernel:?}: projector {j} differs by {difference:e}");
                worst_projector = worst_projector.max(difference);
            }
        }
        println!("faer against LAPACK: eigenvalues {worst_value:.1e}, leading projectors {worst_projector:.1e}");
    }
}
