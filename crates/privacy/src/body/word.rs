//! The integers that sums are made of.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(test)]
#[path = "word_tests.rs"]
mod tests;

/// An integer of a sum: 64 bits, or 128 where records are products.
pub trait Word: Copy + Default + PartialEq + fmt::Debug + sealed::Sealed {
    /// The bytes of one integer.
    const BYTES: usize;

    /// The sum with noise; what does not fit is clamped, which is post-processing of the noisy value.
    #[must_use]
    fn with_noise(self, noise: i128) -> Self;

    /// From a smaller integer.
    fn from_i64(value: i64) -> Self;

    /// The sum of two integers that a body keeps within range.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The nearest double.
    fn to_f64(self) -> f64;

    /// As 128 bits.
    fn to_i128(self) -> i128;

    /// From 128 bits; `None` for what does not fit.
    fn from_i128(value: i128) -> Option<Self>;

    /// Appends the little-endian bytes.
    fn write(self, bytes: &mut Vec<u8>);

    /// From little-endian bytes, of which there must be [`Word::BYTES`].
    fn read(bytes: &[u8]) -> Option<Self>;
}

macro_rules! word {
    ($integer:ty) => {
        impl sealed::Sealed for $integer {}

        impl Word for $integer {
            const BYTES: usize = size_of::<$integer>();

            fn with_noise(self, noise: i128) -> Self {
                let noisy = i128::from(self).saturating_add(noise);
                Self::try_from(noisy).unwrap_or(if noisy > 0 { Self::MAX } else { Self::MIN })
            }

            fn from_i64(value: i64) -> Self {
                Self::from(value)
            }

            fn plus(self, other: Self) -> Self {
                self + other
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn to_i128(self) -> i128 {
                i128::from(self)
            }

            fn from_i128(value: i128) -> Option<Self> {
                value.try_into().ok()
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self::from_le_bytes)
            }
        }
    };
}

word!(i64);
word!(i128);

mod sealed {
    pub trait Sealed {}
}

/// Integers up to here are the same numbers in every language that reads JSON.
const LARGEST_NUMBER: u128 = 1 << 53;

/// An integer as it stands in a document: a number up to `2^53`, and a string of digits beyond, where other languages would
/// round it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExactInteger(pub i128);

impl Serialize for ExactInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(small) if self.0.unsigned_abs() <= LARGEST_NUMBER => serializer.serialize_i64(small),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for ExactInteger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IntegerVisitor)
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = ExactInteger;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, or a string of digits beyond 2^53")
    }

    fn visit_i64<E>(self, value: i64) -> Result<ExactInteger, E> {
        Ok(ExactInteger(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<ExactInteger, E> {
        Ok(ExactInteger(value.into()))
    }

    fn visit_str<E: de::Error>(self, digits: &str) -> Result<ExactInteger, E> {
        digits.parse().map(ExactInteger).map_err(E::custom)
    }
}
