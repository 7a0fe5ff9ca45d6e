#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::SmoothedHistogramError as Error;
use super::draw::Mixture;
use super::{SmoothedHistogram, SmoothedHistogramError};
use crate::draws::DrawsCells;
use crate::{Bounds, CellDraws, Cells, MAX_DRAWS, Points};

mod best_test;

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::SubstituteOne;
const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

fn budget(epsilon: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, 0.0).unwrap()
}

fn cells(count: usize) -> Cells {
    Cells::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), count).unwrap()
}

fn smallest(epsilon: f64, records: u64, m: usize, draws: usize) -> SmoothedHistogram {
    SmoothedHistogram::with_smallest_mixture(budget(epsilon), SUBSTITUTE, records, cells(m), draws).unwrap()
}

fn formula(mixture: f64, records: u64, m: usize, draws: usize) -> f64 {
    draws as f64 * ((1.0 - mixture) * m as f64 / (records as f64 * mixture)).ln_1p()
}

#[test]
fn the_smallest_mixture_meets_the_condition_and_one_step_less_does_not() {
    for (epsilon, records, m, draws) in
        [(1.0, 100, 10, 5), (0.1, 1000, 20, 30), (5.0, 1, 2, 1), (1e-6, 1_000_000, 3, 1), (700.0, 1 << 40, 1 << 20, 2)]
    {
        let mechanism = smallest(epsilon, records, m, draws);
        let d = mechanism.mixture();
        let closed = m as f64 / (m as f64 + records as f64 * (epsilon / draws as f64).exp_m1());
        assert!((d - closed).abs() <= 2.0 * STEP + 1e-9 * closed, "{d} {closed}");
        assert!(mechanism.loss() <= epsilon);
        assert!((mechanism.loss() / formula(d, records, m, draws) - 1.0).abs() < 1e-13);
        let again = SmoothedHistogram::new(budget(epsilon), SUBSTITUTE, records, cells(m), draws, d).unwrap();
        assert_eq!(again, mechanism);
        if d > STEP {
            let less = SmoothedHistogram::new(budget(epsilon), SUBSTITUTE, records, cells(m), draws, d - STEP);
            assert!(matches!(less, Err(SmoothedHistogramError::Condition { loss, .. }) if loss > epsilon), "{epsilon}");
        }
    }
}

#[test]
fn a_mixture_is_rounded_up_so_that_it_is_never_too_small() {
    let tiny = SmoothedHistogram::new(budget(800.0), SUBSTITUTE, 10, cells(3), 1, 1e-300).unwrap();
    assert_eq!(tiny.mixture(), STEP);
}

#[test]
fn a_file_states_a_mixture_of_the_grid_exactly() {
    let points = Points::new(Array2::zeros((10, 1)), Bounds::new(vec![(0.0, 1.0)]).unwrap()).unwrap();
    let tiny = SmoothedHistogram::new(budget(800.0), SUBSTITUTE, 10, cells(3), 1, STEP).unwrap();
    let release = tiny.release(&points, &mut SeededRandomness::from_seed(1)).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&release.to_json().unwrap()).unwrap();
    assert_eq!(CellDraws::from_json(&document.to_string()).unwrap(), release);
    for wrong in [0.3 * STEP, 0.0, 1.0, -0.1, f64::NAN, 1.5 * STEP] {
        document["statistic"]["mixture"] = wrong.into();
        assert!(CellDraws::from_json(&document.to_string()).is_err(), "{wrong}");
    }
}

#[test]
fn no_epsilon_asks_for_more_cells_or_draws_than_there_may_be() {
    for dimension in 1..=3 {
        let size = SmoothedHistogram::size_for_squared_l2_distance(u64::MAX, f64::MAX, dimension);
        assert_eq!((size.per_axis, size.draws), (256, crate::MAX_DRAWS));
    }
}

#[test]
fn sizes_have_the_rates_of_theorems_6_and_7_with_a_mixture_that_meets_the_condition() {
    for (n, alpha) in [(10_000_000_000_u64, 1.0), (100_000_000_000, 0.1)] {
        let effective = n as f64 * alpha;
        for r in [1_usize, 2, 3] {
            let ks = SmoothedHistogram::size_for_ks_distance(n, alpha, r);
            let l2 = SmoothedHistogram::size_for_squared_l2_distance(n, alpha, r);
            let dimension = r as f64;
            assert!((ks.per_axis as f64 / effective.powf(1.0 / (6.0 + dimension)) - 1.0).abs() < 0.05);
            assert!((ks.draws as f64 / effective.powf(4.0 / (6.0 + dimension)) - 1.0).abs() < 0.01);
            assert!((l2.per_axis as f64 / effective.powf(1.0 / (2.0 * dimension + 3.0)) - 1.0).abs() < 0.05);
            let exponent = (dimension + 2.0) / (2.0 * dimension + 3.0);
            assert!((l2.draws as f64 / effective.powf(exponent) - 1.0).abs() < 0.01);
            // the mixture is m k / (n alpha) in the limit: of order N^(-1/(2r+3)) for L2
            let count = l2.per_axis.pow(u32::try_from(r).unwrap());
            let mixture = smallest(alpha, n, count, l2.draws).mixture();
            assert!((mixture * effective.powf(1.0 / (2.0 * dimension + 3.0)) - 1.0).abs() < 0.15, "{r}: {mixture}");
        }
    }
    let little = SmoothedHistogram::size_for_ks_distance(1, 0.01, 1);
    assert_eq!((little.per_axis, little.draws), (2, 1));
}

