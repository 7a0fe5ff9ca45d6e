#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::{MechanismError, PartId, Statistic};
use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{
    Arithmetic, Body, CalibrationError, DiscreteLaplaceError, Law, NeighbouringRelation, Noise, NoiseError,
    PrivacyBudget, PrivacyUnit, SeededRandomness, SystemRandomness,
};
use ndarray::{Array2, array};
use proptest::collection::vec;
use proptest::num::f64::ANY;
use proptest::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

use super::{Histogram, HistogramError, HistogramRelease, PerturbedHistogram, cells_by_rate, cells_to_merge};
use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};
use crate::counts::CellCounts;
use crate::points::Points;

const RELATIONS: [NeighbouringRelation; 2] = [SubstituteOne, AddRemoveOne];

/// How often a statistical test may fail without a fault.
const LEVEL: f64 = 1e-6;

fn cube(dimension: usize) -> Bounds {
    Bounds::new(vec![(0.0, 1.0); dimension]).unwrap()
}

fn settings(dimension: usize, per_axis: usize, epsilon: f64, delta: f64) -> PerturbedHistogram {
    let cells = Cells::new(cube(dimension), per_axis).unwrap();
    PerturbedHistogram::new(cells, PrivacyBudget::new(epsilon, delta).unwrap())
}

fn points(values: Array2<f64>) -> Points {
    let dimension = values.ncols();
    Points::new(values, cube(dimension)).unwrap()
}

fn release(settings: &PerturbedHistogram, values: Array2<f64>) -> Result<HistogramRelease, HistogramError> {
    settings.release(&points(values), &mut SeededRandomness::from_seed(1))
}

#[test]
fn sensitivities_are_attained_by_a_pair_and_never_exceeded() {
    let cells = Cells::new(cube(1), 2).unwrap();
    let [absolute, euclidean] =
        [Law::DiscreteLaplace {}, Law::GAUSSIAN].map(|law| Histogram::new(cells.clone()).body(&law));
    let counts = |values| CellCounts::of(&points(values), &cells).reveal().to_vec();
    let (here, moved, added) =
        (counts(array![[0.1], [0.1]]), counts(array![[0.1], [0.9]]), counts(array![[0.1], [0.1], [0.1]]));
    for (relation, there) in [(SubstituteOne, moved), (AddRemoveOne, added)] {
        let difference: Vec<u64> = here.iter().zip(&there).map(|(a, b)| a.abs_diff(*b)).collect();
        assert_eq!(difference.iter().sum::<u64>(), absolute.l1_bound(relation));
        let squares = difference.iter().map(|d| d * d).sum::<u64>() as f64;
        let ratio = euclidean.l2_bound(relation).powi(2) / squares / 2.0_f64.powi(40);
        assert!((1.0..1.0 + 1e-15).contains(&ratio), "{relation}: {ratio}");
    }
}

#[test]
fn pure_noise_has_the_scale_sensitivity_over_epsilon_exactly() {
    for (relation, epsilon, expected) in [
        (SubstituteOne, 1.0, (2, 1)),
        (AddRemoveOne, 1.0, (1, 1)),
        (SubstituteOne, 0.25, (8, 1)),
        (AddRemoveOne, 4.0, (1, 4)),
    ] {
        let mechanism = settings(1, 10, epsilon, 0.0).neighbours(relation).mechanism().unwrap();
        let Noise::DiscreteLaplace(laplace) = mechanism.noise() else { unreachable!() };
        assert_eq!(laplace.scale(), expected);
        assert_eq!(mechanism.body().steps(), 1);
    }
}

/// Scales from 30-digit arithmetic, in steps of 2^-20 records.
#[test]
fn normal_noise_has_the_tight_scale_rounded_up_to_a_step() {
    for (epsilon, delta, substitute, add_remove) in [
        (1.0, 1e-6, 6_264_820.263_244_073, 4_429_896.891_054_776),
        (0.1, 1e-3, 25_809_160.141_790_486, 18_249_832.152_989_61),
        (0.5, 0.01, 4_666_590.163_012_533, 3_299_777.549_284_598),
        (8.0, 1e-9, 1_174_816.560_720_012, 830_720.756_735_377_7),
    ] {
        for (relation, exact) in [(SubstituteOne, substitute), (AddRemoveOne, add_remove)] {
            let mechanism = settings(2, 10, epsilon, delta).neighbours(relation).mechanism().unwrap();
            let (noise, body) = (mechanism.noise(), mechanism.body());
            let Noise::Gaussian(blocks) = noise else { unreachable!() };
            let normal = blocks[0].normal;
            assert!((0.0..1.01).contains(&(normal.scale() as f64 - exact)), "{epsilon} {delta} {relation}");
            assert!(noise.meets(&mechanism.guarantee().budget(), body, relation));
            let privacy = noise.privacy(body, relation).unwrap();
            assert!(privacy.delta(epsilon) <= delta && privacy.delta(epsilon) > delta * (1.0 - 1e-4));
        }
    }
}

