#![allow(clippy::unwrap_used, reason = "tests")]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use ndarray::Array2;
use proptest::prelude::*;

use super::*;
use crate::mercer::eigensolver::symmetric_eigenpairs;
use crate::{Exponential, Gaussian, Grid, KernelName, Matern, Sobolev};

fn gaussian(range: f64) -> Kernel {
    Gaussian::new(range).unwrap().into()
}

fn matern(nu: f64, range: f64) -> Kernel {
    Matern::new(nu, range).unwrap().into()
}

fn exponential(range: f64) -> Kernel {
    Exponential::new(range).unwrap().into()
}

fn sobolev(range: f64) -> Kernel {
    Sobolev::new(range).unwrap().into()
}

/// Every kernel of the table.
fn named(range: f64) -> impl Iterator<Item = Kernel> {
    KernelName::all().map(move |name| name.with_range(range).unwrap())
}

/// A kernel of every shape, nested ones among them.
fn examples() -> Vec<Kernel> {
    let others = [
        matern(3.7, 0.1),
        gaussian(0.03) + matern(2.5, 0.2) + exponential(1.0),
        gaussian(0.03) * sobolev(2.0),
        (gaussian(0.1).scaled(0.3).unwrap() + matern(0.7, 1.0) * matern(1.2, 0.4)).scaled(2.5).unwrap(),
    ];
    named(0.466).chain(others).collect()
}

fn single_kernel() -> impl Strategy<Value = Kernel> {
    let range = || (-2.5..1.5).prop_map(|exponent: f64| 10.0_f64.powf(exponent));
    let names: Vec<_> = KernelName::all().collect();
    prop_oneof![
        3 => (prop::sample::select(names), range()).prop_map(|(name, range)| name.with_range(range).unwrap()),
        1 => (-1.0..2.5, range()).prop_map(|(exponent, range)| matern(10.0_f64.powf(exponent), range)),
    ]
}

fn any_kernel() -> impl Strategy<Value = Kernel> {
    single_kernel().prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a + b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a * b),
            (inner, 0.01..10.0).prop_map(|(kernel, factor)| kernel.scaled(factor).unwrap()),
        ]
    })
}

/// 2 to 30 random points of the unit interval.
fn unit_grid() -> impl Strategy<Value = Grid> {
    prop::collection::vec(1e-6..1.0, 1..30).prop_map(|gaps: Vec<f64>| {
        let mut t = 0.0;
        let points = std::iter::once(0.0).chain(gaps.into_iter().map(|gap| {
            t += gap;
            t
        }));
        Grid::new(points.collect()).unwrap().to_unit().unwrap()
    })
}

proptest! {
    #[test]
    fn gram_matrices_are_positive_semi_definite_and_symmetric(kernel in any_kernel(), grid in unit_grid()) {
        let (n, t) = (grid.len(), grid.points());
        let gram = Array2::from_shape_fn((n, n), |(i, j)| kernel.covariance(t[i], t[j]));
        let largest_entry = gram.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        prop_assert!((&gram - &gram.t()).iter().all(|x| x.abs() <= 1e-14 * largest_entry));
        let values = symmetric_eigenpairs(&gram).unwrap().values;
        let (smallest, largest) = (values[0], values[n - 1]);
        prop_assert!(largest > 0.0 && smallest >= -1e-10 * largest, "{smallest:e} below {largest:e} for {kernel:?}");
    }

    #[test]
    fn kernels_survive_being_written_and_read(kernel in any_kernel()) {
        let text = serde_json::to_string(&kernel).unwrap();
        prop_assert_eq!(serde_json::from_str::<Kernel>(&text).unwrap(), kernel);
    }

    #[test]
    fn derivatives_agree_with_central_differences(
        t in 0.0..1.0,
        s in 0.0..1.0,
        range in 0.1..1.0,
        factor in 0.1..3.0,
    ) {
        prop_assume!(f64::abs(t - s) > 0.02);
        let kernels = [
            gaussian(range),
            matern(2.5, range),
            gaussian(range) + matern(1.5, range),
            gaussian(range) * matern(3.7, 0.3) * matern(1.2, 0.5),
            (gaussian(range).scaled(factor).unwrap() + matern(0.7, 1.0)).scaled(1.5).unwrap(),
        ];
        let smooth = named(range).filter(|kernel| kernel.derivative(t, s).is_some());
        for kernel in kernels.into_iter().chain(smooth) {
            let h = 1e-5;
            let difference = (kernel.covariance(t + h, s) - kernel.covariance(t - h, s)) / (2.0 * h);
            let derivative = kernel.derivative(t, s).unwrap();
            prop_assert!((derivative - difference).abs() <= 1e-6, "{derivative} for {difference}: {kernel:?}");
        }
    }

    #[test]
    fn the_sobolev_kernel_is_its_formula(t in 0.0..1.0, s in 0.0..1.0, range in 0.01..20.0_f64) {
        let (low, high) = (f64::min(t, s), f64::max(t, s));
        let formula = range / range.sinh() * (range * (1.0 - high)).cosh() * (range * low).cosh();
        prop_assert!((sobolev(range).covariance(t, s) / formula - 1.0).abs() <= 1e-13);
    }
}

