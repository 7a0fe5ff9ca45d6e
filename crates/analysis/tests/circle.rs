//! Domains that close up: the estimate has one value for both ends, and does not depend on where the day begins.

use approx::assert_abs_diff_eq;
use dpfda_analysis::{
    AnalysisError, Band, DEFAULT_LEVEL, Estimated, Ladder, Observation, Place, PointEstimate, Posterior,
};
use dpfda_kernels::{Exponential, Gaussian, Grid, Kernel, KernelError, Sobolev};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_release::{Mean, PrivateMean, PrivateRows, Rows};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;

const TAU: f64 = std::f64::consts::TAU;

/// A mean that closes up, with a peak about midnight.
fn truth(hour: f64) -> f64 {
    let angle = TAU * hour / 24.0;
    0.1 * (angle - 0.3).cos() + 0.05 * (2.0 * angle + 1.0).sin()
}

fn noise(n: usize, seed: u64) -> Array1<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    Array1::from_shape_simple_fn(n, || StandardNormal.sample(&mut generator))
}

/// The truth with white noise, at these points.
fn observed(grid: &Grid, sigma: f64, noise: &Array1<f64>, center: &Array1<f64>) -> Observation {
    let roots = grid.to_unit().unwrap().weights().mapv(f64::sqrt);
    let deviation = grid.points().mapv(truth) - center;
    let y = deviation * roots + noise * sigma;
    Observation::isonormal(grid.clone(), center.clone(), 0.25, y, sigma, 500.0).unwrap()
}

/// A day, and a public centre that is a curve.
fn day(points: usize) -> (Grid, Array1<f64>) {
    let grid = Grid::circle(0.0, 24.0, points).unwrap();
    let center = grid.points().mapv(|t| 0.02 * (TAU * t / 24.0).sin());
    (grid, center)
}

#[test]
fn value_spread_and_covariance_are_the_same_at_both_ends() {
    for points in [2, 3, 24, 96, 1440] {
        let (grid, center) = day(points);
        let posterior = Posterior::new(observed(&grid, 0.01, &noise(points, 3), &center), &Ladder::default()).unwrap();
        let ends = [0.0, 24.0];
        let (values, sd) = (posterior.evaluate(&ends).unwrap(), posterior.sd_at(&ends).unwrap());
        assert_abs_diff_eq!(values[0], values[1], epsilon = 1e-12);
        assert_abs_diff_eq!(sd[0], sd[1], epsilon = 1e-10);
        // what is next to one end is next to the other
        let near = posterior.evaluate(&[1e-7, 24.0 - 1e-7]).unwrap();
        assert_abs_diff_eq!(near[0], near[1], epsilon = 1e-6);
        let covariance = posterior.covariance_at(&[0.0, 24.0, 11.0]).unwrap();
        assert_abs_diff_eq!(covariance[[0, 1]], covariance[[0, 0]], epsilon = 1e-10);
        assert_abs_diff_eq!(covariance[[0, 2]], covariance[[1, 2]], epsilon = 1e-10);
    }
}

#[test]
fn a_day_that_begins_later_has_the_same_estimate_as_much_later() {
    let (points, shift) = (48, 13);
    let begin = 24.0 * shift as f64 / points as f64;
    let noise = noise(points, 9);
    let shifted_noise = Array1::from_shape_fn(points, |i| noise[(i + shift) % points]);
    let nothing = Array1::zeros(points);
    let early = Grid::circle(0.0, 24.0, points).unwrap();
    let late = Grid::circle(begin, begin + 24.0, points).unwrap();
    let early = Posterior::new(observed(&early, 0.01, &noise, &nothing), &Ladder::default()).unwrap();
    let late = Posterior::new(observed(&late, 0.01, &shifted_noise, &nothing), &Ladder::default()).unwrap();
    assert_abs_diff_eq!(late.log_evidence(), early.log_evidence(), epsilon = 1e-6);
    for i in 0..points {
        let place = (i + shift) % points;
        assert_abs_diff_eq!(late.values()[i], early.values()[place], epsilon = 1e-9);
        assert_abs_diff_eq!(late.sd()[i], early.sd()[place], epsilon = 1e-9);
    }
}

#[test]
fn a_kernel_of_an_interval_is_refused_in_a_ladder_for_a_circle() {
    let grid = Grid::circle(0.0, 1.0, 12).unwrap();
    // of so long a memory that its variance is 1 everywhere, as a rung needs
    let sobolev = Kernel::from(Sobolev::new(1e-8).unwrap());
    let ladder = Ladder::new(vec![vec![sobolev]], vec![1.0], -1.0, 0.7).unwrap();
    let refused = Posterior::new(observed(&grid, 0.01, &noise(12, 1), &Array1::zeros(12)), &ladder);
    assert!(matches!(refused, Err(AnalysisError::Kernel(KernelError::Circle))));
}

