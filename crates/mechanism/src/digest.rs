//! SHA-256, as 64 hexadecimal digits.

use std::fmt;
use std::str::FromStr;

use hmac_sha256::Hash;
use serde::{Deserialize, Serialize};
use thiserror::Error;

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_digest_is_sha_256_in_hexadecimal_digits() {
        // FIPS 180-2, appendix B.1
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = Digest::of(b"abc");
        assert_eq!((digest.to_string().as_str(), format!("{digest:?}")), (abc, format!("Digest({abc})")));
        assert_eq!(abc.parse(), Ok(digest));
        assert_eq!(Digest::none().to_string(), "0".repeat(64));
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
    }

    #[test]
    fn what_is_not_64_hexadecimal_digits_in_lower_case_is_refused() {
        let good = "a".repeat(64);
        for bad in
            ["", &good[1..], &format!("{good}a"), &good.to_uppercase(), &good.replacen('a', "g", 1), &"é".repeat(32)]
        {
            assert_eq!(bad.parse::<Digest>(), Err(DigestError), "{bad}");
        }
    }
}
