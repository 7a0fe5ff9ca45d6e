//! Ranges of distances, fine where the mechanism's mass is.

use super::paths::Paths;
use super::staircase::Staircase;
use super::upward::Upward;

/// Distances from `low` to `high`, and a bound on the number of `z` with a distance of at most `high`, over `k!`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) total: Upward,
}

/// A range longer than the inverse rate is split when it gets more than this part of all proposals.
const SMALL_PART: f64 = 1.0 / 64.0;

/// Ranges that cover all distances, from the smallest to the largest, for weights `exp(-rate D)`.
///
/// How they are chosen has no influence on the law of a draw, only on the number of rejections: so doubles may choose. Where
/// proposals are likely, `rate (high - low) <= 1`.
pub(super) fn ranges(staircase: &Staircase, rate: f64) -> Vec<Range> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate; below 2^60")]
    let short = ((1.0 / rate) as u64).clamp(1, 1 << 60);
    let largest = staircase.largest();
    let (mut low, mut length) = (staircase.smallest(), short);
    let mut ranges = Vec::new();
    loop {
        let high = low.saturating_add(length - 1).min(largest);
        ranges.push(Range { low, high, total: bound(staircase, high) });
        if high >= largest {
            break;
        }
        (low, length) = (high + 1, length.saturating_mul(2));
    }
    while let Some(index) = worth_splitting(&ranges, rate, short) {
        let Range { low, high, total } = ranges[index];
        let middle = u64::midpoint(low, high);
        ranges[index] = Range { low, high: middle, total: bound(staircase, middle) };
        ranges.push(Range { low: middle + 1, high, total });
    }
    ranges
}

fn bound(staircase: &Staircase, threshold: u64) -> Upward {
    staircase.steps(threshold).map_or(Upward::ZERO, |steps| Paths::new(steps, staircase.draws()).total())
}

/// The logarithm of the share of proposals that a range gets, up to a constant.
pub(super) fn log_share(range: &Range, rate: f64) -> f64 {
    if range.total.is_zero() { f64::NEG_INFINITY } else { range.total.ln() - rate * range.low as f64 }
}

/// The long range with the most proposals, if it has many.
fn worth_splitting(ranges: &[Range], rate: f64, short: u64) -> Option<usize> {
    let shares: Vec<f64> = ranges.iter().map(|range| log_share(range, rate)).collect();
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all: f64 = shares.iter().map(|share| (share - most).exp()).sum();
    let is_long = |index: &usize| ranges[*index].high - ranges[*index].low >= short;
    let largest = (0..ranges.len()).filter(is_long).max_by(|a, b| shares[*a].total_cmp(&shares[*b]))?;
    ((shares[largest] - most).exp() > SMALL_PART * all).then_some(largest)
}
