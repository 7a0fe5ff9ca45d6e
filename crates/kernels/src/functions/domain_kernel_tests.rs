#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use ndarray::{Array1, Array2, Axis};
use proptest::prelude::*;

use super::*;
use crate::mercer::eigensolver::symmetric_eigenpairs;
use crate::{DEFAULT_TOLERANCE, Exponential, Gaussian, Kernel, KernelName, Matern, Sobolev, Spectrum, SpectrumError};

/// Every kernel of the table that is one on a circle, and a composite.
fn kernels(range: f64) -> Vec<Kernel> {
    let named: Vec<Kernel> = KernelName::all().map(|name| name.with_range(range).unwrap()).collect();
    let isotropic = named.into_iter().filter(CovarianceKernel::is_isotropic);
    let both = Kernel::from(Gaussian::new(range).unwrap()) * Kernel::from(Matern::new(1.2, 0.3).unwrap());
    isotropic.chain([both + Kernel::from(Exponential::new(0.7).unwrap()).scaled(0.3).unwrap()]).collect()
}

/// The largest difference of two matrices.
fn distance(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0, |most, x| most.max(x.abs()))
}

fn day(points: usize) -> Grid {
    Grid::circle(0.0, 24.0, points).unwrap()
}

fn matrix(kernel: &impl CovarianceKernel, points: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn((points.len(), points.len()), |(i, j)| kernel.covariance(points[i], points[j]))
}

proptest! {
    #[test]
    fn matrices_at_any_points_of_a_circle_are_positive_semi_definite_and_symmetric(
        points in prop::collection::vec(0.0..24.0_f64, 2..25),
        exponent in -2.0..1.5_f64,
    ) {
        for kernel in kernels(24.0 * 10.0_f64.powf(exponent)) {
            let gram = matrix(&DomainKernel::new(kernel.clone(), &day(8)).unwrap(), &points);
            prop_assert!((&gram - &gram.t()).iter().all(|x| x.abs() <= 1e-14));
            let values = symmetric_eigenpairs(&gram).unwrap().values;
            prop_assert!(values[0] >= -1e-10 * values[points.len() - 1], "{} for {kernel:?}", values[0]);
        }
    }

    #[test]
    fn a_kernel_on_a_circle_has_the_period_and_its_slope_is_that_of_differences(
        t in 0.0..24.0_f64,
        s in 0.0..24.0_f64,
        range in 2.0..20.0_f64,
    ) {
        let apart = (t - s).abs();
        prop_assume!(apart > 0.05 && (apart - 24.0).abs() > 0.05);
        for kernel in kernels(range) {
            let kernel = DomainKernel::new(kernel, &day(8)).unwrap();
            let value = kernel.covariance(t, s);
            prop_assert!((kernel.covariance(t + 24.0, s) - value).abs() <= 1e-12);
            prop_assert!((kernel.covariance(t, s - 48.0) - value).abs() <= 1e-12);
            if let Some(slope) = kernel.derivative(t, s) {
                let h = 1e-4;
                let difference = (kernel.covariance(t + h, s) - kernel.covariance(t - h, s)) / (2.0 * h);
                prop_assert!((slope - difference).abs() <= 1e-6, "{slope} for {difference}: {kernel:?}");
                prop_assert!((kernel.derivative(t + 24.0, s).unwrap() - slope).abs() <= 1e-10);
            }
        }
    }
}

#[test]
fn both_ends_of_a_circle_are_one_point_and_the_variance_is_that_of_the_kernel() {
    for kernel in kernels(3.0) {
        let closed = DomainKernel::new(kernel.clone(), &day(24)).unwrap();
        assert_eq!(closed.covariance(0.0, 24.0), kernel.covariance(0.0, 0.0), "{kernel:?}");
        assert_eq!(closed.covariance(24.0, 0.0), kernel.covariance(0.0, 0.0), "{kernel:?}");
        assert_eq!(closed.derivative(0.0, 24.0), kernel.derivative(0.0, 0.0), "{kernel:?}");
        assert_eq!((closed.is_stationary(), closed.kernel()), (true, &kernel));
        // at short distances the chord is the distance
        assert_abs_diff_eq!(closed.covariance(23.9, 0.1), kernel.covariance(0.0, 0.2), epsilon = 1e-4);
    }
}

#[test]
fn a_matrix_on_equally_spaced_points_is_circulant_and_does_not_depend_on_where_the_day_begins() {
    for kernel in kernels(5.0) {
        let at = |lower: f64, points: usize| {
            let grid = Grid::circle(lower, lower + 24.0, points).unwrap();
            matrix(&DomainKernel::new(kernel.clone(), &grid).unwrap(), &grid.points().to_vec())
        };
        for points in [9, 24] {
            let here = at(0.0, points);
            for (i, j) in (0..points).flat_map(|i| (0..points).map(move |j| (i, j))) {
                assert_abs_diff_eq!(here[[i, j]], here[[(i + 1) % points, (j + 1) % points]], epsilon = 1e-14);
            }
            assert!(distance(&at(7.5, points), &here) < 1e-13);
        }
    }
}

#[test]
fn an_interval_keeps_the_kernel_as_it_is() {
    let kernel = Kernel::from(Sobolev::new(2.0).unwrap());
    let open = DomainKernel::new(kernel.clone(), &Grid::uniform(0.0, 1.0, 5).unwrap()).unwrap();
    assert_eq!(open.covariance(0.1, 0.9), kernel.covariance(0.1, 0.9));
    assert_eq!((open.is_stationary(), open.domain()), (false, (0.0, 1.0)));
}