fn squared_error(grid: &Grid, seed: u64) -> f64 {
    let ladder = Ladder::new(
        vec![
            vec![Exponential::new(0.4).unwrap().into()],
            [0.02, 0.08, 0.32].map(|r| Gaussian::new(r).unwrap().into()).to_vec(),
        ],
        vec![0.01, 0.1, 1.0],
        -1.0,
        0.7,
    )
    .unwrap();
    let n = grid.len();
    let posterior = Posterior::new(observed(grid, 0.02, &noise(n, seed), &Array1::zeros(n)), &ladder).unwrap();
    let error = &posterior.values() - &grid.points().mapv(truth);
    error.mapv(|e| e * e).mean().unwrap()
}

#[test]
fn the_error_of_a_mean_that_closes_up_is_smaller_on_the_circle_than_on_the_interval() {
    // the same noise on the same points, so that differences are paired
    let (closed, open) = (Grid::circle(0.0, 24.0, 48).unwrap(), Grid::uniform(0.0, 23.5, 48).unwrap());
    let differences: Vec<f64> =
        (0..60).map(|seed| squared_error(&open, 100 + seed) - squared_error(&closed, 100 + seed)).collect();
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let standard_error = (variance / count).sqrt();
    println!("mean squared error, interval minus circle: {mean:.2e} with standard error {standard_error:.1e}");
    assert!(mean > 3.0 * standard_error, "{mean} {standard_error}");
}

#[test]
fn the_band_holds_a_mean_that_closes_up_as_often_as_it_says() {
    let (people, points, runs) = (300, 24, 40);
    let grid = Grid::circle(0.0, 24.0, points).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 0.4).unwrap();
    let held = (0..runs).filter(|run| {
        let level = noise(people, 1000 + run);
        let phase = noise(people, 5000 + run);
        let value = |(i, k): (usize, usize)| {
            let t = 24.0 * k as f64 / points as f64;
            truth(t) + 0.05 * level[i] + 0.05 * phase[i] * (TAU * t / 24.0).cos()
        };
        let curves = CurveSet::new(grid.clone(), Array2::from_shape_fn((people, points), value)).unwrap();
        let private_mean = PrivateMean::isonormal(ball.clone(), PrivacyBudget::new(1.0, 1e-5).unwrap());
        let release = private_mean.release(&curves, &mut SeededRandomness::from_seed(*run)).unwrap();
        let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL).unwrap();
        estimated.points().iter().all(|point| (point.lower..=point.upper).contains(&truth(point.at)))
    });
    // at a coverage of 0.95, fewer than 31 of 40 have a probability below 1e-4
    let held = held.count();
    println!("{held} of {runs} bands hold the mean");
    assert!(held >= 31, "{held}");
}

#[test]
fn a_release_on_a_circle_is_written_read_and_estimated_again() {
    let grid = Grid::circle(0.0, 24.0, 24).unwrap();
    let values = Array2::from_shape_fn((400, 24), |(i, k)| truth(k as f64) + 0.01 * (i % 7) as f64);
    let curves = CurveSet::new(grid.clone(), values).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
    let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap());
    let release = private_mean.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap();
    let estimated = Estimated::<Mean>::new(release, &Band::default(), DEFAULT_LEVEL).unwrap();
    let text = estimated.to_json().unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["statistic"]["grid"]["closes_at"], 24.0);
    let again = Estimated::<Mean>::from_json(&text).unwrap();
    assert_eq!(again.release().grid(), &grid);
    assert_eq!(again.estimate(), estimated.estimate());
    let ends = again.at(&[0.0, 24.0]).unwrap();
    let numbers: [fn(&PointEstimate<f64>) -> f64; 4] = [|p| p.value, |p| p.lower, |p| p.upper, |p| p.noise_sd];
    for number in numbers {
        assert_abs_diff_eq!(number(&ends[0]), number(&ends[1]), epsilon = 1e-12);
    }
    let facts: String = again.facts().iter().map(|fact| fact.text.clone() + "\n").collect();
    assert!(facts.contains("one period [0,\u{a0}24) that closes up (24 points)"), "{facts}");
    // points that do not close the domain there
    document["statistic"]["grid"]["closes_at"] = 25.0.into();
    assert!(Estimated::<Mean>::from_json(&document.to_string()).is_err());
}

