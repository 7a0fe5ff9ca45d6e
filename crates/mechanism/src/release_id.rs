//! What a release is called in a ledger.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "release_id_tests.rs"]
mod tests;

/// The most characters of an id.
const LONGEST: usize = 100;

/// What a release is called in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReleaseId(String);

/// A text that is no release id: one that could not be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a release id must have from 1 to {LONGEST} letters, digits, dots, dashes, underscores or colons")]
pub struct ReleaseIdError;

impl ReleaseId {
    /// The id as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ReleaseId {
    type Err = ReleaseIdError;

    fn from_str(id: &str) -> Result<Self, ReleaseIdError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '_', ':'].contains(&c);
        if (1..=LONGEST).contains(&id.len()) && id.chars().all(is_plain) {
            Ok(Self(id.to_owned()))
        } else {
            Err(ReleaseIdError)
        }
    }
}

dpfda_privacy::written_as_text!(ReleaseId);

impl fmt::Display for ReleaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
