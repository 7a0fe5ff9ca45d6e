//! The discrete Laplace distribution, drawn and calibrated exactly.

use rand::Rng;
use thiserror::Error;

use crate::budget::PrivacyBudget;
use crate::budget::amount::Amount;
use crate::draw::lazy_uniform::uniform_below;

mod profile;
#[cfg(test)]
mod tests;

/// Noise on the integers with two-sided geometric tails, of a rational scale `t`.
///
/// ```text
/// P(k) = (1 - q) / (1 + q) q^|k|,    q = e^(-1/t)
/// ```
///
/// Added to an integer of sensitivity `D`, the noise is purely `D/t`-private. Added independently to each of several
/// integers, it is `D/t`-private in any dimension, if `D` is the sensitivity of all integers together in the sum of
/// absolute values (Ghosh, Roughgarden and Sundararajan 2009). With a positive delta, the profile holds for one integer
/// alone, and nothing is claimed for several. The sampler is that of Canonne, Kamath and Steinke (2020, Algorithm 2),
/// in integers only.
///
/// The numerator and the denominator of the scale are at most `2^62`. So a draw is at most `2^126`, unless a coin of
/// `1/e` shows heads `2^63` times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    numerator: u64,
    denominator: u64,
}

/// Why discrete Laplace noise was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DiscreteLaplaceError {
    #[error(
        "the scale of discrete Laplace noise must be a fraction of integers from 1 to 2^62, got {numerator}/{denominator}"
    )]
    Scale { numerator: u64, denominator: u64 },
    #[error("the sensitivity must be at least 1 lattice step, got {value}: round it up")]
    Sensitivity { value: u64 },
    #[error("discrete Laplace noise needs at least one coordinate, got {value}")]
    Dimension { value: usize },
    #[error(
        "discrete Laplace noise with delta {delta:e} > 0 is proved for one coordinate, got {dimension}: for several coordinates use delta = 0, which is proved in any dimension for the l1 sensitivity, or use Gaussian noise"
    )]
    SeveralCoordinates { delta: f64, dimension: usize },
    #[error(
        "epsilon and delta must not both be 0: the likelihood ratio of neighbours is at most e^(sensitivity / scale), which is above 1 at every scale"
    )]
    NothingToSpend,
    #[error(
        "this budget needs discrete Laplace noise of a scale beyond 2^62 lattice steps: nothing of the data would be left; use a larger epsilon or delta"
    )]
    TooLarge,
}

/// The largest numerator and denominator of a scale.
const LARGEST: u64 = 1 << 62;