/// Whether draws of four cells look like the mixture of `[4, 0, 1, 5] / 10` and the uniform law: false-positive rate 1e-6.
fn fits(mechanism: &SmoothedHistogram, mixture: f64, seed: u64) -> bool {
    let mut randomness = SeededRandomness::from_seed(seed);
    let counts = [4, 0, 1, 5];
    let mut seen = [0.0; 4];
    for cell in Mixture::new(&counts, mechanism.mixture, mechanism.draws).draw(&mut randomness) {
        seen[cell] += 1.0;
    }
    let total = mechanism.draws() as f64;
    let term = |j: usize| {
        let expected = total * ((1.0 - mixture) * counts[j] as f64 / 10.0 + mixture / 4.0);
        (seen[j] - expected).powi(2) / expected
    };
    ChiSquared::new(3.0).unwrap().sf((0..4).map(term).sum()) > 1e-6
}

#[test]
fn draws_have_the_mixed_law_and_the_test_catches_a_mixture_ten_percent_too_small() {
    for (seed, mixture) in (1..).zip([0.05, 0.5, 0.9]) {
        let mechanism = SmoothedHistogram::new(budget(1e9), SUBSTITUTE, 10, cells(4), 300_000, mixture).unwrap();
        assert!(fits(&mechanism, mixture, seed), "{mixture}");
        assert!(!fits(&mechanism, mixture / 0.9, seed), "{mixture}");
    }
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let refusal = |epsilon, delta, relation, records, draws| {
        let budget = PrivacyBudget::new(epsilon, delta).unwrap();
        SmoothedHistogram::with_smallest_mixture(budget, relation, records, cells(3), draws).unwrap_err()
    };
    assert_eq!(refusal(0.0, 0.0, SUBSTITUTE, 5, 1), Error::Epsilon { value: 0.0 });
    assert_eq!(refusal(1.0, 0.1, SUBSTITUTE, 5, 1), Error::Delta { value: 0.1 });
    assert_eq!(refusal(1.0, 0.0, NeighbouringRelation::AddRemoveOne, 5, 1), Error::AddRemove);
    assert_eq!(refusal(1.0, 0.0, SUBSTITUTE, 0, 1), Error::NoRecords);
    assert_eq!(refusal(1.0, 0.0, SUBSTITUTE, 5, 0), Error::Draws { value: 0 });
    assert_eq!(refusal(1.0, 0.0, SUBSTITUTE, 5, MAX_DRAWS + 1), Error::Draws { value: MAX_DRAWS + 1 });
    assert_eq!(refusal(1e-300, 0.0, SUBSTITUTE, 5, 1), Error::NothingLeft { draws: 1, cells: 3, epsilon: 1e-300 });
    for mixture in [0.0, 1.0, -0.5, f64::NAN] {
        let refused = SmoothedHistogram::new(budget(1.0), SUBSTITUTE, 5, cells(3), 1, mixture);
        assert!(matches!(refused, Err(Error::Mixture { .. })));
    }
    let none = SmoothedHistogram::new(budget(0.1), SUBSTITUTE, 5, cells(3), 1, 0.5).unwrap_err();
    assert!(matches!(none, Error::Condition { draws: 1, .. }));
    assert!(none.to_string().contains("Theorem 5"));
}

#[test]
fn points_must_be_those_that_were_announced() {
    let mut randomness = SeededRandomness::from_seed(1);
    let on =
        |upper: f64, n: usize| Points::new(Array2::zeros((n, 1)), Bounds::new(vec![(0.0, upper)]).unwrap()).unwrap();
    let mechanism = smallest(1.0, 3, 2, 1);
    assert_eq!(mechanism.release(&on(2.0, 3), &mut randomness), Err(SmoothedHistogramError::Bounds));
    let other = mechanism.release(&on(1.0, 2), &mut randomness);
    assert_eq!(other, Err(SmoothedHistogramError::OtherRecords { stated: 3, found: 2 }));
    let release = mechanism.release(&on(1.0, 3), &mut randomness).unwrap();
    assert_eq!((release.draws().len(), release.public_records(), release.is_private()), (1, Some(3), false));
}
