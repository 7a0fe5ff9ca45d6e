//! What an enclosure is asked for: whether its upper end is within a budget.

use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::Enclosure;
use crate::budget::amount::Amount;

/// How often the precision is doubled. Upper ends are valid at every precision, and merely larger at a low one.
const DOUBLINGS: usize = 3;

/// Beyond this precision an enclosure is not tried.
const MOST_BITS: usize = 4096;

/// A number that a delta or an epsilon was proved not to exceed.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    units: UBig,
    bits: usize,
}

impl Bound {
    /// The bound 1, which every probability has.
    pub(crate) fn one() -> Self {
        Self { units: UBig::ONE, bits: 0 }
    }

    /// The bound 0.
    pub(crate) fn zero() -> Self {
        Self { units: UBig::ZERO, bits: 0 }
    }

    /// The bound `2^-power`.
    pub(super) fn power(power: usize) -> Self {
        Self { units: UBig::ONE, bits: power }
    }

    /// The upper end of an enclosure, and 0 where that is negative.
    pub(super) fn above(found: &Enclosure) -> Self {
        Self { units: found.high.clone().max(IBig::ZERO).unsigned_abs(), bits: found.bits }
    }

    /// Evaluates an enclosure with more and more bits, until its ends agree.
    pub(super) fn tight(bits: usize, enclosure: impl Fn(usize) -> Option<Enclosure>) -> Option<Self> {
        let found = (0..=DOUBLINGS).map(|doublings| bits << doublings).filter(|bits| *bits <= MOST_BITS);
        let found = found.filter_map(&enclosure);
        let mut last = None;
        for found in found {
            last = Some(Self::above(&found));
            if found.is_tight() {
                break;
            }
        }
        last
    }

    /// Whether the bound, and so what it bounds, is at most this amount: decided in integers.
    pub(crate) fn is_within(&self, amount: &Amount) -> bool {
        amount.is_at_least(&self.units, self.bits)
    }

    /// The smallest double from `2^-1022` on that is not below the bound.
    pub(crate) fn to_f64_up(&self) -> f64 {
        let length = self.units.bit_len();
        let extra = length.saturating_sub(53);
        // at most 2^53, and so a double
        let mut leading = &self.units >> extra;
        if (&leading << extra) < self.units {
            leading += UBig::ONE;
        }
        let exponent = i64::try_from(extra).unwrap_or(i64::MAX) - i64::try_from(self.bits).unwrap_or(i64::MAX);
        let leading = leading.to_f64().value();
        // below the normal numbers digits would be lost
        if i64::try_from(length).unwrap_or(i64::MAX) + exponent - i64::try_from(extra).unwrap_or(0) < -1021 {
            return f64::MIN_POSITIVE;
        }
        i32::try_from(exponent).map_or(f64::INFINITY, |exponent| libm::scalbn(leading, exponent))
    }
}

/// The number itself if it is proved to be within, and otherwise a smaller one that is. The steps start at one unit in the last
/// place and double, so that little is lost however wrong the number was; `None` if no positive number is within.
pub(crate) fn lowered(number: f64, is_within: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut number, mut step) = (number, f64::EPSILON);
    while number > 0.0 {
        if is_within(number) {
            return Some(number);
        }
        number *= 1.0 - step;
        step = (2.0 * step).min(0.5);
    }
    None
}

/// The number itself if it is proved to be within, and otherwise a larger one that is; infinite if no double is.
pub(crate) fn raised(number: f64, is_within: impl Fn(f64) -> bool) -> f64 {
    let (mut number, mut step) = (number, f64::EPSILON);
    while number < f64::INFINITY && !is_within(number) {
        number = (number * (1.0 + step)).max(step);
        step *= 2.0;
    }
    number
}
