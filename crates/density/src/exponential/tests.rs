#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::paths::Paths;
use super::sampler::Sampler;
use super::staircase::Staircase;
use super::{KsExponential, KsExponentialError};
use crate::{Bounds, Cells, Points};

mod large;
mod law;

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::SubstituteOne;
const ADD_REMOVE: NeighbouringRelation = NeighbouringRelation::AddRemoveOne;

fn budget(epsilon: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, 0.0).unwrap()
}

fn cells(count: usize) -> Cells {
    Cells::new(Bounds::new(vec![(0.0, 1.0)]).unwrap(), count).unwrap()
}

/// All ways to put `total` into so many cells.
fn compositions(total: u64, cells: usize) -> Vec<Vec<u64>> {
    if cells == 1 {
        return vec![vec![total]];
    }
    let first = |c: u64| compositions(total - c, cells - 1).into_iter().map(move |rest| [vec![c], rest].concat());
    (0..=total).flat_map(first).collect()
}

fn factorial(k: u64) -> f64 {
    (1..=k).map(|i| i as f64).product()
}

/// The number of `z` with these counts.
fn orders(counts: &[u64]) -> f64 {
    factorial(counts.iter().sum()) / counts.iter().map(|c| factorial(*c)).product::<f64>()
}

/// `n xi(x, z)`, from its definition.
fn score(x: &[u64], z: &[u64]) -> f64 {
    let (n, k) = (x.iter().sum::<u64>() as f64, z.iter().sum::<u64>() as f64);
    let (mut a, mut b, mut most) = (0.0, 0.0, 0.0_f64);
    for (x, z) in x.iter().zip(z) {
        a += *x as f64;
        b += *z as f64;
        most = most.max((a - n * b / k).abs());
    }
    most
}

/// The probabilities of all counts of `k` draws, by enumeration; `factor` is 1/2 in the mechanism.
fn law(x: &[u64], k: u64, epsilon: f64, factor: f64) -> Vec<(Vec<u64>, f64)> {
    let outcomes = compositions(k, x.len());
    let weights: Vec<f64> = outcomes.iter().map(|z| orders(z) * (-epsilon * factor * score(x, z)).exp()).collect();
    let total: f64 = weights.iter().sum();
    outcomes.into_iter().zip(weights.into_iter().map(|weight| weight / total)).collect()
}

fn counts_of(draws: &[usize], cells: usize) -> Vec<u64> {
    let mut counts = vec![0; cells];
    for cell in draws {
        counts[*cell] += 1;
    }
    counts
}

/// The loss between the worst pair of neighbours, by enumeration over all data sets of up to so many records.
fn worst_loss(relation: NeighbouringRelation, most: u64, m: usize, k: u64, epsilon: f64, factor: f64) -> f64 {
    let mut worst = 0.0_f64;
    let least = u64::from(relation == SUBSTITUTE);
    for x in (least..=most).flat_map(|n| compositions(n, m)) {
        let before = law(&x, k, epsilon, factor);
        for (removed, added) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let mut y = x.clone();
            if relation == SUBSTITUTE {
                if x[removed] == 0 {
                    continue;
                }
                y[removed] -= 1;
            }
            y[added] += 1;
            let after = law(&y, k, epsilon, factor);
            let losses = before.iter().zip(&after).map(|((_, p), (_, q))| (p / q).ln().abs());
            worst = losses.fold(worst, f64::max);
        }
    }
    worst
}

#[test]
fn the_exact_loss_is_within_epsilon_under_both_relations_and_without_the_factor_2_it_is_not() {
    for relation in [SUBSTITUTE, ADD_REMOVE] {
        for (most, m, k) in [(4, 3, 2), (3, 4, 3), (5, 2, 4)] {
            for epsilon in [0.1, 1.0, 4.0] {
                let loss = worst_loss(relation, most, m, k, epsilon, 0.5);
                assert!(loss <= epsilon * (1.0 + 1e-12), "{relation} {most} {m} {k} {epsilon}: {loss}");
                assert!(loss > 0.2 * epsilon, "something is spent: {loss}");
            }
        }
        // planted: the normalising constant is not paid for
        assert!(worst_loss(relation, 4, 3, 2, 1.0, 1.0) > 1.0, "{relation}");
    }
}

#[test]
fn the_sensitivity_of_the_score_is_1_and_attained_under_both_relations() {
    let z = [0, 3, 0];
    assert_eq!((score(&[0, 5, 0], &z) - score(&[1, 4, 0], &z)).abs(), 1.0);
    assert_eq!((score(&[0, 5, 0], &z) - score(&[1, 5, 0], &z)).abs(), 1.0);
}

