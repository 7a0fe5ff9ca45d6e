//! What a release says of the ledger that paid for it.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use thiserror::Error;

use crate::digest::Digest;
use crate::release_id::ReleaseId;

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;

/// The most characters of a name.
const LONGEST_NAME: usize = 100;

/// Where a release stands in a ledger, as it is printed in the release: whoever has the ledger can find the entry, and
/// whoever has several releases can see that no older copy of the ledger was put back between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerReference {
    #[serde(deserialize_with = "read_name")]
    dataset: String,
    id: ReleaseId,
    entry: u64,
    head: Digest,
}

/// A name that could not be printed on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a name must have from 1 to {LONGEST_NAME} characters, on one line")]
pub struct NameError;

impl LedgerReference {
    /// The release `id` of the data set `dataset`, which was paid for by the entry of this number and hash.
    pub fn new(dataset: &str, id: ReleaseId, entry: u64, head: Digest) -> Result<Self, NameError> {
        if is_name(dataset) { Ok(Self { dataset: dataset.to_owned(), id, entry, head }) } else { Err(NameError) }
    }

    /// The name of the data set.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }

    /// What the release is called.
    pub fn id(&self) -> &ReleaseId {
        &self.id
    }

    /// The number of the entry that paid for it.
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// The hash of that entry.
    pub fn head(&self) -> Digest {
        self.head
    }
}

/// Whether a name can be printed on a line as it is: from 1 to 100 characters, none of which controls the terminal or turns
/// the direction of writing, which could make one name look like another.
pub fn is_name(name: &str) -> bool {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.chars().any(|c| c.is_control() || turns(c))
}

/// A name in a file.
pub(crate) fn read_name<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    Some(String::deserialize(source)?).filter(|name| is_name(name)).ok_or_else(|| D::Error::custom(NameError))
}

/// Names in a file, or one where there may be none.
pub(crate) fn read_names<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<T, D::Error>
where
    for<'a> &'a T: IntoIterator<Item = &'a String>,
{
    let read = T::deserialize(source)?;
    if (&read).into_iter().all(|name| is_name(name)) { Ok(read) } else { Err(D::Error::custom(NameError)) }
}
