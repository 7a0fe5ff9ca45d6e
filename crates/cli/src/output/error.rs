//! Why output could not be written.

use std::io;
use std::path::PathBuf;

use dpfda::plotting::FigureError;
use thiserror::Error;

use super::Contents;
use crate::shown::shown;
use crate::signature::SignatureRefusal;

/// Why the output could not be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The path does not name a directory that could be made.
    #[error("`{}` does not end in a name; give the name of a new directory", shown(path))]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// Something is there already.
    #[error("`{}` exists; give another directory, or --force to replace the {contents} in it", shown(path))]
    Exists {
        /// The path.
        path: PathBuf,
        /// What is to be written.
        contents: Contents,
    },
    /// Something other than a directory is there.
    #[error("`{}` exists and is not a directory; --force replaces only a directory", shown(path))]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// A link is there, and a rename would replace the link.
    #[error("`{}` is a symbolic link, which --force does not replace; give the directory itself", shown(path))]
    Link {
        /// The path.
        path: PathBuf,
    },
    /// Replacing the directory would destroy something.
    #[error(
        "`{}` also holds `{}`, which is not part of a {contents}; --force replaces only a directory of {}: give another \
         directory",
        shown(path),
        shown(name),
        contents.files_in_words()
    )]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// What else is in it.
        name: PathBuf,
        /// What is to be written.
        contents: Contents,
    },
    /// Something of a known name is a link, a directory or a device.
    #[error(
        "`{}` also holds `{}`, which is not a plain file, as every file of a {contents} is; --force does not replace that: give \
         another directory",
        shown(path),
        shown(name)
    )]
    NotAFile {
        /// The directory.
        path: PathBuf,
        /// What is in it.
        name: PathBuf,
        /// What is to be written.
        contents: Contents,
    },
    /// Nothing shows that the directory is an earlier result.
    #[error(
        "`{}` holds files with the names of a {contents}, but {}, so they may be something else; --force does not replace \
         that: give another directory",
        shown(path),
        contents.doubt()
    )]
    Unproven {
        /// The directory.
        path: PathBuf,
        /// What is to be written.
        contents: Contents,
    },
    /// What the command reads would be gone.
    #[error(
        "the file `{}` lies in that directory, `{}`, which --force would replace; give another directory, and keep data apart \
         from releases",
        shown(input),
        shown(path)
    )]
    Input {
        /// The directory.
        path: PathBuf,
        /// The file.
        input: PathBuf,
    },
    /// Replacing the directory would destroy the release of another command.
    #[error(
        "`{}` holds a release of another command, not a {contents}, and --force does not replace that: give another \
         directory",
        shown(path)
    )]
    Another {
        /// The directory.
        path: PathBuf,
        /// What is to be written.
        contents: Contents,
    },
    /// The directory cannot be looked at.
    #[error("cannot look at `{}`: {source}", shown(path))]
    Look {
        /// The directory.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The parent directory takes no new files.
    #[error("cannot write in `{}`: {source}; give a directory whose parent exists and is writable", shown(parent))]
    Unwritable {
        /// The parent directory.
        parent: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {name}: {source}")]
    Write {
        /// The file.
        name: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// The finished directory could not be moved to its place.
    #[error("cannot move the finished files to `{}`: {source}", shown(path))]
    Move {
        /// The place.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A stored release has a file that no release of this command has.
    #[error("the ledger holds a file that is not part of such a release: it was paid for by another command")]
    Stranger,
    /// The document could not be written.
    #[error("cannot write release.json: {0}")]
    Json(#[from] serde_json::Error),
    /// The table could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The figure could not be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The document could not be signed.
    #[error(transparent)]
    Signature(#[from] SignatureRefusal),
}

/// A table could not be made.
#[derive(Debug, Error)]
#[error("the table of values could not be made")]
pub struct TableError;
