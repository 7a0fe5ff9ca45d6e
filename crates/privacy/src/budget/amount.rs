//! Exact amounts of privacy, as fractions: three spends of 0.1 are 0.3.

use std::fmt;
use std::ops::{Add, Mul};
use std::str::FromStr;

use dashu_int::ops::{BitTest, DivEuclid, DivRemEuclid, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "amount_tests.rs"]
mod tests;

/// A fraction that is at least 0, of integers of any size: an epsilon, a delta, or a `mu^2`.
///
/// It is written as a decimal number if it has finitely many decimals (`0.1`), otherwise as a fraction (`361/900`).
/// Both forms can be read, and powers of ten as well (`1e-5`). Sums, differences and products are exact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Amount(RBig);

/// Why a number or a text is not an amount.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AmountError {
    #[error("an amount of privacy must be finite and at least 0, got {value:?}")]
    Value { value: f64 },
    #[error("an amount of privacy is a decimal number such as 0.1 or 1e-5, or a fraction such as 361/900")]
    Text,
    #[error("an amount of privacy has at most {LONGEST} digits, and powers of ten from -400 to 400")]
    TooLong,
}

/// The largest number of digits that is read. A product of two integers of 128 bits has 78 digits, and a double written
/// in full has up to 1100.
const LONGEST: usize = 2500;

/// The largest power of ten that is read.
const LARGEST_EXPONENT: u32 = 400;

impl Amount {
    /// The amount 0.
    pub fn zero() -> Self {
        Self(RBig::ZERO)
    }

    /// The decimal number that `value` prints as: 1/10 for 0.1, although the double nearest to 0.1 is a little larger.
    pub fn decimal(value: f64) -> Result<Self, AmountError> {
        if value.is_finite() && value >= 0.0 {
            // `{:e}` prints the shortest decimal that reads back as this double
            format!("{:e}", value.abs()).parse()
        } else {
            Err(AmountError::Value { value })
        }
    }

    /// The exact value of the double.
    pub fn exact(value: f64) -> Result<Self, AmountError> {
        match RBig::try_from(value) {
            Ok(fraction) if value >= 0.0 => Ok(Self(fraction)),
            _ => Err(AmountError::Value { value }),
        }
    }

    /// The fraction `numerator / denominator`; `None` for a denominator of 0.
    pub fn fraction(numerator: u128, denominator: u128) -> Option<Self> {
        (denominator > 0).then(|| Self(RBig::from_parts(IBig::from(numerator), UBig::from(denominator))))
    }

