//! A study: what is to be released, and every setting that was said.

use std::ops::Deref;

use crate::document;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::sections::Sections;

/// What is to be released, and every setting that was said.
///
/// A file, JSON and flags of the same settings give equal studies.
///
/// # Examples
/// ```
/// use dpfda_study::{Kind, Sections, Study};
///
/// # fn main() -> Result<(), dpfda_study::Refusal> {
/// let file = Study::from_toml("[release.mean]\n[privacy]\nepsilon = 1\ndelta = 1e-5\n[bound]\nbounds = [0, 1]\n")?;
/// let flags = Sections::of_texts([("epsilon", "1"), ("delta", "1e-5"), ("bounds", "0,1")])?;
/// assert_eq!(file, Study::of_flags(Some(Kind::Mean), flags));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// What is released.
    pub kind: Kind,
    /// What was said.
    pub said: Sections,
}

impl Study {
    /// Reads a study file.
    ///
    /// # Errors
    /// With its line: a name that is no setting or stands in another section, one that comes twice, a value of another type, a number
    /// that is not finite; and a text of more than [`LARGEST`](crate::LARGEST) bytes.
    pub fn from_toml(text: &str) -> Result<Self, Refusal> {
        document::from_toml(text)
    }

    /// Reads the same settings as JSON, with the same refusals.
    pub fn from_json(text: &str) -> Result<Self, Refusal> {
        document::from_json(text)
    }
}

impl Deref for Study {
    type Target = Sections;

    fn deref(&self) -> &Sections {
        &self.said
    }
}
