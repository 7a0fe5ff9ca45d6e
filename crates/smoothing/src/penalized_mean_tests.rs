#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_relative_eq;
use dpfda_kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Matern, Sobolev};
use ndarray::{Array2, Axis, concatenate};
use proptest::prelude::*;

use super::*;
use crate::ball::{Ball, Center};
use crate::curves::CurveSet;

fn matern(nu: f64, range: f64) -> Kernel {
    Matern::new(nu, range).unwrap().into()
}

fn spectrum(kernel: &Kernel, n: usize) -> Spectrum<Kernel> {
    Spectrum::new(kernel.clone(), Grid::uniform(0.0, 1.0, n).unwrap(), DEFAULT_TOLERANCE).unwrap()
}

/// `||f - g||_C`
fn cameron_martin_distance(spectrum: &Spectrum<Kernel>, f: &Array1<f64>, g: &Array1<f64>) -> f64 {
    let coefficients = spectrum.coefficients((f - g).view());
    (&coefficients * &coefficients / spectrum.eigenvalues()).sum().sqrt()
}

fn any_kernel() -> impl Strategy<Value = Kernel> {
    prop_oneof![
        (0.005..0.5_f64).prop_map(|range| Gaussian::new(range).unwrap().into()),
        (prop::sample::select(vec![0.5, 1.5, 2.5]), 0.05..2.0_f64).prop_map(|(nu, range)| matern(nu, range)),
        (0.5..5.0_f64).prop_map(|range| Sobolev::new(range).unwrap().into()),
        (0.1..50.0_f64).prop_map(|factor| matern(1.5, 0.3).scaled(factor).unwrap()),
    ]
}

/// Two sets of bounded curves that differ in their first record, `c + tau v_j` against `c - tau v_j`, as fitted means.
fn adversarial_fits(smoother: &PenalizedMean, spectrum: &Spectrum<Kernel>, ball: &Ball, j: usize) -> [Array1<f64>; 2] {
    let grid = spectrum.grid().clone();
    let centre = ball.center_at(&grid).unwrap();
    let others = Array2::from_shape_fn((9, grid.len()), |(i, k)| 0.3 + 0.1 * ((i * 7 + k) % 5) as f64);
    [1.0, -1.0].map(|sign| {
        let v = spectrum.eigenfunctions().column(j).mapv(|v| sign * ball.radius() * v);
        let values = concatenate![Axis(0), (&centre + &v).insert_axis(Axis(0)), others];
        let curves = CurveSet::new(grid.clone(), values).unwrap();
        let mean = ball.bound(&curves).unwrap().mean().into_revealed();
        smoother.fit(spectrum, centre.view(), mean.view())
    })
}

#[test]
fn another_power_keeps_half_of_the_same_eigenvalue() {
    let smoother = PenalizedMean::new(matern(1.5, 0.2), 1e-4, 2.0).unwrap();
    for power in [1.0, 1.5, 2.0, 7.0] {
        let changed = smoother.with_power(power).unwrap();
        assert_relative_eq!(changed.shrinkage(1e-2), 0.5, max_relative = 1e-12);
        assert_eq!((changed.power(), changed.kernel()), (power, smoother.kernel()));
    }
    assert_eq!(smoother.with_power(2.0), Ok(smoother.clone()), "to the bit");
    assert_eq!(smoother.with_power(0.5), Err(PenaltyError::Power { value: 0.5 }));
    assert!(matches!(smoother.with_power(f64::NAN), Err(PenaltyError::Power { .. })));
    assert!(smoother.with_power(1e6).unwrap().penalty() > 0.0, "no penalty underflows to nothing");
}

#[test]
fn the_exact_sensitivity_is_attained_along_the_maximising_eigenfunction() {
    for (kernel, penalty, power) in [
        (matern(2.5, 0.2), 0.01, 1.0),
        (matern(0.5, 0.25), 0.005, 1.0),
        (Gaussian::new(0.03).unwrap().into(), 1e-3, 1.5),
        (Sobolev::new(2.0).unwrap().into(), 0.02, 2.0),
    ] {
        let smoother = PenalizedMean::new(kernel.clone(), penalty, power).unwrap();
        let spectrum = spectrum(&kernel, 93);
        let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
        let sensitivity = smoother.sensitivity(&spectrum, ball.radius(), 10);
        assert!(std::ptr::eq(sensitivity.spectrum(), &raw const spectrum));
        let ratios: Vec<f64> = (0..spectrum.rank().min(40))
            .map(|j| {
                let [f, g] = adversarial_fits(&smoother, &spectrum, &ball, j);
                cameron_martin_distance(&spectrum, &f, &g) / sensitivity.value()
            })
            .collect();
        let largest = ratios.iter().copied().fold(0.0, f64::max);
        assert!((0.999..=1.0 + 1e-9).contains(&largest), "{largest} for {smoother:?}");
    }
}