#[test]
fn distances_are_those_of_the_definition() {
    for x in [vec![0, 0, 3, 0, 0, 0, 2, 1, 0], vec![5, 0, 0, 0, 0, 0, 0, 0, 0], vec![1; 9], vec![0; 9]] {
        let staircase = Staircase::new(&x, 3);
        let n: u64 = x.iter().sum();
        let outcomes = compositions(3, 9);
        let of = |z: &Vec<u64>| {
            let draws: Vec<usize> =
                (0..9).flat_map(|j| std::iter::repeat_n(j, usize::try_from(z[j]).unwrap())).collect();
            let distance = staircase.distance(&draws);
            assert!((distance as f64 - 3.0 * score(&x, z)).abs() < 1e-9, "{n} {z:?}");
            distance
        };
        let distances: Vec<u64> = outcomes.iter().map(of).collect();
        assert_eq!(staircase.smallest(), *distances.iter().min().unwrap());
        assert!(staircase.largest() >= *distances.iter().max().unwrap());
    }
}

#[test]
fn the_number_of_paths_is_bounded_from_above_and_tightly_at_every_threshold() {
    for x in [vec![0, 0, 3, 0, 0, 2, 1, 0], vec![1, 2, 0, 0, 4, 0, 1, 1], vec![0, 0, 0, 0, 7, 0, 0, 0]] {
        let (k, n) = (4, x.iter().sum::<u64>());
        let staircase = Staircase::new(&x, 4);
        for threshold in 0..=k * n {
            let within = compositions(k, 8).into_iter().filter(|z| k as f64 * score(&x, z) <= threshold as f64 + 1e-6);
            let exact: f64 = within.map(|z| orders(&z)).sum();
            let Some(steps) = staircase.steps(threshold) else {
                assert_eq!(exact, 0.0);
                continue;
            };
            let bound = Paths::new(steps, 4).total().ln().exp() * 24.0;
            assert!((bound / exact - 1.0).abs() < 1e-13, "{threshold}: {bound} for {exact}");
        }
    }
}

fn points(values: Vec<f64>) -> Points {
    Points::new(Array2::from_shape_vec((values.len(), 1), values).unwrap(), Bounds::new(vec![(0.0, 1.0)]).unwrap())
        .unwrap()
}

#[test]
fn a_release_tells_the_number_of_records_under_substitute_alone() {
    let mut randomness = SeededRandomness::from_seed(3);
    for (relation, records) in [(SUBSTITUTE, Some(4)), (ADD_REMOVE, None)] {
        let mechanism = KsExponential::new(budget(50.0), relation, cells(10), 4).unwrap();
        let release = mechanism.release(&points(vec![0.11, 0.32, 0.32, 0.95]), &mut randomness).unwrap();
        assert_eq!(release.public_records(), records);
        assert_eq!(release.draws(), [1, 3, 3, 9], "at a large epsilon the data are drawn");
        assert!(!release.is_private());
        assert_eq!(crate::CellDraws::from_json(&release.to_json().unwrap()).unwrap(), release);
    }
    let nobody = points(Vec::new());
    let alone = KsExponential::new(budget(1.0), ADD_REMOVE, cells(10), 4).unwrap();
    assert_eq!(alone.release(&nobody, &mut randomness).unwrap().draws().len(), 4);
    let refused = KsExponential::new(budget(1.0), SUBSTITUTE, cells(10), 4).unwrap();
    assert_eq!(refused.release(&nobody, &mut randomness), Err(KsExponentialError::NoRecords));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let refusal = |epsilon, delta, cells, draws| {
        KsExponential::new(PrivacyBudget::new(epsilon, delta).unwrap(), SUBSTITUTE, cells, draws).unwrap_err()
    };
    assert_eq!(refusal(0.0, 0.0, cells(3), 2), KsExponentialError::Epsilon { value: 0.0 });
    assert_eq!(refusal(1001.0, 0.0, cells(3), 2), KsExponentialError::Epsilon { value: 1001.0 });
    assert_eq!(refusal(1.0, 1e-6, cells(3), 2), KsExponentialError::Delta { value: 1e-6 });
    assert_eq!(refusal(1.0, 0.0, cells(3), 0), KsExponentialError::NoDraws);
    assert!(matches!(refusal(1.0, 0.0, cells(3), usize::MAX), KsExponentialError::TooLarge { .. }));
    let large = refusal(1.0, 0.0, cells(1 << 20), 1000);
    assert!(large.to_string().contains("15.6 GiB"), "{large}");
    let plane = Cells::new(Bounds::new(vec![(0.0, 1.0); 2]).unwrap(), 3).unwrap();
    assert_eq!(refusal(1.0, 0.0, plane, 2), KsExponentialError::SeveralAxes { dimension: 2 });
    let elsewhere = Cells::new(Bounds::new(vec![(0.0, 2.0)]).unwrap(), 3).unwrap();
    let mechanism = KsExponential::new(budget(1.0), SUBSTITUTE, elsewhere, 2).unwrap();
    let release = mechanism.release(&points(vec![0.5]), &mut SeededRandomness::from_seed(1));
    assert_eq!(release, Err(KsExponentialError::Bounds));
}

#[test]
fn the_default_number_of_draws_has_the_order_of_theorem_12() {
    assert_eq!(KsExponential::default_draws(10_000, 1.0), 965);
    assert_eq!(KsExponential::default_draws(80_000, 1.0), 3862);
    assert_eq!(KsExponential::default_draws(100, 0.1), 10);
    assert_eq!((KsExponential::default_draws(5, 50.0), KsExponential::default_draws(0, 1.0)), (5, 1));
}
