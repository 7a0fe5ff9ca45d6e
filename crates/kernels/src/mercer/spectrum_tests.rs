#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use super::*;
use crate::{Exponential, Gaussian, Kernel, KernelName, LARGEST_WIDTH, LEAST_WIDTH, Quadrature};

pub(super) fn kernel(name: &str, range: f64) -> Kernel {
    name.parse::<KernelName>().unwrap().with_range(range).unwrap()
}

fn gaussian() -> Kernel {
    kernel("gaussian", 0.03)
}

fn matern() -> Kernel {
    kernel("matern52", 0.2)
}

fn exponential() -> Kernel {
    kernel("exponential", 0.466)
}

fn sobolev() -> Kernel {
    kernel("sobolev", 3.0)
}

/// Every kernel of the table with its default range, and some with other ranges.
fn kernels() -> impl Iterator<Item = Kernel> {
    let named = KernelName::all().map(|name| name.with_range(name.default_range()).unwrap());
    named.chain([gaussian(), matern(), kernel("matern:0.8", 0.3), exponential(), sobolev()])
}

/// Points with gaps that repeat a fixed uneven pattern.
pub(super) fn uneven_points(n: usize) -> Vec<f64> {
    let mut t = 0.0;
    let mut points = vec![0.0];
    points.extend((1..n).map(|i| {
        t += 0.2 + ((i * i * 7 + 3 * i) % 11) as f64;
        t
    }));
    points.iter().map(|x| x / t).collect()
}

/// Grids of the unit interval: uniform of even and odd size, symmetric, uneven; with both rules.
fn grids() -> Vec<Grid> {
    let uniform = |n: usize| (0..n).map(|i| i as f64 / (n - 1) as f64).collect::<Vec<_>>();
    // points crowded at both ends
    let symmetric =
        |n: usize| uniform(n).iter().map(|x| 0.5 - 0.5 * (std::f64::consts::PI * x).cos()).collect::<Vec<_>>();
    let mut points: Vec<_> = [2, 3, 60, 93].into_iter().map(uniform).collect();
    points.extend([symmetric(40), symmetric(41), uneven_points(3), uneven_points(50), uneven_points(61)]);
    let rules = [Quadrature::Trapezoid, Quadrature::Equal];
    points
        .into_iter()
        .flat_map(|points| rules.map(|rule| Grid::with_quadrature(points.clone(), rule).unwrap()))
        .collect()
}

fn for_all(mut check: impl FnMut(Kernel, Grid)) {
    for grid in grids() {
        for kernel in kernels() {
            check(kernel, grid.clone());
        }
    }
}

pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// `max |<v_i, v_j> - 1{i = j}|`.
pub(super) fn distance_from_orthonormal<K: CovarianceKernel>(spectrum: &Spectrum<K>) -> f64 {
    let v = spectrum.eigenfunctions();
    let weighted = &v * &spectrum.grid().weights().insert_axis(Axis(1));
    largest(v.t().dot(&weighted) - Array2::<f64>::eye(spectrum.rank()))
}

/// `max |sum_j lambda_j v_j(t) v_j(s) - C(t, s)| / max |C|` over the grid.
fn distance_from_mercer<K: CovarianceKernel>(spectrum: &Spectrum<K>) -> f64 {
    let (t, v, n) = (spectrum.grid().points(), spectrum.eigenfunctions(), spectrum.grid().len());
    let covariance = Array2::from_shape_fn((n, n), |(i, j)| spectrum.kernel().covariance(t[i], t[j]));
    let rebuilt = (&v * &spectrum.eigenvalues()).dot(&v.t());
    largest(rebuilt - &covariance) / largest(covariance)
}

