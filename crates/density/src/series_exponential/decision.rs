//! Keeping a proposal with probability `exp(-t)`, decided as real numbers would decide.

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use dpfda_privacy::exact_sampling::{Outwards, double, number};
use rand::Rng;

/// What the error of a probability computed in doubles is charged with, relative and absolute. `t` is at most 14 and its
/// relative error below `2^-48`, so that of the probability is below `2^-40`.
const RELATIVE_ERROR: f64 = 1.0 / (1_u64 << 30) as f64;
const ABSOLUTE_ERROR: f64 = 1.0 / (1_u64 << 60) as f64;

/// `t = epsilon sqrt(D) / (2 k bound)`, as a function of the integer `D`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exponent {
    epsilon: f64,
    draws: u64,
    bound: f64,
}

impl Exponent {
    pub(super) fn new(epsilon: f64, draws: usize, bound: f64) -> Self {
        Self { epsilon, draws: draws as u64, bound }
    }

    /// True with probability `exp(-t)`: whether a uniform deviate is below it, with as many digits as that takes.
    pub(super) fn keeps<R: Rng + ?Sized>(self, squared: u128, randomness: &mut R) -> bool {
        let first = randomness.next_u64();
        self.clearly_keeps(squared, first).unwrap_or_else(|| self.refined(squared, first, randomness))
    }

    /// The decision, if the first digit tells in spite of rounding errors.
    fn clearly_keeps(self, squared: u128, first: u64) -> Option<bool> {
        const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;
        let t = self.epsilon * (squared as f64).sqrt() / (2.0 * self.draws as f64 * self.bound);
        let probability = (-t).exp();
        let margin = probability * RELATIVE_ERROR + 2.0 * ABSOLUTE_ERROR;
        let level = first as f64 * UNIT * UNIT;
        if level < probability - margin {
            Some(true)
        } else if level > probability + margin {
            Some(false)
        } else {
            None
        }
    }

    /// The same between enclosures: kept if `log u + t <= 0` for all deviates `u` with these digits, not if it is at least 0.
    pub(super) fn refined<R: Rng + ?Sized>(self, squared: u128, first: u64, randomness: &mut R) -> bool {
        let mut digits = vec![first];
        loop {
            digits.push(randomness.next_u64());
            if self.balance::<Up>(squared, &digits, 1).is_some_and(|most| most <= FBig::<Up, 2>::ZERO) {
                return true;
            }
            if self.balance::<Down>(squared, &digits, 0).is_some_and(|least| least >= FBig::<Down, 2>::ZERO) {
                return false;
            }
        }
    }

    /// `log u + t` at one end of what the digits leave open, rounded outwards. Nothing where it is minus infinity.
    fn balance<R: Outwards>(self, squared: u128, digits: &[u64], end: u64) -> Option<FBig<R, 2>> {
        let bits = 64 * digits.len();
        let precision = bits + 192;
        let number = |integer: u128| number::<R>(integer, precision);
        let all = digits.iter().fold(number(0), |sum, digit| (sum << 64) + number(u128::from(*digit)));
        let u = (all + number(u128::from(end))) >> bits.cast_signed();
        if u == FBig::<R, 2>::ZERO {
            return None;
        }
        let logarithm = if u == FBig::<R, 2>::ONE { FBig::ZERO } else { R::widened(u.ln()) };
        let root = if squared == 0 { number(0) } else { R::widened(number(squared).sqrt()) };
        // the divisor is exact: 64 and 53 binary digits
        let divisor = number(2 * u128::from(self.draws)) * double::<R>(self.bound, precision);
        Some(logarithm + root * double::<R>(self.epsilon, precision) / divisor)
    }
}
