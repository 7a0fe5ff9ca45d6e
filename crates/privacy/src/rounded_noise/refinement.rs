//! Takes the decisions that doubles leave open, between enclosures of growing precision.

use dashu_float::FBig;
use dashu_float::round::mode::{Down, Up};
use rand::Rng;

use super::Exponent;
use crate::exact_sampling::{Outwards, double, number};
use crate::lazy_uniform::LazyUniform;

/// Whether `level < 2^(k-1) exp(-psi(k + fraction))`. It draws digits of both deviates until this is decided.
///
/// In logarithms, with `n` digits known: `x = k + fraction` and `v = 2^(1-k) level` lie in intervals of exact binary
/// numbers, and `psi(x) + log v` increases in both. It is below 0 throughout or above 0 throughout, unless the
/// intervals are still too long. Each digit makes them shorter by a factor of `2^64`.
pub(super) fn keeps<R: Rng + ?Sized>(
    exponent: Exponent,
    whole: u64,
    fraction: &mut LazyUniform,
    level: &mut LazyUniform,
    randomness: &mut R,
) -> bool {
    let mut digits = 2;
    loop {
        let fraction: Vec<u64> = (0..digits).map(|index| fraction.word(index, randomness)).collect();
        let level: Vec<u64> = (0..digits).map(|index| level.word(index, randomness)).collect();
        if balance::<Up>(exponent, whole, &fraction, &level, 1).is_some_and(|most| most <= FBig::<Up, 2>::ZERO) {
            return true;
        }
        if balance::<Down>(exponent, whole, &fraction, &level, 0).is_some_and(|least| least >= FBig::<Down, 2>::ZERO) {
            return false;
        }
        digits *= 2;
    }
}

/// `psi(x) + log v`, rounded in the direction of `R`, at one end of the open interval: the lower end for 0, the upper
/// end for 1. The result is `None` if it is minus infinity.
fn balance<R: Outwards>(
    exponent: Exponent,
    whole: u64,
    fraction: &[u64],
    level: &[u64],
    end: u64,
) -> Option<FBig<R, 2>> {
    // holds a 64-bit integer and all digits exactly
    let bits = 64 * fraction.len();
    let precision = bits + 128;
    let exactly = |integer: u64, digits: &[u64]| {
        let all = digits
            .iter()
            .fold(number::<R>(integer, precision), |sum, digit| (sum << 64) + number::<R>(*digit, precision));
        (all + number::<R>(end, precision)) >> bits.cast_signed()
    };
    // `whole` is a count of coin flips
    let v = (exactly(0, level) << 1) >> isize::try_from(whole).unwrap_or(isize::MAX);
    if v == FBig::<R, 2>::ZERO {
        return None;
    }
    Some(psi(exponent, exactly(whole, fraction), precision) + logarithm(v))
}

/// `log x` of an exact `x > 0`, rounded outwards.
fn logarithm<R: Outwards>(x: FBig<R, 2>) -> FBig<R, 2> {
    if x == FBig::<R, 2>::ONE { FBig::ZERO } else { R::widened(x.ln()) }
}

/// `psi(x)` for an exact `x >= 0`, rounded in the direction of `R`.
fn psi<R: Outwards>(exponent: Exponent, x: FBig<R, 2>, precision: usize) -> FBig<R, 2> {
    if x == FBig::<R, 2>::ZERO {
        return x;
    }
    match exponent {
        Exponent::Power(1.0) => x,
        Exponent::Power(shape) => {
            let shape = double::<R>(shape, precision);
            // a product and a quotient round in the direction of R, whatever the sign of the logarithm
            let power = if x == FBig::<R, 2>::ONE { x } else { R::widened((shape.clone() * logarithm(x)).exp()) };
            power / shape
        }
        Exponent::Logistic => {
            let mean = (number::<R>(1_u64, precision) + R::widened((-x.clone()).exp())) >> 1;
            x + (logarithm(mean) << 1)
        }
    }
}