fn distance_from_nystrom<K: CovarianceKernel>(spectrum: &Spectrum<K>) -> f64 {
    let (values, weights) = (spectrum.eigenvalues(), spectrum.grid().weights());
    let heaviest = largest(weights.to_vec());
    let mut worst = 0.0_f64;
    for (i, &t) in spectrum.grid().points().iter().enumerate() {
        let extended = spectrum.eigenfunctions_at(t);
        for j in 0..spectrum.rank() {
            let size = largest(spectrum.eigenfunctions().column(j).to_vec());
            // an eigenvector is sqrt(w_i) times its function: its rounding, that of lambda_1, is divided by lambda_j and by sqrt(w_i)
            let error = (extended[j] - spectrum.eigenfunctions()[[i, j]]).abs() / size;
            worst = worst.max(error * values[j] / values[0] * (weights[i] / heaviest).sqrt());
        }
    }
    worst
}

#[test]
fn eigenfunctions_are_orthonormal_in_the_inner_product_of_the_grid() {
    let mut worst = 0.0_f64;
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel, grid, DEFAULT_TOLERANCE).unwrap();
        worst = worst.max(distance_from_orthonormal(&spectrum));
    });
    println!("largest distance from orthonormal: {worst:.1e}");
    assert!(worst <= 1e-10);
}

#[test]
fn pairs_rebuild_the_covariance_on_the_grid() {
    let mut worst = 0.0_f64;
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel, grid, 1e-14).unwrap();
        worst = worst.max(distance_from_mercer(&spectrum));
    });
    println!("largest distance of the Mercer sum from the covariance: {worst:.1e}");
    assert!(worst <= 1e-10);
}

#[test]
fn pairs_solve_the_weighted_eigenproblem() {
    let mut worst = 0.0_f64;
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel, grid, DEFAULT_TOLERANCE).unwrap();
        let values = spectrum.eigenvalues();
        assert!(values.windows(2).into_iter().all(|w| w[0] >= w[1]) && values.iter().all(|&x| x > 0.0));
        worst = worst.max(distance_from_nystrom(&spectrum));
    });
    println!("largest scaled distance of Nystrom's extension at grid points: {worst:.1e}");
    assert!(worst <= 1e-12);
}

/// `sum_j sqrt(lambda_j) xi_j v_j` for the draws `xi = +-sqrt(J) e_j`, whose mean is 0 and covariance exactly the
/// identity; with the unit vectors `u_j` in place of `v_j` when `unweighted`.
fn noise_variance<K: CovarianceKernel>(spectrum: &Spectrum<K>, unweighted: bool) -> Array1<f64> {
    let rank = spectrum.rank();
    let mut total = Array1::<f64>::zeros(spectrum.grid().len());
    for (j, lambda) in spectrum.eigenvalues().iter().enumerate() {
        for xi in [(rank as f64).sqrt(), -(rank as f64).sqrt()] {
            let mut noise = &spectrum.eigenfunctions().column(j) * (xi * lambda.sqrt());
            if unweighted {
                noise *= &spectrum.grid().weights().mapv(f64::sqrt);
            }
            total += &(&noise * &noise);
        }
    }
    total / (2 * rank) as f64
}

#[test]
fn the_variance_of_noise_built_from_the_pairs_is_the_covariance_at_each_point() {
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel.clone(), grid.clone(), 1e-14).unwrap();
        for (variance, &t) in noise_variance(&spectrum, false).iter().zip(grid.points()) {
            let exact = kernel.covariance(t, t);
            assert!((variance / exact - 1.0).abs() <= 1e-9, "{variance} for {exact}");
        }
    });
}

#[test]
fn noise_built_from_unit_vectors_is_caught() {
    let n = 93;
    let spectrum = Spectrum::new(matern(), Grid::uniform(0.0, 1.0, n).unwrap(), 1e-14).unwrap();
    let variance = noise_variance(&spectrum, true);
    // in the interior, too small by the weight 1 / (n - 1): a standard deviation smaller by about sqrt(n)
    for point in 1..n - 1 {
        assert!((variance[point] * (n - 1) as f64 - 1.0).abs() <= 1e-9);
    }
}