    /// The difference; `None` if it would be negative.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (other <= self).then(|| Self(&self.0 - &other.0))
    }

    /// Whether the amount is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The integers below and above `2^bits` times the amount; they are equal where it is an integer itself.
    pub(crate) fn in_units(&self, bits: usize) -> (IBig, IBig) {
        let (steps, rest) = (self.0.numerator() << bits).div_rem_euclid(IBig::from(self.0.denominator().clone()));
        let above = if rest.is_zero() { steps.clone() } else { &steps + IBig::ONE };
        (steps, above)
    }

    /// The smallest integer that is not below the quotient by another amount, which is not 0.
    pub(crate) fn steps_of(&self, unit: &Self) -> IBig {
        let divisor = IBig::from(self.0.denominator().clone()) * unit.0.numerator();
        -(-(self.0.numerator() * unit.0.denominator())).div_euclid(divisor)
    }

    /// Whether the amount is at least `units / 2^bits`.
    pub(crate) fn is_at_least(&self, units: &UBig, bits: usize) -> bool {
        self.0.numerator() << bits >= IBig::from(units * self.0.denominator())
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    /// The smallest double that is not below the amount; infinite if the amount is above all doubles.
    pub fn to_f64_up(&self) -> f64 {
        let near = self.to_f64();
        if Self::exact(near).is_ok_and(|near| near < *self) { near.next_up() } else { near }
    }

    /// The largest double that is not above the amount.
    pub fn to_f64_down(&self) -> f64 {
        let near = self.to_f64();
        if Self::exact(near).is_ok_and(|near| near <= *self) { near } else { near.next_down() }
    }

    /// The smallest double whose square is not below the amount; infinite where none is.
    ///
    /// It is decided in integers and without a search. With `2^e <= sqrt(a) <= 2^(e + 1)`, the doubles in reach are the
    /// multiples `m 2^u` of `2^u`, where `u = max(e - 52, -1074)`, and `(m 2^u)^2 >= a` is `m^2 >= ceil(a / 4^u)`. The
    /// lengths of numerator and denominator give the exponent up to one: where it was one too small, `m` exceeds `2^53`, and
    /// the next exponent is the right one.
    pub fn square_root_up(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let bits = |length: usize| i64::try_from(length).unwrap_or(i64::MAX / 4);
        // 2^(length - 1) < a < 2^(length + 1)
        let length = bits(self.0.numerator().bit_len()) - bits(self.0.denominator().bit_len());
        let least = (length - 1).div_euclid(2);
        let most_steps = UBig::ONE << 53;
        for exponent in [least, least + 1] {
            let unit = (exponent - 52).max(-1074);
            let steps = self.root_in_steps(unit);
            if steps <= most_steps {
                let Ok(unit) = i32::try_from(unit) else { break };
                // exact: at most 2^53 steps of a power of two that is a double, or infinite above all doubles
                return if unit > 971 { f64::INFINITY } else { libm::ldexp(steps.to_f64().value(), unit) };
            }
        }
        f64::INFINITY
    }

    /// The smallest `m` with `(m 2^unit)^2` not below the amount.
    fn root_in_steps(&self, unit: i64) -> UBig {
        let shift = usize::try_from(2 * unit.unsigned_abs()).unwrap_or(usize::MAX);
        let (numerator, denominator) = (self.0.numerator().unsigned_abs(), self.0.denominator().clone());
        let (numerator, denominator) =
            if unit < 0 { (numerator << shift, denominator) } else { (numerator, denominator << shift) };
        let square = (numerator + &denominator - UBig::ONE) / denominator;
        let root = square.sqrt();
        if &root * &root < square { root + UBig::ONE } else { root }
    }

    fn parse_decimal(text: &str) -> Result<Self, AmountError> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().map_err(|_| AmountError::Text)?),
            None => (text, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let digits = format!("{whole}{part}");
        if whole.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(AmountError::Text);
        }
        if digits.len() > LONGEST || exponent.unsigned_abs() > LARGEST_EXPONENT {
            return Err(AmountError::TooLong);
        }
        let numerator = RBig::from(UBig::from_str_radix(&digits, 10).map_err(|_| AmountError::Text)?);
        let exponent = i64::from(exponent) - i64::try_from(part.len()).map_err(|_| AmountError::TooLong)?;
        let power = RBig::from(UBig::from(10_u8).pow(usize::try_from(exponent.unsigned_abs()).unwrap_or(0)));
        Ok(Self(if exponent < 0 { numerator / power } else { numerator * power }))
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let Some((numerator, denominator)) = text.split_once('/') else { return Self::parse_decimal(text) };
        if numerator.len() > LONGEST || denominator.len() > LONGEST {
            return Err(AmountError::TooLong);
        }
        let integer = |text: &str| {
            let is_plain = text.bytes().all(|digit| digit.is_ascii_digit());
            if is_plain {
                UBig::from_str_radix(text, 10).map_err(|_| AmountError::Text)
            } else {
                Err(AmountError::Text)
            }
        };
        let (numerator, denominator) = (integer(numerator)?, integer(denominator)?);
        if denominator.is_zero() {
            return Err(AmountError::Text);
        }
        Ok(Self(RBig::from_parts(IBig::from(numerator), denominator)))
    }
}

/// The largest number of decimal places that is written. An amount with more places is written as a fraction.
const PLACES: usize = 30;

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = (self.0.numerator(), self.0.denominator());
        let mut power = UBig::ONE;
        for places in 0..=PLACES {
            if (&power % denominator).is_zero() {
                let digits = (numerator * (power / denominator)).to_string();
                let digits = format!("{digits:0>width$}", width = places + 1);
                let (whole, part) = digits.split_at(digits.len() - places);
                return if places == 0 { f.write_str(whole) } else { write!(f, "{whole}.{part}") };
            }
            power *= UBig::from(10_u8);
        }
        write!(f, "{numerator}/{denominator}")
    }
}

crate::written_as_text!(Amount);

impl Add for &Amount {
    type Output = Amount;

    fn add(self, other: Self) -> Amount {
        Amount(&self.0 + &other.0)
    }
}

impl Mul for &Amount {
    type Output = Amount;

    fn mul(self, other: Self) -> Amount {
        Amount(&self.0 * &other.0)
    }
}
