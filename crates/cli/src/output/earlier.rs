//! What `--force` may replace: a directory that is provably an earlier result of the same command.
//!
//! Every entry is a plain file of a name that the command writes, and one of the files says by what it holds who wrote it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use dpfda::kinds::{Can, Row};
use dpfda::mechanism::SCHEMA;
use serde::Deserialize;

use super::contents::Contents;
use super::error::OutputError;
use crate::summary::CURATOR_ONLY;

#[cfg(test)]
#[path = "earlier_tests.rs"]
mod tests;

/// No release is larger.
const LARGEST_RELEASE: u64 = 1 << 30;

/// No table or figure of the curator is larger.
const LARGEST_PROOF: u64 = 1 << 26;

/// Refuses a directory that is anything but empty or an earlier result; `target` is what errors call it.
pub(super) fn check(directory: &Path, target: &Path, contents: Contents) -> Result<(), OutputError> {
    let path = || target.to_owned();
    let look = |source| OutputError::Look { path: path(), source };
    let kind = fs::symlink_metadata(directory).map_err(look)?.file_type();
    if kind.is_symlink() {
        return Err(OutputError::Link { path: path() });
    }
    if !kind.is_dir() {
        return Err(OutputError::NotADirectory { path: path() });
    }
    let mut is_empty = true;
    for entry in fs::read_dir(directory).map_err(look)? {
        let entry = entry.map_err(look)?;
        let name = PathBuf::from(entry.file_name());
        if !contents.files().iter().any(|file| name == Path::new(file)) {
            return Err(OutputError::Foreign { path: path(), name, contents });
        }
        // of the entry itself: a link is not followed
        if !entry.file_type().map_err(look)?.is_file() {
            return Err(OutputError::NotAFile { path: path(), name, contents });
        }
        is_empty = false;
    }
    match if is_empty { Some(contents) } else { written_by(directory, contents).map_err(look)? } {
        Some(found) if found == contents => Ok(()),
        Some(_) => Err(OutputError::Another { path: path(), contents }),
        None => Err(OutputError::Unproven { path: path(), contents }),
    }
}

/// What the files of a directory prove it to be, if they prove anything.
fn written_by(directory: &Path, contents: Contents) -> io::Result<Option<Contents>> {
    if matches!(contents, Contents::Release | Contents::Regression | Contents::Density) {
        return Ok(opened(&directory.join("release.json"))?.and_then(of_document));
    }
    let mut proof = None;
    for (name, words) in marks(contents) {
        if let Some(file) = opened(&directory.join(name))? {
            let mut bytes = Vec::new();
            file.take(LARGEST_PROOF).read_to_end(&mut bytes)?;
            if !words.iter().all(|word| bytes.windows(word.len()).any(|found| found == word.as_bytes())) {
                return Ok(None);
            }
            proof = Some(contents);
        }
    }
    Ok(proof)
}

/// Which command writes such a document, by what it says of itself.
fn of_document(document: impl Read) -> Option<Contents> {
    #[derive(Deserialize)]
    struct Head {
        schema: u32,
        software: String,
        kind: String,
    }
    let mut bytes = Vec::new();
    document.take(LARGEST_RELEASE).read_to_end(&mut bytes).ok()?;
    let head: Head = serde_json::from_slice(&bytes).ok()?;
    if !head.software.starts_with("dpfda ") {
        return None;
    }
    let row = Row::of(&head.kind).filter(|row| head.schema == SCHEMA && row.can(Can::Command))?;
    Some(match row.word {
        "regression" => Contents::Regression,
        "density" => Contents::Density,
        _ => Contents::Release,
    })
}

/// Files without a document, with words that the command writes in each; those that are there must have them.
fn marks(contents: Contents) -> &'static [(&'static str, &'static [&'static str])] {
    match contents {
        Contents::Release | Contents::Regression | Contents::Density => &[],
        Contents::Components => {
            &[("components.json", &["\"kind\": \"components\"", "\"software\": \"dpfda ", "\"total_variance_sd\""])]
        }
        Contents::CrossValidation => &[("scores.csv", &[CURATOR_ONLY, "kernel,range,penalty,eta,score"])],
        Contents::Reproduction => &[
            ("table1.svg", &["<svg ", "Table 1: scores of cross-validation"]),
            ("table2.svg", &["<svg ", "Table 2: scores of"]),
            ("mise.csv", &["n,alpha,cells,exact,perturbed,standard_error"]),
        ],
    }
}

fn opened(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        file => file.map(Some),
    }
}
