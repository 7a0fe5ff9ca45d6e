//! What the best test between neighbours can do (Theorem 3), by exact computation over all outcomes.

use super::smallest;

/// All ways to put `total` into so many cells.
fn compositions(total: u64, cells: usize) -> Vec<Vec<u64>> {
    if cells == 1 {
        return vec![vec![total]];
    }
    let first = |c: u64| compositions(total - c, cells - 1).into_iter().map(move |rest| [vec![c], rest].concat());
    (0..=total).flat_map(first).collect()
}

/// The probabilities of all sequences of `k` cells.
fn law(counts: &[u64], k: usize, mixture: f64) -> Vec<f64> {
    let (n, m) = (counts.iter().sum::<u64>() as f64, counts.len() as f64);
    let cell: Vec<f64> = counts.iter().map(|c| (1.0 - mixture) * *c as f64 / n + mixture / m).collect();
    (0..k).fold(vec![1.0], |all, _| all.iter().flat_map(|p| cell.iter().map(move |q| p * q)).collect())
}

/// The power of the best randomised test of level `gamma` (Neyman and Pearson): outcomes by decreasing likelihood ratio.
fn power(null: &[f64], alternative: &[f64], gamma: f64) -> f64 {
    let mut outcomes: Vec<(f64, f64)> = null.iter().copied().zip(alternative.iter().copied()).collect();
    outcomes.sort_by(|a, b| (b.1 / b.0).total_cmp(&(a.1 / a.0)));
    let (mut level, mut power) = (gamma, 0.0);
    for (p, q) in outcomes {
        let part = (level / p).min(1.0);
        power += part * q;
        level -= part * p;
        if level <= 0.0 {
            break;
        }
    }
    power
}

/// The largest power over all neighbours, relative to `gamma e^alpha`.
fn relative_power(n: u64, m: usize, k: usize, mixture: f64, alpha: f64, gamma: f64) -> f64 {
    let mut most = 0.0_f64;
    for x in compositions(n, m) {
        let null = law(&x, k, mixture);
        for (from, to) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))).filter(|(i, j)| i != j && x[*i] > 0) {
            let mut y = x.clone();
            y[from] -= 1;
            y[to] += 1;
            most = most.max(power(&null, &law(&y, k, mixture), gamma) / (gamma * alpha.exp()));
        }
    }
    most
}

#[test]
fn the_power_of_the_best_test_between_neighbours_never_exceeds_its_level_times_e_to_the_alpha() {
    for (alpha, n, m, k) in [(1.0, 4, 3, 3), (0.5, 6, 2, 5), (0.1, 3, 4, 2), (3.0, 2, 3, 4)] {
        let mixture = smallest(alpha, n, m, k).mixture();
        for gamma in [1e-6, 0.001, 0.01, 0.05, 0.2, 0.5, 1.0] {
            let relative = relative_power(n, m, k, mixture, alpha, gamma);
            assert!(relative <= 1.0 + 1e-12, "{alpha} {n} {m} {k} {gamma}: {relative}");
        }
        // attained where the level is below the probability that all draws are in one cell
        assert!(relative_power(n, m, k, mixture, alpha, 1e-6) > 1.0 - 1e-9, "{alpha} {n} {m} {k}");
        // planted: a mixture 10% too small
        assert!(relative_power(n, m, k, 0.9 * mixture, alpha, 1e-6) > 1.01, "{alpha} {n} {m} {k}");
    }
}

#[test]
fn the_loss_is_attained_by_the_worst_neighbours() {
    for (alpha, n, m, k) in [(1.0, 4, 3, 3), (0.5, 5, 2, 4), (2.0, 1, 3, 2)] {
        let mechanism = smallest(alpha, n, m, k);
        let worst = relative_power(n, m, k, mechanism.mixture(), 0.0, 1e-9).ln();
        assert!((worst / mechanism.loss() - 1.0).abs() < 1e-9, "{worst}");
    }
}