#[test]
fn kernels_are_the_formulas_of_the_paper() {
    let d: f64 = 0.3;
    let (root3, root5) = (3.0_f64.sqrt(), 5.0_f64.sqrt());
    let rho = 0.25;
    let (x3, x5) = (root3 * d / rho, root5 * d / rho);
    let expected = [
        (gaussian(rho), (-d * d / rho).exp()),
        (matern(2.5, rho), (1.0 + x5 + 5.0 * d * d / (3.0 * rho * rho)) * (-x5).exp()),
        (matern(1.5, rho), (1.0 + x3) * (-x3).exp()),
        (exponential(rho), (-d / rho).exp()),
    ];
    for (kernel, value) in expected {
        assert_relative_eq!(kernel.covariance(0.5, 0.8), value, max_relative = 1e-14);
        assert_eq!(kernel.covariance(0.8, 0.8), 1.0);
        assert!(kernel.is_stationary());
        assert_eq!(kernel.domain(), (f64::NEG_INFINITY, f64::INFINITY));
    }
}

#[test]
fn the_sobolev_kernel_does_not_overflow() {
    for range in [1e-300, 1e-8, 1.0, 1e4, 1e300] {
        let kernel = sobolev(range);
        for (t, s) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0), (0.3, 0.7), (0.4, 0.400_001)] {
            let value = kernel.covariance(t, s);
            assert!(value.is_finite() && value >= 0.0, "rho = {range:e}: {value}");
        }
    }
    // away from the ends, rho/2 exp(-rho d)
    assert_relative_eq!(sobolev(1e4).covariance(0.5, 0.5001), 5e3 * (-1.0_f64).exp(), max_relative = 1e-10);
    // at the ends the reflection doubles it
    assert_relative_eq!(sobolev(1e4).covariance(0.0, 0.0), 1e4, max_relative = 1e-13);
    // and for a small rho the kernel is the constant 1
    assert_relative_eq!(sobolev(1e-8).covariance(0.1, 0.9), 1.0, max_relative = 1e-15);
}

#[test]
fn the_sobolev_kernel_reproduces_functions() {
    // <C(t, .), f> + <C'(t, .), f'> / rho^2 = f(t), here for f(s) = s^2 by quadrature on each side of t
    let (range, t, steps) = (2.0, 0.37, 20_000);
    let kernel = sobolev(range);
    let integral = |from: f64, to: f64| {
        let h = (to - from) / f64::from(steps);
        let cell = |i: i32| {
            let (a, b) = (from + h * f64::from(i), from + h * f64::from(i + 1));
            let s = 0.5 * (a + b);
            let slope = (kernel.covariance(t, b) - kernel.covariance(t, a)) / h;
            h * (kernel.covariance(t, s) * s * s + slope * 2.0 * s / (range * range))
        };
        (0..steps).map(cell).sum::<f64>()
    };
    assert_abs_diff_eq!(integral(0.0, t) + integral(t, 1.0), t * t, epsilon = 1e-7);
}