#[test]
fn the_trace_is_the_integral_of_the_variance() {
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel.clone(), grid.clone(), 1e-14).unwrap();
        let exact = grid.integrate(grid.points().mapv(|t| kernel.covariance(t, t)).view());
        assert!((spectrum.eigenvalues().sum() / exact - 1.0).abs() <= 1e-10);
    });
}

#[test]
fn off_the_grid_eigenfunctions_agree_with_a_refined_grid() {
    // n and 2n - 1 points of the same interval: every other fine point is between the coarse ones
    for kernel in [matern(), gaussian()] {
        let distance = |n: usize| {
            let coarse = Spectrum::new(kernel.clone(), Grid::uniform(0.0, 1.0, n).unwrap(), DEFAULT_TOLERANCE).unwrap();
            let fine =
                Spectrum::new(kernel.clone(), Grid::uniform(0.0, 1.0, 8 * (n - 1) + 1).unwrap(), DEFAULT_TOLERANCE)
                    .unwrap();
            let points = (0..n - 1).map(|i| 8 * i + 3);
            largest(
                points
                    .flat_map(|i| {
                        let extended = coarse.eigenfunctions_at(fine.grid().points()[i]);
                        (0..5).map(move |j| (i, j, extended[j])).collect::<Vec<_>>()
                    })
                    .map(|(i, j, value)| value - fine.eigenfunctions()[[i, j]]),
            )
        };
        let (rough, better) = (distance(41), distance(81));
        println!("off the grid, n = 41: {rough:.1e}, n = 81: {better:.1e}");
        assert!(better < 3e-3 && better < rough / 3.0);
    }
}

#[test]
fn the_split_gives_the_pairs_of_the_dense_solver() {
    /// A kernel that does not say it is stationary, so that no split is made.
    #[derive(Clone)]
    struct Unstructured(Kernel);

    impl CovarianceKernel for Unstructured {
        fn covariance(&self, t: f64, s: f64) -> f64 {
            self.0.covariance(t, s)
        }

        fn derivative(&self, t: f64, s: f64) -> Option<f64> {
            self.0.derivative(t, s)
        }
    }

    for_all(|kernel, grid| {
        let split = Spectrum::new(kernel.clone(), grid.clone(), 1e-4).unwrap();
        let dense = Spectrum::new(Unstructured(kernel), grid, 1e-4).unwrap();
        assert_eq!(split.rank(), dense.rank());
        let values = largest(&split.eigenvalues() - &dense.eigenvalues()) / split.eigenvalues()[0];
        assert!(values <= 1e-13, "eigenvalues: {values:e}");
        let projector = |v: ArrayView2<'_, f64>| v.dot(&v.t());
        let difference = largest(projector(split.eigenfunctions().view()) - projector(dense.eigenfunctions().view()));
        assert!(difference <= 1e-8, "projectors: {difference:e}");
    });
}

#[test]
fn the_middle_point_of_an_odd_grid_may_lie_anywhere() {
    for middle in [0.3, 0.5, 0.8] {
        let grid = Grid::new(vec![0.0, middle, 1.0]).unwrap();
        let spectrum = Spectrum::new(exponential(), grid, DEFAULT_TOLERANCE).unwrap();
        assert!(distance_from_mercer(&spectrum) <= 1e-14, "{middle}");
    }
}

#[test]
fn pairs_below_the_tolerance_are_dropped_and_no_others() {
    let grid = Grid::uniform(0.0, 1.0, 93).unwrap();
    let all = Spectrum::new(exponential(), grid.clone(), 1e-14).unwrap();
    assert_eq!(all.rank(), 93);
    for tolerance in [1e-1, 1e-2, 5e-3] {
        let some = Spectrum::new(exponential(), grid.clone(), tolerance).unwrap();
        let expected = all.eigenvalues().iter().filter(|&&value| value > tolerance * all.eigenvalues()[0]).count();
        assert_eq!(some.rank(), expected);
        assert_eq!(some.eigenfunctions().dim(), (93, expected));
        assert_eq!(some.eigenvalues(), all.eigenvalues().slice_axis(Axis(0), Slice::from(..expected)));
    }
}

