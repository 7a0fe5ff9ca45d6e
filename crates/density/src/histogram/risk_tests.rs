#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use rand::RngExt;

use super::{NoisyTotal, merge, prime_factors};
use crate::bounds::Bounds;
use crate::cells::Cells;
use crate::histogram::PerturbedHistogram;
use crate::points::Points;

fn line(per_axis: usize) -> Cells {
    Cells::new(Bounds::new(vec![(0.0, 2.0)]).unwrap(), per_axis).unwrap()
}

/// All vectors of so many numbers from 0 to below `end`.
fn all_vectors(length: u32, end: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..end.pow(length)).map(move |code| (0..length).map(|place| code / end.pow(place) % end).collect())
}

/// Three records in four cells of unequal probability, and noise of -1, 0 or 1: all 64 * 81 outcomes.
#[test]
fn the_estimate_is_unbiased_by_enumeration() {
    let (fine, truth) = (line(4), [0.1, 0.2, 0.3, 0.4]);
    let (noise_law, noise_variance) = ([0.3, 0.4, 0.3], 0.6);
    for per_axis in [1, 2, 4] {
        let volume = 2.0 / per_axis as f64;
        let truth_merged = merge(&fine, &truth, per_axis).unwrap().1;
        let (mut estimated, mut real, mut without_variance) = (0.0, 0.0, 0.0);
        for records in all_vectors(3, 4) {
            for noise in all_vectors(4, 3) {
                let chance = records.iter().map(|cell| truth[*cell]).product::<f64>()
                    * noise.iter().map(|value| noise_law[*value]).product::<f64>();
                let mut counts: Vec<f64> = noise.iter().map(|value| *value as f64 - 1.0).collect();
                for cell in &records {
                    counts[*cell] += 1.0;
                }
                let known = NoisyTotal { records: Some(3), total: counts.iter().sum(), variance: 4.0 * noise_variance };
                let merged = merge(&fine, &counts, per_axis).unwrap().1;
                let squares = merged.iter().map(|count| count * count).sum();
                estimated += chance * known.risk(squares, volume);
                without_variance += chance * NoisyTotal { variance: 0.0, ..known }.risk(squares, volume);
                // int (D/(nV) - p)^2 - int p^2 = sum D^2 / (n^2 V) - 2 sum D P / (n V), for any p with these P
                let cross: f64 = merged.iter().zip(&truth_merged).map(|(d, p)| d * p).sum();
                real += chance * (squares / 9.0 - 2.0 * cross / 3.0) / volume;
            }
        }
        assert!((estimated - real).abs() < 1e-12, "{per_axis}: {estimated} for {real}");
        assert!((without_variance - real).abs() > 0.1, "the test must see a forgotten variance");
    }
}

/// Means over 20 000 releases against the exact risk, at 4.9 standard errors (false-positive rate 1e-6 for each).
#[test]
fn the_estimate_is_unbiased_in_simulation_with_the_real_noise() {
    const REPETITIONS: usize = 20_000;
    let (n, fine) = (30_usize, line(12));
    let truth: Vec<f64> = (1..=12).map(|cell| f64::from(cell) / 78.0).collect();
    let mut randomness = SeededRandomness::from_seed(11);
    for (epsilon, delta) in [(0.8, 0.0), (0.8, 0.05)] {
        let settings = PerturbedHistogram::new(fine.clone(), PrivacyBudget::new(epsilon, delta).unwrap());
        let mechanism = settings.mechanism().unwrap();
        let variance = mechanism.noise().variance(0) / (mechanism.body().steps() as f64).powi(2);
        let mut sums = [(0.0, 0.0); 6];
        for _ in 0..REPETITIONS {
            let values = Array2::from_shape_simple_fn((n, 1), || {
                let mut level = randomness.random::<f64>();
                let cell = truth
                    .iter()
                    .position(|p| {
                        level -= p;
                        level < 0.0
                    })
                    .unwrap_or(11);
                (cell as f64 + 0.5) / 6.0
            });
            let points = Points::new(values, fine.bounds().clone()).unwrap();
            let release = settings.release(&points, &mut randomness).unwrap();
            for (sum, candidate) in sums.iter_mut().zip(release.risks()) {
                *sum = (sum.0 + candidate.risk, sum.1 + candidate.risk.powi(2));
            }
        }
        for ((sum, squares), per_axis) in sums.into_iter().zip([1, 2, 3, 4, 6, 12]) {
            let (merged, volume, total) = (merge(&fine, &truth, per_axis).unwrap().1, 2.0 / per_axis as f64, n as f64);
            let exact: f64 = merged
                .iter()
                .map(|p| {
                    (p * (1.0 - p) / total + p * p + variance * (12 / per_axis) as f64 / (total * total) - 2.0 * p * p)
                        / volume
                })
                .sum();
            let mean = sum / REPETITIONS as f64;
            let error = ((squares / REPETITIONS as f64 - mean * mean) / REPETITIONS as f64).sqrt();
            assert!((mean - exact).abs() < 4.9 * error, "{per_axis} cells: {mean} for {exact}, {error}");
        }
    }
}