#[test]
fn combinations_are_sums_products_and_multiples() {
    let (a, b, c) = (gaussian(0.1), exponential(0.4), sobolev(2.0));
    let (t, s) = (0.2, 0.9);
    let value = |kernel: &Kernel| kernel.covariance(t, s);
    let sum = a.clone() + b.clone() + c.clone();
    assert_relative_eq!(value(&sum), value(&a) + value(&b) + value(&c), max_relative = 1e-15);
    let product = a.clone() * b.clone() * c.clone();
    assert_relative_eq!(value(&product), value(&a) * value(&b) * value(&c), max_relative = 1e-15);
    assert_relative_eq!(value(&a.clone().scaled(3.0).unwrap()), 3.0 * value(&a), max_relative = 1e-15);

    assert!(matches!(&sum, Kernel::Sum(sum) if sum.terms() == [a.clone(), b.clone(), c.clone()]));
    assert!(matches!(&product, Kernel::Product(product) if product.terms() == [a.clone(), b.clone(), c.clone()]));
    // one term that is not stationary, or lives on [0, 1], decides for the whole
    for kernel in [sum, product, c.scaled(2.0).unwrap()] {
        assert!(!kernel.is_stationary());
        assert_eq!(kernel.domain(), (0.0, 1.0));
    }
    assert!((a.clone() + b.clone()).is_stationary() && (a * b).scaled(2.0).unwrap().is_stationary());
}

#[test]
fn kernels_with_a_cusp_have_no_derivative() {
    for kernel in [exponential(0.3), matern(0.5, 0.3), matern(0.2, 0.3), sobolev(2.0)] {
        assert_eq!(kernel.derivative(0.2, 0.5), None);
        assert_eq!((gaussian(0.1) + kernel.clone()).derivative(0.2, 0.5), None);
        assert_eq!((kernel.clone() * gaussian(0.1)).derivative(0.2, 0.5), None);
        assert_eq!(kernel.scaled(2.0).unwrap().derivative(0.2, 0.5), None);
    }
    for smooth in [gaussian(0.1), matern(0.51, 0.1), gaussian(0.1) * matern(1.5, 0.3)] {
        assert_eq!(smooth.derivative(0.4, 0.4), Some(0.0));
    }
}

#[test]
fn the_kernels_of_the_table_have_a_derivative_exactly_where_they_have_no_cusp() {
    for kernel in named(0.4) {
        let (t, h) = (0.4, 1e-6);
        let bend = kernel.covariance(t + h, t) - 2.0 * kernel.covariance(t, t) + kernel.covariance(t - h, t);
        assert_eq!(kernel.derivative(t, t), (bend.abs() / h < 1e-3).then_some(0.0), "{kernel:?}");
    }
}

#[test]
fn the_kernels_of_the_table_are_finite_and_symmetric_at_extreme_ranges_and_distances() {
    for range in [f64::MIN_POSITIVE, 1e-200, 1e-8, 1.0, 1e8, 1e200, 1e300] {
        for kernel in named(range) {
            let (lower, upper) = kernel.domain();
            for t in [0.0, 1e-200, 1e-5, 0.4, 0.400_001, 1.0, 1e200].into_iter().filter(|t| (lower..=upper).contains(t))
            {
                for s in [0.0, 0.4, 1.0] {
                    let value = kernel.covariance(t, s);
                    assert!(value.is_finite() && value >= 0.0, "{value} at {t}, {s}: {kernel:?}");
                    assert_eq!(value, kernel.covariance(s, t), "{kernel:?}");
                    assert!(kernel.derivative(t, s).is_none_or(f64::is_finite), "{kernel:?}");
                }
            }
        }
    }
}