impl DiscreteLaplace {
    /// Makes noise of scale `numerator / denominator`, in lattice steps.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, DiscreteLaplaceError> {
        if !(1..=LARGEST).contains(&numerator) || !(1..=LARGEST).contains(&denominator) {
            return Err(DiscreteLaplaceError::Scale { numerator, denominator });
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Finds the smallest scale of a public grid that meets the budget, for `dimension` integers whose sum of absolute
    /// changes between neighbours is at most `sensitivity`.
    ///
    /// The grid has the scales `n 2^e` with `2^20 < n <= 2^21` and `-62 <= e <= 41`, so at most one part in `2^20` is
    /// lost. With `delta = 0` the condition `scale >= sensitivity / epsilon` is decided exactly, for the decimal number
    /// that epsilon prints as, and it holds in any dimension. With `delta > 0` the exact profile of one coordinate
    /// decides.
    ///
    /// # Errors
    /// [`DiscreteLaplaceError`] for a sensitivity or dimension of 0, for `delta > 0` with several coordinates, and for
    /// a budget that no scale on the grid meets.
    pub fn calibrated(
        sensitivity: u64,
        dimension: usize,
        budget: &PrivacyBudget,
    ) -> Result<Self, DiscreteLaplaceError> {
        let (epsilon, delta) = (budget.epsilon(), budget.delta());
        if sensitivity == 0 {
            return Err(DiscreteLaplaceError::Sensitivity { value: sensitivity });
        }
        if dimension == 0 {
            return Err(DiscreteLaplaceError::Dimension { value: dimension });
        }
        if delta > 0.0 && dimension > 1 {
            return Err(DiscreteLaplaceError::SeveralCoordinates { delta, dimension });
        }
        if epsilon == 0.0 && delta == 0.0 {
            return Err(DiscreteLaplaceError::NothingToSpend);
        }
        if delta == 0.0 {
            let decimal = Amount::decimal(epsilon).map_err(|_| DiscreteLaplaceError::TooLarge)?;
            return smallest_on_grid(|noise| noise.is_within(sensitivity, &decimal))
                .map(on_grid)
                .ok_or(DiscreteLaplaceError::TooLarge);
        }
        let found = smallest_on_grid(|noise| noise.near_delta(sensitivity, epsilon) <= delta);
        found
            .and_then(|index| (index..SCALES).map(on_grid).find(|noise| noise.delta(sensitivity, epsilon) <= delta))
            .ok_or(DiscreteLaplaceError::TooLarge)
    }

    /// Whether `sensitivity / scale <= epsilon`, exactly.
    fn is_within(&self, sensitivity: u64, epsilon: &Amount) -> bool {
        // at most 2^64 * 2^62
        let spent = u128::from(sensitivity) * u128::from(self.denominator);
        Amount::fraction(spent, u128::from(self.numerator)).is_some_and(|spent| spent <= *epsilon)
    }

    /// The scale `t`, as numerator and denominator without a common divisor.
    pub fn scale(&self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// The variance `2 q / (1 - q)^2`, in squared lattice steps.
    pub fn variance(&self) -> f64 {
        let hyperbolic_sine = libm::sinh(0.5 * self.denominator as f64 / self.numerator as f64);
        0.5 / (hyperbolic_sine * hyperbolic_sine)
    }

    /// Draws one value (Canonne, Kamath and Steinke 2020, Algorithm 2).
    ///
    /// `X` with `P(X = x)` proportional to `exp(-x / numerator)` is composed from its quotient and its remainder by the
    /// numerator, and divided by the denominator. A negative zero is rejected, so that 0 is not drawn twice as often.
    pub fn sample<R: Rng + ?Sized>(&self, randomness: &mut R) -> i128 {
        loop {
            let remainder = uniform_below(self.numerator, randomness);
            if !exponential_coin(remainder, self.numerator, randomness) {
                continue;
            }
            let mut quotient = 0_u64;
            while exponential_coin(1, 1, randomness) {
                quotient += 1;
            }
            let whole = u128::from(self.numerator) * u128::from(quotient) + u128::from(remainder);
            let magnitude = (whole / u128::from(self.denominator)).cast_signed();
            let negative = randomness.next_u64() >> 63 == 1;
            if negative && magnitude == 0 {
                continue;
            }
            return if negative { -magnitude } else { magnitude };
        }
    }
}

/// True with probability `exp(-numerator / denominator)`, for a fraction of at most 1 (Algorithm 1 of the same paper).
///
/// Let `g` be the fraction. The run of successes of coins `g, g/2, g/3, ...` has length at least `m` with probability
/// `g^m / m!`, so its length is even with probability `e^-g`.
fn exponential_coin<R: Rng + ?Sized>(numerator: u64, denominator: u64, randomness: &mut R) -> bool {
    let mut length = 0_u64;
    loop {
        let success = (numerator == denominator || uniform_below(denominator, randomness) < numerator)
            && (length == 0 || uniform_below(length + 1, randomness) == 0);
        if !success {
            return length.is_multiple_of(2);
        }
        length += 1;
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The number of scales of the grid in each doubling.
const STEPS: u64 = 1 << 20;

/// The number of doublings below `2^20`, and from `2^20` on.
const DOUBLINGS_BELOW: u64 = 62;
const DOUBLINGS: u64 = 42;

/// The number of scales of the grid.
const SCALES: u64 = (DOUBLINGS_BELOW + DOUBLINGS) * STEPS;

/// The scale at this index: `(2^20 + 1 + index mod 2^20) 2^(index / 2^20 - 62)`.
fn on_grid(index: u64) -> DiscreteLaplace {
    let (doubling, n) = (index / STEPS, STEPS + 1 + index % STEPS);
    let (numerator, denominator) = if doubling < DOUBLINGS_BELOW {
        (n, 1 << (DOUBLINGS_BELOW - doubling))
    } else {
        (n << (doubling - DOUBLINGS_BELOW), 1)
    };
    let divisor = greatest_common_divisor(numerator, denominator);
    DiscreteLaplace { numerator: numerator / divisor, denominator: denominator / divisor }
}

/// Finds the index of the first scale on the grid that is private enough.
///
/// Every larger scale is at least as private: its law is the law of a smaller scale plus independent noise, because the
/// quotient of the generating functions of two geometric laws is a generating function.
fn smallest_on_grid(meets: impl Fn(&DiscreteLaplace) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, SCALES);
    while low < high {
        let middle = u64::midpoint(low, high);
        if meets(&on_grid(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (low < SCALES).then_some(low)
}