/// A Poisson number of records in two cells, by summing its law.
#[test]
fn with_a_private_number_the_estimate_is_unbiased_for_poisson_records_up_to_its_factor() {
    let (rates, variance, volume) = ([1.5_f64, 0.5], 2.5, 1.0);
    let poisson = |rate: f64, k: u32| (1..=k).fold((-rate).exp(), |p, i| p * rate / f64::from(i));
    let (mut estimated, mut real) = (0.0, 0.0);
    for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
        let chance = poisson(rates[0], a) * poisson(rates[1], b);
        let (a, b) = (f64::from(a), f64::from(b));
        // noise of variance 2.5 in each cell enters through the mean of the squares alone
        let squares = a * a + b * b + 2.0 * variance;
        let known = NoisyTotal { records: None, total: a + b, variance: 2.0 * variance };
        estimated += chance * known.risk(squares, volume) * (a + b).max(1.0).powi(2);
        real += chance * (squares - 2.0 * (a * rates[0] + b * rates[1])) / volume;
    }
    assert!((estimated - real).abs() < 1e-9, "{estimated} for {real}");
}

#[test]
fn every_divisor_is_a_candidate_once_and_merging_in_steps_is_merging_at_once() {
    for (number, primes) in [(1, vec![]), (2, vec![2]), (97, vec![97]), (360, vec![2, 3, 5]), (1 << 24, vec![2])] {
        assert_eq!(prime_factors(number), primes);
    }
    let cells = line(360);
    let counts: Vec<f64> = (0..360).map(|cell| f64::from(cell * 37 % 101)).collect();
    let known = NoisyTotal { records: Some(100), total: counts.iter().sum(), variance: 0.0 };
    let risks = known.risks(&cells, &counts);
    assert_eq!(risks.len(), 24);
    for candidate in risks {
        let (merged, sums) = merge(&cells, &counts, candidate.per_axis).unwrap();
        let squares = sums.iter().map(|sum| sum * sum).sum();
        assert_eq!(known.risk(squares, merged.cell_volume()), candidate.risk);
    }
    assert!(merge(&cells, &counts, 7).is_none() && merge(&cells, &counts, 0).is_none());
}

/// Triangular data: the finest of a thousand cells drown in the noise, and the choice after the release does not.
#[test]
fn choosing_after_the_release_beats_the_finest_cells_many_times() {
    let mut randomness = SeededRandomness::from_seed(5);
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let settings = PerturbedHistogram::new(line(960), PrivacyBudget::new(0.2, 0.0).unwrap()).neighbours(neighbours);
        let values =
            Array2::from_shape_simple_fn((20_000, 1), || randomness.random::<f64>() + randomness.random::<f64>());
        let points = Points::new(values, line(960).bounds().clone()).unwrap();
        let release = settings.release(&points, &mut randomness).unwrap();
        let error = |density: &crate::PiecewiseDensity| {
            let at = (0..2_000).map(|i| (f64::from(i) + 0.5) / 1_000.0);
            at.map(|x| (density.at(&[x]) - x.min(2.0 - x)).powi(2) / 1_000.0).sum::<f64>()
        };
        let chosen = release.merged_by_risk();
        assert!((2..200).contains(&chosen.density().cells().per_axis()));
        let (chosen, finest) = (error(chosen.density()), error(release.density()));
        assert!(chosen < 0.1 * finest, "{chosen} against {finest}");
    }
}
