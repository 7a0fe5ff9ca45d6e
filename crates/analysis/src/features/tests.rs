#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use approx::assert_abs_diff_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{BallShares, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2, array};

use super::*;
use crate::band::Band;
use crate::estimated::Estimated;
use dpfda_release::Mean;

/// The release of people whose curves are `sin(t) + x + a level`, the level with mean 0 and variance 0.005, on `[0, 3]`.
fn estimated(points: usize, band: &Band, seed: u64) -> Estimated<Mean> {
    let grid = Grid::uniform(0.0, 3.0, points).unwrap();
    let value = |(i, j): (usize, usize)| {
        let t = 3.0 * j as f64 / (points - 1) as f64;
        t.sin() + 0.1 * (i as f64 * 2.0 * PI / 400.0).sin()
    };
    let curves = CurveSet::new(grid, Array2::from_shape_fn((400, points), value)).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.6).unwrap();
    let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(4.0, 0.01).unwrap()).buying(BallShares::NONE);
    let release = plan.release(&curves, &mut SeededRandomness::from_seed(seed)).unwrap();
    Estimated::<Mean>::new(release, band, 0.95).unwrap()
}

/// Over many releases an interval must hold the truth about as often as it says. A true rate of 0.95 gives 33 or fewer of 40 with
/// a probability of 0.3 percent of one percent; the seeds are fixed.
#[test]
fn intervals_hold_the_slope_the_area_and_the_maximum_of_these_people() {
    let (mut slopes, mut areas, mut places, mut heights) = (0, 0, 0, 0);
    for seed in 0..40 {
        let estimated = estimated(31, &Band::Posterior, seed);
        let draws = MeanDraws::of(estimated.mean()).unwrap();
        assert_eq!(draws.target(), Target::SampleMean);
        let holds = |feature: Feature, truth: f64| i32::from(feature.lower <= truth && truth <= feature.upper);
        slopes += holds(draws.slope(1.0).unwrap(), 1.0_f64.cos());
        areas += holds(draws.integral(0.5, 2.0).unwrap(), 0.5_f64.cos() - 2.0_f64.cos());
        let maximum = draws.maximum();
        places += holds(maximum.at, PI / 2.0);
        heights += holds(maximum.value, 1.0);
    }
    for (name, held) in [("slope", slopes), ("area", areas), ("place", places), ("height", heights)] {
        assert!(held >= 33, "{name}: {held} of 40");
    }
}

/// The level of people moves the mean of a sample of 400 by sqrt(0.005 / 400) = 0.0035, the same everywhere.
#[test]
fn the_mean_of_the_population_is_less_certain_than_that_of_these_people() {
    let (population, people) = (estimated(31, &Band::Population, 1), estimated(31, &Band::Posterior, 1));
    let (population, people) = (MeanDraws::of(population.mean()).unwrap(), MeanDraws::of(people.mean()).unwrap());
    assert_eq!(population.target(), Target::PopulationMean);
    let [wide, narrow] = [&population, &people].map(|draws| draws.integral(0.0, 3.0).unwrap());
    assert_abs_diff_eq!(wide.value, narrow.value, epsilon = 1e-12);
    assert!(wide.sd > narrow.sd && wide.sd * wide.sd - narrow.sd * narrow.sd > 0.25 * (3.0 * 0.0035_f64).powi(2));
    assert!(population.slope(1.0).unwrap().sd >= people.slope(1.0).unwrap().sd);
}

#[test]
fn areas_add_up_and_that_of_the_whole_domain_is_the_integral() {
    for points in [5, 31, 300] {
        let estimated = estimated(points, &Band::Posterior, 2);
        let draws = MeanDraws::of(estimated.mean()).unwrap();
        let whole = draws.integral(0.0, 3.0).unwrap();
        let parts = draws.integral(0.0, 1.234).unwrap().value + draws.integral(1.234, 3.0).unwrap().value;
        assert_abs_diff_eq!(whole.value, parts, epsilon = 1e-12);
        let exact = estimated.posterior().integral();
        assert_abs_diff_eq!(whole.value, exact.value, epsilon = if points == 5 { 0.1 } else { 2e-3 });
        // the quadrature of five points knows of no curve between them
        let is_same = if points == 5 { whole.sd > exact.sd } else { (whole.sd / exact.sd - 1.0).abs() < 0.1 };
        assert!(is_same, "{points}: {} is not {}", whole.sd, exact.sd);
    }
}

#[test]
fn a_slope_is_that_of_the_posterior() {
    let estimated = estimated(31, &Band::Posterior, 3);
    let slope = MeanDraws::of(estimated.mean()).unwrap().slope(0.7).unwrap();
    let expected = estimated.posterior().derivative(&[0.7]).unwrap()[0];
    assert_eq!((slope.value, slope.sd), (expected.value, expected.sd));
    assert_abs_diff_eq!(slope.upper - slope.value, 1.959_964 * slope.sd, epsilon = 1e-6 * slope.sd);
}

#[test]
fn the_same_release_has_the_same_features() {
    let estimated = estimated(31, &Band::Population, 4);
    let [a, b] = [(); 2].map(|()| MeanDraws::of(estimated.mean()).unwrap());
    assert_eq!(a.integral(0.1, 0.2).unwrap(), b.integral(0.1, 0.2).unwrap());
    assert_eq!(a.maximum(), b.maximum());
}

#[test]
fn ends_outside_the_domain_or_out_of_order_are_refused() {
    let estimated = estimated(5, &Band::Posterior, 5);
    let draws = MeanDraws::of(estimated.mean()).unwrap();
    for (a, b) in [(-0.1, 1.0), (1.0, 3.1), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(draws.integral(a, b), Err(AnalysisError::OutsideDomain { .. })), "{a}, {b}");
    }
    for (a, b) in [(1.0, 1.0), (2.0, 1.0)] {
        assert_eq!(draws.integral(a, b).unwrap_err(), AnalysisError::Ends { from: a, to: b });
    }
    assert!(matches!(draws.slope(4.0), Err(AnalysisError::OutsideDomain { .. })));
}

#[test]
fn a_maximum_between_points_is_that_of_the_parabola_and_at_an_end_that_of_the_end() {
    let points = Array1::linspace(0.0, 1.0, 11);
    let curve = points.mapv(|t| 3.0 - (t - 0.537) * (t - 0.537));
    let (at, value) = largest(points.view(), curve.view());
    assert_abs_diff_eq!(at, 0.537, epsilon = 1e-12);
    assert_abs_diff_eq!(value, 3.0, epsilon = 1e-12);
    assert_eq!(largest(points.view(), points.view()), (1.0, 1.0));
    assert_eq!(largest(points.view(), points.mapv(|t| -t).view()), (0.0, 0.0));
    assert_eq!(largest(points.view(), Array1::zeros(11).view()).1, 0.0);
}

#[test]
fn trapezoids_integrate_lines_between_any_two_points() {
    let points = array![0.0, 0.3, 1.0, 2.5];
    let line = points.mapv(|t| 2.0 + 3.0 * t);
    for (a, b) in [(0.0, 2.5), (0.1, 0.2), (0.2, 1.7), (1.0, 2.5)] {
        let expected = 2.0 * (b - a) + 1.5 * (b * b - a * a);
        assert_abs_diff_eq!(trapezoids(points.view(), a, b).dot(&line), expected, epsilon = 1e-12);
    }
}
