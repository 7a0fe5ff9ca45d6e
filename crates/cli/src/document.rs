//! A release of any kind from its file, with what it says.

use std::path::{Path, PathBuf};

use dpfda::AnyRelease;
use dpfda::kinds::Shown;
use dpfda::mechanism::{Digest, Fact, LedgerReference, ReadError};

use serde::Deserialize;

use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::summary::spelled;

/// The largest document that is read.
pub const LARGEST: u64 = 1 << 30;

/// The document of a release, where its directory is named.
pub fn in_directory(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("release.json") } else { path.to_owned() }
}

/// A release with what it says.
pub struct Document {
    pub release: AnyRelease,
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

/// A release of any kind, and the text of its document.
pub fn any(path: &Path) -> Result<(String, AnyRelease), CliError> {
    let text = document(path, LARGEST)?;
    let release = parsed(path, &text)?;
    Ok((text, release))
}

/// The release in a text that was read from a file.
pub fn parsed(path: &Path, text: &str) -> Result<AnyRelease, CliError> {
    AnyRelease::from_json(text).map_err(|error| flawed(path, text, &error))
}

/// A file that is no such release.
pub fn flawed(path: &Path, text: &str, error: &ReadError) -> CliError {
    CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(text, error) }
}

impl Document {
    /// Reads a document by its kind.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let text = document(path, LARGEST)?;
        let (release, shown) = AnyRelease::read_shown(&text).map_err(|error| flawed(path, &text, &error))?;
        Ok(Self { release, shown, digest: Digest::of(text.as_bytes()), study: study_of(&text) })
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
        spelled(&self.shown.notes)
    }
}

/// Where a release stands in a ledger.
pub fn place_in_words(reference: &LedgerReference) -> String {
    format!(
        "release {}, entry {} of the ledger of {}; the hash of the entry is {}",
        reference.id(),
        reference.entry(),
        reference.dataset(),
        reference.head()
    )
}
