//! Everything the command refuses. No variant can hold a cell of the private file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dpfda::ledger::LedgerError;
use dpfda::privacy::RandomnessError;
use dpfda_study::{Blame, Door, Refusal as StudyRefusal};
use thiserror::Error as ThisError;

use crate::argument::Argument;
use crate::ledger_advice::LedgerAdvice;
use crate::output::TableError;
use crate::refusal::Refusal;
use crate::shown::{said, shown};
use crate::signature::SignatureRefusal;
use crate::spent::Spent;
use crate::unmade::Unmade;
use crate::unread::Unread;

/// Why the command did not do what it was asked for.
#[derive(Debug, ThisError)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CliError {
    #[error("{}", of_study(file.as_deref(), refusal))]
    Study { file: Option<PathBuf>, refusal: StudyRefusal },
    #[error("{}", refused(refusal))]
    Refused { refusal: Refusal },
    #[error("{} (`{}`): {refusal}{}", argument.name(), shown(path), Advice(refusal))]
    InFile { argument: Argument, path: PathBuf, refusal: Refusal },
    #[error("{}: cannot read `{}`: {}; give {}", argument.name(), shown(path), said(source), argument.wanted())]
    Open { argument: Argument, path: PathBuf, source: io::Error },
    #[error(transparent)]
    Unread(#[from] Unread),
    /// A refusal of columns, and those that the file has.
    #[error("{error}\ncolumns: {columns}")]
    OfColumns { error: Box<CliError>, columns: String },
    /// What a part of the command refuses by itself: nothing was written, and nothing spent.
    #[error(transparent)]
    Own(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Spent(Box<Spent>),
    #[error("NOT VERIFIED: `{}`: {reasons}", shown(path))]
    NotVerified { path: PathBuf, reasons: String },
    #[error("{name} could not be made: {reason}")]
    Unmade { name: &'static str, reason: Unmade },
    #[error("--ledger (`{}`): {reason}{}", shown(path), LedgerAdvice(reason))]
    Ledger { path: PathBuf, reason: LedgerError },
    #[error("cannot print the result: {0}")]
    Print(io::Error),
}

impl CliError {
    /// 2 for whatever was refused with nothing written and nothing spent, 3 for a release that is written without some of its files, which
    /// follows from the release alone, and 1 otherwise.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Spent(spent) if matches!(**spent, Spent::Incomplete { .. }) => ExitCode::from(3),
            Self::Spent(_)
            | Self::Ledger {
                reason:
                    LedgerError::NotKept { .. }
                    | LedgerError::Unconfirmed { .. }
                    | LedgerError::Again { .. }
                    | LedgerError::Unfinished { .. },
                ..
            }
            | Self::NotVerified { .. }
            | Self::Print(_) => ExitCode::FAILURE,
            _ => ExitCode::from(2),
        }
    }
}

impl CliError {
    /// The ledger's own words, with its path.
    pub fn of_ledger(path: &Path, reason: LedgerError) -> Self {
        Self::Ledger { path: path.to_owned(), reason }
    }

    /// The refusal of the study that this is, if it is one.
    pub fn of_study(&self) -> Option<&StudyRefusal> {
        match self {
            Self::Study { refusal, .. }
            | Self::Refused { refusal: Refusal::Study(refusal) }
            | Self::InFile { refusal: Refusal::Study(refusal), .. } => Some(refusal),
            _ => None,
        }
    }

    /// The same, where a release is of another kind than this option asks of.
    #[must_use]
    pub fn asked_by(self, argument: &'static str) -> Self {
        match self {
            Self::Unread(Unread::OtherKind { path, row, wanted, .. }) => {
                Unread::OtherKind { argument, path, row, wanted }.into()
            }
            other => other,
        }
    }

    /// A refusal of settings that were given as options.
    pub fn of_flags(refusal: StudyRefusal) -> Self {
        Self::Study { file: None, refusal }
    }
}

impl From<Spent> for CliError {
    fn from(spent: Spent) -> Self {
        Self::Spent(Box::new(spent))
    }
}

impl<E: Into<Refusal>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Refused { refusal: error.into() }
    }
}

/// The refusals of a part of the command, which stand where they belong.
macro_rules! own_refusals {
    ($($refusal:ty),+ $(,)?) => {$(
        impl From<$refusal> for $crate::error::CliError {
            fn from(refusal: $refusal) -> Self {
                Self::Own(Box::new(refusal))
            }
        }
    )+};
}
pub(crate) use own_refusals;

own_refusals!(RandomnessError, SignatureRefusal, TableError, serde_json::Error);

/// A refusal of a study, in the names of the door it came by.
fn of_study(file: Option<&Path>, refusal: &StudyRefusal) -> String {
    match file {
        None => Door::Flags.refusal(refusal),
        Some(path) => format!("STUDY.toml (`{}`): {}", shown(path), Door::File.refusal(refusal)),
    }
}

/// A refusal at its argument. A study that is refused as a whole says it itself.
fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Study(refusal) if refusal.blame != Blame::Data => Door::Flags.refusal(refusal),
        refusal => format!("{}: {refusal}{}", refusal.argument().name(), Advice(refusal)),
    }
}

/// What to do instead, on its own line.
struct Advice<'a>(&'a Refusal);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.advice().map_or(Ok(()), |advice| write!(f, "\nhint: {advice}"))
    }
}
