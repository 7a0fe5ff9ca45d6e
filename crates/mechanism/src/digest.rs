//! SHA-256, as 64 hexadecimal digits.

use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;

/// The SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// A text that is no digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a digest is 64 hexadecimal digits in lower case")]
pub struct DigestError;

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Hash::hash(bytes))
    }

    /// The bytes themselves.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// Zeros, which are the digest of nothing known: what stands before the first entry of a ledger.
    pub fn none() -> Self {
        Self([0; 32])
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(DigestError);
        }
        let value = |digit: u8| match digit {
            b'0'..=b'9' => Ok(digit - b'0'),
            b'a'..=b'f' => Ok(digit - b'a' + 10),
            _ => Err(DigestError),
        };
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = value(*high)? << 4 | value(*low)?;
        }
        Ok(Self(bytes))
    }
}

dpfda_privacy::written_as_text!(Digest);
