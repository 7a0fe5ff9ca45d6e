//! Charts of populations whose centiles are known.

use std::f64::consts::PI;

use approx::assert_abs_diff_eq;
use dpfda_analysis::{AnalysisError, Chart, NoisyDistribution};
use ndarray::{Array1, Array2, Axis, Slice, concatenate};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, Gamma, StandardNormal};

const POINTS: usize = 25;
const LEVELS: usize = 31;
const CENTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

fn points(is_periodic: bool) -> Array1<f64> {
    let last = if is_periodic { POINTS } else { POINTS - 1 };
    (0..POINTS).map(|i| i as f64 / last as f64).collect()
}

fn levels() -> Array1<f64> {
    (1..=LEVELS).map(|j| j as f64 / (LEVELS + 1) as f64).collect()
}

/// The middle of the people at a point: the same at both ends.
fn middle(t: f64) -> f64 {
    0.5 + 0.08 * (2.0 * PI * t).sin()
}

fn normal(generator: &mut ChaCha20Rng) -> f64 {
    StandardNormal.sample(generator)
}

/// How many standard deviations a person is from the middle, along the domain: normal at each point, or from a Gamma law of shape 2.
fn person(is_skew: bool, generator: &mut ChaCha20Rng) -> impl Fn(f64) -> f64 {
    let skew: f64 = Gamma::new(2.0, 1.0).unwrap().sample(generator);
    let level = if is_skew { (skew - 2.0) / 2.0_f64.sqrt() } else { 0.8 * normal(generator) };
    let (a, b) = if is_skew { (0.0, 0.0) } else { (normal(generator), normal(generator)) };
    move |t| level + 0.6 * (a * (2.0 * PI * t).cos() + b * (2.0 * PI * t).sin())
}

/// A release of so many people with this noise.
fn observed(is_skew: bool, is_periodic: bool, records: u32, noise_sd: f64, seed: u64) -> NoisyDistribution {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let (points, levels) = (points(is_periodic), levels());
    let mut values = Array2::<f64>::zeros((POINTS, LEVELS));
    for _ in 0..records {
        let person = person(is_skew, &mut generator);
        for (mut row, &t) in values.rows_mut().into_iter().zip(&points) {
            let value = middle(t) + 0.07 * person(t);
            row.iter_mut().zip(&levels).for_each(|(sum, &y)| *sum += f64::from(u8::from(value <= y)));
        }
    }
    values /= f64::from(records);
    values.mapv_inplace(|value| value + noise_sd * normal(&mut generator));
    NoisyDistribution::new(points, is_periodic, levels, values, noise_sd, f64::from(records)).unwrap()
}

fn chart(is_skew: bool, records: u32, noise_sd: f64, seed: u64) -> Chart {
    Chart::fit(observed(is_skew, false, records, noise_sd, seed)).unwrap()
}

/// Centiles of a Gamma law of shape 2, centred and scaled, by another program.
const OF_SKEW: [f64; 5] = [-1.162_94, -0.734_49, -0.227_44, 0.489_77, 1.940_21];
/// Of a normal law.
const OF_NORMAL: [f64; 5] = [-1.644_85, -0.674_49, 0.0, 0.674_49, 1.644_85];

#[test]
fn nothing_speaks_against_normal_people_and_much_against_skew_ones() {
    let found = |is_skew: bool| (0..6).map(move |seed| chart(is_skew, 2000, 0.03, seed).log_evidence());
    let normal: Vec<f64> = found(false).collect();
    assert!(normal.iter().filter(|found| **found < 0.0).count() >= 5, "{normal:?}");
    assert!(normal.iter().all(|found| *found < 10.0_f64.ln()), "{normal:?}");
    let skew: Vec<f64> = found(true).collect();
    assert!(skew.iter().all(|found| *found > 10.0_f64.ln()), "{skew:?}");
}

