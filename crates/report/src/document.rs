//! A release of any kind from its document, with what it says.

use dpfda::AnyRelease;
use dpfda::kinds::Shown;
use dpfda::mechanism::{Digest, Fact, LedgerReference, ReadError};
use serde::Deserialize;

/// A release with what it says.
pub struct Document {
    /// The release.
    pub release: AnyRelease,
    /// Its facts, notes, table and picture.
    pub shown: Shown,
    /// That of the file.
    pub digest: Digest,
    /// That of the study which it follows.
    pub study: Option<Digest>,
}

/// What a document says of the study that it follows.
#[derive(Deserialize)]
struct Following {
    source: Option<OfStudy>,
}

#[derive(Deserialize)]
struct OfStudy {
    study: Option<Digest>,
}

/// The digest of the study that a document says it follows.
pub fn study_of(text: &str) -> Option<Digest> {
    serde_json::from_str::<Following>(text).ok()?.source?.study
}

impl Document {
    /// Reads a document by its kind.
    ///
    /// # Errors
    /// [`ReadError`] for a text that is no release.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        let (release, shown) = AnyRelease::read_shown(text)?;
        Ok(Self { release, shown, digest: Digest::of(text.as_bytes()), study: study_of(text) })
    }

    /// What it is called.
    pub fn title(&self) -> &'static str {
        self.shown.row.title
    }

    /// What it is, in words, with its place in a ledger and without notes.
    pub fn facts(&self) -> Vec<Fact> {
        let place = self.release.ledger().map(|reference| Fact::new("ledger", place_in_words(reference)));
        self.shown.facts.iter().cloned().chain(place).collect()
    }

    /// What should make a reader careful.
    pub fn notes(&self) -> Vec<String> {
        self.shown.notes.iter().map(|note| note.replace("{subject}", "--subject COLUMN")).collect()
    }
}

/// Where a release stands in a ledger.
fn place_in_words(reference: &LedgerReference) -> String {
    format!(
        "release {}, entry {} of the ledger of {}; the hash of the entry is {}",
        reference.id(),
        reference.entry(),
        reference.dataset(),
        reference.head()
    )
}
