#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::MechanismError;
use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{
    Body, BudgetError, CalibrationError, Cosine, CosineVector, DiscreteLaplace, DiscreteLaplaceError, ExactSum, Law,
    NeighbouringRelation, Noise, NoiseError, PrivacyBudget, SeededRandomness,
};
use ndarray::Array2;
use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, Normal};

use super::{SeriesError, SeriesMechanism, SeriesRelease, SeriesTerms};
use crate::bounds::Bounds;
use crate::points::Points;
use crate::{BasisError, CosineBasis, SeriesSensitivity};

const DRAWS: u64 = 1_000_000;

/// How often a true claim may be refuted.
const LEVEL: f64 = 1e-6;

fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn points(rows: &[&[f64]], dimension: usize) -> Points {
    let values = rows.iter().flat_map(|row| row.iter().copied()).collect();
    let values = Array2::from_shape_vec((rows.len(), dimension), values).unwrap();
    Points::new(values, Bounds::new(vec![(0.0, 1.0); dimension]).unwrap()).unwrap()
}

#[test]
fn the_exponential_mechanism_on_coefficients_is_k_norm_noise_of_the_euclidean_sensitivity() {
    let records = points(&[&[0.1], &[0.5], &[0.9], &[0.2]], 1);
    for relation in [SubstituteOne, AddRemoveOne] {
        for terms in [1, 4, 32] {
            let given = SeriesMechanism::new(SeriesTerms::Given(terms), budget(0.7, 0.0), relation).unwrap();
            let release = given.clone().exponential().release(&records, &mut SeededRandomness::from_seed(3)).unwrap();
            let noise = release.noise();
            let bound = Cosine::new(CosineBasis::new(1, terms).unwrap()).l2_bound(relation);
            // an integer at the quotient or above
            assert!((0.0..1.01).contains(&(noise.scale() - bound / 0.7)), "{} {bound}", noise.scale());
            assert_eq!(release.mechanism().law(), &Law::KNorm {});
            let count = usize::from(relation == AddRemoveOne);
            let variance = noise.scale().powi(2) * (terms + count + 1) as f64;
            assert!((noise.variance(0) / variance - 1.0).abs() < 1e-9);
            let laplace = given.release(&records, &mut SeededRandomness::from_seed(3)).unwrap();
            let ratio = noise.variance(0) / laplace.noise().variance(0);
            assert!(if terms == 1 && count == 0 { ratio < 1.001 } else { ratio < 0.9 }, "{terms} {relation}: {ratio}");
            let read = SeriesRelease::from_json(&release.to_json().unwrap()).unwrap();
            assert_eq!((read.density(), read.terms()), (release.density(), terms));
            assert!(
                release.facts().iter().any(|fact| fact.text.contains("the exponential mechanism on all coefficients"))
            );
        }
    }
    let with_delta = SeriesMechanism::new(SeriesTerms::Given(3), budget(0.7, 1e-6), SubstituteOne).unwrap();
    let refused = with_delta.exponential().prepare(&records).map(|_| ()).unwrap_err();
    assert_eq!(refused, SeriesError::Mechanism(MechanismError::Noise(NoiseError::DeltaUnused { delta: 1e-6 })));
}

#[test]
fn a_million_records_are_drawn_near_their_own_coefficients() {
    let values = Array2::from_shape_fn((1_000_000, 1), |(i, _)| ((i as f64 + 0.5) / 1e6).sqrt());
    let records = Points::new(values, Bounds::new(vec![(0.0, 1.0)]).unwrap()).unwrap();
    let mechanism = SeriesMechanism::new(SeriesTerms::Smoothness(1.5), budget(1.0, 0.0), SubstituteOne).unwrap();
    let release = mechanism.exponential().release(&records, &mut SeededRandomness::from_seed(4)).unwrap();
    assert_eq!(release.basis().terms(), 32);
    // p(x) = 2 x has the coefficients sqrt(2) int 2 x cos(k pi x) = -4 sqrt(2) / (k pi)^2 for odd k
    let exact =
        |k: usize| if k % 2 == 1 { -4.0 * 2.0_f64.sqrt() / (k as f64 * std::f64::consts::PI).powi(2) } else { 0.0 };
    let apart = release.coefficients().iter().zip(1..).map(|(b, k)| (b - exact(k)).abs()).fold(0.0, f64::max);
    assert!(apart < 8.0 * release.noise_sd() + 1e-5, "{apart} {}", release.noise_sd());
    assert!(release.noise_sd() < 1e-4);
}