/// The standard deviation of a centile of so many people without noise: their level is the same everywhere, and so is its error.
fn sampling_sd(is_skew: bool, z: f64, p: f64, records: f64) -> f64 {
    let gamma = 2.0 + 2.0_f64.sqrt() * z;
    let density =
        if is_skew { 2.0_f64.sqrt() * gamma * (-gamma).exp() } else { (-z * z / 2.0).exp() / (2.0 * PI).sqrt() };
    0.07 * (p * (1.0 - p) / records).sqrt() / density
}

#[test]
fn centiles_are_those_of_the_population_and_bands_hold_them() {
    for (is_skew, known) in [(false, OF_NORMAL), (true, OF_SKEW)] {
        let chart = chart(is_skew, 4000, 0.02, 11);
        for (p, known) in CENTILES.into_iter().zip(known) {
            let truth = points(false).mapv(|t| middle(t) + 0.07 * known);
            let (lower, upper) = chart.band(p, 5, 0.95);
            let error = ((&chart.centile(p) - &truth).mapv(|x| x * x).mean().unwrap()).sqrt();
            assert!(error < 3.0 * sampling_sd(is_skew, known, p, 4000.0) + 0.002, "{is_skew} {p}: {error}");
            assert!(truth.iter().zip(&lower).zip(&upper).all(|((q, l), u)| l <= q && q <= u), "{is_skew} {p}");
            // a normal chart of skew people is wrong where it matters
            let of_normal = ((&chart.normal_centile(p) - &truth).mapv(|x| x * x).mean().unwrap()).sqrt();
            assert!(!is_skew || p < 0.9 || of_normal > 0.02, "{of_normal}");
        }
    }
}

#[test]
fn more_people_and_less_noise_make_a_narrower_band() {
    let width = |chart: &Chart| {
        let (lower, upper) = chart.band(0.5, 5, 0.95);
        (upper - lower).mean().unwrap()
    };
    let (few, many) = (chart(false, 400, 0.1, 3), chart(false, 4000, 0.01, 3));
    assert!(width(&many) < 0.5 * width(&few));
    assert!(many.posterior_sd(0.5).mean().unwrap() < 0.5 * few.posterior_sd(0.5).mean().unwrap());
}

/// `NoisyDistribution` of the same people, who start elsewhere on the circle.
fn turned(by: usize) -> Chart {
    let mut generator = ChaCha20Rng::seed_from_u64(5);
    let (points, levels) = (points(true), levels());
    let values = Array2::from_shape_fn((POINTS, LEVELS), |(i, j)| {
        let v = (levels[j] - middle(points[i])) / (0.07 + 0.02 * (2.0 * PI * points[i]).cos());
        1.0 / (1.0 + (-1.7 * v).exp()) + 0.03 * normal(&mut generator)
    });
    let (before, after) =
        (values.slice_axis(Axis(0), Slice::from(..by)), values.slice_axis(Axis(0), Slice::from(by..)));
    let values = concatenate![Axis(0), after, before];
    Chart::fit(NoisyDistribution::new(points, true, levels, values, 0.03, 1000.0).unwrap()).unwrap()
}

#[test]
fn a_chart_of_a_circle_does_not_depend_on_where_the_circle_begins() {
    let (from_zero, later) = (turned(0), turned(9));
    let back =
        |values: Array1<f64>| -> Array1<f64> { (0..POINTS).map(|i| values[(i + POINTS - 9) % POINTS]).collect() };
    assert_abs_diff_eq!(from_zero.log_evidence(), later.log_evidence(), epsilon = 1e-3);
    for p in CENTILES {
        assert_abs_diff_eq!(from_zero.centile(p), back(later.centile(p)), epsilon = 1e-4);
        let ((lower, upper), (other_lower, other_upper)) = (from_zero.band(p, 5, 0.95), later.band(p, 5, 0.95));
        assert_abs_diff_eq!(lower, back(other_lower), epsilon = 1e-4);
        assert_abs_diff_eq!(upper, back(other_upper), epsilon = 1e-4);
    }
}