/// The variance of the noise in a count, in squared records.
fn variance(settings: &PerturbedHistogram) -> f64 {
    let mechanism = settings.mechanism().unwrap();
    mechanism.noise().variance(0) / (mechanism.body().steps() as f64).powi(2)
}

/// The statement in the documentation of [`PerturbedHistogram`].
#[test]
fn normal_noise_is_smaller_than_laplace_noise_only_for_a_large_delta() {
    for (epsilon, crossing) in [(1.0, 0.0073), (0.1, 0.00045)] {
        let variance = |delta| variance(&settings(1, 4, epsilon, delta));
        assert!(variance(crossing * 0.98) > variance(0.0));
        assert!(variance(crossing * 1.02) < variance(0.0));
    }
}

/// Noisy less exact counts of one release with 2^20 cells, in records.
fn noise_drawn(epsilon: f64, delta: f64) -> Vec<f64> {
    let cells = 1 << 20;
    let values = Array2::from_shape_fn((5_000, 1), |(row, _)| (row % 97) as f64 / 97.0);
    let settings = settings(1, cells, epsilon, delta);
    let exact = CellCounts::of(&points(values.clone()), &settings.cells);
    let noisy = release(&settings, values).unwrap().noisy_counts();
    noisy.iter().zip(exact.reveal()).map(|(noisy, exact)| noisy - *exact as f64).collect()
}

/// Chi-squared p-value of draws against cells with these upper ends and this distribution function.
fn p_value(draws: &[f64], ends: &[f64], cumulative: impl Fn(f64) -> f64) -> f64 {
    let mut counts = vec![0.0; ends.len() + 1];
    for draw in draws {
        counts[ends.partition_point(|end| end < draw)] += 1.0;
    }
    let levels: Vec<f64> = [0.0].into_iter().chain(ends.iter().map(|end| cumulative(*end))).chain([1.0]).collect();
    let expected = levels.windows(2).map(|pair| draws.len() as f64 * (pair[1] - pair[0]));
    let statistic = counts.iter().zip(expected).map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
    ChiSquared::new(ends.len() as f64).unwrap().sf(statistic)
}

#[test]
fn pure_noise_has_the_discrete_laplace_law_and_the_test_sees_ten_percent() {
    let ends: Vec<f64> = (-12..=12).map(f64::from).collect();
    let law = |t: f64| {
        move |k: f64| {
            let q = (-1.0 / t).exp();
            if k < 0.0 { q.powf(-k) / (1.0 + q) } else { 1.0 - q.powf(k + 1.0) / (1.0 + q) }
        }
    };
    let draws = noise_drawn(1.0, 0.0);
    assert!(p_value(&draws, &ends, law(2.0)) > LEVEL);
    assert!(p_value(&draws, &ends, law(1.8)) < LEVEL);
    let sum: f64 = draws.iter().map(|noise| noise * noise).sum();
    let variance = variance(&settings(1, 4, 1.0, 0.0));
    // the fourth moment of the law is 6 variances squared and a little
    assert!((sum / draws.len() as f64 / variance - 1.0).abs() < 4.9 * (5.3 / draws.len() as f64).sqrt());
}

#[test]
fn noise_with_delta_has_the_normal_law_and_the_test_sees_ten_percent() {
    let draws = noise_drawn(0.5, 0.01);
    let ends: Vec<f64> = (-24..=24).map(|k| f64::from(k) * 0.5).collect();
    let law = |sd: f64| move |x: f64| Normal::new(0.0, sd).unwrap().cdf(x);
    assert!(p_value(&draws, &ends, law(4.450_407_184)) > LEVEL);
    assert!(p_value(&draws, &ends, law(0.9 * 4.450_407_184)) < LEVEL);
}

