//! What can be done with a released function.

use crate::common::{ball, budget, curves, smoother};
use approx::assert_relative_eq;
use dpfda_kernels::{Exponential, Gaussian, Grid, Kernel, KernelName, Matern};
use dpfda_mechanism::PartId;
use dpfda_privacy::{PrivacyBudget, PrivacyUnit, SeededRandomness, steps_to_unit};
use dpfda_release::{BallShares, FunctionError, MeanRelease, MomentsChoice, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet, PenalizedMean};
use ndarray::{Array1, Array2};

fn release_with(kernel: impl Into<Kernel>) -> MeanRelease {
    let settings =
        PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE).kernel(kernel).penalty(1e-2);
    settings.release(&curves(200, 40), &mut SeededRandomness::from_seed(1)).unwrap()
}

fn differentiable() -> Vec<MeanRelease> {
    vec![
        release_with(Gaussian::new(0.05).unwrap()),
        release_with(Matern::new(2.5, 0.25).unwrap()),
        release_with(Kernel::from(Matern::new(1.5, 0.3).unwrap()) + Gaussian::new(0.02).unwrap().into()),
    ]
}

#[test]
fn evaluation_at_the_grid_gives_the_values_there() {
    for release in differentiable() {
        let function = release.function();
        let points = function.grid().points().to_vec();
        let (again, sd) = (function.evaluate(&points).unwrap(), function.noise_sd_at(&points).unwrap());
        assert_relative_eq!(again, function.values().to_owned(), epsilon = 1e-9);
        assert_relative_eq!(sd, function.noise_sd().to_owned(), epsilon = 1e-9);
    }
}

#[test]
fn derivative_is_that_of_the_function_in_the_users_units() {
    for release in differentiable() {
        let function = release.function();
        for t in [2.3, 4.123, 6.9] {
            let h = 1e-5;
            let ends = function.evaluate(&[t - h, t + h]).unwrap();
            let slope = function.derivative(&[t]).unwrap()[0];
            assert!((slope - (ends[1] - ends[0]) / (2.0 * h)).abs() < 1e-6 * slope.abs().max(1.0));
        }
    }
}

#[test]
fn a_kernel_with_a_cusp_has_no_derivative_and_the_refusal_says_what_to_do() {
    let release = release_with(Exponential::new(0.5).unwrap());
    let refused = release.function().derivative(&[3.0]).unwrap_err();
    assert_eq!(refused, FunctionError::NotDifferentiable);
    assert!(refused.to_string().contains("matern52"));
    let smooth = PenalizedMean::new(Gaussian::new(0.05).unwrap().into(), 1e-2, 1.0).unwrap();
    assert!(release.function().resmooth(&smooth).unwrap().derivative(&[3.0]).is_ok());
}

#[test]
fn integrals_are_over_the_users_domain() {
    let releases = differentiable();
    let f = releases[0].function();
    let by_hand = |integrand: &dyn Fn(usize) -> f64| {
        let weights = f.grid().weights();
        (0..weights.len()).map(|i| weights[i] * integrand(i)).sum::<f64>()
    };
    assert_relative_eq!(f.integral(), by_hand(&|i| f.values()[i]), epsilon = 1e-12);
    // the curves lie near 1/2 on an interval of length 5
    assert!((f.integral() - 2.5).abs() < 0.5);
}

#[test]
fn points_outside_the_domain_are_refused() {
    let release = &differentiable()[0];
    for value in [1.999, 7.001, f64::NAN, f64::INFINITY] {
        let refused = release.function().evaluate(&[3.0, value]);
        assert!(matches!(refused, Err(FunctionError::OutsideDomain { .. })), "{value}");
    }
}

#[test]
fn smoothing_again_uses_the_same_noise_and_equals_smoothing_at_first() {
    let second = PenalizedMean::new(Gaussian::new(0.05).unwrap().into(), 1e-2, 1.0).unwrap();
    let direct = release_with(Gaussian::new(0.05).unwrap());
    let detour = release_with(Exponential::new(0.5).unwrap()).smoothed(&second).unwrap();
    assert_eq!(direct.coordinates(), detour.coordinates());
    assert_eq!(direct.function().values(), detour.function().values());
}

#[test]
fn a_cameron_martin_release_is_not_smoothed_twice_by_its_own_smoother() {
    let own = smoother(KernelName::Matern(1.5), 0.25, 1e-2);
    let settings = PrivateMean::cameron_martin(ball(), budget()).smoother(&own);
    let release = settings.release(&curves(200, 40), &mut SeededRandomness::from_seed(1)).unwrap();
    let back = release.smoothed(&smoother(KernelName::Gaussian, 0.05, 1e-2)).unwrap().smoothed(&own).unwrap();
    assert_eq!(release.function().values(), back.function().values());
}

