//! Everything the command refuses. No variant can hold a cell of the private file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dpfda::audit::AuditError;
use dpfda::ledger::{LedgerError, Mismatch, ReleaseId};
use dpfda::mechanism::AgainError;
use dpfda::privacy::RandomnessError;
use dpfda_study::{Blame, Door, Refusal as StudyRefusal};
use thiserror::Error as ThisError;

use crate::argument::Argument;
use crate::doubt::Doubt;
use crate::flaw::Flaw;
use crate::ledger_advice::LedgerAdvice;
use crate::output::{OutputError, TableError};
use crate::refusal::Refusal;
use crate::shown::{said, shown};
use crate::signature::SignatureRefusal;
use crate::unmade::Unmade;

/// Why the command did not do what it was asked for.
#[derive(Debug, ThisError)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CliError {
    #[error("{}", of_study(file.as_deref(), refusal))]
    Study { file: Option<PathBuf>, refusal: StudyRefusal },
    #[error("STUDY.toml: cannot read `{}`: {}; give a study, such as `dpfda new` writes", shown(path), said(source))]
    ReadStudy { path: PathBuf, source: io::Error },
    #[error(
        "CURVES.csv: give the private file, and before it a study whose name ends in .toml where there is one\n\
         hint: dpfda release study.toml curves.csv --out DIR"
    )]
    Files,
    #[error("{option} cannot be used with {kind}\nhint: leave {option} out")]
    NotForKind { option: &'static str, kind: &'static str },
    #[error("STUDY.toml: this is a study of {kind}\nhint: `dpfda release` releases a study of any kind")]
    OtherKind { kind: &'static str },
    #[error("no answer could be read: {0}; with --kind nothing is asked")]
    NoAnswer(io::Error),
    #[error("--values was not given: name the columns of values, such as --values 'h*'")]
    NoValues,
    #[error(
        "--sorted-by-subject was given without subjects; name their column by --subject, or leave --sorted-by-subject out"
    )]
    NoOrder,
    #[error(
        "{}; the noise of a release follows from --epsilon, --delta and --radius together\nhint: give all \
         three, such as --epsilon 1 --delta 1e-5 --radius 0.25, or none of them for scores without noise",
        Door::Flags.spell(.0)
    )]
    NoPlan(String),
    #[error(
        "--radius: only the noise of a release needs a radius; give --epsilon and --delta as well, or leave it out"
    )]
    RadiusWithoutNoise,
    #[error("{}", refused(refusal))]
    Refused { refusal: Refusal },
    #[error("{} (`{}`): {refusal}{}", argument.name(), shown(path), Advice(refusal))]
    InFile { argument: Argument, path: PathBuf, refusal: Refusal },
    #[error("{}: cannot read `{}`: {}; give {}", argument.name(), shown(path), said(source), argument.wanted())]
    Open { argument: Argument, path: PathBuf, source: io::Error },
    #[error("RELEASE.json: cannot read `{}`: {}; give the release.json that dpfda wrote", shown(path), said(source))]
    ReadRelease { path: PathBuf, source: io::Error },
    #[error("RELEASE.json: `{}` is not a JSON document; give the release.json that dpfda wrote", shown(path))]
    NotJson { path: PathBuf },
    #[error(
        "RELEASE.json: `{}` is not a release that can be read here: {reason}; give a release.json as dpfda wrote it",
        shown(path)
    )]
    NotARelease { path: PathBuf, reason: Flaw },
    #[error("RELEASE.json: `{}` does not name a ledger: the release was made without one", path.display())]
    NoLedger { path: PathBuf },
    #[error(
        "RELEASE.json: several releases go into one report where a ledger says what they cost together\nhint: give --ledger FILE, or \
         --export FILE with what `dpfda ledger export` printed, or make a report of each release"
    )]
    ReleasesWithoutLedger,
    #[error(
        "--export: `{}` is not what `dpfda ledger export` printed, or it was edited: its entries do not hold together",
        path.display()
    )]
    NotAnExport { path: PathBuf },
    #[error("NOT VERIFIED: `{}`: {}", shown(path), listed(mismatches))]
    NotVerified { path: PathBuf, mismatches: Vec<Mismatch> },
    #[error(
        "--center was not given; every smoother pulls towards it, here as in a release. Give the public centre that the \
         release will have: a number in the units of the data, or a CSV file with the columns t,value"
    )]
    NoCenter,
    #[error("--kernel: at most {most} kernels can be compared, got {found}")]
    TooManyKernels { found: usize, most: usize },
    #[error("--range: the kernel of this release is composed of several; give --kernel as well")]
    CompositeKernel,
    #[error("cannot audit this: {0}")]
    Audit(#[source] AuditError),
    /// What a part of the command refuses by itself: nothing was written, and nothing spent.
    #[error(transparent)]
    Own(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
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
    #[error("{name} could not be made: {reason}")]
    Unmade { name: &'static str, reason: Unmade },
    #[error("--ledger (`{}`): {reason}{}", shown(path), LedgerAdvice(reason))]
    Ledger { path: PathBuf, reason: LedgerError },
    #[error(
        "--out: {reason}\n\nThe release {id} is stored in the ledger `{}`. The same command, with another --out if need be, \
         writes its files at no further cost.",
        shown(path)
    )]
    NotWritten { path: PathBuf, id: ReleaseId, reason: OutputError },
    #[error(
        "--out: the ledger `{}` lies in that directory, which --force would replace\nhint: give another directory, and keep \
         ledgers apart from releases",
        shown(path)
    )]
    LedgerInOutput { path: PathBuf },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{0}. Nothing was released, and nobody has seen the first answer")]
    Again(AgainError),
    #[error("NOT VERIFIED: `{}`: {}", shown(path), doubt)]
    NotSigned { path: PathBuf, doubt: Doubt },
    #[error("cannot print the result: {0}")]
    Print(io::Error),
}

impl CliError {
    /// 2 for whatever was refused with nothing written and nothing spent, 3 for a release that is written without some of its files, which
    /// follows from the release alone, and 1 otherwise.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Incomplete { .. } => ExitCode::from(3),
            Self::Unfinished { .. }
            | Self::Undocumented { .. }
            | Self::Again(_)
            | Self::Ledger {
                reason:
                    LedgerError::NotKept { .. }
                    | LedgerError::Unconfirmed { .. }
                    | LedgerError::Again { .. }
                    | LedgerError::Unfinished { .. },
                ..
            }
            | Self::NotWritten { .. }
            | Self::NotVerified { .. }
            | Self::NotSigned { .. }
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

    /// A refusal of settings that were given as options.
    pub fn of_flags(refusal: StudyRefusal) -> Self {
        Self::Study { file: None, refusal }
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

own_refusals!(SignatureRefusal);

/// One after the other.
fn listed(reasons: impl IntoIterator<Item = impl fmt::Display>) -> String {
    reasons.into_iter().map(|reason| reason.to_string()).collect::<Vec<_>>().join("; ")
}

/// Where the integers are.
fn is_stored(stored: Option<&(PathBuf, ReleaseId)>) -> String {
    stored.map_or_else(String::new, |(path, id)| format!(" The ledger `{}` holds the release {id}.", shown(path)))
}

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
