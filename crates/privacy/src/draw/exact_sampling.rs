//! Uniform integers, coins of rational or enclosed probability, and exact binary numbers: decisions as real numbers would take
//! them.

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use dashu_float::round::{ErrorBounds, Round};
use dashu_int::UBig;
use rand::Rng;

use crate::calibrate::enclosure::decode;
pub use crate::draw::lazy_uniform::uniform_below;

#[cfg(test)]
#[path = "exact_sampling_tests.rs"]
mod tests;

/// Units in the last place by which a result is moved outwards, although the library states correct rounding.
const SLACK: u32 = 4;

/// A rounding mode, and the direction that is outwards in it.
pub trait Outwards: ErrorBounds {
    /// The mode of the opposite direction.
    type Opposite: Outwards;

    /// The value, moved outwards by a few units in its last place.
    fn widened(value: FBig<Self, 2>) -> FBig<Self, 2>;
}

impl Outwards for Up {
    type Opposite = Down;

    fn widened(value: FBig<Self, 2>) -> FBig<Self, 2> {
        let slack = value.ulp() * FBig::from(SLACK);
        value + slack
    }
}

impl Outwards for Down {
    type Opposite = Up;

    fn widened(value: FBig<Self, 2>) -> FBig<Self, 2> {
        let slack = value.ulp() * FBig::from(SLACK);
        value - slack
    }
}

/// An integer, with which results of at least `precision` bits are formed; the precision must hold the integer.
pub fn number<R: Round>(integer: impl Into<u128>, precision: usize) -> FBig<R, 2> {
    FBig::from(integer.into()).with_precision(precision).value()
}

/// A double `>= 0`, exactly; see [`number`].
pub fn double<R: Round>(value: f64, precision: usize) -> FBig<R, 2> {
    let (mantissa, exponent) = decode(value);
    number(mantissa, precision) << exponent
}

/// `exp(-x)` for `x >= 0` rounded in the opposite direction, rounded in the direction of `R`.
pub fn exponential_of_minus<R: Outwards>(x: FBig<R::Opposite, 2>) -> FBig<R, 2> {
    if x == FBig::<R::Opposite, 2>::ZERO {
        return FBig::ONE;
    }
    R::widened((-x.with_rounding::<R>()).exp())
}

/// `log(1 + x)` for `x > 0` rounded upwards, rounded upwards.
pub fn log_of_one_plus(x: FBig<Up, 2>) -> FBig<Up, 2> {
    Up::widened(x.ln_1p())
}

/// The smallest double that is at least `x >= 0`; infinite beyond them.
pub fn smallest_double_from(x: &FBig<Up, 2>) -> f64 {
    let mut found = x.to_f64().value().next_down().next_down().max(0.0);
    while found < f64::INFINITY && double::<Up>(found, 64) < *x {
        found = found.next_up();
    }
    found
}

/// True with probability `numerator / denominator`, at most 1: the digits of a uniform deviate against those of the long
/// division, until they differ.
pub fn rational_coin<R: Rng + ?Sized>(mut numerator: UBig, denominator: &UBig, randomness: &mut R) -> bool {
    if numerator >= *denominator {
        return true;
    }
    while numerator > UBig::ZERO {
        let shifted = numerator << 64;
        let digit = &shifted / denominator;
        numerator = shifted % denominator;
        let mine = UBig::from(randomness.next_u64());
        if mine != digit {
            return mine < digit;
        }
    }
    false
}

/// Bounds on a probability, computed with at least so many bits: the lower one and the upper one.
pub trait Enclosed {
    /// Not above the probability.
    fn below(&self, precision: usize) -> FBig<Down, 2>;
    /// Not below the probability.
    fn above(&self, precision: usize) -> FBig<Up, 2>;
}

/// True with the enclosed probability: digits of a uniform deviate are drawn until it is outside the enclosure.
pub fn enclosed_coin<R: Rng + ?Sized>(probability: &impl Enclosed, randomness: &mut R) -> bool {
    let mut deviate = UBig::ZERO;
    let (mut known, mut digits) = (0, 1_usize);
    loop {
        while known < digits {
            deviate = (deviate << 64) + UBig::from(randomness.next_u64());
            known += 1;
        }
        let bits = 64 * digits;
        let precision = bits + 128;
        let end = FBig::<Down, 2>::from(&deviate + UBig::ONE);
        if end <= probability.below(precision) << bits.cast_signed() {
            return true;
        }
        if FBig::<Up, 2>::from(deviate.clone()) >= probability.above(precision) << bits.cast_signed() {
            return false;
        }
        digits *= 2;
    }
}