#[test]
fn too_few_records_are_refused_where_their_number_is_public_and_only_there() {
    for delta in [0.0, 1e-6] {
        let settings = settings(1, 4, 1.0, delta);
        for rows in [0, 1] {
            let refused = release(&settings, Array2::zeros((rows, 1)));
            let too_few = MechanismError::TooFewRecords { least: 2, found: rows as u64 };
            assert_eq!(refused, Err(HistogramError::Mechanism(too_few)));
        }
        assert_eq!(release(&settings, Array2::zeros((2, 1))).unwrap().public_records(), Some(2));
        let settings = settings.neighbours(AddRemoveOne);
        for rows in [0, 1, 2] {
            assert_eq!(release(&settings, Array2::zeros((rows, 1))).unwrap().public_records(), None);
        }
    }
}

#[test]
fn budgets_that_cannot_be_met_and_bounds_that_differ_are_refused() {
    let refused = |epsilon, delta| release(&settings(1, 4, epsilon, delta), Array2::zeros((3, 1))).unwrap_err();
    let noise = |error| HistogramError::Mechanism(MechanismError::Noise(error));
    assert_eq!(refused(0.0, 0.0), noise(NoiseError::Laplace(DiscreteLaplaceError::NothingToSpend)));
    assert_eq!(refused(1e-30, 0.0), noise(NoiseError::Laplace(DiscreteLaplaceError::TooLarge)));
    assert_eq!(refused(1.0, 0.9), noise(NoiseError::Gaussian(CalibrationError::Delta { value: 0.9 })));
    let elsewhere = Points::new(Array2::zeros((3, 1)), Bounds::new(vec![(0.0, 2.0)]).unwrap()).unwrap();
    let refused = settings(1, 4, 1.0, 0.0).release(&elsewhere, &mut SeededRandomness::from_seed(1));
    assert_eq!(refused, Err(HistogramError::BoundsDiffer));
}

#[test]
fn cells_of_the_rate_need_a_public_number_of_records() {
    for (dimension, records, per_axis) in [(1, 1_000, 10), (2, 10_000, 10), (3, 100_000, 10), (1, 0, 1), (2, 1, 1)] {
        let cells = cells_by_rate(cube(dimension), records, SubstituteOne).unwrap();
        assert_eq!(cells.per_axis(), per_axis);
    }
    assert_eq!(cells_by_rate(cube(1), 1_000, AddRemoveOne), Err(HistogramError::PrivateCount));
    let huge = cells_by_rate(cube(3), u64::MAX, SubstituteOne);
    assert!(matches!(huge, Err(HistogramError::Cells(CellsError::TooMany { .. }))));
}

#[test]
fn cells_to_merge_are_about_four_times_those_of_the_rate_and_have_many_divisors() {
    let per_axis = |dimension, records| cells_to_merge(cube(dimension), records).unwrap().per_axis();
    // the rates are 10, 6 and 4
    assert_eq!([1, 2, 3].map(|dimension| per_axis(dimension, 1_000)), [48, 12, 8]);
    assert_eq!([0, 2, 100, 8_000, 1_000_000].map(|records| per_axis(1, records)), [4, 4, 24, 84, 408]);
    for (dimension, records) in [(1, 1 << 20), (2, 1 << 30), (3, 1 << 34)] {
        let rate = cells_by_rate(cube(dimension), records, SubstituteOne).unwrap().count() as f64;
        let ratio = cells_to_merge(cube(dimension), records).unwrap().count() as f64 / rate;
        assert!((4.0..4.5).contains(&ratio), "{dimension}: {ratio}");
    }
    assert!(matches!(cells_to_merge(cube(3), u64::MAX), Err(CellsError::TooMany { .. })));
}

#[test]
fn with_hardly_any_noise_the_density_is_the_histogram() {
    let values = array![[0.1], [0.15], [0.6], [0.9], [f64::NAN], [f64::INFINITY], [-1.0], [1.0]];
    for relation in RELATIONS {
        let release = release(&settings(1, 4, 1e9, 0.0).neighbours(relation), values.clone()).unwrap();
        assert_eq!(release.coordinates(), [3, 0, 2, 3]);
        assert_eq!(release.density().probabilities(), [0.375, 0.0, 0.25, 0.375]);
        assert_eq!(release.density().at(&[0.1]), 1.5);
        assert_eq!(release.merged(2).unwrap().density().probabilities(), [0.375, 0.625]);
    }
}

