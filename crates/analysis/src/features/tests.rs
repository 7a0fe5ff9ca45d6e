#![allow(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use approx::{assert_abs_diff_eq, assert_relative_eq};
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

/// The slope of `sin` over a window.
fn chord(slope: &Slope) -> f64 {
    (slope.to.sin() - slope.from.sin()) / (slope.to - slope.from)
}

fn holds(feature: &Feature, truth: f64) -> bool {
    feature.lower <= truth && truth <= feature.upper
}

/// Over many releases an interval must hold the truth about as often as it says. A true rate of 0.95 gives 33 or fewer of 40 with
/// a probability of 0.3 percent of one percent; the seeds are fixed.
#[test]
fn intervals_hold_all_slopes_the_area_the_maximum_and_the_minimum_of_these_people() {
    let names = ["slopes", "short slopes", "area", "place", "height", "lowest place", "depth"];
    let mut held = [0; 7];
    for seed in 0..40 {
        let estimated = estimated(31, &Band::Posterior, seed);
        let features = estimated.mean().features().unwrap();
        assert_eq!(features.target(), Target::SampleMean);
        let points = features.points().to_vec();
        let all = |window| {
            let slopes = features.slopes(&points, window).unwrap();
            slopes.iter().all(|slope| holds(&slope.slope, chord(slope)))
        };
        let within = |at: &Place, truth: f64| at.stretches.iter().any(|(from, to)| *from <= truth && truth <= *to);
        let (most, least) = (features.maximum(), features.minimum());
        let found = [
            all(None),
            all(Some(0.03)),
            holds(&features.integral(0.5, 2.0).unwrap(), 0.5_f64.cos() - 2.0_f64.cos()),
            within(&most.at, PI / 2.0),
            (most.value.lower..=most.value.upper).contains(&1.0),
            within(&least.at, 0.0),
            (least.value.lower..=least.value.upper).contains(&0.0),
        ];
        held.iter_mut().zip(found).for_each(|(held, found)| *held += i32::from(found));
    }
    for (name, held) in names.iter().zip(held) {
        assert!(held >= 34, "{name}: {held} of 40");
    }
}

/// Slopes whose windows are moved by half their length are other slopes: an interval that is no wider than it must be leaves some out.
#[test]
fn intervals_of_slopes_leave_out_the_slopes_at_other_places() {
    let estimated = estimated(31, &Band::Posterior, 1);
    let slopes = estimated.mean().features().unwrap().slopes(&[0.0, 1.0, 2.0], None).unwrap();
    assert!(slopes.iter().all(|slope| holds(&slope.slope, chord(slope))), "{slopes:?}");
    assert!(slopes.windows(2).all(|pair| !holds(&pair[0].slope, chord(&pair[1]))), "{slopes:?}");
}

/// A curve at nine points with a covariance that another program used.
fn given(points: Array1<f64>, covariance: Array2<f64>) -> Features {
    let zeros = Array1::zeros(points.len());
    Features {
        grid: Grid::new(points.to_vec()).unwrap(),
        target: Target::PopulationMean,
        level: 0.95,
        points: points.clone(),
        shown: Shown {
            points: points.clone(),
            middle: zeros.clone(),
            lower: zeros.clone(),
            upper: zeros.clone(),
            target: Target::PopulationMean,
        },
        mean: zeros,
        knots: points,
        spread: Spread::Covariance(covariance),
    }
}

/// `0.01 (1 + 5 d / 2.5) exp(-5 d / 2.5)` is Matern 3/2, and 0.0004 is the same everywhere.
#[test]
fn slopes_over_windows_meet_the_golden_values() {
    let row = [
        0.0104,
        0.009_293_836_176_964_802,
        0.007_848_876_539_574_506,
        0.006_271_639_525_935_852,
        0.004_833_577_245_965_077,
        0.003_631_677_653_854_018,
        0.002_677_566_068_644_093,
        0.001_945_526_668_249_705_3,
        0.001_397_313_501_923_147,
    ];
    let covariance = Array2::from_shape_fn((9, 9), |(i, j)| row[usize::abs_diff(i, j)]);
    let features = given(Array1::linspace(0.0, 1.0, 9), covariance);
    let slopes = features.slopes(&features.points().to_vec(), Some(0.25)).unwrap();
    for slope in &slopes {
        assert_relative_eq!(slope.slope.sd.powi(2), 0.081_635_950_733_615_79, max_relative = 1e-9);
        assert_relative_eq!(slope.slope.upper, 1.005_092_766_573_335, max_relative = 1e-9);
    }
    let windows: Vec<(f64, f64)> = slopes.iter().map(|slope| (slope.from, slope.to)).collect();
    assert_eq!(
        (windows[0], windows[1], windows[4], windows[8]),
        ((0.0, 0.25), (0.0, 0.25), (0.375, 0.625), (0.75, 1.0))
    );
}

