//! One line of a ledger.

use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::terms::{LedgerTerms, ReleaseId, ReleaseRequest, TermsError};

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LedgerEvent {
    /// The ledger was created.
    Created {
        /// Whom it protects, and how much may be spent on them.
        terms: LedgerTerms,
        /// When, in seconds since 1970.
        at: u64,
    },
    /// Budget was spent, before the noise of the release was drawn.
    Spent {
        /// The release that asked for it.
        request: ReleaseRequest,
        /// When, in seconds since 1970.
        at: u64,
    },
    /// The release was stored, before anybody saw it.
    Released {
        /// Which.
        id: ReleaseId,
        /// Its files.
        files: Vec<StoredFile>,
        /// When, in seconds since 1970.
        at: u64,
    },
}

/// A file of a release, by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFile {
    /// The name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: Digest,
}

/// An event and its place in the chain:
///
/// ```text
/// hash = SHA-256(previous, newline, sequence, newline, event as JSON)
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// From 0.
    pub sequence: u64,
    /// What happened.
    pub event: LedgerEvent,
    /// The hash of the entry before; zeros for the first.
    pub previous: Digest,
    /// The hash of this entry.
    pub hash: Digest,
}

impl LedgerEntry {
    /// The entry that follows another.
    ///
    /// # Errors
    /// None in practice: every event can be written as JSON.
    pub(super) fn after(previous: Option<&Self>, event: LedgerEvent) -> Result<Self, serde_json::Error> {
        let sequence = previous.map_or(0, |entry| entry.sequence + 1);
        let previous = previous.map_or_else(Digest::none, |entry| entry.hash);
        let hash = hash(previous, sequence, &event)?;
        Ok(Self { sequence, event, previous, hash })
    }

    /// Whether the hash is that of the rest.
    pub(super) fn is_whole(&self) -> bool {
        hash(self.previous, self.sequence, &self.event).is_ok_and(|hash| hash == self.hash)
    }
}

fn hash(previous: Digest, sequence: u64, event: &LedgerEvent) -> Result<Digest, serde_json::Error> {
    let event = serde_json::to_string(event)?;
    Ok(Digest::of(format!("{previous}\n{sequence}\n{event}").as_bytes()))
}

/// Where a release stands in a ledger, as it is printed in the release: whoever has the ledger can find the entry, and
/// whoever has several releases can see that no older copy of the ledger was put back between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ReferenceDocument", into = "ReferenceDocument")]
pub struct LedgerReference {
    dataset: String,
    id: ReleaseId,
    entry: u64,
    head: Digest,
}

impl LedgerReference {
    pub(super) fn new(terms: &LedgerTerms, id: &ReleaseId, entry: &LedgerEntry) -> Self {
        Self { dataset: terms.dataset().to_owned(), id: id.clone(), entry: entry.sequence, head: entry.hash }
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceDocument {
    dataset: String,
    id: ReleaseId,
    entry: u64,
    head: Digest,
}

impl TryFrom<ReferenceDocument> for LedgerReference {
    type Error = TermsError;

    fn try_from(document: ReferenceDocument) -> Result<Self, TermsError> {
        let ReferenceDocument { dataset, id, entry, head } = document;
        if super::terms::is_name(&dataset) { Ok(Self { dataset, id, entry, head }) } else { Err(TermsError::Name) }
    }
}

impl From<LedgerReference> for ReferenceDocument {
    fn from(reference: LedgerReference) -> Self {
        let LedgerReference { dataset, id, entry, head } = reference;
        Self { dataset, id, entry, head }
    }
}
