//! How many terms to use, from the noisy coefficients alone.

use std::collections::BTreeMap;

use dpfda_privacy::CosineBasis;

#[cfg(test)]
#[path = "selection_tests.rs"]
mod tests;

/// Scores of every number of terms, by an estimate of the integrated squared error that costs nothing.
///
/// With `b_k = beta_k + V_k` the released coefficients, `v` the known variance of the noise, and `p_m` the series with the
/// first `m` of them (before its negative parts are cut),
///
/// ```text
/// E int (p_m - p)^2 = int (p - 1)^2 + sum_{k <= m} (tau_k^2 - theta_k^2),   theta_k = E psi_k(X),
///                     tau_k^2 = Var b_k = v + s_k,                         s_k = Var psi_k(X) / n
/// score(m)          = sum_{k <= m} (2 (v + s^_k) - b_k^2)
/// s^_k              = (q_k - b_k^2 + v) / (n - 1),    q_k for E psi_k(X)^2
/// ```
///
/// Since `E b_k^2 = theta_k^2 + tau_k^2`, the score is unbiased for the error of `p_m` less the error of the uniform density
/// wherever `q_k` and hence `s^_k` are unbiased. `psi_k^2` is a sum of the constant and of terms at doubled frequencies, for
/// one dimension `1 + psi_2k / sqrt(2)`; so `q_k` is that sum over the released coefficients if all were released. If not, it is
/// the bound `sup psi_k^2`, and the score is too large on average by at most `2 sup psi_k^2 / (n - 1)` for each such `k`: to the
/// side of fewer terms. What is estimated is the error for the density that the clamped records are drawn from,
/// independently, up to their rounding to `2^-18` of the range; not for the records at hand. Under add/remove-one the noisy
/// count stands for `n`, and all this holds to first order in its relative error.
///
/// The least score is not unbiased: it ranks, it is no error bar.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesSelection {
    /// The scores of `0, 1, ..., m` terms; the first is 0.
    pub scores: Vec<f64>,
    /// The number of terms with the least score: the smallest such number, 0 for the uniform density.
    pub chosen: usize,
}

impl SeriesSelection {
    /// Scores for released coefficients with noise of this variance, of so many records.
    pub(super) fn of(basis: &CosineBasis, coefficients: &[f64], variance: f64, records: f64) -> Self {
        let places: BTreeMap<[u16; 3], f64> = basis.all_frequencies().zip(coefficients.iter().copied()).collect();
        let mut scores = vec![0.0];
        let (mut total, mut least, mut chosen) = (0.0, 0.0, 0);
        for (term, (k, b)) in basis.all_frequencies().zip(coefficients).enumerate() {
            let largest = CosineBasis::amplitude(k).powi(2);
            let spread = if records > 1.0 {
                (mean_square(k, &places).unwrap_or(largest) - b * b + variance) / (records - 1.0)
            } else {
                largest
            };
            total += 2.0 * (variance + spread) - b * b;
            scores.push(total);
            if total < least {
                (least, chosen) = (total, term + 1);
            }
        }
        Self { scores, chosen }
    }
}

/// `E psi_k^2 = sum_A 2^(-|A|/2) beta_(2k on A)` over the sets `A` of axes on which `k` is not 0, if all of these were released.
fn mean_square(k: [u16; 3], coefficients: &BTreeMap<[u16; 3], f64>) -> Option<f64> {
    let axes: Vec<usize> = (0..k.len()).filter(|axis| k[*axis] > 0).collect();
    let mut sum = 1.0;
    for subset in 1..1_u32 << axes.len() {
        let mut doubled = [0; 3];
        for (bit, axis) in axes.iter().enumerate() {
            if subset >> bit & 1 == 1 {
                doubled[*axis] = 2 * k[*axis];
            }
        }
        sum += 0.5_f64.powf(f64::from(subset.count_ones()) / 2.0) * coefficients.get(&doubled)?;
    }
    Some(sum)
}
