//! Refuting a privacy claim from draws, for tests.

use statrs::distribution::{Beta, ContinuousCDF};

/// How often a true claim may be refuted.
pub(crate) const LEVEL: f64 = 1e-6;

/// Whether counts of an event among so many draws from each of two neighbours refute `P(A) <= e^epsilon Q(A) + delta`.
///
/// By exact (Clopper-Pearson) bounds: a true claim is refuted with probability at most [`LEVEL`]. The event must have been
/// chosen before the draws.
pub(crate) fn refuted(count: u64, neighbour_count: u64, draws: u64, epsilon: f64, delta: f64) -> bool {
    let (k, n) = (count as f64, draws as f64);
    let least = if count == 0 { 0.0 } else { quantile(k, n - k + 1.0, LEVEL / 2.0) };
    let k = neighbour_count as f64;
    let most = if neighbour_count == draws { 1.0 } else { quantile(k + 1.0, n - k, 1.0 - LEVEL / 2.0) };
    least > epsilon.exp() * most + delta
}

fn quantile(a: f64, b: f64, level: f64) -> f64 {
    Beta::new(a, b).map_or(f64::NAN, |beta| beta.inverse_cdf(level))
}

#[test]
fn the_bounds_are_those_of_clopper_and_pearson() {
    // 95% of 3 in 10 (Clopper and Pearson 1934): 0.0667 to 0.6525
    assert!((quantile(3.0, 8.0, 0.025) - 0.066_74).abs() < 1e-5);
    assert!((quantile(4.0, 7.0, 0.975) - 0.652_45).abs() < 1e-5);
    assert!(!refuted(500_000, 500_000, 1_000_000, 0.0, 0.0));
    assert!(refuted(500_000, 490_000, 1_000_000, 0.0, 0.0));
    assert!(!refuted(0, 1_000_000, 1_000_000, 0.0, 0.0));
}