#[test]
fn signs_do_not_depend_on_the_path_taken() {
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel, grid.clone(), 1e-3).unwrap();
        for column in spectrum.eigenfunctions().columns() {
            let u: Vec<f64> = column.iter().zip(grid.weights()).map(|(v, w)| v * w.sqrt()).collect();
            let threshold = 0.1 * largest(u.clone());
            assert!(u.iter().find(|x| x.abs() > threshold * (1.0 + 1e-9)).unwrap() > &0.0);
        }
    });
}

#[test]
fn coefficients_of_a_sum_of_eigenfunctions_are_its_own() {
    for_all(|kernel, grid| {
        let spectrum = Spectrum::new(kernel, grid, DEFAULT_TOLERANCE).unwrap();
        let given = Array1::from_shape_fn(spectrum.rank(), |j| 1.0 / (1.0 + j as f64));
        let found = spectrum.coefficients(spectrum.eigenfunctions().dot(&given).view());
        assert!(largest(&found - &given) <= 1e-12);
    });
}

#[test]
fn a_multiple_of_a_kernel_has_the_multiple_of_the_spectrum_at_any_size() {
    let grid = Grid::new(uneven_points(30)).unwrap();
    for grid in [grid, Grid::uniform(0.0, 1.0, 31).unwrap()] {
        let plain = Spectrum::new(matern(), grid.clone(), 1e-8).unwrap();
        for factor in [1e-300, 1e-150, 3.0, 1e150, 1e300] {
            let scaled = Spectrum::new(matern().scaled(factor).unwrap(), grid.clone(), 1e-8).unwrap();
            assert_eq!(scaled.rank(), plain.rank(), "factor {factor:e}");
            for (a, b) in scaled.eigenvalues().iter().zip(plain.eigenvalues()) {
                assert!((a / factor - b).abs() <= 1e-13 * plain.eigenvalues()[0], "factor {factor:e}");
            }
        }
    }
}

#[test]
fn the_length_of_the_domain_multiplies_the_eigenvalues() {
    let unit = Spectrum::new(Exponential::new(0.2).unwrap(), Grid::uniform(0.0, 1.0, 50).unwrap(), 1e-12).unwrap();
    for length in [LEAST_WIDTH, 1e-3, 365.0, LARGEST_WIDTH] {
        let kernel = Exponential::new(0.2 * length).unwrap();
        let spectrum = Spectrum::new(kernel, Grid::uniform(0.0, length, 50).unwrap(), 1e-12).unwrap();
        assert_eq!(spectrum.rank(), unit.rank(), "length {length:e}");
        for (a, b) in spectrum.eigenvalues().iter().zip(unit.eigenvalues()) {
            assert!((a / length / b - 1.0).abs() <= 1e-10, "length {length:e}: {a:e} for {b:e}");
        }
        assert!(distance_from_mercer(&spectrum) <= 1e-12);
    }
}

