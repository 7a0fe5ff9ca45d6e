//! Critical values of bands, without simulation.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use libm::erfc;
use ndarray::{ArrayView1, ArrayView2};

#[cfg(test)]
#[path = "critical_tests.rs"]
mod tests;

/// No critical value is above this number: `exp(-c^2 / 2)` is zero there.
const FAR: f64 = 40.0;

/// The critical value of a Gaussian process of variance 1 whose correlations make a path of this length.
///
/// ```text
/// 2 (1 - Phi(c)) + (kappa / pi) exp(-c^2 / 2) = alpha,    kappa = sum_i arccos corr(t_i, t_{i+1})
/// ```
///
/// `P(max |X| > c) <= alpha` for `X` on the points, by Rice's formula on the great circles between them (Naiman 1986; Sun and
/// Loader 1994). The proof is in `docs/proofs/posterior.md`. `alpha` is in (0, 1), `kappa` at least 0.
pub fn tube(kappa: f64, alpha: f64) -> f64 {
    let excess = |c: f64| erfc(c * FRAC_1_SQRT_2) + kappa / PI * (-0.5 * c * c).exp() - alpha;
    let (mut low, mut high) = (0.0, FAR);
    // each step halves the interval until its ends are neighbours
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
}

/// The critical value of `count` normal variables of any correlation (Sidak 1967).
///
/// ```text
/// Phi^{-1}(1 - (1 - (1 - alpha)^{1/n}) / 2)
/// ```
pub fn sidak(count: usize, alpha: f64) -> f64 {
    tube(0.0, -((-alpha).ln_1p() / count.max(1) as f64).exp_m1())
}

/// `sum_i arccos` of the correlation of neighbouring rows; a row of zeros has no length and no angle.
pub(crate) fn path_length(rows: ArrayView2<'_, f64>) -> f64 {
    let angle = |a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>| {
        let (length_a, length_b) = (a.dot(&a).sqrt(), b.dot(&b).sqrt());
        if length_a == 0.0 || length_b == 0.0 {
            return 0.0;
        }
        // accurate for small angles, where arccos is not
        let (mut sum, mut difference) = (0.0, 0.0);
        for (x, y) in a.iter().zip(b) {
            let (x, y) = (x / length_a, y / length_b);
            sum += (x + y) * (x + y);
            difference += (x - y) * (x - y);
        }
        2.0 * f64::atan2(f64::sqrt(difference), f64::sqrt(sum))
    };
    (1..rows.nrows()).map(|i| angle(rows.row(i - 1), rows.row(i))).sum()
}

/// The smallest value that at least this share of all values does not exceed.
pub(crate) fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let enough = share * values.len() as f64;
    let found = values.iter().enumerate().find(|(below, _)| (below + 1) as f64 >= enough);
    found.map_or(f64::INFINITY, |(_, value)| *value)
}
