//! The curator's file: readable by its owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use crate::kept_path::KeptPath;
use crate::kept_path::document::{KeptPathDocument, KeptPathReadError};

/// A kept path of the largest grid takes a fraction of this.
const LARGEST_FILE: u64 = 1 << 26;

/// Why a kept path was not written or read.
#[derive(Debug, Error)]
pub enum KeptPathFileError {
    /// A path is written once; another in its place would orphan a release.
    #[error("the file exists already; a kept path never replaces another")]
    Exists,
    /// Others can read the file.
    #[error(
        "the file's mode is {mode:o}: others than its owner can read or change it; a kept path needs mode 600 (chmod 600)"
    )]
    Mode {
        /// The permission bits.
        mode: u32,
    },
    /// This system cannot keep a file to its owner.
    #[error("this system has no file modes, so a kept path cannot be kept to its owner here")]
    NoModes,
    /// A folder, a device or a pipe.
    #[error("this is not a regular file")]
    NotAFile,
    /// Larger than any kept path.
    #[error("the file is larger than a kept path can be")]
    TooLarge,
    /// The system refused.
    #[error("the system refused: {kind}")]
    System {
        /// Why.
        kind: io::ErrorKind,
    },
    /// Not the JSON of a kept path.
    #[error("this is no kept path (line {line}, column {column})")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// JSON, but no kept path.
    #[error(transparent)]
    Content(#[from] KeptPathReadError),
}

impl From<io::Error> for KeptPathFileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists,
            kind => Self::System { kind },
        }
    }
}

impl From<serde_json::Error> for KeptPathFileError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json { line: error.line(), column: error.column() }
    }
}

impl KeptPath {
    /// Writes the path to a new file that only its owner can read (mode 600).
    ///
    /// # Errors
    /// [`KeptPathFileError`]; an existing file is never replaced, and a file that could not be completed is removed.
    pub fn write(&self, path: &Path) -> Result<(), KeptPathFileError> {
        let json = serde_json::to_vec_pretty(&KeptPathDocument::from(self))?;
        let mut file = create_private(path)?;
        let written = file.write_all(&json).and_then(|()| file.sync_all());
        if written.is_err() {
            // nothing better can be done than to report the first failure
            let _ = fs::remove_file(path);
        }
        Ok(written?)
    }

    /// Reads a path back.
    ///
    /// # Errors
    /// [`KeptPathFileError`]; in particular a file that others can read is refused.
    pub fn read(path: &Path) -> Result<Self, KeptPathFileError> {
        // looked at before it is opened: opening a pipe would wait for whoever writes to it
        if !fs::metadata(path)?.is_file() {
            return Err(KeptPathFileError::NotAFile);
        }
        let file = File::open(path)?;
        check_private(&file)?;
        if file.metadata()?.len() > LARGEST_FILE {
            return Err(KeptPathFileError::TooLarge);
        }
        let mut json = Vec::new();
        file.take(LARGEST_FILE).read_to_end(&mut json)?;
        let document: KeptPathDocument = serde_json::from_slice(&json)?;
        Ok(document.try_into()?)
    }
}

#[cfg(unix)]
fn create_private(path: &Path) -> Result<File, KeptPathFileError> {
    use std::os::unix::fs::OpenOptionsExt;
    // created with its mode: there is no moment at which others could open it
    Ok(OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?)
}

#[cfg(unix)]
fn check_private(file: &File) -> Result<(), KeptPathFileError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode() & 0o777;
    let for_others = mode & 0o077;
    if for_others == 0 { Ok(()) } else { Err(KeptPathFileError::Mode { mode }) }
}

#[cfg(not(unix))]
fn create_private(_path: &Path) -> Result<File, KeptPathFileError> {
    Err(KeptPathFileError::NoModes)
}

#[cfg(not(unix))]
fn check_private(_file: &File) -> Result<(), KeptPathFileError> {
    Err(KeptPathFileError::NoModes)
}
