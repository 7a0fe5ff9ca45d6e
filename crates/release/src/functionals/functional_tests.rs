#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, KernelName, Spectrum};
use ndarray::Array1;

use super::{FunctionalError, LinearFunctional};

fn grid() -> Grid {
    Grid::uniform(2.0, 7.0, 41).unwrap()
}

fn spectrum(name: KernelName) -> Spectrum<Kernel> {
    Spectrum::new(name.with_range(0.3).unwrap(), grid().to_unit().unwrap(), DEFAULT_TOLERANCE).unwrap()
}

/// `g(f)` for `f = sum_j b_j v_j`.
fn apply(functional: &LinearFunctional, spectrum: &Spectrum<Kernel>, coefficients: &Array1<f64>) -> f64 {
    functional.of_eigenfunctions(&grid(), spectrum, 0).unwrap().dot(coefficients)
}

#[test]
fn functionals_of_an_expansion_are_its_values_slopes_integrals_and_coefficients() {
    let spectrum = spectrum(KernelName::Matern(2.5));
    let coefficients = Array1::from_shape_fn(spectrum.rank(), |j| 1.0 / (1.0 + j as f64).powi(3));
    let values = spectrum.eigenfunctions().dot(&coefficients);
    let at = |t| apply(&LinearFunctional::Evaluation { t }, &spectrum, &coefficients);
    assert!((at(grid().points()[7]) - values[7]).abs() < 1e-9);

    // the slope is that of the values: a central difference
    let (t, h) = (4.321, 1e-4);
    let slope = apply(&LinearFunctional::Derivative { t }, &spectrum, &coefficients);
    assert!((slope - (at(t + h) - at(t - h)) / (2.0 * h)).abs() < 1e-6 * slope.abs().max(1.0), "{slope}");

    let weight: Vec<f64> = grid().points().iter().map(|t| t * t).collect();
    let product = &values * &Array1::from(weight.clone());
    let integral = apply(&LinearFunctional::Integral { weight }, &spectrum, &coefficients);
    assert!((integral - grid().integrate(product.view())).abs() < 1e-10);

    assert_eq!(apply(&LinearFunctional::Coefficient { index: 3 }, &spectrum, &coefficients), coefficients[3]);
}

#[test]
fn functionals_of_a_linear_centre_are_exact() {
    let spectrum = spectrum(KernelName::Matern(2.5));
    let center = grid().points().mapv(|t| 1.0 + 2.0 * t);
    let of = |g: LinearFunctional| g.of_center(&grid(), &spectrum, center.view());
    assert!((of(LinearFunctional::Evaluation { t: 3.33 }) - 7.66).abs() < 1e-12);
    assert!((of(LinearFunctional::Evaluation { t: 7.0 }) - 15.0).abs() < 1e-12);
    assert!((of(LinearFunctional::Derivative { t: 3.33 }) - 2.0).abs() < 1e-12);
    assert!((of(LinearFunctional::Integral { weight: vec![1.0; 41] }) - 50.0).abs() < 1e-10);
}

#[test]
fn functionals_that_do_not_exist_are_refused_by_name() {
    let (cusped, smooth) = (spectrum(KernelName::Matern(0.5)), spectrum(KernelName::Matern(2.5)));
    let refused = |g: LinearFunctional, s: &Spectrum<Kernel>| g.of_eigenfunctions(&grid(), s, 4).unwrap_err();
    let derivative = LinearFunctional::Derivative { t: 3.0 };
    assert_eq!(refused(derivative, &cusped), FunctionalError::NotDifferentiable { index: 4 });
    for value in [1.999, 7.001, f64::INFINITY] {
        let expected = FunctionalError::OutsideDomain { index: 4, value, lower: 2.0, upper: 7.0 };
        assert_eq!(refused(LinearFunctional::Evaluation { t: value }, &smooth), expected);
        assert_eq!(refused(LinearFunctional::Derivative { t: value }, &smooth), expected);
    }
    assert!(matches!(
        refused(LinearFunctional::Evaluation { t: f64::NAN }, &smooth),
        FunctionalError::OutsideDomain { index: 4, .. }
    ));
    let short = LinearFunctional::Integral { weight: vec![1.0; 40] };
    assert_eq!(refused(short, &smooth), FunctionalError::WeightLength { index: 4, expected: 41, found: 40 });
    for bad in [f64::NAN, f64::INFINITY, 2e100] {
        let mut weight = vec![1.0; 41];
        weight[9] = bad;
        assert!(matches!(
            refused(LinearFunctional::Integral { weight }, &smooth),
            FunctionalError::Weight { index: 4, point: 9, .. }
        ));
    }
    let rank = smooth.rank();
    assert_eq!(
        refused(LinearFunctional::Coefficient { index: rank }, &smooth),
        FunctionalError::NoSuchCoefficient { index: 4, coefficient: rank, rank }
    );
}