/// The bound of Mirshani, Reimherr and Slavkovic, Theorem 4.1, over all `lambda > 0`: `tau / (N phi^{1/(2 eta)}) (2 eta - 1)^{1 - 1/(2 eta)} / eta`.
fn closed_form(smoother: &PenalizedMean, radius: f64, records: u64) -> f64 {
    let eta = smoother.power();
    crude(smoother, radius, records) / 2.0 * (2.0 * eta - 1.0).powf(1.0 - 0.5 / eta) / eta
}

/// The simplest bound: `2 tau / (N phi^{1/(2 eta)})`.
fn crude(smoother: &PenalizedMean, radius: f64, records: u64) -> f64 {
    2.0 * radius / records as f64 * smoother.penalty().powf(-0.5 / smoother.power())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exact_is_below_closed_form_is_below_crude(
        kernel in any_kernel(), log_penalty in -14.0..3.0_f64, power in prop_oneof![Just(1.0), 1.0..4.0, 4.0..60.0],
        radius in 0.01..10.0_f64, records in 1_u64..100_000,
    ) {
        let spectrum = spectrum(&kernel, 30);
        let smoother = PenalizedMean::new(kernel, log_penalty.exp(), power).unwrap();
        let exact = smoother.sensitivity(&spectrum, radius, records).value();
        let closed = closed_form(&smoother, radius, records);
        let most = crude(&smoother, radius, records);
        prop_assert!(exact > 0.0 && exact <= closed * (1.0 + 1e-12), "{exact} {closed}");
        prop_assert!(closed <= most * (1.0 + 1e-12), "{closed} {most}");
    }

    #[test]
    fn substituting_any_record_never_exceeds_the_exact_sensitivity(
        a in prop::collection::vec(-3.0..3.0_f64, 20), b in prop::collection::vec(-3.0..3.0_f64, 20), power in 1.0..3.0_f64,
    ) {
        let kernel = matern(1.5, 0.3);
        let spectrum = spectrum(&kernel, 20);
        let smoother = PenalizedMean::new(kernel, 0.01, power).unwrap();
        let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
        let centre = ball.center_at(spectrum.grid()).unwrap();
        let [f, g] = [a, b].map(|curve| {
            let curves = CurveSet::new(spectrum.grid().clone(), Array2::from_shape_vec((1, 20), curve).unwrap()).unwrap();
            let mean = ball.bound(&curves).unwrap().mean().into_revealed();
            smoother.fit(&spectrum, centre.view(), mean.view())
        });
        let sensitivity = smoother.sensitivity(&spectrum, 0.25, 1).value();
        prop_assert!(cameron_martin_distance(&spectrum, &f, &g) <= sensitivity * (1.0 + 1e-9));
    }
}

#[test]
fn the_closed_form_is_attained_when_an_eigenvalue_hits_the_maximiser() {
    for (penalty, power) in [(0.01, 1.0), (1e-4, 1.7), (0.3, 3.0)] {
        let plain = matern(2.5, 0.2);
        let maximiser = (penalty * (2.0 * power - 1.0_f64)).powf(1.0 / power);
        let kernel = plain.clone().scaled(maximiser / spectrum(&plain, 50).eigenvalues()[0]).unwrap();
        let smoother = PenalizedMean::new(kernel.clone(), penalty, power).unwrap();
        let exact = smoother.sensitivity(&spectrum(&kernel, 50), 0.25, 376).value();
        assert_relative_eq!(exact, closed_form(&smoother, 0.25, 376), max_relative = 1e-12);
    }
}

#[test]
fn shrinkage_follows_the_formula_and_survives_large_powers() {
    let smoother = PenalizedMean::new(matern(1.5, 0.3), 0.01, 1.5).unwrap();
    for lambda in [1e-6, 1e-3, 0.1, 2.0_f64] {
        let power = lambda.powf(1.5);
        assert_relative_eq!(smoother.shrinkage(lambda), power / (power + 0.01), max_relative = 1e-14);
    }
    assert_eq!(smoother.shrinkage(0.0), 0.0);
    let steep = PenalizedMean::new(matern(1.5, 0.3), 1e-300, 1000.0).unwrap();
    assert_eq!((steep.shrinkage(1e-3), steep.shrinkage(1e3)), (0.0, 1.0));
}