#[test]
fn one_cell_gives_the_uniform_density_whatever_the_noise() {
    for (dimension, epsilon) in [(1, 1.0), (3, 1e-9)] {
        let release = release(&settings(dimension, 1, epsilon, 0.0), Array2::zeros((2, dimension))).unwrap();
        assert_eq!(release.density().probabilities(), [1.0]);
        assert_eq!(release.merged_by_risk(), release);
    }
}

#[test]
fn in_three_dimensions_all_cells_are_there() {
    let values = Array2::from_shape_fn((4_000, 3), |(row, axis)| ((row * (3 + axis)) % 17) as f64 / 17.0);
    let release = release(&settings(3, 6, 1.0, 1e-6), values).unwrap();
    assert_eq!(release.coordinates().len(), 216);
    assert_eq!(release.risks().iter().map(|candidate| candidate.per_axis).collect::<Vec<_>>(), [1, 2, 3, 6]);
    let total: f64 = release.density().marginal(2).unwrap().probabilities().iter().sum();
    assert!((total - 1.0).abs() < 1e-12);
}

#[test]
fn a_release_says_what_it_is() {
    let settings = settings(1, 4, 1.0, 1e-6);
    let seeded = release(&settings, Array2::zeros((2, 1))).unwrap();
    assert!(!seeded.is_private() && seeded.arithmetic() == Arithmetic::Exact);
    assert!(
        settings.release(&points(Array2::zeros((2, 1))), &mut SystemRandomness::new().unwrap()).unwrap().is_private()
    );
    assert!((seeded.noise_sd() - 5.974_598_18).abs() < 1e-5);
    assert!((seeded.privacy().unwrap().mu() - 0.236_704_38).abs() < 1e-6);
    assert_eq!(seeded.unit(), PrivacyUnit::Curve);
    let told: Vec<String> = seeded.facts().into_iter().map(|fact| format!("{}: {}", fact.name, fact.text)).collect();
    for said in ["mechanism: perturbed histogram", "of standard deviation 5.975", "cells: 4 cells", "NOTE: NOT PRIVATE"]
    {
        assert!(told.iter().any(|fact| fact.contains(said)), "{said}: {told:?}");
    }
    let merged = seeded.merged(2).unwrap().facts();
    assert!(merged.iter().any(|fact| fact.text == "2 cells, merged from 4 cells"));
}

#[test]
fn parts_that_are_joined_make_the_release_of_all_points() {
    let values = Array2::from_shape_fn((10, 1), |(row, _)| row as f64 / 10.0);
    let settings = settings(1, 4, 1.0, 0.0).unit(PrivacyUnit::Curve);
    let whole = release(&settings, values.clone()).unwrap();
    let mechanism = settings.mechanism().unwrap();
    let part = |name: &str, rows: std::ops::Range<usize>| {
        let mut part = mechanism.partial(name.parse::<PartId>().unwrap());
        let points = points(values.select(ndarray::Axis(0), &rows.collect::<Vec<_>>()));
        points.rows().for_each(|row| part.add(row).unwrap());
        part
    };
    let mut joined = part("first", 0..3);
    joined.merge(part("second", 3..10)).unwrap();
    let prepared = mechanism.prepare(joined).unwrap();
    assert_eq!(HistogramRelease::from(prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1))), whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Neither values nor budgets nor shapes make it panic, and whatever is released reads back as the same.
    #[test]
    fn no_input_panics_and_every_release_reads_back(
        values in vec(ANY, 0..40),
        dimension in 1_usize..=3,
        per_axis in 0_usize..=9,
        epsilon in prop_oneof![0.0..3.0, 1e-18..1e-12, 1e6..1e300],
        delta in prop_oneof![Just(0.0), 1e-15..0.5],
        add_remove: bool,
        merged in 0_usize..=9,
    ) {
        let rows = values.len() / dimension;
        let values = Array2::from_shape_vec((rows, dimension), values[..rows * dimension].to_vec()).unwrap();
        let Ok(cells) = Cells::new(cube(dimension), per_axis) else { return Ok(()) };
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        let relation = RELATIONS[usize::from(add_remove)];
        let Ok(release) = release(&PerturbedHistogram::new(cells, budget).neighbours(relation), values) else { return Ok(()) };
        let sum: f64 = release.density().probabilities().iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        prop_assert!(release.risks().iter().all(|candidate| candidate.risk.is_finite()));
        let shown = release.merged(merged).unwrap_or_else(|_| release.merged_by_risk());
        let back = HistogramRelease::from_json(&shown.to_json().unwrap()).unwrap();
        prop_assert_eq!(back, shown);
    }
}
