#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::{CovarianceKernel, Exponential, Gaussian, Grid, Kernel, Matern};

fn kernels() -> [Kernel; 4] {
    [
        Gaussian::new(0.03).unwrap().into(),
        Matern::new(2.5, 0.2).unwrap().into(),
        Matern::new(0.8, 0.3).unwrap().into(),
        Exponential::new(0.466).unwrap().into(),
    ]
}

/// `n` points of `[-1, 1]` that lie symmetrically about 0, evenly or not.
fn symmetric_grid(n: usize, uneven: bool) -> Grid {
    let bend = |x: f64| if uneven { 0.4 * x + 0.6 * x.powi(3) } else { x };
    Grid::new((0..n).map(|i| bend((2.0 * i as f64 - (n - 1) as f64) / (n - 1) as f64)).collect()).unwrap()
}

fn weighted_gram(kernel: &Kernel, grid: &Grid) -> Array2<f64> {
    let (t, w) = (grid.points(), grid.weights());
    Array2::from_shape_fn((grid.len(), grid.len()), |(i, j)| (w[i] * w[j]).sqrt() * kernel.covariance(t[i], t[j]))
}

fn largest_entry(matrix: &Array2<f64>) -> f64 {
    matrix.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn projector(pairs: &Eigenpairs, from: usize) -> Array2<f64> {
    let (_, upper) = pairs.vectors.view().split_at(ndarray::Axis(1), from);
    upper.dot(&upper.t())
}

const SIZES: [usize; 7] = [2, 3, 4, 5, 40, 93, 100];

#[test]
fn the_split_has_the_eigenvalues_of_the_dense_problem() {
    let mut worst = 0.0_f64;
    for n in SIZES {
        for uneven in [false, true] {
            let grid = symmetric_grid(n, uneven);
            assert!(grid.is_symmetric());
            for kernel in kernels() {
                let matrix = weighted_gram(&kernel, &grid);
                let dense = symmetric_eigenpairs(&matrix).unwrap();
                let split = centrosymmetric_eigenpairs(n, |i, j| matrix[[i, j]]).unwrap();
                for (a, b) in split.values.iter().zip(&dense.values) {
                    worst = worst.max((a - b).abs() / dense.values[n - 1]);
                }
            }
        }
    }
    println!("largest relative distance of the split's eigenvalues: {worst:.1e}");
    assert!(worst < 1e-13);
}

#[test]
fn the_split_has_the_projectors_of_the_dense_problem() {
    let mut worst = 0.0_f64;
    for n in SIZES {
        for kernel in kernels() {
            let matrix = weighted_gram(&kernel, &symmetric_grid(n, false));
            let dense = symmetric_eigenpairs(&matrix).unwrap();
            let split = centrosymmetric_eigenpairs(n, |i, j| matrix[[i, j]]).unwrap();
            // the leading 1, 2, ... pairs, as far as their eigenvalues are well separated
            for from in (0..n).rev().take(10) {
                if from > 0 && dense.values[from] - dense.values[from - 1] < 1e-4 * dense.values[n - 1] {
                    continue;
                }
                worst = worst.max(largest_entry(&(projector(&dense, from) - projector(&split, from))));
            }
        }
    }
    println!("largest distance of the split's projectors: {worst:.1e}");
    assert!(worst < 1e-10);
}

#[test]
fn the_split_rebuilds_the_matrix_from_orthonormal_vectors() {
    for n in SIZES {
        for kernel in kernels() {
            let matrix = weighted_gram(&kernel, &symmetric_grid(n, true));
            let split = centrosymmetric_eigenpairs(n, |i, j| matrix[[i, j]]).unwrap();
            assert!(split.values.windows(2).into_iter().all(|w| w[0] <= w[1]));
            let identity = split.vectors.t().dot(&split.vectors);
            assert!(largest_entry(&(identity - Array2::<f64>::eye(n))) < 1e-13);
            let rebuilt = (&split.vectors * &split.values).dot(&split.vectors.t());
            assert!(largest_entry(&(rebuilt - &matrix)) < 1e-14 * n as f64);
        }
    }
}

#[test]
fn vectors_read_the_same_from_both_ends_up_to_the_sign() {
    for n in [3, 40, 93] {
        let matrix = weighted_gram(&kernels()[1], &symmetric_grid(n, false));
        let split = centrosymmetric_eigenpairs(n, |i, j| matrix[[i, j]]).unwrap();
        for column in split.vectors.columns() {
            let same = (0..n).all(|i| column[i] == column[n - 1 - i]);
            let opposite = (0..n / 2).all(|i| column[i] == -column[n - 1 - i]) && (n % 2 == 0 || column[n / 2] == 0.0);
            assert!(same || opposite);
        }
    }
}

#[test]
fn pairs_of_two_and_three_points_are_as_by_hand() {
    // [[a, b], [b, a]] has a - b and a + b
    let two = centrosymmetric_eigenpairs(2, |i, j| if i == j { 1.0 } else { 0.25 }).unwrap();
    assert!((two.values[0] - 0.75).abs() < 1e-15 && (two.values[1] - 1.25).abs() < 1e-15);
    // the path 0 - 1 - 2 with unit edges: -sqrt 2, 0, sqrt 2
    let three = centrosymmetric_eigenpairs(3, |i, j| f64::from(u8::from(i.abs_diff(j) == 1))).unwrap();
    for (value, expected) in three.values.iter().zip([-std::f64::consts::SQRT_2, 0.0, std::f64::consts::SQRT_2]) {
        assert!((value - expected).abs() < 1e-15);
    }
    let one = centrosymmetric_eigenpairs(1, |_, _| 3.0).unwrap();
    assert_eq!((one.values[0], one.vectors[[0, 0]].abs()), (3.0, 1.0));
}

#[test]
fn only_the_upper_half_of_the_matrix_is_read() {
    for n in [2_usize, 3, 8, 9] {
        let read = |i: usize, j: usize| {
            assert!(i < n.div_ceil(2), "row {i} of {n}");
            (-(i.abs_diff(j) as f64)).exp()
        };
        centrosymmetric_eigenpairs(n, read).unwrap();
    }
}

#[test]
fn any_symmetric_matrix_has_its_eigenpairs_and_what_is_none_is_refused() {
    let (mirrored, uneven) = (symmetric_grid(21, true), Grid::new(vec![0.0, 0.1, 0.5, 0.7, 1.5]).unwrap());
    for grid in [mirrored, uneven] {
        let matrix = weighted_gram(&kernels()[1], &grid);
        let pairs = eigenpairs(&matrix).unwrap();
        let again = (&pairs.vectors * &pairs.values).dot(&pairs.vectors.t());
        assert!(largest_entry(&(again - &matrix)) < 1e-13 * largest_entry(&matrix));
        assert!(pairs.values.windows(2).into_iter().all(|pair| pair[0] <= pair[1]));
    }
    assert_eq!(eigenpairs(&Array2::zeros((0, 0))).unwrap().values.len(), 0);
    assert!(eigenpairs(&Array2::zeros((2, 3))).is_err());
    assert!(eigenpairs(&Array2::from_elem((2, 2), f64::NAN)).is_err());
}