#[test]
fn the_maximum_from_a_band_meets_the_golden_values() {
    let (values, half) = (array![0.2, 0.5, 0.9, 0.85, 0.4], array![0.1, 0.2, 0.15, 0.2, 0.1]);
    let points = Array1::linspace(0.0, 4.0, 5);
    let band =
        Shown { lower: &values - &half, upper: &values + &half, middle: values, points, target: Target::SampleMean };
    let Extreme { at, value, .. } = band.maximum(&Grid::uniform(0.0, 4.0, 5).unwrap());
    assert_abs_diff_eq!(value.lower, 0.75, epsilon = 1e-12);
    assert_abs_diff_eq!(value.upper, 1.05, epsilon = 1e-12);
    let may_be = [0.0, 1.0, 2.0, 3.0, 4.0].map(|t| at.stretches.iter().any(|(from, to)| *from <= t && t <= *to));
    assert_eq!(may_be, [false, false, true, true, false]);
    // the upper end of the band is linear from 0.7 to 1.05 and from 1.05 to 0.5
    assert_eq!((at.value, at.stretches.len()), (2.0, 1));
    assert_abs_diff_eq!(at.lower, 1.0 + 0.05 / 0.35, epsilon = 1e-12);
    assert_abs_diff_eq!(at.upper, 3.0 + 0.3 / 0.55, epsilon = 1e-12);
}

