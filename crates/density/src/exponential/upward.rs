//! Positive numbers with 64 bits that are only ever rounded up.

#[cfg(test)]
#[path = "upward_tests.rs"]
mod tests;

/// `mantissa 2^exponent`, with `2^63 <= mantissa`, or 0.
///
/// Unlike doubles they do not underflow: weights of paths span thousands of powers of 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Upward {
    pub(super) mantissa: u64,
    pub(super) exponent: i64,
}

impl Upward {
    pub(super) const ZERO: Self = Self { mantissa: 0, exponent: 0 };
    pub(super) const ONE: Self = Self { mantissa: 1 << 63, exponent: -63 };

    /// `value 2^unit`, rounded up.
    pub(super) fn new(value: u128, unit: i64) -> Self {
        if value == 0 {
            return Self::ZERO;
        }
        let bits = 128 - value.leading_zeros();
        let (value, exponent) = if bits > 64 {
            (ceiling_shift(value, bits - 64), unit + i64::from(bits) - 64)
        } else {
            (value << (64 - bits), unit + i64::from(bits) - 64)
        };
        // a carry leaves 2^64
        match u64::try_from(value) {
            Ok(mantissa) => Self { mantissa, exponent },
            Err(_) => Self { mantissa: 1 << 63, exponent: exponent + 1 },
        }
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// `self factor / divisor`, rounded up, for integers from 1 to `2^32`.
    pub(super) fn times(self, factor: u64, divisor: u64) -> Self {
        // 96 bits, shifted to keep 64 of the quotient
        let product = u128::from(self.mantissa) * u128::from(factor);
        Self::new((product << 32).div_ceil(u128::from(divisor)), self.exponent - 32)
    }

    /// The exact product, as an integer and an exponent.
    pub(super) fn product(self, other: Self) -> (u128, i64) {
        (u128::from(self.mantissa) * u128::from(other.mantissa), self.exponent + other.exponent)
    }

    /// The logarithm in doubles, for estimates.
    pub(super) fn ln(self) -> f64 {
        (self.mantissa as f64).ln() + self.exponent as f64 * std::f64::consts::LN_2
    }
}

/// `value / 2^shift`, rounded up.
pub(super) fn ceiling_shift(value: u128, shift: u32) -> u128 {
    if shift == 0 {
        value
    } else if shift >= 128 {
        u128::from(value > 0)
    } else {
        (value >> shift) + u128::from(value & ((1 << shift) - 1) > 0)
    }
}
