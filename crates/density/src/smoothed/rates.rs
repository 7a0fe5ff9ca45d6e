//! Numbers of cells and draws with the rates of Wasserman and Zhou's Theorems 6 and 7.

use super::SmoothedHistogram;
use crate::cells::MAX_DRAWS;

/// At most so many cells along an axis: as many as may be counted on three.
const MOST_PER_AXIS: usize = 1 << 8;

/// A number of cells along each axis, at most 256, and a number of draws, at most [`MAX_DRAWS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramSize {
    /// The number of cells along each axis, `m^(1/r)`.
    pub per_axis: usize,
    /// The number of draws, `k`.
    pub draws: usize,
}

impl SmoothedHistogram {
    /// The rate-optimal size for the Kolmogorov-Smirnov distance on `r` axes (Theorem 6), at least 2 cells an axis.
    ///
    /// ```text
    /// m = N^(r/(6+r)),  k = N^(4/(6+r)),  N = n epsilon;    error O(sqrt(log n) n^(-2/(6+r)))
    /// ```
    ///
    /// The theorem is about orders in `n` alone. With `n epsilon` in place of `n` the mixture `m k / (n epsilon)` is of the
    /// order of the other errors for every epsilon. It looks at public numbers only.
    pub fn size_for_ks_distance(records: u64, epsilon: f64, dimension: usize) -> HistogramSize {
        let r = dimension as f64;
        size(records, epsilon, 1.0 / (6.0 + r), 4.0 / (6.0 + r))
    }

    /// The rate-optimal size for the squared L2 distance on `r` axes (Theorem 7), at least 2 cells an axis.
    ///
    /// ```text
    /// m = N^(r/(2r+3)),  k = N^((r+2)/(2r+3)),  N = n epsilon;    error O(n^(-2/(2r+3)))
    /// ```
    ///
    /// The mixture must then be of order `N^(-1/(2r+3))`, as the smallest admissible one is; the exponent printed in the
    /// theorem violates its own condition (`docs/papers/errata.md`, entry 14b).
    pub fn size_for_squared_l2_distance(records: u64, epsilon: f64, dimension: usize) -> HistogramSize {
        let r = dimension as f64;
        size(records, epsilon, 1.0 / (2.0 * r + 3.0), (r + 2.0) / (2.0 * r + 3.0))
    }
}

fn size(records: u64, epsilon: f64, cells: f64, draws: f64) -> HistogramSize {
    let effective = (records as f64 * epsilon).max(1.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1; casts saturate")]
    let rounded = |exponent: f64| effective.powf(exponent).round() as usize;
    HistogramSize { per_axis: rounded(cells).clamp(2, MOST_PER_AXIS), draws: rounded(draws).clamp(1, MAX_DRAWS) }
}