#[test]
fn kernels_that_are_not_known_to_be_covariances_on_a_circle_are_refused() {
    let sobolev = Kernel::from(Sobolev::new(2.0).unwrap());
    let sum = sobolev.clone() + Kernel::from(Gaussian::new(0.1).unwrap());
    for kernel in [sobolev.clone(), sum, sobolev.scaled(2.0).unwrap()] {
        assert_eq!(DomainKernel::new(kernel.clone(), &day(8)).unwrap_err(), KernelError::Circle);
        let refused = Spectrum::new(kernel, day(8).to_unit().unwrap(), DEFAULT_TOLERANCE).unwrap_err();
        assert_eq!(refused, SpectrumError::Kernel(KernelError::Circle));
    }
}

/// `exp(-z) I_k(z)` by the power series of the Bessel function.
fn scaled_bessel(k: u32, z: f64) -> f64 {
    let mut term = (1..=k).fold(1.0, |product, i| product * 0.5 * z / f64::from(i));
    let mut sum = 0.0;
    for m in 0..200 {
        sum += term;
        term *= 0.25 * z * z / (f64::from(m + 1) * f64::from(m + 1 + k));
    }
    sum * (-z).exp()
}

#[test]
fn the_spectrum_of_the_gaussian_kernel_on_a_circle_is_that_of_bessel_functions() {
    for range in [0.02, 0.05, 0.3] {
        let z = 1.0 / (2.0 * PI * PI * range);
        let grid = Grid::circle(0.0, 1.0, 64).unwrap();
        let spectrum = Spectrum::new(Gaussian::new(range).unwrap(), grid, DEFAULT_TOLERANCE).unwrap();
        let values = spectrum.eigenvalues();
        assert!(values.len() >= 9 && values.len() % 2 == 1);
        for (place, value) in values.iter().enumerate() {
            let frequency = u32::try_from(place.div_ceil(2)).unwrap();
            assert_abs_diff_eq!(*value, scaled_bessel(frequency, z), epsilon = 1e-14);
        }
        assert_abs_diff_eq!(values.sum(), 1.0, epsilon = 1e-10);
    }
}

#[test]
fn the_pairs_on_a_circle_solve_the_eigenproblem_in_a_basis_of_waves() {
    for points in [16, 17, 300] {
        for kernel in kernels(0.2) {
            let grid = Grid::circle(0.0, 1.0, points).unwrap();
            let spectrum = Spectrum::new(kernel.clone(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
            let functions = spectrum.eigenfunctions().to_owned();
            let weights = grid.weights().to_owned().insert_axis(Axis(1));
            let gram = functions.t().dot(&(&functions * &weights));
            assert!(distance(&gram, &Array2::eye(spectrum.rank())) < 1e-12);
            let matrix = matrix(spectrum.process(), &grid.points().to_vec());
            let image = matrix.dot(&(&functions * &weights));
            assert!(distance(&image, &(&functions * &spectrum.eigenvalues().insert_axis(Axis(0)))) < 1e-12);
            // the second function is a cosine and the third a sine, on every machine
            let wave = |of: fn(f64) -> f64| grid.points().mapv(|t| 2.0_f64.sqrt() * of(2.0 * PI * t));
            for (place, of) in [(1, f64::cos as fn(f64) -> f64), (2, f64::sin)] {
                let difference = &functions.column(place) - &wave(of);
                assert!(difference.iter().all(|x| x.abs() < 1e-12), "{place}");
            }
            let leading = Spectrum::leading(kernel, grid, DEFAULT_TOLERANCE).unwrap();
            assert_eq!(leading.eigenvalues(), spectrum.eigenvalues());
            for rank in 0..spectrum.rank() {
                // of each frequency both waves, or none
                let kept = spectrum.clone().truncated(rank);
                assert_eq!(kept.rank(), if rank % 2 == 0 { rank.saturating_sub(1) } else { rank });
            }
            assert_eq!(spectrum.clone().truncated(points).rank(), spectrum.rank());
        }
    }
}

#[test]
fn eigenfunctions_between_the_points_of_a_circle_are_the_waves_and_close_up() {
    let kernel = Gaussian::new(0.05).unwrap();
    let spectrum = Spectrum::new(kernel, Grid::circle(0.0, 1.0, 40).unwrap(), 1e-6).unwrap();
    for t in [0.0, 0.013, 0.5, 0.99, 1.0] {
        let found = spectrum.eigenfunctions_at(t);
        let angle = 2.0 * PI * t;
        let expected = Array1::from(vec![1.0, 2.0_f64.sqrt() * angle.cos(), 2.0_f64.sqrt() * angle.sin()]);
        for (value, expected) in found.iter().zip(&expected) {
            assert_abs_diff_eq!(*value, *expected, epsilon = 1e-8);
        }
    }
    let difference = spectrum.eigenfunctions_at(0.0) - spectrum.eigenfunctions_at(1.0);
    assert!(difference.iter().all(|x| x.abs() < 1e-10));
}

#[test]
fn a_long_circle_keeps_its_leading_waves_or_is_refused() {
    let grid = Grid::circle(0.0, 1.0, 20_000).unwrap();
    let smooth = Spectrum::leading(Matern::new(2.5, 0.1).unwrap(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
    assert!(smooth.rank() <= 1024 && smooth.tail() < 1e-8, "{} {}", smooth.rank(), smooth.tail());
    let rough = Spectrum::leading(Exponential::new(1e-4).unwrap(), grid.clone(), DEFAULT_TOLERANCE);
    assert!(matches!(rough, Err(SpectrumError::TooRough { .. })));
    let dense = Spectrum::new(Exponential::new(0.1).unwrap(), grid, DEFAULT_TOLERANCE);
    assert!(matches!(dense, Err(SpectrumError::TooManyPoints { .. })));
}