/// Whether counts of an event refute `P(A) <= e^epsilon Q(A) + delta`, by bounds of Clopper and Pearson (1934).
fn refuted(count: u64, neighbour_count: u64, epsilon: f64, delta: f64) -> bool {
    let (k, l, n) = (count as f64, neighbour_count as f64, DRAWS as f64);
    let least = Beta::new(k, n - k + 1.0).unwrap().inverse_cdf(LEVEL / 2.0);
    let most = Beta::new(l + 1.0, n - l).unwrap().inverse_cdf(1.0 - LEVEL / 2.0);
    least > epsilon.exp() * most + delta
}

/// These points of the unit cube, encoded.
fn encoded(body: &Cosine, records: &[&[f64]]) -> Vec<CosineVector> {
    let encode = |record: &&[f64]| {
        let mut vector = body.vector();
        vector.encode(record);
        vector
    };
    records.iter().map(encode).collect()
}

/// The exact sums of these records.
fn totals(body: &Cosine, records: &[CosineVector]) -> Vec<i64> {
    let mut totals = vec![0; body.dimension()];
    for record in records {
        body.add(&mut totals, record);
    }
    totals
}

/// One release of these records.
fn noisy(
    body: &Cosine,
    records: &[CosineVector],
    noise: &Noise,
    neighbours: NeighbouringRelation,
    randomness: &mut SeededRandomness,
) -> Vec<i64> {
    let mut sum = ExactSum::new(body.clone());
    for record in records {
        sum.add(record).unwrap();
    }
    sum.perturb(noise, neighbours, randomness).words().collect()
}

/// The worst pair of data sets.
struct Worst<'a> {
    body: &'a Cosine,
    neighbours: NeighbouringRelation,
    data: [Vec<CosineVector>; 2],
}

impl<'a> Worst<'a> {
    fn new(body: &'a Cosine, neighbours: NeighbouringRelation, record: &[f64]) -> Self {
        let corner = vec![0.0; body.basis().dimension()];
        let there: &[&[f64]] = if neighbours == SubstituteOne { &[record] } else { &[] };
        Self { body, neighbours, data: [encoded(body, &[&corner]), encoded(body, there)] }
    }

    /// The exact sums of both, with the count where it is private.
    fn sums(&self) -> [Vec<i64>; 2] {
        self.data.each_ref().map(|records| {
            let count = Cosine::STEPS * i64::try_from(records.len()).unwrap();
            let count = (self.neighbours == AddRemoveOne).then_some(count);
            totals(self.body, records).into_iter().chain(count).collect()
        })
    }

    /// How many of so many noisy releases of both are in the event.
    fn counted(&self, noise: &Noise, seed: u64, event: impl Fn(&[i64]) -> bool) -> [u64; 2] {
        [0, 1].map(|which| {
            let mut randomness = SeededRandomness::from_seed(seed + which as u64);
            let release = |_| noisy(self.body, &self.data[which], noise, self.neighbours, &mut randomness);
            (0..DRAWS).map(release).filter(|noisy| event(noisy)).count() as u64
        })
    }
}

fn calibrated(body: &Cosine, neighbours: NeighbouringRelation, budget: &PrivacyBudget) -> Noise {
    Noise::calibrated(&Law::exact(budget), budget, body, neighbours).unwrap()
}

#[test]
fn the_printed_scale_is_refuted_by_an_audit() {
    // c0 m / (n alpha) with one term: 2 alpha-private
    let body = Cosine::new(CosineBasis::new(1, 1).unwrap());
    let worst = Worst::new(&body, SubstituteOne, &[1.0]);
    let here = worst.sums()[0][0];
    let printed = Noise::DiscreteLaplace(DiscreteLaplace::new(1_482_910, 1).unwrap());
    let counts = worst.counted(&printed, 5, |noisy| noisy[0] >= here);
    assert!(refuted(counts[0], counts[1], 1.0, 0.0));
    assert!(refuted(counts[0], counts[1], 1.9, 0.0));
    assert!(!refuted(counts[0], counts[1], 2.001, 0.0));
}

/// The chi-squared statistic of released coefficients less the exact ones, in 20 cells of equal probability, is beyond its
/// quantile of `1 - 1e-6`.
fn law_is_rejected(released: &[f64], quantile: impl Fn(f64) -> f64) -> bool {
    let edges: Vec<f64> = (1..20).map(|i| quantile(f64::from(i) / 20.0)).collect();
    let mut cells = [0_u32; 20];
    for v in released {
        cells[edges.partition_point(|edge| edge < v)] += 1;
    }
    let expected = released.len() as f64 / 20.0;
    let statistic: f64 = cells.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    statistic > ChiSquared::new(19.0).unwrap().inverse_cdf(1.0 - LEVEL)
}