#[test]
fn the_mean_is_over_all_records() {
    let grid = Grid::uniform(0.0, 1.0, 10).unwrap();
    let data = CurveSet::new(grid, Array2::from_elem((2, 10), 0.7)).unwrap();
    let generous = PrivacyBudget::new(50.0, 0.5).unwrap();
    let settings = PrivateMean::isonormal(ball(), generous)
        .buying(dpfda_release::BallShares::NONE)
        .smoother(&smoother(KernelName::Gaussian, 0.1, 1e-6));
    let mean = |seed| {
        let release = settings.release(&data, &mut SeededRandomness::from_seed(seed)).unwrap();
        release.function().values().mean().unwrap()
    };
    // one release has a standard deviation of 0.03 or less; over N - 1 records the mean would be 0.9
    let average = (0..100).map(mean).sum::<f64>() / 100.0;
    assert!((average - 0.7).abs() < 0.02, "{average}");
}

#[test]
fn the_release_lies_within_its_noise_of_the_smoothed_mean() {
    let data = curves(200, 40);
    let wide = Ball::new(Center::Constant(0.5), 10.0).unwrap();
    for release in [
        PrivateMean::isonormal(wide.clone(), budget()).buying(dpfda_release::BallShares::NONE),
        PrivateMean::cameron_martin(wide.clone(), budget()),
    ]
    .map(|settings| settings.release(&data, &mut SeededRandomness::from_seed(4)).unwrap())
    {
        let unit = data.grid().to_unit().unwrap();
        let kernel = release.smoother().kernel().clone();
        let spectrum = dpfda_kernels::Spectrum::new(kernel, unit, dpfda_kernels::DEFAULT_TOLERANCE).unwrap();
        let center = Array1::from_elem(40, 0.5);
        let raw = data.raw_mean().into_revealed();
        let smoothed = release.smoother().fit(&spectrum, center.view(), raw.view());
        let distance = &release.function().values() - &smoothed;
        let scaled = distance / release.function().noise_sd();
        assert!(scaled.iter().all(|z| z.abs() < 6.0), "{scaled}");
        assert!(scaled.iter().any(|z| z.abs() > 0.1), "there is noise in it");
    }
}

#[test]
fn two_million_equal_curves_at_epsilon_50_are_moved_by_more_than_their_noise_and_by_no_more_than_their_sd_says() {
    const POINTS: usize = 64;
    let (records, radius) = (2_000_000, 1.0);
    let ball = Ball::new(Center::Constant(0.0), radius).unwrap();
    let settings = PrivateMean::isonormal(ball, PrivacyBudget::new(50.0, 1e-5).unwrap());
    let settings = settings.buying(BallShares::NONE).moments(MomentsChoice::None);
    let grid = Grid::circle(0.0, 1.0, POINTS).unwrap();
    // every coordinate is nearly half a step from the lattice, which is finest below half of the radius
    let value = radius * 8.0 * 300_000.49 / steps_to_unit(POINTS);
    let plan = settings.plan(&grid, PrivacyUnit::Curve).unwrap();
    let mut encoder = plan.encoder(PartId::whole(), None);
    for _ in 0..records {
        encoder.push(&[value; POINTS]).unwrap();
    }
    let part = encoder.finish().unwrap();
    let release = part.prepare(&plan).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(1));
    let (whitened, sd) = release.statistic().whitened(&release);
    let noise_sd = release.noise().sd() * release.statistic().lattice_step() / f64::from(records);
    // along the constant functions
    let moved = (whitened.sum() / 8.0 - value).abs();
    assert!(moved > 5.0 * noise_sd, "{moved:e} by rounding and noise, noise {noise_sd:e}");
    assert!(moved < 2.0 * sd && sd < 2.0 * moved, "{moved:e} by rounding and noise, stated {sd:e}");
}

#[test]
fn a_centre_given_as_a_curve_is_interpolated_linearly() {
    let data = curves(200, 40);
    let center = data.grid().points().mapv(|t| 0.4 + 0.04 * (t - 2.0));
    let ball = Ball::new(Center::Curve(center), 0.25).unwrap();
    // a huge penalty leaves the centre alone
    let settings = PrivateMean::isonormal(ball, budget()).buying(dpfda_release::BallShares::NONE).penalty(1e12);
    let release = settings.release(&data, &mut SeededRandomness::from_seed(4)).unwrap();
    assert_relative_eq!(release.function().evaluate(&[2.0, 4.56, 7.0]).unwrap()[1], 0.4 + 0.04 * 2.56, epsilon = 1e-9);
    assert_relative_eq!(release.function().derivative(&[4.56]).unwrap()[0], 0.04, epsilon = 1e-9);
    assert!(release.function().leading_shrinkage() < 1e-9, "and says so");
}
