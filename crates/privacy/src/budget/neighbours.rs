//! Which two data sets a release must not tell apart.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// When two data sets are neighbours. A record is whatever the unit of privacy is: a subject, or a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeighbouringRelation {
    /// One record is replaced by any other; the number of records `N` is public (Mirshani, Reimherr and Slavkovic).
    #[default]
    #[serde(rename = "substitute")]
    SubstituteOne,
    /// One record is added or removed; `N` is private.
    #[serde(rename = "add-remove")]
    AddRemoveOne,
}

/// A relation name that nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("unknown neighbouring relation; known are substitute (N is public) and add-remove (N is private)")]
pub struct UnknownRelation;

impl fmt::Display for NeighbouringRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SubstituteOne => "substitute",
            Self::AddRemoveOne => "add-remove",
        })
    }
}

impl FromStr for NeighbouringRelation {
    type Err = UnknownRelation;

    fn from_str(name: &str) -> Result<Self, UnknownRelation> {
        [Self::SubstituteOne, Self::AddRemoveOne]
            .into_iter()
            .find(|relation| relation.to_string() == name)
            .ok_or(UnknownRelation)
    }
}
