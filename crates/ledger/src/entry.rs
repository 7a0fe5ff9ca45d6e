//! One line of a ledger.

use dpfda_mechanism::{Digest, LedgerReference, ReleaseId};
use serde::{Deserialize, Serialize};

use crate::request::ReleaseRequest;
use crate::terms::LedgerTerms;

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
    /// The first answer of a release in two rounds was stored, before the data were gone through again.
    Answered {
        /// Which.
        id: ReleaseId,
        /// What was stored.
        stored: StoredIntegers,
        /// When, in seconds since 1970.
        at: u64,
    },
    /// The data were gone through again: the other answers are about to be drawn, and are drawn once.
    Resumed {
        /// Which.
        id: ReleaseId,
        /// When, in seconds since 1970.
        at: u64,
    },
    /// The noisy integers of the release were stored, before anybody saw them.
    Released {
        /// Which.
        id: ReleaseId,
        /// What was stored.
        stored: StoredIntegers,
        /// When, in seconds since 1970.
        at: u64,
    },
}

/// The noisy integers of a release, by their digest. Nothing here has a size that depends on the noise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredIntegers {
    /// The version of the software that drew them.
    pub software: String,
    /// Whether the noise was secret; `false` for noise from a known seed.
    pub private: bool,
    /// How many bytes they are.
    pub bytes: u64,
    /// The SHA-256 of these bytes.
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
    pub(crate) fn after(previous: Option<&Self>, event: LedgerEvent) -> Result<Self, serde_json::Error> {
        let sequence = previous.map_or(0, |entry| entry.sequence + 1);
        let previous = previous.map_or_else(Digest::none, |entry| entry.hash);
        let hash = hash(previous, sequence, &event)?;
        Ok(Self { sequence, event, previous, hash })
    }

    /// Whether the hash is that of the rest.
    pub(crate) fn is_whole(&self) -> bool {
        hash(self.previous, self.sequence, &self.event).is_ok_and(|hash| hash == self.hash)
    }
}

/// Where the release of this id stands, which this entry paid for.
pub(crate) fn reference_to(terms: &LedgerTerms, id: &ReleaseId, entry: &LedgerEntry) -> LedgerReference {
    LedgerReference::new(terms.dataset(), id.clone(), entry.sequence, entry.hash)
        .unwrap_or_else(|_| unreachable!("terms have a name"))
}

fn hash(previous: Digest, sequence: u64, event: &LedgerEvent) -> Result<Digest, serde_json::Error> {
    let event = serde_json::to_string(event)?;
    Ok(Digest::of(format!("{previous}\n{sequence}\n{event}").as_bytes()))
}
