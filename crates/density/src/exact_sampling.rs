//! Uniform integers, coins of rational probability, and enclosures of exponentials and logarithms: decisions as real
//! numbers would take them.

use dashu_float::FBig;
use dashu_float::round::ErrorBounds;
use dashu_float::round::mode::{Down, Up};
use dashu_int::UBig;
use rand::Rng;

#[cfg(test)]
mod tests;

/// Units in the last place by which a result is moved outwards, although the library states correct rounding.
const SLACK: u32 = 4;

/// A rounding mode, and the direction that is outwards in it.
pub(crate) trait Outwards: ErrorBounds {
    /// The mode of the opposite direction.
    type Opposite: Outwards;

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

/// An integer, with which results of at least `precision >= 128` bits are formed.
pub(crate) fn number<R: Outwards>(integer: u128, precision: usize) -> FBig<R, 2> {
    FBig::from(integer).with_precision(precision).value()
}

/// A double `>= 0`, exactly; see [`number`].
pub(crate) fn double<R: Outwards>(value: f64, precision: usize) -> FBig<R, 2> {
    let (mantissa, exponent) = decode(value);
    number::<R>(u128::from(mantissa), precision) << exponent
}

/// `exp(-x)` for `x >= 0` rounded in the opposite direction, rounded in the direction of `R`.
pub(crate) fn exponential_of_minus<R: Outwards>(x: FBig<R::Opposite, 2>) -> FBig<R, 2> {
    if x == FBig::<R::Opposite, 2>::ZERO {
        return FBig::ONE;
    }
    R::widened((-x.with_rounding::<R>()).exp())
}

/// `log(1 + x)` for `x > 0` rounded upwards, rounded upwards.
pub(crate) fn log_of_one_plus(x: FBig<Up, 2>) -> FBig<Up, 2> {
    Up::widened(x.ln_1p())
}

/// The smallest double that is at least `x >= 0`; infinite beyond them.
pub(crate) fn smallest_double_from(x: &FBig<Up, 2>) -> f64 {
    let mut found = x.to_f64().value().next_down().next_down().max(0.0);
    while found < f64::INFINITY && double::<Up>(found, 64) < *x {
        found = found.next_up();
    }
    found
}

/// `(m, e)` with `value = m 2^e`, for a finite `value >= 0`.
fn decode(value: f64) -> (u64, isize) {
    const MANTISSA: u64 = (1 << 52) - 1;
    let (exponent, mantissa) = ((value.to_bits() >> 52) & 0x7FF, value.to_bits() & MANTISSA);
    // at most 2047, whatever the value
    let exponent = isize::try_from(exponent).unwrap_or(0);
    if exponent == 0 { (mantissa, -1074) } else { (mantissa | (MANTISSA + 1), exponent - 1075) }
}

/// A uniform integer below `bound > 0`, by rejection: no remainder of `2^64 / bound` is left to bias it.
pub(crate) fn uniform_below<R: Rng + ?Sized>(bound: u64, randomness: &mut R) -> u64 {
    let excess = (u64::MAX % bound + 1) % bound;
    loop {
        let draw = randomness.next_u64();
        if draw <= u64::MAX - excess {
            return draw % bound;
        }
    }
}

/// True with probability `numerator / denominator`, at most 1: the digits of a uniform deviate against those of the long
/// division, until they differ.
pub(crate) fn rational_coin<R: Rng + ?Sized>(mut numerator: UBig, denominator: &UBig, randomness: &mut R) -> bool {
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
pub(crate) trait Enclosed {
    fn below(&self, precision: usize) -> FBig<Down, 2>;
    fn above(&self, precision: usize) -> FBig<Up, 2>;
}

/// True with the enclosed probability: digits of a uniform deviate are drawn until it is outside the enclosure.
pub(crate) fn enclosed_coin<R: Rng + ?Sized>(probability: &impl Enclosed, randomness: &mut R) -> bool {
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
