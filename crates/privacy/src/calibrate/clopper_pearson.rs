//! Exact bounds on a probability from the count of an event, and what two of them say about a privacy claim.

#[cfg(test)]
#[path = "clopper_pearson_tests.rs"]
mod tests;

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
