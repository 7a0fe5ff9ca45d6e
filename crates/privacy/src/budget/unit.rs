//! What one record is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What one record is, and hence whom a release protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrivacyUnit {
    /// One curve: a person with several curves is not protected as a whole.
    Curve,
    /// One person, with all of their curves.
    Subject,
}

impl fmt::Display for PrivacyUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Curve => "curve",
            Self::Subject => "subject",
        })
    }
}

/// A unit that nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("unknown unit of privacy; known are subject (all curves of a person together) and curve (each row alone)")]
pub struct UnknownUnit;

impl FromStr for PrivacyUnit {
    type Err = UnknownUnit;

    fn from_str(name: &str) -> Result<Self, UnknownUnit> {
        [Self::Subject, Self::Curve].into_iter().find(|unit| unit.to_string() == name).ok_or(UnknownUnit)
    }
}
