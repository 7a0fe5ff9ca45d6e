#![allow(clippy::unwrap_used, reason = "tests")]

use super::tests::{distance_from_orthonormal, kernel, largest, uneven_points};
use super::*;
use crate::Kernel;
use crate::mercer::weighted_kernel::WeightedKernel;

/// The spectrum by compression, on a grid of any length.
fn compressed(kernel: &Kernel, grid: &Grid) -> Spectrum<Kernel> {
    let weighted = WeightedKernel::new(kernel, grid).unwrap();
    let (pairs, basis) = weighted.compressed().unwrap();
    let on_grid = DomainKernel::new(kernel.clone(), grid).unwrap();
    Spectrum::of(on_grid, grid.clone(), DEFAULT_TOLERANCE, pairs, weighted.trace(), Some(basis)).unwrap()
}

/// The largest errors of a smoothed function and of its pointwise variances, relative to the largest value of each; the function
/// is a wave in noise of the size that the penalty is made for.
fn smoothing_errors(spectrum: &Spectrum<Kernel>, dense: &Spectrum<Kernel>, penalty: f64) -> [f64; 2] {
    let noise = |i: usize| (i as f64 * 0.754_877_666).fract() + (i as f64 * 0.569_840_29).fract() - 1.0;
    let sd = 0.5 * penalty.sqrt();
    let wave = |(i, (t, w)): (usize, (&f64, &f64))| (7.0 * t).sin() + 2.4 * sd * noise(i) / w.sqrt();
    let (points, weights) = (dense.grid().points(), dense.grid().weights());
    let seen: Array1<f64> = points.iter().zip(weights).enumerate().map(wave).collect();
    let smooth = |spectrum: &Spectrum<Kernel>| {
        let shares = spectrum.eigenvalues().mapv(|lambda| lambda / (lambda + penalty));
        let variances = spectrum.variances(|rows| {
            let factor = &rows * &shares.view().insert_axis(Axis(0));
            factor.dot(&factor.t())
        });
        [spectrum.values((spectrum.coefficients(seen.view()) * &shares).view()), variances]
    };
    let pairs = smooth(spectrum).into_iter().zip(smooth(dense));
    let errors: Vec<f64> =
        pairs.map(|(a, b)| largest((&a - &b).iter().copied()) / largest(b.iter().copied())).collect();
    [errors[0], errors[1]]
}

fn long_grids() -> Vec<Grid> {
    let even = |n: usize| Grid::uniform(0.0, 1.0, n).unwrap();
    let crowded = (0..1501).map(|i| (f64::from(i) / 1500.0).powf(1.7)).collect();
    vec![even(1400), even(1401), Grid::new(crowded).unwrap(), Grid::new(uneven_points(1300)).unwrap()]
}

#[test]
fn a_spectrum_of_small_rank_is_that_of_the_dense_solver() {
    for grid in [&long_grids()[..], &[Grid::uniform(0.0, 1.0, 1000).unwrap()]].concat() {
        for range in [0.02, 0.3] {
            let kernel = kernel("gaussian", range);
            let weighted = WeightedKernel::new(&kernel, &grid).unwrap();
            assert!(weighted.of_small_rank().unwrap().is_some());
            let fast = Spectrum::leading(kernel.clone(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
            let dense = Spectrum::new(kernel, grid.clone(), DEFAULT_TOLERANCE).unwrap();
            let distances = fast.eigenvalues().iter().zip(dense.eigenvalues()).map(|(a, b)| a - b).collect::<Vec<_>>();
            assert!(largest(distances) < 1e-14 && fast.rank().abs_diff(dense.rank()) <= 1);
            assert!(distance_from_orthonormal(&fast) < 1e-12, "{}", distance_from_orthonormal(&fast));
            for penalty in [1e-2, 1e-4, 1e-6] {
                let errors = smoothing_errors(&fast, &dense, penalty);
                // both solvers are off by some eps of the trace, which a smoother divides by its penalty
                assert!(errors.iter().all(|error| *error < 1e-12 + 1e-15 / penalty), "{range} {penalty}: {errors:?}");
            }
        }
    }
}

#[test]
fn a_compressed_spectrum_smooths_as_the_dense_one() {
    let kernels = [
        kernel("matern52", 0.25),
        kernel("matern52", 0.07),
        kernel("matern32", 0.2),
        kernel("gaussian", 0.001),
        kernel("matern52", 0.25) + kernel("gaussian", 0.01).scaled(0.1).unwrap(),
    ];
    // a dense solver takes its time on each of them
    for grid in long_grids().into_iter().skip(1).step_by(2) {
        for kernel in &kernels {
            let (fast, dense) =
                (compressed(kernel, &grid), Spectrum::new(kernel.clone(), grid.clone(), DEFAULT_TOLERANCE).unwrap());
            for penalty in [1e-2, 1e-4] {
                let errors = smoothing_errors(&fast, &dense, penalty);
                println!("n = {}, {kernel:?}, {penalty}: {errors:?}, tail {}", grid.len(), fast.tail());
                assert!(errors.iter().all(|error| *error < 1e-6), "{kernel:?} {penalty}: {errors:?}");
            }
        }
    }
}

#[test]
fn a_compressed_spectrum_is_orthonormal_and_says_what_it_leaves_out() {
    for grid in long_grids().into_iter().step_by(3) {
        for kernel in [kernel("matern32", 0.2), kernel("exponential", 0.3), kernel("sobolev", 3.0)] {
            let (fast, dense) =
                (compressed(&kernel, &grid), Spectrum::new(kernel.clone(), grid.clone(), SMALLEST_TOLERANCE).unwrap());
            assert!(distance_from_orthonormal(&fast) < 1e-11);
            let left_out = dense.eigenvalues().iter().skip(fast.rank()).sum::<f64>();
            assert!(
                fast.tail() > 0.9 * left_out && fast.tail() < 3.0 * left_out + 1e-12,
                "{}, {left_out}",
                fast.tail()
            );
            // the compression of an operator has smaller eigenvalues (Cauchy's interlacing)
            let (values, exact) = (fast.eigenvalues(), dense.eigenvalues());
            assert!(values.iter().zip(&exact).all(|(a, b)| *a <= *b + 1e-13));
            let at = grid.points()[700];
            let nystrom = fast.eigenfunctions_at(at) - fast.eigenfunctions().row(700);
            assert!(largest(nystrom.iter().take(20).copied()) < 1e-4, "{kernel:?}");
        }
    }
}

#[test]
fn a_long_grid_has_a_spectrum_where_the_kernel_is_not_too_rough_for_it() {
    let grid = Grid::uniform(0.0, 1.0, 20_000).unwrap();
    let spectrum = |kernel| Spectrum::leading(kernel, grid.clone(), DEFAULT_TOLERANCE);
    let smooth = spectrum(kernel("matern52", 0.25)).unwrap();
    assert!(smooth.tail() < 1e-10 && smooth.rank() <= 1024);
    let coarse = Spectrum::new(kernel("matern52", 0.25), Grid::uniform(0.0, 1.0, 500).unwrap(), 1e-9).unwrap();
    assert!((smooth.eigenvalues()[0] / coarse.eigenvalues()[0] - 1.0).abs() < 1e-4);
    let refused = spectrum(kernel("exponential", 0.001)).unwrap_err();
    assert!(matches!(refused, SpectrumError::TooRough { points: 20_000, lost } if lost > LARGEST_LOSS), "{refused}");
    let nan = spectrum(kernel("matern52", 0.25).scaled(1e300).unwrap().scaled(1e300).unwrap());
    assert_eq!(nan.unwrap_err(), SpectrumError::Degenerate);
}
