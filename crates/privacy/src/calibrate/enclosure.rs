//! Enclosures: real numbers between two integers, in units of a power of two.
//!
//! Every operation rounds its lower end down and its upper end up, in integers of any size. So an upper end is proved to be one:
//! there is no floating-point number here. What a series leaves out is named in `docs/proofs/calibration.md`.

use std::ops::{Add, Mul, Sub};

use dashu_int::ops::{BitTest, DivEuclid, SquareRoot};
use dashu_int::{IBig, UBig};

use crate::budget::amount::Amount;

mod bound;
pub(crate) mod continuous;
mod decode;
mod functions;
pub(crate) mod laws;
pub(crate) mod normal;
pub(crate) mod random_scale;
pub(crate) mod subbotin;
#[cfg(test)]
mod tests;

pub(crate) use bound::{Bound, lowered, raised};
pub(crate) use decode::decode;

/// A real number `x` with `low <= 2^bits x <= high`.
#[derive(Debug, Clone)]
pub(crate) struct Enclosure {
    low: IBig,
    high: IBig,
    bits: usize,
}

impl Enclosure {
    fn exactly(units: IBig, bits: usize) -> Self {
        Self { low: units.clone(), high: units, bits }
    }

    fn integer(value: u64, bits: usize) -> Self {
        Self::exactly(IBig::from(value) << bits, bits)
    }

    fn one(bits: usize) -> Self {
        Self::integer(1, bits)
    }

    fn amount(amount: &Amount, bits: usize) -> Self {
        let (low, high) = amount.in_units(bits);
        Self { low, high, bits }
    }

    /// A finite double of any sign.
    fn double(value: f64, bits: usize) -> Self {
        let size = Amount::exact(value.abs()).unwrap_or_else(|_| Amount::zero());
        let size = Self::amount(&size, bits);
        if value < 0.0 { size.negative() } else { size }
    }

    fn negative(&self) -> Self {
        Self { low: -&self.high, high: -&self.low, bits: self.bits }
    }

    /// The lower end as a number.
    fn lowest(&self) -> Self {
        Self::exactly(self.low.clone(), self.bits)
    }

    /// The upper end as a number.
    fn highest(&self) -> Self {
        Self::exactly(self.high.clone(), self.bits)
    }

    /// The double next to the upper end: no bound rests on it.
    fn near(&self) -> f64 {
        libm::scalbn(self.high.to_f64().value(), -i32::try_from(self.bits).unwrap_or(i32::MAX))
    }

    /// Everything between the lower end of this and the upper end of the other.
    fn up_to(&self, other: &Self) -> Self {
        Self { low: self.low.clone(), high: other.high.clone(), bits: self.bits }
    }

    /// The same number, or up to so much more.
    fn raised_by(&self, most: &IBig) -> Self {
        Self { low: self.low.clone(), high: &self.high + most, bits: self.bits }
    }

    /// A number at most so far from this one.
    fn within(&self, distance: IBig) -> Self {
        Self { low: &self.low - &distance, high: &self.high + distance, bits: self.bits }
    }

    /// The larger of the sizes of both ends, in units.
    fn size(&self) -> IBig {
        self.high.clone().max(-&self.low)
    }

    /// The number divided by `2^places`.
    fn halved(&self, places: usize) -> Self {
        Self { low: floor_shift(&self.low, places), high: ceil_shift(&self.high, places), bits: self.bits }
    }

    fn doubled(&self, places: usize) -> Self {
        Self { low: &self.low << places, high: &self.high << places, bits: self.bits }
    }

    fn square(&self) -> Self {
        self * self
    }

    fn times_integer(&self, factor: u64) -> Self {
        let factor = IBig::from(factor);
        Self { low: &self.low * &factor, high: &self.high * &factor, bits: self.bits }
    }

    fn over_integer(&self, divisor: u64) -> Self {
        let divisor = IBig::from(divisor);
        Self { low: (&self.low).div_euclid(&divisor), high: -(-&self.high).div_euclid(&divisor), bits: self.bits }
    }

    /// The quotient; `None` unless the divisor is known to be positive.
    fn over(&self, divisor: &Self) -> Option<Self> {
        if !is_positive(&divisor.low) {
            return None;
        }
        let (low, high) = (&self.low << self.bits, -&self.high << self.bits);
        // the end of the divisor that makes the quotient most extreme depends on the sign
        let for_low = if is_negative(&low) { &divisor.low } else { &divisor.high };
        let for_high = if is_negative(&high) { &divisor.low } else { &divisor.high };
        Some(Self { low: low.div_euclid(for_low), high: -high.div_euclid(for_high), bits: self.bits })
    }

    /// The root; that of 0 where the number may be negative.
    fn root(&self) -> Self {
        let root = |units: &IBig| UBig::try_from(units.clone() << self.bits).unwrap_or(UBig::ZERO).sqrt();
        Self { low: IBig::from(root(&self.low)), high: IBig::from(root(&self.high) + UBig::ONE), bits: self.bits }
    }

    fn is_negative(&self) -> bool {
        is_negative(&self.high)
    }

    fn is_at_least_zero(&self) -> bool {
        !is_negative(&self.low)
    }

    fn is_at_most(&self, other: &Self) -> bool {
        self.high <= other.low
    }

    /// Whether the ends agree to one part in `2^48`.
    fn is_tight(&self) -> bool {
        (&self.high - &self.low) << 48 <= self.high
    }

    /// The number of bits of the integer part of the upper end.
    fn whole_bits(&self) -> usize {
        self.high.bit_len().saturating_sub(self.bits)
    }
}

impl Add for &Enclosure {
    type Output = Enclosure;

    fn add(self, other: Self) -> Enclosure {
        Enclosure { low: &self.low + &other.low, high: &self.high + &other.high, bits: self.bits }
    }
}

impl Sub for &Enclosure {
    type Output = Enclosure;

    fn sub(self, other: Self) -> Enclosure {
        Enclosure { low: &self.low - &other.high, high: &self.high - &other.low, bits: self.bits }
    }
}

impl Mul for &Enclosure {
    type Output = Enclosure;

    fn mul(self, other: Self) -> Enclosure {
        let (low, high) = if is_negative(&self.low) || is_negative(&other.low) {
            let ends = [&self.low * &other.low, &self.low * &other.high, &self.high * &other.low];
            let last = &self.high * &other.high;
            ends.into_iter().fold((last.clone(), last), |(low, high), end| (low.min(end.clone()), high.max(end)))
        } else {
            (&self.low * &other.low, &self.high * &other.high)
        };
        Enclosure { low: floor_shift(&low, self.bits), high: ceil_shift(&high, self.bits), bits: self.bits }
    }
}

fn is_negative(integer: &IBig) -> bool {
    *integer < IBig::ZERO
}

fn is_positive(integer: &IBig) -> bool {
    *integer > IBig::ZERO
}

/// `floor(integer / 2^places)`: the shift of an integer rounds down.
fn floor_shift(integer: &IBig, places: usize) -> IBig {
    integer >> places
}

/// `ceil(integer / 2^places)`.
fn ceil_shift(integer: &IBig, places: usize) -> IBig {
    -((-integer) >> places)
}