#[test]
fn released_noise_has_the_stated_law_and_scale_in_coefficients_and_the_test_sees_ten_percent() {
    let records: [&[f64]; 4] = [&[0.1], &[0.7], &[0.4], &[0.95]];
    let data = points(&records, 1);
    let body = Cosine::new(CosineBasis::new(1, 3).unwrap());
    let vectors = encoded(&body, &records);
    let exact = totals(&body, &vectors);
    let normal = Normal::new(0.0, 1.0).unwrap();
    let laplace = |p: f64| if p < 0.5 { (2.0 * p).ln() } else { -(2.0 * (1.0 - p)).ln() };
    for delta in [0.0, 1e-3] {
        let mechanism = SeriesMechanism::new(SeriesTerms::Given(3), budget(1.0, delta), SubstituteOne).unwrap();
        let mut randomness = SeededRandomness::from_seed(7);
        let mut deviations = Vec::new();
        let noise = calibrated(&body, SubstituteOne, &budget(1.0, delta));
        for _ in 0..20_000 {
            let noisy = noisy(&body, &vectors, &noise, SubstituteOne, &mut randomness);
            deviations.extend(noisy.iter().zip(&exact).map(|(a, b)| (a - b) as f64 / 4.0 / 2.0_f64.powi(20)));
        }
        let release = mechanism.release(&data, &mut randomness).unwrap();
        let quantile = |p: f64| release.noise_scale() * if delta == 0.0 { laplace(p) } else { normal.inverse_cdf(p) };
        assert!(!law_is_rejected(&deviations, quantile), "delta {delta}");
        assert!(law_is_rejected(&deviations, |p| 0.9 * quantile(p)), "delta {delta}");
        let variance = deviations.iter().map(|v| v * v).sum::<f64>() / deviations.len() as f64;
        // relative standard error sqrt(5 / 60 000) at most
        assert!((variance / release.noise_sd().powi(2) - 1.0).abs() < 4.9 * (5.0_f64 / 6e4).sqrt());
    }
}

#[test]
fn the_stated_scales_are_the_sensitivity_over_the_budget_to_four_parts_in_a_million() {
    for (dimension, terms) in [(1, 1), (1, 12), (2, 9), (3, 19)] {
        let rows: Vec<Vec<f64>> = (0..50).map(|i| vec![f64::from(i) / 50.0; dimension]).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let data = points(&rows, dimension);
        let basis = CosineBasis::new(dimension, terms).unwrap();
        let mechanism = SeriesMechanism::new(SeriesTerms::Given(terms), budget(0.5, 0.0), SubstituteOne).unwrap();
        let release = mechanism.release(&data, &mut SeededRandomness::from_seed(1)).unwrap();
        let ratio = release.noise_scale() / (SeriesSensitivity::l1(&basis).attained / (50.0 * 0.5));
        assert!((1.0..1.0 + 4e-6).contains(&ratio), "{dimension}, {terms}: {ratio}");
    }
}

#[test]
fn with_little_noise_the_coefficients_are_the_means_of_the_basis() {
    for dimension in 1..=3 {
        let rows: Vec<Vec<f64>> = (0..200)
            .map(|i| (0..dimension).map(|axis| (f64::from(i * (axis + 1)) * 0.377).fract()).collect())
            .collect();
        let slices: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let dimension = usize::try_from(dimension).unwrap();
        let basis = CosineBasis::new(dimension, 12).unwrap();
        let mut means = [0.0; 12];
        let mut values = Vec::new();
        for row in &rows {
            basis.values_into(row, &mut values);
            means.iter_mut().zip(&values).for_each(|(mean, value)| *mean += value / 200.0);
        }
        for neighbours in [SubstituteOne, AddRemoveOne] {
            let mechanism = SeriesMechanism::new(SeriesTerms::Given(12), budget(1e6, 0.0), neighbours).unwrap();
            let release = mechanism.release(&points(&slices, dimension), &mut SeededRandomness::from_seed(1)).unwrap();
            assert!((release.units() - 200.0).abs() < 1e-2);
            for (found, mean) in release.coefficients().iter().zip(&means) {
                assert!((found - mean).abs() < 1e-4, "dimension {dimension}: {found} {mean}");
            }
        }
    }
}

#[test]
fn order_does_not_matter_and_what_is_no_number_is_at_the_centre() {
    let mechanism = SeriesMechanism::new(SeriesTerms::Given(5), budget(1.0, 0.0), SubstituteOne).unwrap();
    let release = |rows: &[&[f64]]| mechanism.release(&points(rows, 2), &mut SeededRandomness::from_seed(3)).unwrap();
    let first = release(&[&[0.1, 0.2], &[0.5, 0.9], &[0.3, 0.5], &[1.0, 0.0]]);
    assert_eq!(first, release(&[&[7.0, -7.0], &[0.3, f64::NAN], &[0.1, 0.2], &[f64::NAN, 0.9]]));
}

