#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;

use super::*;

const ORACLE: &str = include_str!("../../tests/golden/matern.txt");

/// Rows `nu, x, correlation`.
fn oracle() -> impl Iterator<Item = (f64, f64, f64)> {
    ORACLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let row: Vec<f64> = line.split(' ').map(|cell| cell.parse().unwrap()).collect();
        (row[0], row[1], row[2])
    })
}

#[test]
fn correlations_agree_with_sixty_digit_arithmetic_to_1e_13() {
    let (mut worst, mut rows) = (0.0_f64, 0);
    for (nu, x, expected) in oracle() {
        let error = (correlation(nu, x) - expected).abs();
        assert!(error <= 1e-13, "nu = {nu}, x = {x}: {error:e} from {expected}");
        worst = worst.max(error);
        rows += 1;
    }
    assert!(rows >= 100);
    println!("largest error over {rows} correlations: {worst:.1e}");
}

#[test]
fn the_kernel_measures_distance_in_units_of_its_range() {
    for (nu, x, expected) in oracle().filter(|&(_, x, _)| x > 1e-9) {
        let range = 0.37;
        let d = x * range / (2.0 * nu).sqrt();
        let kernel = Matern::new(nu, range).unwrap();
        assert_abs_diff_eq!(kernel.covariance(d, 0.0), expected, epsilon = 2e-13);
        assert_eq!(kernel.covariance(d, 0.0), kernel.covariance(0.0, d));
    }
}

#[test]
fn closed_forms_equal_the_bessel_function() {
    let mut worst = 0.0_f64;
    for nu in [0.5, 1.5, 2.5] {
        for x in (1..400).map(|i| 0.05 * f64::from(i)) {
            let closed = correlation(nu, x);
            worst = worst.max((closed - bessel_term(nu, nu, x).unwrap()).abs());
            // and smoothness a little beside the closed form, which takes the general path
            assert_abs_diff_eq!(closed, correlation(nu + 1e-9, x), epsilon = 2e-9);
            assert_abs_diff_eq!(closed, correlation(nu - 1e-9, x), epsilon = 2e-9);
        }
    }
    println!("largest distance of a closed form to the Bessel path: {worst:.1e}");
    assert!(worst <= 1e-14);
}

#[test]
fn the_gamma_mixture_equals_the_bessel_function_where_both_work() {
    for nu in [8.0, 9.5, 10.0, 12.0, 20.0] {
        for x in [0.01, 0.3, 1.0, 4.0, 10.0, 25.0, 60.0] {
            assert_abs_diff_eq!(gamma_mixture(nu, x), bessel_term(nu, nu, x).unwrap(), epsilon = 1e-13);
        }
    }
}

#[test]
fn matern_one_half_is_the_exponential_kernel() {
    let exponential = crate::Exponential::new(0.3).unwrap();
    let matern = Matern::new(0.5, 0.3).unwrap();
    for d in [0.0, 1e-9, 0.1, 1.0, 30.0] {
        assert_abs_diff_eq!(matern.covariance(d, 0.0), exponential.covariance(d, 0.0), epsilon = 1e-15);
    }
}

#[test]
fn great_smoothness_approaches_the_gaussian_limit() {
    let range = 0.2;
    let distance_from_limit = |nu: f64| {
        let kernel = Matern::new(nu, range).unwrap();
        (0..=200)
            .map(|i| f64::from(i) / 100.0)
            .map(|d| (kernel.covariance(d, 0.0) - (-d * d / (2.0 * range * range)).exp()).abs())
            .fold(0.0, f64::max)
    };
    // the first term in 1/nu is (a^2/2 - a) exp(-a) with a = d^2 / (2 rho^2): at most 0.231 in size
    assert!(distance_from_limit(1e4) < 2.4e-5);
    assert!(distance_from_limit(1e6) < 2.4e-7);
    for nu in [1e9, 1e16, 1e31, 1e100, f64::MAX] {
        assert!(distance_from_limit(nu) < 1e-9, "nu = {nu:e}: {:e}", distance_from_limit(nu));
    }
}

