//! Groups of people that have nobody in common.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The most characters of a name.
const LONGEST: usize = 50;

/// The name of a group of people. The groups of a ledger are disjoint: nobody is in two of them, and nobody changes from one
/// to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupName(String);

/// A text that is no name of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the name of a group must have from 1 to {LONGEST} letters, digits, dots, dashes or underscores")]
pub struct GroupNameError;

impl FromStr for GroupName {
    type Err = GroupNameError;

    fn from_str(name: &str) -> Result<Self, GroupNameError> {
        let is_plain = |c: char| c.is_alphanumeric() || ['.', '-', '_'].contains(&c);
        if (1..=LONGEST).contains(&name.chars().count()) && name.chars().all(is_plain) {
            Ok(Self(name.to_owned()))
        } else {
            Err(GroupNameError)
        }
    }
}

dpfda_privacy::written_as_text!(GroupName);

impl fmt::Display for GroupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