#[test]
fn two_places_that_may_be_largest_are_two_stretches_and_on_a_circle_the_shortest_arc_holds_both() {
    let middle = array![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    let points = Array1::linspace(0.0, 8.0, 9);
    let band = Shown { lower: &middle - 0.25, upper: &middle + 0.25, middle, points, target: Target::SampleMean };
    let on_line = band.maximum(&Grid::uniform(0.0, 8.0, 9).unwrap()).at;
    assert_eq!(on_line.stretches, [(0.0, 0.5), (5.5, 6.5), (7.5, 8.0)]);
    assert_eq!((on_line.lower, on_line.upper), (0.0, 8.0));
    let on_circle = band.maximum(&Grid::circle(0.0, 8.0, 8).unwrap()).at;
    assert_eq!(on_circle.stretches, [(5.5, 6.5), (7.5, 0.5)]);
    assert_eq!((on_circle.lower, on_circle.upper), (5.5, 0.5));
}

/// The level of people moves the mean of a sample of 400 by sqrt(0.005 / 400) = 0.0035, the same everywhere.
#[test]
fn the_mean_of_the_population_is_less_certain_than_that_of_these_people() {
    let (population, people) = (estimated(31, &Band::Population, 1), estimated(31, &Band::Posterior, 1));
    let (population, people) = (population.mean().features().unwrap(), people.mean().features().unwrap());
    assert_eq!(population.target(), Target::PopulationMean);
    let [wide, narrow] = [&population, &people].map(|features| features.integral(0.0, 3.0).unwrap());
    assert_abs_diff_eq!(wide.value, narrow.value, epsilon = 1e-12);
    assert!(wide.sd > narrow.sd && wide.sd * wide.sd - narrow.sd * narrow.sd > 0.25 * (3.0 * 0.0035_f64).powi(2));
    let sd = |features: &Features| features.slopes(&[1.0], None).unwrap()[0].slope.sd;
    assert!(sd(&population) >= sd(&people));
}

/// Around whatever a band lies, slopes and areas are those of the posterior mean, and the maximum is that of the band.
#[test]
fn the_maximum_follows_from_the_band_that_is_shown_and_slopes_from_the_posterior() {
    let (usual, other) = (estimated(31, &Band::Population, 6), estimated(31, &Band::Unsmoothed, 6));
    let [usual_features, features] = [&usual, &other].map(|estimated| estimated.mean().features().unwrap());
    assert_eq!(usual_features.slopes(&[1.0], None).unwrap(), features.slopes(&[1.0], None).unwrap());
    let band = other.estimate();
    let most = |numbers: &Array1<f64>| numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let maximum = features.maximum();
    assert_abs_diff_eq!(maximum.value.lower, most(&band.lower), epsilon = 1e-12);
    assert_abs_diff_eq!(maximum.value.upper, most(&band.upper), epsilon = 1e-12);
    assert!(maximum.value.upper > usual_features.maximum().value.upper);
}

/// `|error| <= (half(t + h/2) + half(t - h/2)) / h`
#[test]
fn slopes_over_short_windows_reach_as_far_as_the_ends_of_the_band_allow() {
    let estimated = estimated(200, &Band::Population, 7);
    let features = estimated.mean().features().unwrap();
    let (points, band) = (features.points().to_vec(), estimated.estimate());
    let (from, to) = (80, 90);
    let window = points[to] - points[from];
    let slope = features.slopes(&[0.5 * (points[from] + points[to])], Some(window)).unwrap()[0].slope;
    let half = |i: usize| 0.5 * (band.upper[i] - band.lower[i]);
    assert_relative_eq!(slope.upper - slope.value, (half(from) + half(to)) / window, max_relative = 1e-9);
    let wide = features.slopes(&[1.0], None).unwrap()[0].slope;
    assert!(wide.upper - wide.lower < slope.upper - slope.lower);
}

#[test]
fn areas_add_up_and_that_of_the_whole_domain_is_the_integral() {
    for points in [5, 31, 300] {
        let estimated = estimated(points, &Band::Posterior, 2);
        let features = estimated.mean().features().unwrap();
        let whole = features.integral(0.0, 3.0).unwrap();
        let parts = features.integral(0.0, 1.234).unwrap().value + features.integral(1.234, 3.0).unwrap().value;
        assert_abs_diff_eq!(whole.value, parts, epsilon = 1e-12);
        let exact = estimated.posterior().integral();
        assert_abs_diff_eq!(whole.value, exact.value, epsilon = if points == 5 { 0.1 } else { 2e-3 });
        // the quadrature of five points knows of no curve between them
        let is_same = if points == 5 { whole.sd > exact.sd } else { (whole.sd / exact.sd - 1.0).abs() < 0.01 };
        assert!(is_same, "{points}: {} is not {}", whole.sd, exact.sd);
        assert_relative_eq!(whole.upper - whole.value, 1.959_963_985 * whole.sd, max_relative = 1e-6);
    }
}

/// At the points of the grid the covariance is that between them, and a circle or a line of few points has the same slopes between.
#[test]
fn a_slope_between_points_of_the_grid_has_the_variance_of_the_posterior() {
    for points in [31, 151] {
        let estimated = estimated(points, &Band::Posterior, 3);
        let features = estimated.mean().features().unwrap();
        let slope = features.slopes(&[1.5], Some(0.6)).unwrap()[0];
        let posterior = estimated.posterior();
        let (ends, covariance) =
            (posterior.evaluate(&[1.2, 1.8]).unwrap(), posterior.covariance_at(&[1.2, 1.8]).unwrap());
        assert_abs_diff_eq!(slope.slope.value, (ends[1] - ends[0]) / 0.6, epsilon = 1e-9);
        let variance = covariance[[0, 0]] + covariance[[1, 1]] - 2.0 * covariance[[0, 1]];
        assert_relative_eq!(slope.slope.sd, variance.sqrt() / 0.6, max_relative = 1e-6);
    }
}

#[test]
fn ends_outside_the_domain_or_out_of_order_and_windows_of_no_or_too_great_length_are_refused() {
    let estimated = estimated(5, &Band::Posterior, 5);
    let features = estimated.mean().features().unwrap();
    for (a, b) in [(-0.1, 1.0), (1.0, 3.1), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(matches!(features.integral(a, b), Err(AnalysisError::OutsideDomain { .. })), "{a}, {b}");
    }
    for (a, b) in [(1.0, 1.0), (2.0, 1.0)] {
        assert_eq!(features.integral(a, b).unwrap_err(), AnalysisError::Ends { from: a, to: b });
    }
    assert!(matches!(features.slopes(&[4.0], None), Err(AnalysisError::OutsideDomain { .. })));
    for window in [0.0, -1.0, 3.1, f64::NAN] {
        assert!(matches!(features.slopes(&[1.0], Some(window)), Err(AnalysisError::Number { .. })), "{window}");
    }
    let whole = features.slopes(&[0.0, 1.0], Some(3.0)).unwrap();
    assert!(whole.iter().all(|slope| (slope.from, slope.to) == (0.0, 3.0)));
}

#[test]
fn trapezoids_integrate_lines_between_any_two_points() {
    let points = array![0.0, 0.3, 1.0, 2.5];
    let line = points.mapv(|t| 2.0 + 3.0 * t);
    for (a, b) in [(0.0, 2.5), (0.1, 0.2), (0.2, 1.7), (1.0, 2.5)] {
        let expected = 2.0 * (b - a) + 1.5 * (b * b - a * a);
        assert_abs_diff_eq!(trapezoids(&points, a, b).dot(&line), expected, epsilon = 1e-12);
    }
}
