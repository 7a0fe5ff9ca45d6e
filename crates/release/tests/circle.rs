//! Releases on domains that close up.

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Gaussian, Grid, Kernel, Matern};
use dpfda_privacy::{Emphasis, Moments, PrivacyBudget, SeededRandomness};
use dpfda_release::{
    BallShares, Mean, MeanError, MeanMechanism, MeanRelease, MomentsChoice, PenalizedMean, PrivateMean, ReleaseError,
    SobolevNorm, SobolevOrder,
};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array2, Axis};

const POINTS: usize = 24;

fn private_mean() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap()).buying(BallShares::NONE)
}

/// Days that begin so many hours later, some with missing hours.
fn days(shift: usize) -> CurveSet {
    let value = |(i, k): (usize, usize)| {
        let hour = (k + shift) % POINTS;
        let angle = std::f64::consts::TAU * hour as f64 / POINTS as f64;
        let is_missing = i % 5 == 0 && (hour + i) % POINTS < 5;
        if is_missing {
            f64::NAN
        } else {
            0.2 * angle.cos() + 0.02 * (i % 7) as f64 + 0.3 * f64::from(u8::from(i % 50 == 0))
        }
    };
    let begin = shift as f64;
    let grid = Grid::circle(begin, begin + POINTS as f64, POINTS).unwrap();
    CurveSet::new(grid, Array2::from_shape_fn((200, POINTS), value)).unwrap()
}

/// The integers of a release from one seed.
fn integers(curves: &CurveSet) -> Vec<i128> {
    let settings = private_mean().moments(MomentsChoice::None);
    settings.release(curves, &mut SeededRandomness::from_seed(5)).unwrap().coordinates().to_vec()
}

/// The exact sums: the noise of a seed does not depend on the curves.
fn exact_sums(curves: &CurveSet) -> Vec<i128> {
    let nothing = CurveSet::new(curves.grid().clone(), Array2::zeros(curves.values().dim())).unwrap();
    integers(curves).iter().zip(integers(&nothing)).map(|(with, noise)| with - noise).collect()
}

#[test]
fn a_day_that_begins_later_has_the_exact_sums_of_the_day_as_much_later() {
    let early = exact_sums(&days(0));
    for shift in [1, 7, 23] {
        let late = exact_sums(&days(shift));
        for (place, sum) in late.iter().enumerate() {
            let expected = early[(place + shift) % POINTS];
            // of each of the 200 curves one step may be rounded the other way
            assert!((sum - expected).abs() <= 200 && sum.abs() > 1_000_000, "{shift} {place}: {sum} {expected}");
        }
    }
}

#[test]
fn a_function_of_a_release_closes_up_with_its_slope_and_its_noise() {
    let smoothers: [Kernel; 2] = [Gaussian::new(0.05).unwrap().into(), Matern::new(2.5, 0.2).unwrap().into()];
    for kernel in smoothers {
        let smoother = PenalizedMean::new(kernel, 1e-3, 1.0).unwrap();
        let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
        let cameron_martin = PrivateMean::cameron_martin(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
        for settings in [private_mean(), cameron_martin.buying(BallShares::NONE)] {
            let release = settings.smoother(&smoother).release(&days(0), &mut SeededRandomness::from_seed(2)).unwrap();
            let function = release.function();
            for numbers in [
                function.evaluate(&[0.0, 24.0]).unwrap(),
                function.derivative(&[0.0, 24.0]).unwrap(),
                function.noise_sd_at(&[0.0, 24.0]).unwrap(),
            ] {
                assert_abs_diff_eq!(numbers[0], numbers[1], epsilon = 1e-10);
            }
            let h = 1e-4;
            for t in [0.4, 12.2, 23.7, 24.0 - 2.0 * h] {
                let ends = function.evaluate(&[t - h, t + h]).unwrap();
                let slope = function.derivative(&[t]).unwrap()[0];
                assert_abs_diff_eq!(slope, (ends[1] - ends[0]) / (2.0 * h), epsilon = 1e-6);
            }
            let again = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
            assert_eq!(again.grid(), release.grid());
            assert_abs_diff_eq!(again.function().values(), function.values(), epsilon = 1e-12);
        }
    }
}

#[test]
fn moments_coordinates_and_bought_balls_are_released_on_a_circle_and_read_back() {
    let pure = {
        let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
        PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.0).unwrap()).coordinates(5)
    };
    let wide = Ball::new(Center::Constant(0.0), 3.0).unwrap();
    let bought = PrivateMean::isonormal(wide, PrivacyBudget::new(8.0, 1e-5).unwrap());
    for settings in [private_mean().moments(MomentsChoice::Covariance), pure, bought] {
        let release = settings.release(&days(0), &mut SeededRandomness::from_seed(3)).unwrap();
        let again = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
        assert_eq!(again.statistic(), release.statistic());
        assert!(again.grid().is_periodic());
    }
}