#[test]
fn what_cannot_be_a_distribution_at_increasing_points_and_levels_is_refused() {
    let new = |points: &[f64], is_periodic: bool, levels: &[f64], value: f64, noise_sd: f64, records: f64| {
        let values = Array2::from_elem((2, 2), value);
        NoisyDistribution::new(points.to_vec().into(), is_periodic, levels.to_vec().into(), values, noise_sd, records)
    };
    assert!(new(&[0.0, 1.0], false, &[0.2, 0.4], 0.5, 0.1, 10.0).is_ok());
    let is_length = |found| matches!(found, Err(AnalysisError::Length { .. }));
    assert!(is_length(new(&[0.0], false, &[0.2, 0.4], 0.5, 0.1, 10.0)));
    assert!(is_length(new(&[0.0, 1.0], false, &[0.2], 0.5, 0.1, 10.0)));
    assert!(is_length(NoisyDistribution::new(
        Array1::zeros(0),
        false,
        levels(),
        Array2::zeros((0, LEVELS)),
        0.1,
        10.0
    )));
    let is_number = |found| matches!(found, Err(AnalysisError::Number { .. }));
    for points in [[0.0, 0.0], [0.5, 0.2], [-0.1, 1.0], [0.0, 1.1], [0.0, f64::NAN]] {
        assert!(is_number(new(&points, false, &[0.2, 0.4], 0.5, 0.1, 10.0)));
    }
    assert!(is_number(new(&[0.0, 1.0], true, &[0.2, 0.4], 0.5, 0.1, 10.0)));
    for levels in [[0.0, 0.5], [0.5, 1.0], [0.5, 0.5], [0.5, f64::NAN]] {
        assert!(is_number(new(&[0.0, 1.0], false, &levels, 0.5, 0.1, 10.0)));
    }
    assert!(is_number(new(&[0.0, 1.0], false, &[0.2, 0.4], f64::INFINITY, 0.1, 10.0)));
    assert!(is_number(new(&[0.0, 1.0], false, &[0.2, 0.4], 0.5, 0.0, 10.0)));
    assert!(is_number(new(&[0.0, 1.0], false, &[0.2, 0.4], 0.5, 0.1, 0.5)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Values that are nobody's distribution, with little and with much noise.
    #[test]
    fn centiles_never_cross_and_ends_of_bands_are_in_order_whatever_was_observed(
        seed in 0_u64..1000,
        is_periodic: bool,
        log_noise in -6.0_f64..3.0,
    ) {
        let mut generator = ChaCha20Rng::seed_from_u64(seed);
        let (n, m) = (generator.random_range(1..9), generator.random_range(1..12));
        let points: Array1<f64> = (0..n).map(|i| i as f64 / n as f64).collect();
        let levels: Array1<f64> = (1..=m).map(|j| j as f64 / (m + 1) as f64).collect();
        let values = Array2::from_shape_simple_fn((n, m), || 2.0 * normal(&mut generator));
        let observed = NoisyDistribution::new(points, is_periodic, levels, values, log_noise.exp(), 600.0);
        let chart = Chart::fit(observed.unwrap()).unwrap();
        prop_assert!(chart.log_evidence().is_finite());
        let mut before: Option<[Array1<f64>; 4]> = None;
        for p in [0.02, 0.05, 0.25, 0.5, 0.75, 0.95, 0.98] {
            let (lower, upper) = chart.band(p, 7, 0.95);
            prop_assert!(lower.iter().zip(&upper).all(|(l, u)| 0.0 <= *l && l <= u && *u <= 1.0));
            prop_assert!(chart.posterior_sd(p).iter().all(|sd| *sd >= 0.0));
            let now = [chart.centile(p), chart.normal_centile(p), lower, upper];
            if let Some(before) = before {
                for (one, next) in before.iter().zip(&now) {
                    prop_assert!(one.iter().zip(next).all(|(a, b)| a <= b));
                }
            }
            before = Some(now);
        }
    }
}
