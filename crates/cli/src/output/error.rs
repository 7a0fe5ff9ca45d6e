//! Why output could not be written.

use std::io;
use std::path::PathBuf;

use dpfda::plotting::FigureError;
use thiserror::Error;

use super::contents::Contents;
use crate::shown::shown;
use crate::signature::SignatureRefusal;

/// Why the output could not be written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OutputError {
    #[error("`{}` does not end in a name; give the name of a new directory", shown(path))]
    NoName { path: PathBuf },
    #[error("`{}` exists; give another directory, or --force to replace the {contents} in it", shown(path))]
    Exists { path: PathBuf, contents: Contents },
    #[error("`{}` exists and is not a directory; --force replaces only a directory", shown(path))]
    NotADirectory { path: PathBuf },
    #[error("`{}` is a symbolic link, which --force does not replace; give the directory itself", shown(path))]
    Link { path: PathBuf },
    #[error(
        "`{}` also holds `{}`, which is not part of a {contents}; --force replaces only a directory of {}: give another \
         directory",
        shown(path),
        shown(name),
        contents.files_in_words()
    )]
    Foreign { path: PathBuf, name: PathBuf, contents: Contents },
    #[error(
        "`{}` also holds `{}`, which is not a plain file, as every file of a {contents} is; --force does not replace that: give \
         another directory",
        shown(path),
        shown(name)
    )]
    NotAFile { path: PathBuf, name: PathBuf, contents: Contents },
    #[error(
        "`{}` holds files with the names of a {contents}, but {}, so they may be something else; --force does not replace \
         that: give another directory",
        shown(path),
        contents.doubt()
    )]
    Unproven { path: PathBuf, contents: Contents },
    #[error(
        "the file `{}` lies in that directory, `{}`, which --force would replace; give another directory, and keep data apart \
         from releases",
        shown(input),
        shown(path)
    )]
    Input { path: PathBuf, input: PathBuf },
    #[error(
        "`{}` holds a release of another command, not a {contents}, and --force does not replace that: give another \
         directory",
        shown(path)
    )]
    Another { path: PathBuf, contents: Contents },
    #[error("cannot look at `{}`: {source}", shown(path))]
    Look { path: PathBuf, source: io::Error },
    #[error("cannot write in `{}`: {source}; give a directory whose parent exists and is writable", shown(parent))]
    Unwritable { parent: PathBuf, source: io::Error },
    #[error("cannot write {name}: {source}")]
    Write { name: &'static str, source: io::Error },
    #[error("cannot move the finished files to `{}`: {source}", shown(path))]
    Move { path: PathBuf, source: io::Error },
    #[error("the ledger holds a file that is not part of such a release: it was paid for by another command")]
    Stranger,
    #[error("cannot write release.json: {0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error(transparent)]
    Signature(#[from] SignatureRefusal),
}

/// A table could not be made.
#[derive(Debug, Error)]
#[error("the table of values could not be made")]
pub struct TableError;