#[test]
fn gaussian_values_stay_finite_at_extreme_ranges() {
    for range in [f64::MIN_POSITIVE, 1.0, f64::MAX] {
        for t in [0.0, 1e-200, 1e-5, 1.0, 1e200] {
            let kernel = gaussian(range);
            assert!((0.0..=1.0).contains(&kernel.covariance(t, 0.0)));
            assert!(kernel.derivative(t, 0.0).unwrap().is_finite());
        }
    }
}

#[test]
fn parameters_that_are_not_positive_and_finite_are_refused_by_name() {
    for bad in [0.0, -0.5, f64::INFINITY, f64::NAN] {
        for name in KernelName::all() {
            assert!(matches!(name.with_range(bad), Err(KernelError::Range { .. })), "{name} {bad}");
        }
        assert!(matches!(Gaussian::new(bad), Err(KernelError::Range { .. })));
        assert!(matches!(Exponential::new(bad), Err(KernelError::Range { .. })));
        assert!(matches!(Sobolev::new(bad), Err(KernelError::Range { .. })));
        assert!(matches!(gaussian(1.0).scaled(bad), Err(KernelError::Factor { .. })));
    }
    assert_eq!(Sum::new(vec![]), Err(KernelError::Empty));
    assert_eq!(Product::new(vec![]), Err(KernelError::Empty));
    assert!(Gaussian::new(-0.5).unwrap_err().to_string().contains("range must be positive and finite, got -0.5"));
}

#[test]
fn kernels_are_written_with_their_family_and_range() {
    let text = |kernel: &Kernel| serde_json::to_string(kernel).unwrap();
    assert_eq!(text(&gaussian(0.03)), r#"{"family":"gaussian","range":0.03}"#);
    assert_eq!(text(&matern(1.5, 0.25)), r#"{"family":"matern","nu":1.5,"range":0.25}"#);
    assert_eq!(
        text(&(exponential(0.5) + sobolev(2.0)).scaled(3.0).unwrap()),
        r#"{"family":"scaled","factor":3.0,"kernel":{"family":"sum","terms":[{"family":"exponential","range":0.5},{"family":"sobolev","range":2.0}]}}"#
    );
    for kernel in examples() {
        assert_eq!(serde_json::from_str::<Kernel>(&text(&kernel)).unwrap(), kernel);
    }
}

#[test]
fn bad_kernels_are_refused_when_read() {
    for text in [
        r#"{"family": "gaussian", "range": 0}"#,
        r#"{"family": "gaussian", "range": -0.1}"#,
        r#"{"family": "gaussian", "range": null}"#,
        r#"{"family": "gaussian", "range": NaN}"#,
        r#"{"family": "gaussian", "range": 1e999}"#,
        r#"{"family": "gaussian"}"#,
        r#"{"range": 0.1}"#,
        r#"{"family": "gaussian", "range": 0.1, "length_scale": 0.2}"#,
        r#"{"family": "matern", "range": 0.1}"#,
        r#"{"family": "matern", "nu": 0, "range": 0.1}"#,
        r#"{"family": "matern", "nu": 1.5, "range": 0.1, "order": 1}"#,
        r#"{"family": "unheard-of", "range": 0.1}"#,
        r#"{"family": "sum", "terms": []}"#,
        r#"{"family": "product", "terms": []}"#,
        r#"{"family": "sum", "terms": [{"family": "gaussian", "range": -1}]}"#,
        r#"{"family": "sum", "terms": [{"family": "gaussian", "range": 1}], "weights": [1]}"#,
        r#"{"family": "scaled", "factor": -2, "kernel": {"family": "gaussian", "range": 1}}"#,
        r#"{"family": "scaled", "factor": 2}"#,
    ] {
        assert!(serde_json::from_str::<Kernel>(text).is_err(), "{text}");
    }
    let refusal = serde_json::from_str::<Kernel>(r#"{"family": "gaussian", "range": -0.1}"#).unwrap_err();
    assert!(refusal.to_string().contains("range must be positive and finite, got -0.1"), "{refusal}");
}
