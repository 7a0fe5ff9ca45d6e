//! The integers that sums are made of.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

#[cfg(test)]
mod tests {
    use super::{ExactInteger, Word};

    #[test]
    fn a_sum_beyond_the_word_stops_at_the_end_and_does_not_come_back_from_the_other() {
        assert_eq!((i64::MAX.with_noise(0), i64::MAX.with_noise(1)), (i64::MAX, i64::MAX));
        assert_eq!((i64::MIN.with_noise(0), i64::MIN.with_noise(-1)), (i64::MIN, i64::MIN));
        assert_eq!((1_i64.with_noise(i128::MAX), (-1_i64).with_noise(i128::MIN)), (i64::MAX, i64::MIN));
        assert_eq!((-5_i64).with_noise(i64::MAX.into()), i64::MAX - 5);
        assert_eq!(1_i128.with_noise(i128::MAX), i128::MAX);
    }

    #[test]
    fn integers_survive_documents_and_bytes() -> Result<(), serde_json::Error> {
        for value in [0, 1, -7, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, i128::from(i64::MIN), i128::MAX, i128::MIN] {
            let json = serde_json::to_string(&ExactInteger(value))?;
            assert_eq!(json.starts_with('"'), value.unsigned_abs() > 1 << 53, "{json}");
            assert_eq!(serde_json::from_str::<ExactInteger>(&json)?.0, value);
            let mut bytes = Vec::new();
            value.write(&mut bytes);
            assert_eq!((bytes.len(), i128::read(&bytes)), (i128::BYTES, Some(value)));
        }
        assert!(serde_json::from_str::<ExactInteger>("1.5").is_err());
        assert!(serde_json::from_str::<ExactInteger>("\"1e3\"").is_err());
        Ok(())
    }
}
