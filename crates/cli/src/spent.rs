//! What went wrong once a budget was spent, or may have been.

use std::fmt;
use std::path::PathBuf;

use dpfda::mechanism::{AgainError, ReleaseId};
use thiserror::Error;

use crate::output::OutputError;
use crate::shown::shown;
use crate::unmade::Unmade;

/// What went wrong once a budget was spent, or may have been.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Spent {
    #[error(
        "--out: {reason}\n\nThe noise had been drawn: count the budget as spent. What was written is in `{}`; if that \
         holds release.json, {remedy}.",
        shown(kept)
    )]
    Unfinished { reason: OutputError, kept: PathBuf, remedy: &'static str },
    #[error(
        "the release is in `{}`, and its budget is spent, but this could not be made of it: {}\nhint: {remedy}; a release that a \
         ledger paid for is given back by the same command with another --out",
        shown(directory),
        listed(unmade.iter().map(|(name, reason)| format!("{name} ({reason})")))
    )]
    Incomplete { text: String, unmade: Vec<(&'static str, Unmade)>, directory: PathBuf, remedy: &'static str },
    #[error("no release.json could be made: {reason}\n\nThe noise had been drawn: count the budget as spent.{}", is_stored(stored.as_ref()))]
    Undocumented { stored: Option<(PathBuf, ReleaseId)>, reason: Unmade },
    #[error(
        "--out: {reason}\n\nThe release {id} is stored in the ledger `{}`. The same command, with another --out if need be, \
         writes its files at no further cost.",
        shown(path)
    )]
    NotWritten { path: PathBuf, id: ReleaseId, reason: OutputError },
    #[error("{0}. Nothing was released, and nobody has seen the first answer")]
    Again(AgainError),
}

/// One after the other.
fn listed(reasons: impl IntoIterator<Item = impl fmt::Display>) -> String {
    reasons.into_iter().map(|reason| reason.to_string()).collect::<Vec<_>>().join("; ")
}

/// Where the integers are.
fn is_stored(stored: Option<&(PathBuf, ReleaseId)>) -> String {
    stored.map_or_else(String::new, |(path, id)| format!(" The ledger `{}` holds the release {id}.", shown(path)))
}
