//! Exact bounds on a probability from the count of an event, and what two of them say about a privacy claim.

/// The level is lowered by this factor before it is used: far more than rounding can do to a tail of the binomial law.
const SAFETY: f64 = 0.99;

/// More counts than this are not exact in doubles.
const MOST_DRAWS: u64 = 1 << 52;

/// Exact bounds on the probability of an event that was seen `count` times in so many independent draws.
///
/// ```text
/// lower = sup { p : P(K >= count) <= level },    upper = inf { p : P(K <= count) <= level },    K ~ Binomial(draws, p)
/// ```
///
/// Each of the two is wrong with probability at most `level`, whatever the probability is (Clopper and Pearson 1934). Both are
/// rounded outwards. Numbers that make no sense (no draws, more counts than draws, a level outside `(0, 1)`) give `(0, 1)`.
pub fn binomial_bounds(count: u64, draws: u64, level: f64) -> (f64, f64) {
    if count > draws || !(1..=MOST_DRAWS).contains(&draws) || !(level > 0.0 && level < 1.0) {
        return (0.0, 1.0);
    }
    (least(count, draws, level), 1.0 - least(draws - count, draws, level))
}

/// Whether counts of an event among so many draws from each of two neighbours refute `P(A) <= e^epsilon Q(A) + delta`.
///
/// A true claim is refuted with probability at most `level`, half of which each bound of [`binomial_bounds`] gets. The event
/// must have been chosen before the draws.
pub fn refuted(count: u64, neighbour_count: u64, draws: u64, epsilon: f64, delta: f64, level: f64) -> bool {
    let (least, _) = binomial_bounds(count, draws, level / 2.0);
    let (_, most) = binomial_bounds(neighbour_count, draws, level / 2.0);
    least > epsilon.exp() * most + delta
}

/// `P(K >= count)` for `K ~ Binomial(draws, p)`: `I_p(count, draws - count + 1)`, to about 8 digits; 1 for a count of 0.
pub fn binomial_tail(count: u64, draws: u64, p: f64) -> f64 {
    if count == 0 {
        return 1.0;
    }
    if count > draws || p.is_nan() || p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    incomplete_beta(count as f64, (draws - count) as f64 + 1.0, p)
}

/// The lower bound, by bisection down to neighbouring doubles; what is returned has the tail asked for.
fn least(count: u64, draws: u64, level: f64) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let (mut inside, mut outside) = (0.0, count as f64 / draws as f64);
    if binomial_tail(count, draws, outside) <= SAFETY * level {
        return 0.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(inside, outside);
        if middle == inside || middle == outside {
            break;
        }
        // NaN fails to the safe side
        if binomial_tail(count, draws, middle) <= SAFETY * level {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// `I_x(a, b)`, by the continued fraction of whichever tail is the smaller.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    let logarithm = a * x.ln() + b * libm::log1p(-x) + libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b);
    let front = logarithm.exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method (Abramowitz and Stegun 26.5.8).
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let safe = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut value) = (1.0, d);
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / safe(1.0 + term * d);
            c = safe(1.0 + term / c);
            change = d * c;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            return value;
        }
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// Count, draws, level, and the two bounds as another program computes them (quantiles of the beta law).
    const REFERENCE: [(u64, u64, f64, f64, f64); 9] = [
        (3, 10, 0.025, 0.066_739_511_177_734_47, 0.652_452_850_059_997_3),
        (1, 1_000_000, 1e-10, 1.000_000_000_05e-16, 2.633_364_803_596_376e-5),
        (10, 1_000_000, 1e-10, 4.727_241_081_332_993e-7, 4.656_376_983_773_857e-5),
        (5_000, 1_000_000, 1e-10, 0.004_564_251_499_441_859, 0.005_462_828_290_105_005),
        (500_000, 1_000_000, 1e-10, 0.496_818_862_535_105_7, 0.503_181_137_464_894_2),
        (999_990, 1_000_000, 1e-10, 0.999_953_436_230_162_3, 0.999_999_527_275_891_9),
        (5_000_000, 10_000_000, 1e-11, 0.498_939_635_858_077_93, 0.501_060_364_141_922),
        (12, 10_000_000, 1e-11, 6.748_331_510_447_514e-8, 5.330_106_475_080_358e-6),
        (500_000, 1_000_000, 5e-7, 0.497_553_696_012_634_9, 0.502_446_303_987_365_1),
    ];

    #[test]
    fn the_bounds_are_those_of_clopper_and_pearson_on_the_safe_side() {
        for (count, draws, level, least, most) in REFERENCE {
            let (lower, upper) = binomial_bounds(count, draws, level);
            assert!(lower <= least && upper >= most, "{count} of {draws} at {level}: {lower} to {upper}");
            // lowering the level by a hundredth moves the bounds by no more than this part of their distance from the count
            let seen = count as f64 / draws as f64;
            assert!(least - lower < 0.011 * (seen - least).max(least), "{count} of {draws}: {lower} for {least}");
            assert!(upper - most < 0.011 * (most - seen), "{count} of {draws}: {upper} for {most}");
        }
    }

    #[test]
    fn nothing_and_everything_have_one_bound_each() {
        let (lower, upper) = binomial_bounds(0, 1_000_000, 1e-6);
        assert!(lower == 0.0 && (upper - 1.381_6e-5).abs() < 1e-7, "{upper}");
        assert_eq!(binomial_bounds(1_000_000, 1_000_000, 1e-6), (1.0 - upper, 1.0));
        for (count, draws, level) in [(2, 1, 0.1), (0, 0, 0.1), (1, 2, 0.0), (1, 2, f64::NAN), (1, u64::MAX, 0.1)] {
            assert_eq!(binomial_bounds(count, draws, level), (0.0, 1.0));
        }
    }

    #[test]
    fn the_tail_is_the_sum_of_the_probabilities() {
        let (n, p) = (30_u64, 0.3_f64);
        for count in 0..=n {
            let choose = |k: u64| (1..=k).fold(1.0, |c, i| c * (n - k + i) as f64 / i as f64);
            let probability = |k: u64| choose(k) * p.powi(i32::try_from(k).unwrap()) * 0.7_f64.powf((n - k) as f64);
            let sum: f64 = (count..=n).map(probability).sum();
            assert!((binomial_tail(count, n, p) / sum - 1.0).abs() < 1e-10, "{count}");
        }
        assert_eq!([binomial_tail(3, 2, 0.5), binomial_tail(1, 2, 0.0), binomial_tail(1, 2, 1.0)], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn equal_counts_refute_nothing_and_unequal_ones_do() {
        assert!(!refuted(500_000, 500_000, 1_000_000, 0.0, 0.0, 1e-6));
        assert!(refuted(500_000, 490_000, 1_000_000, 0.0, 0.0, 1e-6));
        assert!(!refuted(0, 1_000_000, 1_000_000, 0.0, 0.0, 1e-6));
        assert!(!refuted(500_000, 490_000, 1_000_000, f64::NAN, 0.0, 1e-6));
    }
}