#[test]
fn the_fit_of_the_centre_is_the_centre_and_an_eigenfunction_is_shrunk() {
    let kernel = matern(2.5, 0.2);
    let spectrum = spectrum(&kernel, 40);
    let smoother = PenalizedMean::new(kernel, 0.05, 1.2).unwrap();
    let centre = Array1::from_elem(40, 0.5);
    assert_eq!(smoother.fit(&spectrum, centre.view(), centre.view()), centre);
    let v = spectrum.eigenfunctions().column(2).to_owned();
    let fit = smoother.fit(&spectrum, centre.view(), (&centre + &v).view());
    let expected = &centre + &(v * smoother.shrinkage(spectrum.eigenvalues()[2]));
    assert!((fit - expected).iter().all(|d| d.abs() < 1e-12));
}

#[test]
fn without_records_or_with_a_radius_that_is_no_number_nothing_finite_comes_out() {
    let kernel = matern(2.5, 0.2);
    let spectrum = spectrum(&kernel, 10);
    let smoother = PenalizedMean::new(kernel, 0.05, 1.0).unwrap();
    assert!(!smoother.sensitivity(&spectrum, 0.25, 0).value().is_finite());
    assert!(smoother.sensitivity(&spectrum, f64::NAN, 5).value().is_nan());
}

#[test]
fn bad_penalties_and_powers_are_refused() {
    for penalty in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let error = PenalizedMean::new(matern(1.5, 0.3), penalty, 1.0).unwrap_err();
        assert!(matches!(error, PenaltyError::Penalty { .. }), "{error}");
    }
    for power in [0.999, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = PenalizedMean::new(matern(1.5, 0.3), 0.1, power).unwrap_err();
        assert!(matches!(error, PenaltyError::Power { .. }), "{error}");
    }
}

#[test]
fn a_penalised_mean_survives_the_round_trip_and_a_bad_one_is_refused() {
    let smoother = PenalizedMean::new(matern(1.5, 0.3), 0.01, 1.5).unwrap();
    let text = serde_json::to_string(&smoother).unwrap();
    assert_eq!(serde_json::from_str::<PenalizedMean>(&text).unwrap(), smoother);
    for (from, to) in [("0.01", "0"), ("0.01", "-1"), ("1.5}", "0.5}"), ("\"penalty\"", "\"x\":1,\"penalty\"")] {
        let bad = text.replace(from, to);
        assert_ne!(bad, text);
        assert!(serde_json::from_str::<PenalizedMean>(&bad).is_err(), "{bad}");
    }
}

/// A spectrum that leaves pairs out belongs to the smoother that is applied with it, and bounds that one.
#[test]
fn the_sensitivity_of_a_compressed_spectrum_is_that_of_what_is_applied() {
    let grid = Grid::uniform(0.0, 1.0, 2060).unwrap();
    let kernel = matern(1.5, 0.2);
    let spectrum = Spectrum::leading(kernel.clone(), grid.clone(), DEFAULT_TOLERANCE).unwrap();
    assert!(spectrum.tail() > 0.0 && spectrum.rank() < 1025, "the spectrum is compressed");
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let smoother = PenalizedMean::new(kernel, 1e-4, 1.0).unwrap();
    let sensitivity = smoother.sensitivity(&spectrum, ball.radius(), 10);
    let ratio = |j| {
        let [f, g] = adversarial_fits(&smoother, &spectrum, &ball, j);
        cameron_martin_distance(&spectrum, &f, &g) / sensitivity.value()
    };
    let largest = (0..30).map(ratio).fold(0.0, f64::max);
    assert!((0.99..=1.0 + 1e-9).contains(&largest), "{largest}");
    // a record that no pair sees moves nothing
    let outside = Array1::from_shape_fn(grid.len(), |i| if i % 2 == 0 { 0.2 } else { -0.2 });
    let fit = smoother.fit(&spectrum, Array1::zeros(grid.len()).view(), outside.view());
    assert!(cameron_martin_distance(&spectrum, &fit, &Array1::zeros(grid.len())) < 5.0 * sensitivity.value());
}