#[test]
fn the_area_of_a_day_reaches_to_its_end_and_a_maximum_about_midnight_has_one_place() {
    let grid = Grid::circle(0.0, 24.0, 24).unwrap();
    let peak = |t: f64| 0.2 * (TAU * t / 24.0).cos();
    let values = Array2::from_shape_fn((400, 24), |(i, k)| peak(k as f64) + 0.001 * (i % 7) as f64 - 0.003);
    let curves = CurveSet::new(grid, values).unwrap();
    let ball = Ball::new(Center::Constant(0.0), 0.3).unwrap();
    let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(4.0, 1e-5).unwrap());
    let release = private_mean.release(&curves, &mut SeededRandomness::from_seed(2)).unwrap();
    let estimated = Estimated::<Mean>::new(release, &Band::Posterior, DEFAULT_LEVEL).unwrap();
    let features = estimated.mean().features().unwrap();
    let area = features.integral(0.0, 24.0).unwrap();
    let whole = estimated.posterior().integral();
    assert_abs_diff_eq!(area.value, whole.value, epsilon = 0.02);
    let late = features.integral(23.5, 24.0).unwrap();
    assert_abs_diff_eq!(late.value, 0.1, epsilon = 0.02);
    let Place { value, lower: from, upper: to, stretches } = features.maximum().at;
    let from_midnight = value - 24.0 * (value / 24.0).round();
    assert!([value, from, to].iter().all(|place| (0.0..24.0).contains(place)), "{value} {from} {to}");
    assert!(from_midnight.abs() < 1.0 && (to - from).rem_euclid(24.0) < 4.0, "{value} {from} {to}");
    // the interval holds midnight, and goes over it
    assert!(from > 20.0 && to < 4.0 && stretches == [(from, to)], "{stretches:?}");
    // so does the window of a slope, and its interval holds what it says
    let slopes = features.slopes(&[0.0, 24.0, 23.0, 11.0], None).unwrap();
    assert_abs_diff_eq!(slopes[0].from, 22.8, epsilon = 1e-12);
    assert_abs_diff_eq!(slopes[0].to, 1.2, epsilon = 1e-12);
    assert_abs_diff_eq!(slopes[0].slope.value, slopes[1].slope.value, epsilon = 1e-12);
    assert_abs_diff_eq!(slopes[0].slope.upper, slopes[1].slope.upper, epsilon = 1e-12);
    for slope in &slopes {
        let truth = (peak(slope.to) - peak(slope.from)) / 2.4;
        assert!(slope.slope.lower < truth && truth < slope.slope.upper, "{slope:?} {truth}");
    }
    assert!(features.slopes(&[1.0], Some(12.1)).is_err());
    let night = features.integral(22.0, 3.0).unwrap();
    let parts = [features.integral(22.0, 24.0).unwrap(), features.integral(0.0, 3.0).unwrap()];
    assert_abs_diff_eq!(night.value, parts[0].value + parts[1].value, epsilon = 1e-10);
    assert!(night.sd <= parts[0].sd + parts[1].sd && night.lower < night.value && night.value < night.upper);
    let day = features.integral(3.0, 22.0).unwrap();
    assert_abs_diff_eq!(night.value + day.value, area.value, epsilon = 1e-10);
    assert!(matches!(features.integral(3.0, 3.0), Err(AnalysisError::Ends { .. })));
    assert_abs_diff_eq!(
        estimated.posterior().evaluate(&[24.0]).unwrap()[0],
        estimated.posterior().values()[0],
        epsilon = 1e-10
    );
}

#[test]
fn rows_about_midnight_tell_of_both_ends_of_a_long_table() {
    let ball = Ball::new(Center::Constant(0.0), 0.4).unwrap();
    let plan = PrivateRows::new(ball, (0.0, 24.0), PrivacyBudget::new(4.0, 1e-4).unwrap()).periodic();
    let mut rows = plan.rows().unwrap();
    for row in 0..12_000_u32 {
        let (person, hour) = (row % 3000, f64::from(row * 37 % 2400) / 100.0);
        rows.push(&person.to_le_bytes(), hour, truth(hour));
    }
    let release = rows.release(&mut SeededRandomness::from_seed(4)).unwrap();
    let estimated = Estimated::<Rows>::new(release, &Band::Posterior, DEFAULT_LEVEL).unwrap();
    assert_eq!(estimated.points().len(), 100);
    let ends = estimated.at(&[0.0, 24.0]).unwrap();
    assert_abs_diff_eq!(ends[0].value, ends[1].value, epsilon = 1e-12);
    for point in estimated.points() {
        assert_abs_diff_eq!(point.value, truth(point.at), epsilon = 0.05);
    }
    let text = estimated.to_json().unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["statistic"]["periodic"], true);
    let again = Estimated::<Rows>::from_json(&text).unwrap();
    assert_eq!(again.release().statistic(), estimated.release().statistic());
    // the estimate is not that of an interval
    document["statistic"]["periodic"] = false.into();
    assert!(Estimated::<Rows>::from_json(&document.to_string()).is_err());
}

#[test]
fn both_ends_of_a_long_table_on_a_circle_are_one_bin() {
    let ball = Ball::new(Center::Constant(0.0), 0.4).unwrap();
    let plan = PrivateRows::new(ball, (0.0, 24.0), PrivacyBudget::new(1.0, 1e-4).unwrap());
    let bins = |plan: &PrivateRows, time: f64| {
        let mut rows = plan.rows().unwrap();
        rows.push(b"a", 0.0, 0.1);
        rows.push(b"a", time, 0.1);
        rows.seen().into_revealed().bins[0]
    };
    assert_eq!(bins(&plan, 24.0), 2);
    let closed = plan.periodic();
    assert_eq!([24.0, 0.5, 23.9, 24.1].map(|time| bins(&closed, time)), [1, 1, 2, 1]);
    let statistic = closed.mechanism().unwrap().statistic().clone();
    assert_eq!(statistic.points_of_bin(19).last(), Some(&0));
    let (from, to) = statistic.ends_of_bin(19);
    assert_abs_diff_eq!(from, 22.8, epsilon = 1e-12);
    assert_eq!(to, 24.0);
}
