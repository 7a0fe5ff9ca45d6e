//! Functionals released with pure differential privacy.

use crate::common::{ball, curves, smoother};
use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, KernelName, Spectrum};
use dpfda_mechanism::{MechanismError, Release};
use dpfda_privacy::{Arithmetic, Law, NeighbouringRelation, NoiseError, SeededRandomness};
use dpfda_release::{
    Dispersion, FunctionalError, FunctionalMapError, Functionals, FunctionalsError, LinearFunctional,
    PrivateFunctionals,
};
use dpfda_smoothing::CurveSet;
use ndarray::{Array1, Array2};
use rand::Rng;

const LAWS: [Law; 3] = [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 9.0 }];

fn at(t: f64) -> LinearFunctional {
    LinearFunctional::Evaluation { t }
}

fn settings(epsilon: f64) -> PrivateFunctionals {
    let smoother = smoother(KernelName::Matern(2.5), 0.3, 1e-2);
    PrivateFunctionals::new(ball(), epsilon, smoother).unwrap().idealised_arithmetic()
}

fn release(
    settings: &PrivateFunctionals,
    curves: &CurveSet,
    asked: &[LinearFunctional],
    seed: u64,
) -> Release<Functionals> {
    settings.release(curves, asked, &mut SeededRandomness::from_seed(seed)).unwrap()
}

#[test]
fn without_noise_to_speak_of_the_answers_are_those_of_the_smoothed_mean() {
    let curves = curves(40, 31);
    let smoother = smoother(KernelName::Matern(2.5), 0.3, 1e-2);
    let spectrum =
        Spectrum::new(smoother.kernel().clone(), curves.grid().to_unit().unwrap(), DEFAULT_TOLERANCE).unwrap();
    let mean = ball().bound(&curves).unwrap().mean().into_revealed();
    let smooth = smoother.fit(&spectrum, Array1::from_elem(31, 0.5).view(), mean.view());
    let asked = [at(curves.grid().points()[4]), LinearFunctional::Integral { weight: vec![1.0; 31] }];
    let expected = [smooth[4], curves.grid().integrate(smooth.view())];
    for noise in LAWS {
        for dispersion in [Dispersion::SmoothedWhite, Dispersion::Kernel] {
            let settings = settings(1000.0).noise(noise.clone()).dispersion(dispersion);
            let released = release(&settings, &curves, &asked, 1);
            for ((value, expected), sd) in
                Functionals::values(&released).iter().zip(expected).zip(Functionals::noise_sd(&released))
            {
                let gap = (value - expected).abs();
                assert!(
                    gap < 5e-3 && gap < 8.0 * sd + 1e-5,
                    "{noise:?} {dispersion:?}: {value} for {expected}, sd {sd}"
                );
            }
        }
    }
}

#[test]
fn the_stated_covariance_is_that_of_the_noise() {
    let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 9).unwrap(), Array2::from_elem((4, 9), 0.5)).unwrap();
    let asked = [at(0.3), LinearFunctional::Derivative { t: 1.0 }, LinearFunctional::Coefficient { index: 0 }];
    for noise in LAWS {
        for dispersion in [Dispersion::SmoothedWhite, Dispersion::Kernel] {
            let settings = settings(0.5).noise(noise.clone()).dispersion(dispersion);
            let draws = 20_000_u32;
            let mut randomness = SeededRandomness::from_seed(3);
            let mut products = Array2::<f64>::zeros((3, 3));
            let mut stated = Array2::zeros((3, 3));
            let mut center = Array1::zeros(3);
            for draw in 0..draws {
                let released = settings.release(&curves, &asked, &mut randomness).unwrap();
                if draw == 0 {
                    stated = Functionals::noise_covariance(&released);
                    center = Array1::from(vec![0.5, 0.0, 0.0]);
                }
                let values = Functionals::values(&released) - &center;
                for ((i, j), product) in products.indexed_iter_mut() {
                    // the third functional of the centre is a number of its own
                    if i < 2 && j < 2 {
                        *product += values[i] * values[j];
                    }
                }
            }
            for i in 0..2 {
                for j in 0..=i {
                    let found = products[[i, j]] / f64::from(draws);
                    let size = (stated[[i, i]] * stated[[j, j]]).sqrt();
                    // laws of kurtosis up to 6 (t with 9 degrees: 4.2): 5.5 standard errors
                    assert!((found - stated[[i, j]]).abs() < 5.5 * (6.0 / f64::from(draws)).sqrt() * size, "{noise:?}");
                }
            }
        }
    }
}

