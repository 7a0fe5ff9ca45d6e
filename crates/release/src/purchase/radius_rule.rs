//! From noisy counts of distances to a radius: the public half of buying one.

use dpfda_privacy::NestedRadius;

/// The number of cells that distances from the centre are counted in.
pub(crate) const CELLS: usize = 13;

/// The number of the smallest radius.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn number(counts: &[f64], total: Option<f64>) -> u32 {
        called_for(counts, total, 1.0, 1.0).number()
    }

    #[test]
    fn cells_are_half_octaves_of_the_norm_in_integers() {
        let whole = 1 << 44;
        for (squared, expected) in [
            (whole + 1, 0),
            (whole, 0),
            ((whole >> 1) + 1, 0),
            (whole >> 1, 1),
            ((whole >> 2) + 1, 1),
            (whole >> 2, 2),
            ((whole >> 12) + 1, 11),
            (whole >> 12, 12),
            (0, 12),
            (u64::MAX, 0),
        ] {
            assert_eq!(cell(squared, whole), expected, "{squared}");
        }
    }

    #[test]
    fn a_point_of_the_simplex_is_nearest_where_what_is_taken_off_is_the_same_everywhere() {
        let counts = [5.0, -3.0, 40.0, 61.0, 2.0];
        let nearest = on_simplex(&counts, 100.0);
        assert!((nearest.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        let taken = counts[2] - nearest[2];
        for (count, p) in counts.iter().zip(&nearest) {
            assert!(if *p > 0.0 { (count - p - taken).abs() < 1e-9 } else { *count <= taken }, "{count} {p}");
        }
        assert_eq!(on_simplex(&[3.0, 1.0], 4.0), [3.0, 1.0]);
    }

    #[test]
    fn without_noise_the_ball_leaves_out_as_many_as_it_may() {
        // 100 records at each half octave: with mu = 1 at most 30.98 may lie outside
        let mut counts = [0.0; CELLS];
        counts[4] = 100.0;
        counts[5] = 900.0;
        // outside radius 2^(-4/2): none, outside 2^(-5/2): 100
        let expected: f64 = 4.0 * (4.0 + 30.983_866_769_659_336 / 100.0);
        assert_eq!(f64::from(number(&counts, Some(1000.0))), expected.floor());
        assert_eq!(number(&counts, trusted_total(&counts, None, 1.0)), number(&counts, Some(1000.0)));
        // of two groups of which the smaller has a twentieth, 0.4 of it may
        let expected: f64 = 4.0 * (4.0 + 20.0 / 100.0);
        assert_eq!(f64::from(called_for(&counts, Some(1000.0), 0.05, 1.0).number()), expected.floor());
        assert!((outside(Some(1000.0), 0.05, 1.0) - 0.02).abs() < 1e-15);
        // everybody at the centre, everybody outside, nobody
        counts = [0.0; CELLS];
        counts[12] = 50.0;
        assert_eq!(number(&counts, Some(50.0)), SMALLEST_RADIUS);
        counts = [0.0; CELLS];
        counts[0] = 1e6;
        assert_eq!(number(&counts, Some(1e6)), 0);
        assert_eq!(number(&[0.0; CELLS], trusted_total(&[0.0; CELLS], None, 1.0)), 0);
        assert_eq!(number(&[-5.0; CELLS], trusted_total(&[-5.0; CELLS], None, 1.0)), 0);
    }

    #[test]
    fn noise_in_empty_cells_far_outside_does_not_add_up() {
        let mut counts = [8.0, -7.0, 9.0, 3.0, -8.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        counts[6] = 1000.0;
        assert!(number(&counts, Some(1000.0)) >= 24, "the raw counts leave out 34 records at the first cells");
    }
}
