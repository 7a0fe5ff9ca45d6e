#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::decision::Exponent;
use super::{SeriesExponential, SeriesExponentialError};
use crate::bounds::Bounds;
use crate::points::Points;
use crate::{BasisError, CosineBasis, SeriesSensitivity};

fn points(dimension: usize, values: &[f64]) -> Points {
    let values = Array2::from_shape_vec((values.len() / dimension, dimension), values.to_vec()).unwrap();
    Points::new(values, Bounds::new(vec![(0.0, 1.0); dimension]).unwrap()).unwrap()
}

fn mechanism(terms: usize, per_axis: usize, draws: usize, epsilon: f64) -> SeriesExponential {
    SeriesExponential::new(terms, per_axis, draws, PrivacyBudget::new(epsilon, 0.0).unwrap()).unwrap()
}

fn means(basis: &CosineBasis, rows: &[Vec<f64>]) -> Vec<f64> {
    let (mut means, mut values) = (vec![0.0; basis.terms()], Vec::new());
    for row in rows {
        basis.values_into(row, &mut values);
        means.iter_mut().zip(&values).for_each(|(mean, value)| *mean += value / rows.len() as f64);
    }
    means
}

/// The probabilities of all `cells^2` pairs, by enumeration in real numbers: (8) with the score of (14).
fn enumerated(data: &[Vec<f64>], basis: &CosineBasis, per_axis: usize, epsilon: f64) -> Vec<f64> {
    let dimension = basis.dimension();
    let cells = per_axis.pow(u32::try_from(dimension).unwrap());
    let place = |cell: usize| -> Vec<f64> {
        let at = |axis: usize| cell / per_axis.pow(u32::try_from(dimension - 1 - axis).unwrap()) % per_axis;
        (0..dimension).map(|axis| (at(axis) as f64 + 0.5) / per_axis as f64).collect()
    };
    let target = means(basis, data);
    let rate = epsilon * data.len() as f64 / (2.0 * SeriesSensitivity::l2(basis).attained);
    let weight = |pair: usize| {
        let found = means(basis, &[place(pair / cells), place(pair % cells)]);
        let squared: f64 = target.iter().zip(&found).map(|(a, b)| (a - b).powi(2)).sum();
        (-rate * squared.sqrt()).exp()
    };
    let weights: Vec<f64> = (0..cells * cells).map(weight).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

fn rejected(counts: &[u32], probabilities: &[f64]) -> bool {
    let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    let terms =
        counts.iter().zip(probabilities).map(|(count, p)| (f64::from(*count) - total * p).powi(2) / (total * p));
    terms.sum::<f64>() > ChiSquared::new(counts.len() as f64 - 1.0).unwrap().inverse_cdf(1.0 - 1e-6)
}

#[test]
fn draws_have_the_enumerated_probabilities_and_ten_percent_of_epsilon_are_seen() {
    let one = vec![vec![0.1], vec![0.2], vec![0.15], vec![0.9]];
    let two = vec![vec![0.1, 0.8], vec![0.3, 0.9], vec![0.2, 0.7]];
    for (data, terms, per_axis, epsilon) in [(&one, 2, 4, 2.0), (&two, 3, 2, 3.0)] {
        let dimension = data[0].len();
        let basis = CosineBasis::new(dimension, terms).unwrap();
        let flat: Vec<f64> = data.iter().flatten().copied().collect();
        let (points, mechanism) = (points(dimension, &flat), mechanism(terms, per_axis, 2, epsilon));
        let mut randomness = SeededRandomness::from_seed(1);
        let mut counts = vec![0_u32; 16];
        let prepared = mechanism.prepare(&points).unwrap();
        prepared.repeat(200_000, &mut randomness, |pair| counts[4 * pair[0] + pair[1]] += 1);
        let release = mechanism.release(&points, &mut SeededRandomness::from_seed(9)).unwrap();
        prepared.repeat(1, &mut SeededRandomness::from_seed(9), |same| assert_eq!(release.draws(), same));
        assert!(!rejected(&counts, &enumerated(data, &basis, per_axis, epsilon)), "dimension {dimension}");
        assert!(rejected(&counts, &enumerated(data, &basis, per_axis, 0.9 * epsilon)), "dimension {dimension}");
    }
}

#[test]
fn enumerated_probabilities_of_neighbours_are_within_epsilon() {
    let basis = CosineBasis::new(1, 1).unwrap();
    let data = |last: f64| (0..9).map(|_| vec![0.0]).chain([vec![last]]).collect::<Vec<_>>();
    for epsilon in [0.1, 1.0] {
        let (here, there) = (enumerated(&data(0.0), &basis, 40, epsilon), enumerated(&data(1.0), &basis, 40, epsilon));
        let loss = here.iter().zip(&there).map(|(a, b)| (a / b).ln().abs()).fold(0.0, f64::max);
        assert!(loss <= epsilon && loss > 0.5 * epsilon, "{loss}");
    }
}

#[test]
fn refined_decisions_are_those_of_doubles_where_doubles_tell() {
    let exponent = Exponent::new(1.0, 1, 2.0);
    let mut randomness = SeededRandomness::from_seed(2);
    for root in [0_u128, 1, 3, 12, 40] {
        // t = root / 4
        let p = (-(root as f64) / 4.0).exp();
        for i in 1..200_u64 {
            let first = i * (u64::MAX / 200);
            let level = i as f64 / 200.0;
            if (level - p).abs() > 1e-6 {
                assert_eq!(exponent.refined(root * root, first, &mut randomness), level < p, "{root} {i}");
            }
        }
    }
    // exp(-1/2) = 0.9B4597E37CB04FF3 D675..., so this first digit leaves it open, and its neighbours do not
    let boundary = 0x9B45_97E3_7CB0_4FF3;
    let kept = |first: u64, randomness: &mut SeededRandomness| exponent.refined(4, first, randomness);
    assert!(kept(boundary - 1, &mut randomness) && !kept(boundary + 1, &mut randomness));
    let total = (0..4_000).filter(|_| kept(boundary, &mut randomness)).count() as f64;
    let share = f64::from(0xD675_u32) / 65_536.0;
    assert!((total - 4_000.0 * share).abs() < 4.9 * (4_000.0 * share * (1.0 - share)).sqrt(), "{total}");
}

#[test]
fn the_release_has_points_a_density_and_its_provenance() {
    let data: Vec<f64> = (0..100).map(|i| 0.3 + 0.4 * f64::from(i) / 100.0).collect();
    let release = mechanism(3, 50, 10, 0.1).release(&points(1, &data), &mut SeededRandomness::from_seed(3)).unwrap();
    assert_eq!(release.midpoints().dim(), (10, 1));
    assert!(release.series().unwrap().integral() >= 1.0 - 1e-9 && !release.is_private());
    let written: serde_json::Value = serde_json::from_str(&release.to_json().unwrap()).unwrap();
    let privacy = &written["privacy"];
    assert_eq!((&privacy["arithmetic"], &privacy["records"]), (&"exact".into(), &100.into()));
    assert_eq!((&written["kind"], &privacy["private"]), (&"series-exponential".into(), &false.into()));
}

#[test]
fn what_rejection_cannot_do_and_bad_input_are_refused() {
    let budget = |epsilon, delta| PrivacyBudget::new(epsilon, delta).unwrap();
    let new = |terms, draws, epsilon, delta| SeriesExponential::new(terms, 10, draws, budget(epsilon, delta));
    assert_eq!(new(0, 1, 1.0, 0.0), Err(SeriesExponentialError::Basis(BasisError::NoTerms)));
    assert_eq!(new(1, 0, 1.0, 0.0), Err(SeriesExponentialError::NoDraws));
    assert_eq!(new(1, 1, 0.0, 0.0), Err(SeriesExponentialError::Budget { epsilon: 0.0, delta: 0.0 }));
    assert_eq!(new(1, 1, 1.0, 1e-6), Err(SeriesExponentialError::Budget { epsilon: 1.0, delta: 1e-6 }));
    let mut randomness = SeededRandomness::from_seed(0);
    let refused = mechanism(1, 10, 1, 0.1).release(&points(1, &[0.5; 1000]), &mut randomness);
    assert_eq!(refused, Err(SeriesExponentialError::Unworkable { exponent: 50.0 }));
    let empty = mechanism(1, 10, 1, 0.1).release(&points(1, &[]), &mut randomness);
    assert_eq!(empty, Err(SeriesExponentialError::NoRecords));
    let large = mechanism(100, 1 << 20, 1, 0.1).release(&points(1, &[0.5]), &mut randomness);
    assert_eq!(large, Err(SeriesExponentialError::TooLarge));
}