#[test]
fn correlations_lie_in_the_unit_interval_and_do_not_grow_with_distance() {
    for nu in [1e-3, 0.1, 0.5, 0.7, 1.0, 1.5, 2.01, 2.5, 10.0, 49.9, 50.0, 1e3, 1e8] {
        let mut previous = 1.0;
        assert_eq!(correlation(nu, 0.0), 1.0);
        for x in (-3000..=3000).map(|i| 10.0_f64.powf(f64::from(i) / 10.0)) {
            let value = correlation(nu, x);
            assert!((0.0..=1.0).contains(&value), "nu = {nu}, x = {x:e}: {value}");
            assert!(value <= previous + 1e-13, "nu = {nu}, x = {x:e}: {value} after {previous}");
            previous = value;
        }
        assert_eq!(previous, 0.0);
    }
}

#[test]
fn slopes_agree_with_central_differences() {
    let mut worst = 0.0_f64;
    for nu in [0.7, 1.0, 1.2, 1.5, 1.7, 2.5, 3.7, 9.9, 10.5, 11.0, 60.0, 1e6] {
        let kernel = Matern::new(nu, 0.3).unwrap();
        for t in [0.05, 0.1, 0.4, 0.9, 2.0] {
            let h = 1e-5;
            let difference = (kernel.covariance(t + h, 0.0) - kernel.covariance(t - h, 0.0)) / (2.0 * h);
            let slope = kernel.derivative(t, 0.0).unwrap();
            worst = worst.max((slope - difference).abs());
            assert_abs_diff_eq!(slope, difference, epsilon = 2e-8);
            assert_eq!(slope, -kernel.derivative(0.0, t).unwrap());
        }
        assert_eq!(kernel.derivative(0.4, 0.4), Some(0.0));
    }
    println!("largest distance of a slope to a central difference: {worst:.1e}");
}

#[test]
fn slopes_agree_with_the_closed_forms_beside_them() {
    for nu in [1.5, 2.5] {
        let (at, beside) = (Matern::new(nu, 0.3).unwrap(), Matern::new(nu + 1e-9, 0.3).unwrap());
        for d in [1e-12, 1e-6, 1e-3, 0.1, 1.0, 10.0] {
            assert_abs_diff_eq!(at.derivative(d, 0.0).unwrap(), beside.derivative(d, 0.0).unwrap(), epsilon = 2e-8);
        }
    }
}

#[test]
fn extreme_distances_give_finite_values() {
    for nu in [1e-300, 0.1, 0.6, 1.0, 1.0 + 1e-12, 1.5, 2.5, 30.0, 49.9, 50.0, 1e8, f64::MAX] {
        for range in [f64::MIN_POSITIVE, 1e-200, 1.0, 1e200, f64::MAX] {
            let kernel = Matern::new(nu, range).unwrap();
            for t in [0.0, f64::MIN_POSITIVE, 1e-160, 1e-5, 1.0, 1e160, f64::MAX] {
                let value = kernel.covariance(t, 0.0);
                assert!((0.0..=1.0).contains(&value), "nu = {nu:e}, range = {range:e}, t = {t:e}: {value}");
                let slope = kernel.derivative(t, 0.0);
                assert!(slope.is_none_or(|s| !s.is_nan()), "nu = {nu:e}, range = {range:e}, t = {t:e}: {slope:?}");
            }
        }
    }
}

#[test]
fn rough_kernels_have_no_derivative() {
    for nu in [0.1, 0.49, 0.5] {
        assert_eq!(Matern::new(nu, 0.3).unwrap().derivative(0.1, 0.2), None);
    }
}

#[test]
fn parameters_that_are_not_positive_and_finite_are_refused() {
    for bad in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        assert!(matches!(Matern::new(bad, 1.0), Err(KernelError::Smoothness { .. })));
        assert!(matches!(Matern::new(1.5, bad), Err(KernelError::Range { .. })));
    }
    assert_eq!(Matern::new(-2.0, 1.0), Err(KernelError::Smoothness { value: -2.0 }));
}
