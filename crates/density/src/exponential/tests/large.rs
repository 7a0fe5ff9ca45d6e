//! Problems of the size that is stated, and extreme ones.

use super::{Sampler, SeededRandomness, Staircase};
use crate::draws::DrawsCells;

/// `n` records on `m` cells, the closer to the middle the more.
fn bump(m: u64, n: u64, sharpness: i32) -> Vec<u64> {
    let weight = |j: u64| {
        let u = (j as f64 + 0.5) / m as f64;
        (4.0 * u * (1.0 - u)).powi(sharpness)
    };
    let total: f64 = (0..m).map(weight).sum();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most n")]
    let mut counts: Vec<u64> = (0..m).map(|j| (n as f64 * weight(j) / total) as u64).collect();
    counts[usize::try_from(m / 2).unwrap()] += n - counts.iter().sum::<u64>();
    counts
}

#[test]
fn a_hundred_draws_are_made_of_ten_thousand_records_on_a_thousand_cells() {
    let mut randomness = SeededRandomness::from_seed(2);
    // every cell holds a record, but almost all are in one: few edges can be left out, and wide corridors matter
    let mut hard = vec![1; 1000];
    hard[300] = 9_001;
    for (counts, epsilon) in
        [(bump(1000, 10_000, 9), 1.0), (bump(1000, 10_000, 9), 0.1), (hard.clone(), 1.0), (hard, 0.1)]
    {
        let staircase = Staircase::new(&counts, 100);
        let draws = Sampler::new(staircase, epsilon).draw(&mut randomness);
        assert_eq!(draws.len(), 100);
        assert!(draws.is_sorted() && draws.iter().all(|cell| *cell < counts.len()));
    }
}

#[test]
fn extreme_budgets_and_data_end_in_a_draw() {
    let mut randomness = SeededRandomness::from_seed(3);
    for counts in [vec![1 << 36, 0, 0], vec![1, 0, 0, 1], vec![1 << 30; 64], vec![0; 64], bump(5000, 100_000, 3)] {
        for (k, epsilon) in [(1, 1000.0), (1, f64::from_bits(1)), (50, 1000.0), (50, 1e-12), (50, 1.0)] {
            let staircase = Staircase::new(&counts, k);
            let draws = Sampler::new(staircase, epsilon).draw(&mut randomness);
            assert!(draws.len() == k && draws.is_sorted() && draws.iter().all(|cell| *cell < counts.len()));
        }
    }
}
