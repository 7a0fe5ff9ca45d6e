//! A release of any kind from its file, with what it says.

use std::path::{Path, PathBuf};

use dpfda::AnyRelease;
use dpfda::mechanism::{Head, ReadError};
use dpfda_report::Document;

use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::unread::Unread;

/// The largest document that is read.
pub const LARGEST: u64 = 1 << 30;

/// The document of a release, where its directory is named.
pub fn in_directory(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("release.json") } else { path.to_owned() }
}

/// A release of any kind, and the text of its document.
pub fn any(path: &Path) -> Result<(String, AnyRelease), CliError> {
    let text = document(path, LARGEST)?;
    let release = parsed(path, &text)?;
    Ok((text, release))
}

/// The kind that a document says it is of; empty where it says none.
pub fn kind_in(text: &str) -> String {
    Head::read(text).map(|head| head.kind).unwrap_or_default()
}

/// The release in a text that was read from a file.
pub fn parsed(path: &Path, text: &str) -> Result<AnyRelease, CliError> {
    AnyRelease::from_json(text).map_err(|error| flawed(path, text, &error))
}

/// A file that is no such release. The kind is named where the document is a whole release of another.
pub fn flawed(path: &Path, text: &str, error: &ReadError) -> CliError {
    if let (ReadError::Kind { expected }, Ok(release)) = (error, AnyRelease::from_json(text)) {
        let (path, row) = (path.to_owned(), release.row());
        return Unread::OtherKind { argument: "RELEASE.json", path, row, wanted: expected }.into();
    }
    Unread::NotARelease { path: path.to_owned(), reason: Flaw::of_release(text, error) }.into()
}

/// A release with what it says.
pub fn read(path: &Path) -> Result<Document, CliError> {
    told(path, &document(path, LARGEST)?)
}

/// A release in a text that was read from a file, with what it says.
pub fn told(path: &Path, text: &str) -> Result<Document, CliError> {
    Document::from_json(text).map_err(|error| flawed(path, text, &error))
}