#[test]
fn the_number_of_terms_follows_the_rate() {
    let number = |gamma, dimension, n| SeriesTerms::Smoothness(gamma).number(dimension, Some(n)).unwrap();
    // 10^(5/3) = 46.4, 10^(5/5) = 10, 10^(6 * 2/6) = 100, 10^(6 * 3/7) = 372.8
    assert_eq!([number(1.0, 1, 100_000), number(2.0, 1, 100_000)], [46, 10]);
    assert_eq!([number(2.0, 2, 1_000_000), number(2.0, 3, 1_000_000)], [100, 373]);
    assert_eq!([number(0.51, 1, 1 << 40), number(50.0, 1, 1), number(f64::MAX, 1, 9)], [1024, 1, 1]);
}

#[test]
fn bad_input_is_refused() {
    let data = points(&[&[0.3], &[0.4]], 1);
    let mut randomness = SeededRandomness::from_seed(0);
    let new = |terms, neighbours| SeriesMechanism::new(terms, budget(1.0, 0.0), neighbours);
    let mut release = |terms, budget, data: &Points| {
        SeriesMechanism::new(SeriesTerms::Given(terms), budget, SubstituteOne).unwrap().release(data, &mut randomness)
    };
    assert_eq!(new(SeriesTerms::Given(0), SubstituteOne), Err(SeriesError::Basis(BasisError::NoTerms)));
    assert_eq!(new(SeriesTerms::ChosenUpTo(0), SubstituteOne), Err(SeriesError::Basis(BasisError::NoTerms)));
    assert_eq!(new(SeriesTerms::Smoothness(2.0), AddRemoveOne), Err(SeriesError::PrivateRecords));
    for gamma in [0.5, -1.0, f64::INFINITY, f64::NAN] {
        let refused = new(SeriesTerms::Smoothness(gamma), SubstituteOne);
        assert!(matches!(refused, Err(SeriesError::Smoothness { .. })), "{gamma}");
    }
    let too_many = BasisError::TooManyTerms { terms: 1025, most: 1024, dimension: 1 };
    assert_eq!(release(1025, budget(1.0, 0.0), &data), Err(SeriesError::Basis(too_many)));
    let nobody = SeriesError::Mechanism(MechanismError::TooFewRecords { least: 1, found: 0 });
    assert_eq!(release(2, budget(1.0, 0.0), &points(&[], 1)), Err(nobody));
    let noise = |error| SeriesError::Mechanism(MechanismError::Noise(error));
    let nothing = noise(NoiseError::Laplace(DiscreteLaplaceError::NothingToSpend));
    assert_eq!(release(2, budget(0.0, 0.0), &data), Err(nothing));
    let beyond = noise(NoiseError::Gaussian(CalibrationError::Epsilon { value: 60.0 }));
    assert_eq!(release(2, budget(60.0, 1e-6), &data), Err(beyond));
    assert_eq!(PrivacyBudget::new(-0.1, 0.0), Err(BudgetError::Epsilon { value: -0.1 }));
    assert!(PrivacyBudget::new(f64::NAN, 0.0).is_err());
}

#[test]
fn one_record_and_under_add_remove_none_are_enough() {
    let mut randomness = SeededRandomness::from_seed(0);
    for terms in [SeriesTerms::Given(3), SeriesTerms::ChosenUpTo(3)] {
        let one = SeriesMechanism::new(terms, budget(1.0, 0.0), SubstituteOne).unwrap();
        let release = one.release(&points(&[&[0.2]], 1), &mut randomness).unwrap();
        assert!(release.selection().scores.iter().all(|score| score.is_finite()));
        let none = SeriesMechanism::new(terms, budget(1.0, 1e-6), AddRemoveOne).unwrap();
        let release = none.release(&points(&[], 1), &mut randomness).unwrap();
        assert!(release.units() >= 1.0 && release.density().integral() >= 1.0 - 1e-9);
    }
}

#[test]
fn printing_a_prepared_release_shows_nothing_of_it() {
    let mechanism = SeriesMechanism::new(SeriesTerms::Given(3), budget(1.0, 0.0), SubstituteOne).unwrap();
    let prepared = mechanism.prepare(&points(&[&[0.123]], 1)).unwrap();
    assert!(!format!("{prepared:?}").contains(char::is_numeric));
}