#[test]
fn bounds_on_slopes_are_refused_on_a_circle() {
    // also a slope that is so large that it says nothing
    for settings in [private_mean().slope(0.1), private_mean().slope(1e3)] {
        let refused = settings.release(&days(0), &mut SeededRandomness::from_seed(1)).unwrap_err();
        assert!(matches!(refused, ReleaseError::Mean(MeanError::SlopeOnCircle)), "{refused:?}");
    }
    let norm = SobolevNorm::new(SobolevOrder::One, 0.1).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
    let mean = Mean::new(ball, days(0).grid().clone(), &MeanMechanism::Sobolev(norm));
    assert_eq!(mean.unwrap_err(), MeanError::SlopeOnCircle);
}

/// What a release says beyond its noise, of curves on a circle of 60 points that begin so many points later.
fn exact_numbers(settings: &PrivateMean, shift: usize, numbers: impl Fn(&MeanRelease) -> Array2<f64>) -> Array2<f64> {
    let grid = Grid::circle(0.0, 1.0, 60).unwrap();
    let value = |(i, k): (usize, usize)| {
        let (t, person) = (((k + shift) % 60) as f64 / 60.0, (i % 7) as f64);
        0.04 * (std::f64::consts::TAU * 20.0 * t + person).cos() + 0.1 * (std::f64::consts::TAU * t).sin()
    };
    let curves = CurveSet::new(grid.clone(), Array2::from_shape_fn((200, 60), value)).unwrap();
    let nothing = CurveSet::new(grid, Array2::zeros((200, 60))).unwrap();
    // the noise of a seed does not depend on the curves
    let [with, without] = [&curves, &nothing]
        .map(|curves| numbers(&settings.release(curves, &mut SeededRandomness::from_seed(4)).unwrap()));
    with - without
}

#[test]
fn second_moments_and_public_coordinates_turn_with_the_circle() {
    let second_moments = |release: &MeanRelease| {
        let moments = release.second_moments().unwrap();
        assert_eq!(moments.basis.ncols(), 39);
        moments.basis.dot(&moments.matrix).dot(&moments.basis.t())
    };
    let coordinates = |release: &MeanRelease| {
        let basis = release.statistic().map().unwrap();
        assert_eq!(basis.ncols(), 11);
        basis.dot(&release.whitened()).insert_axis(Axis(1))
    };
    let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
    let pure = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 0.0).unwrap());
    let turned = |settings: &PrivateMean, numbers: &dyn Fn(&MeanRelease) -> Array2<f64>| {
        let [early, late] = [0, 23].map(|shift| exact_numbers(settings, shift, numbers));
        let columns = early.ncols();
        let place = |column: usize| if columns == 60 { (column + 23) % 60 } else { column };
        let expected = Array2::from_shape_fn(early.dim(), |(i, j)| early[[(i + 23) % 60, place(j)]]);
        let size = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let error = (&late - &expected).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(error < 1e-5 * size, "{error:e} of {size:e}");
    };
    turned(&private_mean(), &second_moments);
    turned(&pure, &coordinates);
}

#[test]
fn a_cosine_without_its_sine_is_refused_on_a_circle() {
    let grid = Grid::circle(0.0, 1.0, 60).unwrap();
    let ball = || Ball::new(Center::Constant(0.0), 0.3).unwrap();
    let mean = |number| Mean::new(ball(), grid.clone(), &MeanMechanism::Coordinates(number));
    let moments = |coordinates| {
        let moments = Moments { emphasis: Emphasis::Mean, coordinates };
        Mean::new(ball(), grid.clone(), &MeanMechanism::Isonormal).unwrap().with_moments(Some(moments))
    };
    for found in [2, 12, 58] {
        assert_eq!(mean(found).unwrap_err(), MeanError::EvenOnCircle { found });
        assert_eq!(moments(found).unwrap_err(), MeanError::EvenOnCircle { found });
        assert!(mean(found + 1).is_ok() && moments(found + 1).is_ok());
    }
    assert!(mean(60).is_ok() && moments(60).is_ok());
}
