//! The elementary functions, from series of which the rest is bounded.

use std::f64::consts::LN_2;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::{Enclosure, is_positive};

/// The argument of the exponential series is at most `2^-8`.
const REDUCTION: usize = 8;

impl Enclosure {
    /// `exp(x)`; `None` where the lower end of a reciprocal is not known to be positive.
    ///
    /// ```text
    /// exp(x) = exp(x / 2^m)^(2^m),    exp(z) = sum_k z^k / k!,  the terms after one of at most a unit being less than it
    /// ```
    pub(super) fn exp(&self) -> Option<Self> {
        if self.is_at_least_zero() {
            return Some(self.exp_from_zero());
        }
        let one = Self::one(self.bits);
        if !is_positive(&self.high) {
            return one.over(&self.negative().exp_from_zero());
        }
        let low = one.over(&self.lowest().negative().exp_from_zero())?;
        Some(low.up_to(&self.highest().exp_from_zero()))
    }

    fn exp_from_zero(&self) -> Self {
        let squarings = self.whole_bits() + REDUCTION;
        let argument = self.halved(squarings);
        let (mut term, mut sum) = (Self::one(self.bits), Self::one(self.bits));
        for k in 1.. {
            term = (&term * &argument).over_integer(k);
            sum = &sum + &term;
            if term.high <= IBig::ONE {
                break;
            }
        }
        (0..squarings).fold(sum.raised_by(&term.high), |power, _| power.square())
    }

    /// `log x`; `None` unless `x` is known to be positive.
    ///
    /// ```text
    /// log x = y + 2 atanh((v - 1)/(v + 1)),    v = x exp(-y)
    /// ```
    ///
    /// for any `y`: the logarithm in doubles makes the series short.
    pub(super) fn ln(&self) -> Option<Self> {
        if !is_positive(&self.low) {
            return None;
        }
        let near = Self::double(self.near_ln(), self.bits);
        let rest = if near.is_negative() { self * &near.negative().exp()? } else { self.over(&near.exp()?)? };
        let one = Self::one(self.bits);
        let ratio = (&rest - &one).over(&(&rest + &one))?;
        // what the rest of the series is bounded for
        (ratio.size() <= IBig::ONE << (self.bits - 1)).then(|| &near + &atanh(&ratio).doubled(1))
    }

    /// The logarithm of the upper end, in doubles.
    fn near_ln(&self) -> f64 {
        let extra = self.high.bit_len().saturating_sub(53);
        let places = i32::try_from(extra).unwrap_or(i32::MAX) - i32::try_from(self.bits).unwrap_or(i32::MAX);
        libm::log((&self.high >> extra).to_f64().value()) + f64::from(places) * LN_2
    }

    /// `x^power` for `x >= 0`; 0 where `x` is so small that its power is not known to be positive.
    pub(super) fn power(&self, power: &Self) -> Option<Self> {
        let at = |end: &Self| match end.ln() {
            Some(logarithm) => (power * &logarithm).exp(),
            None => Some(Self::integer(0, self.bits)),
        };
        let high = at(&self.highest())?;
        if self.low == self.high { Some(high) } else { Some(at(&self.lowest())?.up_to(&high)) }
    }

    /// `pi = 16 atan(1/5) - 4 atan(1/239)` (Machin).
    pub(super) fn pi(bits: usize) -> Self {
        &atan_of_inverse(5, bits).doubled(4) - &atan_of_inverse(239, bits).doubled(2)
    }
}

/// `atanh u = sum_k u^(2k+1) / (2k+1)` for `|u| <= 1/2`: each term is at most a quarter of the one before.
fn atanh(u: &Enclosure) -> Enclosure {
    let square = u.square();
    let (mut power, mut sum) = (u.clone(), u.clone());
    for k in 1.. {
        power = &power * &square;
        let term = power.over_integer(2 * k + 1);
        sum = &sum + &term;
        let rest = term.size();
        if rest <= IBig::ONE {
            return sum.within(rest);
        }
    }
    sum
}

/// `atan(1/n) = sum_k (-1)^k / ((2k+1) n^(2k+1))`: the rest of an alternating series is smaller than the last term.
fn atan_of_inverse(n: u64, bits: usize) -> Enclosure {
    let mut power = Enclosure::one(bits).over_integer(n);
    let mut sum = power.clone();
    for k in 1.. {
        power = power.over_integer(n * n);
        let term = power.over_integer(2 * k + 1);
        sum = if k % 2 == 0 { &sum + &term } else { &sum - &term };
        if term.high <= IBig::ONE {
            return sum.within(term.high);
        }
    }
    sum
}
