//! A release of any kind from its document, with what it says and what it was compared with.

use dpfda::AnyRelease;
use dpfda::kinds::Shown;
use dpfda::mechanism::{Digest, Fact, ReadError};
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
    /// Who signed it.
    pub signature: Signature,
    /// Whether the study was given, and the release follows it.
    pub is_compared: bool,
}

/// Who signed a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Signature {
    /// The document came without the place in which a signature would lie.
    #[default]
    NotSought,
    /// No signature lies beside it.
    None,
    /// A signature by this key lies beside it, which was not compared with the public key.
    By(String),
    /// The document is unchanged since this key signed it, at this time in seconds after 1970 if the signature says so.
    Checked(String, Option<u64>),
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
        let (digest, study) = (Digest::of(text.as_bytes()), study_of(text));
        Ok(Self { release, shown, digest, study, signature: Signature::default(), is_compared: false })
    }

    /// What it is called.
    pub fn title(&self) -> &'static str {
        self.shown.title
    }

    /// What it is, in words, with its place in a ledger and without notes.
    pub fn facts(&self) -> Vec<Fact> {
        let place = self.release.ledger().map(|reference| {
            let brief = format!(
                "release {}, entry {} of the ledger of {}",
                reference.id(),
                reference.entry(),
                reference.dataset()
            );
            let text = format!("{brief}; the hash of the entry is {}", reference.head());
            Fact::new("ledger", text).briefly(brief)
        });
        self.shown.facts.iter().cloned().chain(place).collect()
    }

    /// What should make a reader careful.
    pub fn notes(&self) -> Vec<String> {
        self.shown.notes.iter().map(|note| with_options(note)).collect()
    }
}

/// A text whose settings, which stand in braces, are written as options of the command.
fn with_options(text: &str) -> String {
    let named = text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    named.map_or_else(
        || text.to_owned(),
        |(before, (named, after))| {
            let (name, value) = named.split_once('=').unwrap_or((named, ""));
            let space = if value.is_empty() { "" } else { " " };
            format!("{before}--{}{space}{value}{}", name.replace('_', "-"), with_options(after))
        },
    )
}
