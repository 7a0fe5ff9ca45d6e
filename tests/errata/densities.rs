//! Entries 13, 14 (a) and (b): the orthogonal series, the exponential mechanism and the smoothed histogram of Wasserman and
//! Zhou.

use std::f64::consts::{PI, SQRT_2};

use super::{assert_close, integral};

/// `sum_j |psi_j(x) - psi_j(y)|` for the cosine basis `psi_j(x) = sqrt(2) cos(j pi x)`, `j = 1..m`; `c0 = sqrt(2)`.
fn distance(terms: u32, x: f64, y: f64) -> f64 {
    let term = |j: u32| ((f64::from(j) * PI * x).cos() - (f64::from(j) * PI * y).cos()).abs();
    SQRT_2 * (1..=terms).map(term).sum::<f64>()
}

#[test]
fn the_printed_laplace_scale_is_below_the_sensitivity_for_every_number_of_terms() {
    // two records that do it, for every m: sum_j (1 - cos j theta) = m + 1/2 + 1/(2 sin(theta/2)) at this theta
    for terms in 1..=2000 {
        let theta = 3.0 * PI / (2.0 * f64::from(terms) + 1.0);
        let attained = distance(terms, 0.0, theta / PI);
        let printed = SQRT_2 * f64::from(terms);
        let formula = printed + SQRT_2 * (0.5 + 0.5 / (theta / 2.0).sin());
        assert!((attained / formula - 1.0).abs() < 1e-9 && attained > 1.2 * printed, "{terms}");
        assert!(attained <= 2.0 * printed * (1.0 + 1e-12), "{terms}: 2 c0 m always suffices");
    }
}

#[test]
fn the_true_privacy_of_the_printed_scale_is_from_2_to_1_22_times_alpha() {
    let fine = |terms: u32| (0..=4000).map(|i| distance(terms, 0.0, f64::from(i) / 4000.0)).fold(0.0, f64::max);
    let pairs = || (0..=120).flat_map(|i| (i..=120).map(move |k| (f64::from(i) / 120.0, f64::from(k) / 120.0)));
    for (terms, times) in [(1, 2.0), (2, 1.5625), (3, 1.4385), (5, 1.346), (10, 1.280), (64, 1.227)] {
        let most = fine(terms);
        assert_close(most / (SQRT_2 * f64::from(terms)), times, 1e-3);
        // no pair of records does more than one with a record at an end
        assert!(pairs().all(|(x, y)| distance(terms, x, y) <= most * (1.0 + 1e-12)), "{terms}");
    }
}

/// The log-ratio, at the point 0, of the densities of one draw by (17) with one term, `psi_1 = sqrt(2) cos(pi z)`: for `n`
/// records at 0, and after one of them moved to 1.
fn loss_with_one_term(records: f64, alpha: f64) -> f64 {
    let rate = alpha * records / 4.0; // alpha n / (2 c0^2 m)
    let (before, after) = (SQRT_2, SQRT_2 - 2.0 * SQRT_2 / records);
    let total = |mean: f64| integral(0.0, 1.0, 40_000, |z| (-rate * (mean - SQRT_2 * (PI * z).cos()).abs()).exp());
    rate * (before - after) + (total(after) / total(before)).ln()
}

#[test]
fn the_density_of_lemma_13_lacks_a_factor_of_2_and_with_one_term_exceeds_its_alpha() {
    assert_close(loss_with_one_term(10.0, 0.1), 0.116, 5e-4);
    assert!(loss_with_one_term(10.0, 0.05) <= 0.1, "with the factor of 2 of (8) it is private");
}

/// The largest log-ratio of the densities proportional to `exp(-rate |z - mean|)` on `[-reach, reach]`, for one term and `n` records at
/// 0 of which one moves to 1; `rate = alpha / Delta`.
fn loss_on_coefficients(records: f64, alpha: f64, reach: f64) -> f64 {
    let moved = 2.0 * SQRT_2 / records;
    let (rate, before, after) = (alpha / moved, SQRT_2, SQRT_2 - moved);
    let total = |mean: f64| integral(-reach, reach, 400_000, |z| (-rate * (mean - z).abs()).exp());
    let constant = (total(after) / total(before)).ln();
    (0..=200)
        .map(|i| -reach + 2.0 * reach * f64::from(i) / 200.0)
        .fold(f64::NEG_INFINITY, |most, z| most.max(rate * ((after - z).abs() - (before - z).abs()) + constant))
}

#[test]
fn over_all_coefficients_the_exponential_mechanism_needs_no_factor_2_and_on_a_bounded_set_it_does() {
    let (records, alpha) = (10.0, 0.5);
    // so far out that hardly any mass is beyond
    assert_close(loss_on_coefficients(records, alpha, 40.0), alpha, 1e-3);
    // the set that all means of one cosine fill
    assert!(loss_on_coefficients(records, alpha, SQRT_2) > 1.2 * alpha);
    assert!(loss_on_coefficients(records, alpha / 2.0, SQRT_2) <= alpha);
}

/// The exact loss of `k` draws from the smoothed histogram in one dimension, with `m` and `k` of Theorem 7: all draws in a
/// cell that one record has left. It is the left side of (4).
fn loss_of_the_smoothed_histogram(records: f64, delta: f64) -> f64 {
    let (cells, draws) = (records.powf(0.2), records.powf(0.6));
    draws * ((1.0 - delta) * cells / (records * delta)).ln_1p()
}

#[test]
fn with_the_printed_delta_of_theorem_7_no_alpha_holds_for_all_sample_sizes() {
    let printed = |records: f64| loss_of_the_smoothed_histogram(records, records.powf(-0.25));
    let stated = [(1e4, 1.42), (1e8, 2.49), (1e12, 3.98), (1e16, 6.31)];
    for (records, loss) in stated {
        assert_close(printed(records), loss, 5e-3);
        let right = loss_of_the_smoothed_histogram(records, records.powf(-0.2));
        assert!(right <= 1.0, "delta = m k / n, with alpha = 1: {right}");
    }
}

/// The rate of Theorem 8 for one axis.
fn stated_rate(records: f64) -> f64 {
    (records.ln() / records).sqrt().min(records.ln() / records.powf(2.0 / 3.0))
}

#[test]
fn the_stated_rate_of_the_perturbed_histogram_is_faster_than_minimax() {
    let quotient = |records: f64| stated_rate(records) / records.powf(-0.5);
    // above 1 up to n of about 2e7, and then towards 0
    assert!(quotient(1e7) > 1.0 && quotient(3e7) < 1.0);
    let quotients: Vec<f64> = [1e8, 1e12, 1e18, 1e24, 1e36].map(quotient).to_vec();
    assert!(quotients.is_sorted_by(|a, b| a > b) && quotients[4] < 1e-3, "{quotients:?}");
}

#[test]
fn at_an_edge_of_a_cell_the_error_before_any_noise_is_of_order_one_over_root_n() {
    // E |B/n - 1/2| for binomial B, at an edge at the median: n even, C(n, n/2) / 2^(n+1) by the product of ratios
    for records in [100_u32, 10_000, 1_000_000] {
        let central: f64 = (1..=records / 2).map(|i| (1.0 - 0.5 / f64::from(i)).ln()).sum();
        let mean_error = 0.5 * central.exp();
        let n = f64::from(records);
        assert_close(mean_error * n.sqrt() / (0.5 / std::f64::consts::PI).sqrt(), 1.0, 1e-2);
    }
}
