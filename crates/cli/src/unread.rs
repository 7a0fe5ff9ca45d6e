//! Why a study or a release cannot be read from its file.

use std::io;
use std::path::PathBuf;

use dpfda::kinds::Row;
use thiserror::Error;

use crate::answered::free;
use crate::flaw::Flaw;
use crate::shown::{said, shown};

/// Why a study or a release cannot be read from its file. Nothing in the file is shown.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Unread {
    #[error("STUDY.toml: cannot read `{}`: {}; give a study, such as `dpfda new` writes", shown(path), said(source))]
    ReadStudy { path: PathBuf, source: io::Error },
    #[error("RELEASE.json: cannot read `{}`: {}; give the release.json that dpfda wrote", shown(path), said(source))]
    ReadRelease { path: PathBuf, source: io::Error },
    #[error(
        "RELEASE.json: `{}` is not a JSON document; give the release.json that dpfda wrote. Data are looked at with `dpfda check`, a ledger with \
         `dpfda ledger show`, and a study with `dpfda show STUDY.toml`",
        shown(path)
    )]
    NotJson { path: PathBuf },
    #[error(
        "{argument}: `{}` is a release of the kind {}, and what is asked for needs another kind, such as {wanted}\nhint: {}",
        shown(path), row.word, free(row, None, path)
    )]
    OtherKind { argument: &'static str, path: PathBuf, row: &'static Row, wanted: &'static str },
    #[error(
        "RELEASE.json: `{}` is not a release that can be read here: {reason}; give a release.json as dpfda wrote it",
        shown(path)
    )]
    NotARelease { path: PathBuf, reason: Flaw },
}
