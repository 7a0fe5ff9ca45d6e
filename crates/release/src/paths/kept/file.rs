//! The curator's file: readable by its owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use dpfda_mechanism::ReadError;

use crate::paths::kept::KeptPath;

/// A kept path of the largest grid takes a fraction of this.
const LARGEST_FILE: u64 = 1 << 26;

/// Why a kept path was not written or read.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum KeptPathFileError {
    /// A path is written once; another in its place would orphan a release.
    #[error("the file exists already; a kept path never replaces another")]
    Exists,
    #[error(
        "the file's mode is {mode:o}: others than its owner can read or change it; a kept path needs mode 600 (chmod 600)"
    )]
    Mode { mode: u32 },
    #[error("this system has no file modes, so a kept path cannot be kept to its owner here")]
    NoModes,
    #[error("this is not a regular file")]
    NotAFile,
    #[error("the file is larger than a kept path can be")]
    TooLarge,
    #[error("the system refused: {kind}")]
    System { kind: io::ErrorKind },
    /// No kept path. It never shows the path.
    #[error("this is no kept path: {0}")]
    Content(#[from] ReadError),
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
        Self::Content(error.into())
    }
}

impl KeptPath {
    /// Writes the path to a new file that only its owner can read (mode 600).
    ///
    /// The file appears complete or not at all: it is written under a hidden name beside its place, and given its own once the
    /// disk has all of it.
    ///
    /// # Errors
    /// [`KeptPathFileError`]; an existing file is never replaced.
    pub fn write(&self, path: &Path) -> Result<(), KeptPathFileError> {
        let json = self.to_json()?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // a name that no other path has: the id is 128 random bits
        let hidden = folder.join(format!(".dpfda-{}", self.id));
        let written = write_private(&hidden, json.as_bytes()).and_then(|()| Ok(fs::hard_link(&hidden, path)?));
        // whatever became of the rest, the hidden name has done its work
        let _ = fs::remove_file(&hidden);
        written?;
        // the file is in its place; a disk that cannot be told to keep it there is no reason to say otherwise
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
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
        let mut json = String::new();
        file.take(LARGEST_FILE).read_to_string(&mut json)?;
        Ok(Self::from_json(&json)?)
    }
}

#[cfg(unix)]
fn write_private(path: &Path, bytes: &[u8]) -> Result<(), KeptPathFileError> {
    use std::os::unix::fs::OpenOptionsExt;
    // created with its mode: there is no moment at which others could open it
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    Ok(file.sync_all()?)
}

#[cfg(unix)]
fn check_private(file: &File) -> Result<(), KeptPathFileError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode() & 0o777;
    let for_others = mode & 0o077;
    if for_others == 0 { Ok(()) } else { Err(KeptPathFileError::Mode { mode }) }
}

#[cfg(not(unix))]
fn write_private(_path: &Path, _bytes: &[u8]) -> Result<(), KeptPathFileError> {
    Err(KeptPathFileError::NoModes)
}

#[cfg(not(unix))]
fn check_private(_file: &File) -> Result<(), KeptPathFileError> {
    Err(KeptPathFileError::NoModes)
}
