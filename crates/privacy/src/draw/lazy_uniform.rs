//! Uniform deviates of which only the digits that a decision needs are ever drawn.

use rand::Rng;

/// A uniform deviate in `[0, 1)`, of which 64-bit digits are drawn when they are first asked for.
pub(crate) struct LazyUniform {
    pub(crate) first: u64,
    more: Vec<u64>,
}

impl LazyUniform {
    pub(crate) fn new<R: Rng + ?Sized>(randomness: &mut R) -> Self {
        Self::beginning(randomness.next_u64())
    }

    /// The deviate that begins with this digit.
    pub(crate) fn beginning(first: u64) -> Self {
        Self { first, more: Vec::new() }
    }

    /// The digit at `index`, from 0; asked for in order.
    pub(crate) fn word<R: Rng + ?Sized>(&mut self, index: usize, randomness: &mut R) -> u64 {
        if index == 0 {
            return self.first;
        }
        while self.more.len() < index {
            self.more.push(randomness.next_u64());
        }
        self.more[index - 1]
    }

    /// Whether this deviate is below the other.
    pub(crate) fn is_below<R: Rng + ?Sized>(&mut self, other: &mut Self, randomness: &mut R) -> bool {
        if self.first == other.first { self.is_below_later(other, randomness) } else { self.first < other.first }
    }

    /// Whether this deviate is above the one that begins with this digit.
    pub(crate) fn is_above<R: Rng + ?Sized>(&mut self, first: u64, randomness: &mut R) -> bool {
        if first == self.first { Self::beginning(first).is_below_later(self, randomness) } else { first < self.first }
    }

    /// The same by the digits after the first.
    #[cold]
    fn is_below_later<R: Rng + ?Sized>(&mut self, other: &mut Self, randomness: &mut R) -> bool {
        let mut index = 1;
        loop {
            let (mine, theirs) = (self.word(index, randomness), other.word(index, randomness));
            if mine != theirs {
                return mine < theirs;
            }
            index += 1;
        }
    }

    /// Whether the digits after the first, read as a fraction, are at least `numerator / denominator`.
    ///
    /// `0 < numerator <= denominator < 2^64`: the fraction is compared digit by digit with the long division.
    fn reaches<R: Rng + ?Sized>(&mut self, numerator: u128, denominator: u128, randomness: &mut R) -> bool {
        if numerator >= denominator {
            return false;
        }
        let mut remainder = numerator;
        let mut index = 1;
        while remainder > 0 {
            let shifted = remainder << 64;
            let digit = shifted / denominator;
            remainder = shifted % denominator;
            let mine = u128::from(self.word(index, randomness));
            if mine != digit {
                return mine > digit;
            }
            index += 1;
        }
        true
    }
}

/// `round(scale * (whole + fraction))` for `1 <= scale <= 2^56`, halves upwards.
///
/// More of the fraction is drawn only if the first digit leaves the result open.
pub(crate) fn round_scaled<R: Rng + ?Sized>(
    scale: u64,
    whole: u64,
    fraction: &mut LazyUniform,
    randomness: &mut R,
) -> i128 {
    const HALF: u128 = 1 << 63;
    let long_scale = u128::from(scale);
    // scale * fraction lies in [low, low + scale) / 2^64
    let low = long_scale * u128::from(fraction.word(0, randomness)) + HALF;
    let (floor, ceiling) = (low >> 64, (low + long_scale - 1) >> 64);
    let rounded = if floor == ceiling || !fraction.reaches((ceiling << 64) - low, long_scale, randomness) {
        floor
    } else {
        ceiling
    };
    // at most 2^56 * whole + 2^56, and `whole` is a count of coin flips
    i128::from(scale) * i128::from(whole) + rounded.cast_signed()
}

/// A uniform integer below `bound > 0`, by rejection: no remainder of `2^64 / bound` is left to bias it.
pub fn uniform_below<R: Rng + ?Sized>(bound: u64, randomness: &mut R) -> u64 {
    if bound.is_power_of_two() {
        return randomness.next_u64() & (bound - 1);
    }
    let excess = (u64::MAX % bound + 1) % bound;
    loop {
        let draw = randomness.next_u64();
        if draw <= u64::MAX - excess {
            return draw % bound;
        }
    }
}
