//! From noisy counts of distances to a radius: the public half of buying one.

use dpfda_privacy::NestedRadius;

#[cfg(test)]
#[path = "radius_rule_tests.rs"]
mod tests;

/// The number of cells that distances from the centre are counted in.
pub(crate) const CELLS: usize = 13;

const SMALLEST_RADIUS: u32 = 48;

/// How many records may lie outside the bought ball, in units of `1 / mu`: `8 sqrt(15)`.
///
/// A smaller ball has noise in proportion; the records outside are pulled in, and each moves the mean by its distance over
/// `N`. With noise in about 15 coordinates the two balance near `2 sqrt(15) / mu` records; four times as many are left
/// outside, because their pulls cancel in part.
const OUTSIDE: f64 = 30.983_866_769_659_336;

/// No more than this part of the records, or of the smallest group, may lie outside.
const MOST_OUTSIDE: f64 = 0.4;

/// The fewest records whose noisy counts can be trusted to choose a radius: as many as five standard deviations of the difference
/// of two counts, for counts of this `mu`.
fn least_trusted(mu_of_counts: f64) -> f64 {
    5.0 * std::f64::consts::SQRT_2 / mu_of_counts
}

/// The number of records that a rule works with: the public one, or the sum of the noisy counts, where that can be trusted.
///
/// Too small a noisy sum says that the counts are noise: the stated radius stays.
pub(crate) fn trusted_total(counts: &[f64], records: Option<f64>, mu_of_counts: f64) -> Option<f64> {
    let noisy = || Some(counts.iter().sum::<f64>()).filter(|total| *total >= least_trusted(mu_of_counts));
    records.or_else(noisy).filter(|total| *total > 0.0)
}

/// Which cell the squared norm of a record is in, of a ball whose squared radius is `whole`.
///
/// ```text
/// cell i:  whole / 2^(i+1) < squared <= whole / 2^i,      the last: squared <= whole / 2^12
/// ```
pub(crate) fn cell(squared: u64, whole: u64) -> usize {
    let inside = |i: &usize| u128::from(squared) << *i <= u128::from(whole);
    (1..CELLS).take_while(inside).count()
}

/// The radius that noisy counts call for: its number is that of eighths of an octave below the stated radius.
///
/// ```text
/// p      = the point of {p >= 0, sum_i p_i = total} nearest to the counts
/// C_k    = p_0 + .. + p_(k-1), the number of records outside tau 2^(-k/2)
/// limit  = min(8 sqrt(15) / mu, 0.4 total smallest)
/// answer = the smallest radius with all C up to there within the limit, between two radii by the logarithm of the radius
/// ```
///
/// `total` is that of [`trusted_total`]; without one the radius stays. `smallest` is the part of all records that the smallest group has, 1
/// without groups: all who are outside may be of one. The projection keeps the noise of empty
/// cells far outside from adding up. Everything here is post-processing.
pub(crate) fn called_for(counts: &[f64], total: Option<f64>, smallest: f64, mu: f64) -> NestedRadius {
    let number = total.map_or(0, |total| number_called_for(counts, total, smallest, mu));
    NestedRadius::new(number).unwrap_or(NestedRadius::STATED)
}

fn number_called_for(counts: &[f64], total: f64, smallest: f64, mu: f64) -> u32 {
    let limit = (OUTSIDE / mu).min(MOST_OUTSIDE * total * smallest);
    let mut outside = 0.0;
    for (k, inside) in on_simplex(counts, total).into_iter().enumerate().take(CELLS - 1) {
        if outside + inside > limit {
            let fraction = (limit - outside) / inside;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number from 0 to 48")]
            return (4.0 * (k as f64 + fraction)) as u32;
        }
        outside += inside;
    }
    SMALLEST_RADIUS
}

/// The largest share of so many records that [`number_called_for`] lets lie outside: `min(8 sqrt(15) / (mu total), 0.4 smallest)`; 0 where the
/// radius stays.
pub(crate) fn outside(total: Option<f64>, smallest: f64, mu: f64) -> f64 {
    total.map_or(0.0, |total| (OUTSIDE / mu / total).min(MOST_OUTSIDE * smallest))
}

/// The point of `{p >= 0, sum p = total}` nearest to `counts`: `p_i = max(counts_i - theta, 0)`.
fn on_simplex(counts: &[f64], total: f64) -> Vec<f64> {
    let mut sorted = counts.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut theta = 0.0;
    for (number, count) in sorted.iter().enumerate() {
        sum += count;
        let candidate = (sum - total) / (number + 1) as f64;
        if *count > candidate {
            theta = candidate;
        }
    }
    counts.iter().map(|count| (count - theta).max(0.0)).collect()
}