#[test]
fn functionals_that_depend_on_one_another_share_their_noise() {
    let curves = curves(40, 31);
    for noise in LAWS {
        let asked = [at(3.0), at(5.0), at(3.0), LinearFunctional::Integral { weight: vec![0.0; 31] }];
        let released = release(&settings(1.0).noise(noise.clone()), &curves, &asked, 4);
        assert_eq!(released.statistic().rank(), 2);
        let values = Functionals::values(&released);
        assert!((values[0] - values[2]).abs() < 1e-9);
        assert_eq!(values[3], 0.0);
        assert_eq!(Functionals::noise_sd(&released)[3], 0.0);
        // asking twice does not make the noise larger
        let once = release(&settings(1.0).noise(noise.clone()), &curves, &asked[..2], 4);
        assert!((Functionals::noise_sd(&once)[0] / Functionals::noise_sd(&released)[0] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_noise_depends_on_the_number_of_functionals_and_not_on_which_they_are() {
    let curves = curves(40, 31);
    for noise in LAWS {
        let settings = settings(1.0).noise(noise.clone()).dispersion(Dispersion::Kernel);
        // the standardised noise of a point is the same alone or with any two others
        let of = |asked: &[LinearFunctional]| Functionals::noise_sd(&release(&settings, &curves, asked, 1))[0];
        let with_two = of(&[at(3.0), at(4.0), at(5.0)]);
        let with_others = of(&[at(3.0), at(6.5), LinearFunctional::Derivative { t: 2.2 }]);
        assert!((with_two / with_others - 1.0).abs() < 1e-6, "{noise:?}");
        assert!(with_two > of(&[at(3.0)]) * 1.01);
    }
}

#[test]
fn k_norm_noise_needs_less_variance_than_independent_laplace_noise_by_the_stated_ratio() {
    let curves = curves(40, 31);
    for k in 1..=6_usize {
        let asked: Vec<LinearFunctional> = (0..k).map(|index| LinearFunctional::Coefficient { index }).collect();
        let sd = |noise| Functionals::noise_sd(&release(&settings(1.0).noise(noise), &curves, &asked, 1))[0];
        let ratio = (sd(Law::KNorm {}) / sd(Law::DiscreteLaplace {})).powi(2);
        let stated = (k as f64 + 1.0) / (2.0 * k as f64);
        assert!((ratio / stated - 1.0).abs() < 1e-4, "{k}: {ratio} for {stated}");
    }
}

#[test]
fn white_noise_through_the_smoother_is_never_worse_than_the_kernels_own() {
    let curves = curves(40, 31);
    let asked = [
        at(2.0),
        at(4.5),
        LinearFunctional::Derivative { t: 3.0 },
        LinearFunctional::Integral { weight: vec![1.0; 31] },
    ];
    for noise in LAWS {
        let of = |dispersion| {
            Functionals::noise_sd(&release(
                &settings(1.0).noise(noise.clone()).dispersion(dispersion),
                &curves,
                &asked,
                1,
            ))
        };
        for (white, kernel) in of(Dispersion::SmoothedWhite).iter().zip(&of(Dispersion::Kernel)) {
            assert!(*white <= kernel * (1.0 + 1e-9), "{white} {kernel}");
        }
    }
}

#[test]
fn floating_point_noise_must_be_asked_for_and_is_stamped() {
    let curves = curves(10, 31);
    let plain = PrivateFunctionals::new(ball(), 1.0, smoother(KernelName::Matern(2.5), 0.3, 1e-2)).unwrap();
    for noise in LAWS {
        let outcome =
            plain.clone().noise(noise.clone()).release(&curves, &[at(3.0)], &mut SeededRandomness::from_seed(1));
        if noise.is_exact() {
            assert_eq!(outcome.unwrap().arithmetic(), Arithmetic::Exact);
        } else {
            assert_eq!(outcome.unwrap_err(), FunctionalsError::Idealised);
            let accepted = release(&plain.clone().noise(noise.clone()).idealised_arithmetic(), &curves, &[at(3.0)], 1);
            assert_eq!(accepted.arithmetic(), Arithmetic::Idealised);
            assert!(accepted.to_json().unwrap().contains("\"arithmetic\": \"idealised\""));
            assert!(accepted.to_json().unwrap().contains("\"private\": false"), "a seed was used");
        }
    }
}

#[test]
fn the_number_of_records_is_private_under_add_remove() {
    let curves = curves(60, 31);
    for noise in LAWS {
        let settings = settings(2.0).noise(noise.clone()).neighbours(NeighbouringRelation::AddRemoveOne);
        let released = release(&settings, &curves, &[at(3.0), at(4.0)], 2);
        assert_ne!(released.units(), 60.0);
        assert!((released.units() - 60.0).abs() < 40.0);
        // one record, or none, is not refused: that would tell it from two
        let none = CurveSet::new(curves.grid().clone(), Array2::zeros((0, 31))).unwrap();
        assert!(release(&settings, &none, &[at(3.0)], 2).units() >= 1.0);
    }
}

#[test]
fn what_cannot_be_released_is_refused_before_any_noise() {
    let curves = curves(10, 31);
    let mut randomness = SeededRandomness::from_seed(0);
    let mut refused = |settings: &PrivateFunctionals, asked: &[LinearFunctional]| {
        settings.release(&curves, asked, &mut randomness).unwrap_err()
    };
    let functional = |error| FunctionalsError::Map(FunctionalMapError::Functional(error));
    assert_eq!(refused(&settings(1.0), &[]), functional(FunctionalError::None));
    let constant = [LinearFunctional::Integral { weight: vec![0.0; 31] }];
    assert_eq!(refused(&settings(1.0), &constant), functional(FunctionalError::Constant));
    let t = settings(1.0).noise(Law::StudentT { degrees_of_freedom: 0.0 });
    assert!(matches!(
        refused(&t, &[at(3.0)]),
        FunctionalsError::Mechanism(MechanismError::Noise(NoiseError::Elliptical(_)))
    ));
    assert_eq!(randomness.next_u64(), SeededRandomness::from_seed(0).next_u64(), "no bit was taken");

    let smoother = smoother(KernelName::Matern(2.5), 0.3, 1e-2);
    for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(PrivateFunctionals::new(ball(), epsilon, smoother.clone()).is_err());
    }
    let one = CurveSet::new(curves.grid().clone(), Array2::from_elem((1, 31), 0.5)).unwrap();
    let outcome = settings(1.0).release(&one, &[at(3.0)], &mut SeededRandomness::from_seed(0));
    let too_few = MechanismError::TooFewRecords { least: 2, found: 1 };
    assert_eq!(outcome.unwrap_err(), FunctionalsError::Mechanism(too_few));
}