#[test]
fn extreme_ranges_give_white_noise_and_a_constant() {
    let grid = Grid::uniform(0.0, 1.0, 20).unwrap();
    // every point its own eigenfunction, the weights the eigenvalues
    let white = Spectrum::new(Gaussian::new(1e-300).unwrap(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
    assert_eq!(white.rank(), 20);
    assert!(
        (white.eigenvalues()[0] - 1.0 / 19.0).abs() < 1e-15 && (white.eigenvalues()[19] - 0.5 / 19.0).abs() < 1e-15
    );
    let constant = Spectrum::new(Gaussian::new(1e300).unwrap(), grid, DEFAULT_TOLERANCE).unwrap();
    assert_eq!(constant.rank(), 1);
    assert!((constant.eigenvalues()[0] - 1.0).abs() < 1e-14);
    assert!(largest(&constant.eigenfunctions().column(0) - 1.0) < 1e-13);
}

#[test]
fn tolerances_beyond_double_precision_or_one_are_refused() {
    let grid = Grid::uniform(0.0, 1.0, 5).unwrap();
    for bad in [0.0, -1.0, 1e-16, 1.0, 2.0, f64::INFINITY, f64::NAN] {
        let refused = Spectrum::new(gaussian(), grid.clone(), bad);
        assert!(matches!(refused, Err(SpectrumError::Tolerance { .. })), "{bad}");
    }
    let message = Spectrum::new(gaussian(), grid, 2.0).unwrap_err().to_string();
    assert!(message.contains("got 2"), "{message}");
}

#[test]
fn a_kernel_outside_its_domain_is_refused() {
    for (from, to) in [(0.0, 1.5), (-0.1, 1.0), (0.0, 365.0)] {
        let grid = Grid::uniform(from, to, 9).unwrap();
        let expected = SpectrumError::Domain { lower: 0.0, upper: 1.0, from, to };
        assert_eq!(Spectrum::new(sobolev(), grid.clone(), 1e-12).unwrap_err(), expected);
        assert!(Spectrum::new(sobolev(), grid.to_unit().unwrap(), 1e-12).is_ok());
        assert_eq!(Spectrum::new(sobolev() + gaussian(), grid, 1e-12).unwrap_err(), expected);
    }
}

#[test]
fn kernels_without_a_finite_positive_spectrum_are_refused() {
    struct Constant(f64, bool);

    impl CovarianceKernel for Constant {
        fn covariance(&self, _t: f64, _s: f64) -> f64 {
            self.0
        }

        fn derivative(&self, _t: f64, _s: f64) -> Option<f64> {
            None
        }

        fn is_stationary(&self) -> bool {
            self.1
        }
    }

    for stationary in [false, true] {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let grid = Grid::uniform(0.0, 1.0, 6).unwrap();
            let refused = Spectrum::new(Constant(bad, stationary), grid, DEFAULT_TOLERANCE);
            assert_eq!(refused.err(), Some(SpectrumError::Degenerate), "{bad}");
        }
        // finite values times finite weights, but not finite together
        let wide = Grid::uniform(0.0, LARGEST_WIDTH, 6).unwrap();
        let refused = Spectrum::new(Constant(1e300, stationary), wide, DEFAULT_TOLERANCE);
        assert_eq!(refused.err(), Some(SpectrumError::Degenerate));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_grids_give_orthonormal_pairs_that_rebuild_the_covariance(
        gaps in prop::collection::vec(1e-4..1.0_f64, 1..40),
        mirrored in any::<bool>(),
        equal in any::<bool>(),
        range in 0.05..2.0_f64,
    ) {
        let gaps: Vec<f64> = if mirrored { gaps.iter().chain(gaps.iter().rev()).copied().collect() } else { gaps };
        let mut points = vec![0.0];
        points.extend(gaps.iter().scan(0.0, |t, gap| { *t += gap; Some(*t) }));
        let rule = if equal { Quadrature::Equal } else { Quadrature::Trapezoid };
        let grid = Grid::with_quadrature(points, rule).unwrap().to_unit().unwrap();
        for kernel in KernelName::all().map(|name| name.with_range(range).unwrap()) {
            let spectrum = Spectrum::new(kernel, grid.clone(), 1e-14).unwrap();
            prop_assert!(distance_from_orthonormal(&spectrum) <= 1e-10);
            prop_assert!(distance_from_mercer(&spectrum) <= 1e-9);
            prop_assert!(distance_from_nystrom(&spectrum) <= 1e-12);
        }
    }
}

#[test]
fn a_grid_beyond_memory_is_refused_before_anything_is_allocated() {
    let grid = Grid::uniform(0.0, 1.0, 300_000).unwrap();
    let refused = Spectrum::new(Gaussian::new(0.1).unwrap(), grid, DEFAULT_TOLERANCE);
    assert_eq!(refused.unwrap_err(), SpectrumError::TooManyPoints { found: 300_000 });
}
