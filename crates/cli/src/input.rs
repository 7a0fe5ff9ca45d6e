//! The private file of curves, and how its columns are read; and files that are read whole.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use dpfda::smoothing::{CurveLayout, CurveSet, TableError};
use dpfda_study::{Data, FilledBy, read_curves};
use thiserror::Error;

use crate::argument::Argument;
use crate::document::in_directory;
use crate::error::CliError;
use crate::progress::Bars;
use crate::refusal::Refusal;
use crate::unread::Unread;

/// The curves of the files that an argument names, in memory.
pub fn read(argument: Argument, path: &Path, layout: &CurveLayout) -> Result<CurveSet, CliError> {
    let curves = read_curves(&Data::Files(path), layout, FilledBy::Line, &Bars);
    curves.map(Cow::into_owned).map_err(|error| in_file(argument, path, error.into()))
}

/// A file that is read whole is none of ours when it is larger.
#[derive(Debug, Error)]
#[error("it is larger than {most} bytes, the most that are read")]
struct TooLarge {
    most: u64,
}

/// What is in a file, read whole, unless that is too much.
pub fn whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge { most })) } else { Ok(bytes) }
}

/// The text of a JSON document, or of the one of a release whose directory is named, unless it is too long.
pub fn document(path: &Path, most: u64) -> Result<String, CliError> {
    let path = &in_directory(path);
    let bytes = whole(path, most).map_err(|source| Unread::ReadRelease { path: path.to_owned(), source })?;
    let text = String::from_utf8(bytes).map_err(|_| Unread::NotJson { path: path.to_owned() })?;
    // Whoever gives private data by mistake must not see their first cell quoted in a syntax error.
    if text.trim_start().starts_with('{') { Ok(text) } else { Err(Unread::NotJson { path: path.to_owned() }.into()) }
}

/// What is wrong with the file itself is told with its name.
pub fn in_file(argument: Argument, path: &Path, error: CliError) -> CliError {
    match error {
        CliError::Refused { refusal: Refusal::Unread(TableError::Read { kind }) } => {
            CliError::Open { argument, path: path.to_owned(), source: kind.into() }
        }
        CliError::Refused { refusal: Refusal::Unread(TableError::File { path, kind }) } => {
            CliError::Open { argument, path, source: kind.into() }
        }
        CliError::Refused { refusal: Refusal::Unread(TableError::NoFile { path }) } if is_plain(&path) => {
            CliError::Open { argument, path, source: ErrorKind::NotFound.into() }
        }
        CliError::Refused { refusal } if refusal.is_of_data() => {
            CliError::InFile { argument, path: path.to_owned(), refusal }
        }
        other => other,
    }
}

/// Whether a path is a name and no pattern of names.
fn is_plain(path: &Path) -> bool {
    !path.to_string_lossy().contains(['*', '?', '[']) && !path.is_dir()
}
