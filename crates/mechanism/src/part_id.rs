//! What a part of a data set is called.

use std::fmt;
use std::str::FromStr;

use crate::reference::{NameError, is_name};

/// What a part of a data set is called: public, and the same for nobody else's part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartId(String);

impl PartId {
    /// The id of a data set in one part.
    pub fn whole() -> Self {
        Self("whole".to_owned())
    }
}

impl FromStr for PartId {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        if is_name(name) { Ok(Self(name.to_owned())) } else { Err(NameError) }
    }
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
