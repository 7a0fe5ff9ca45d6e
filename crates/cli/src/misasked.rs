//! What was asked for cannot be, whatever the data are.

use std::io;
use std::path::PathBuf;

use dpfda::audit::AuditError;
use dpfda_study::Door;
use thiserror::Error;

use crate::error::own_refusals;
use crate::shown::shown;

/// Why nothing can be done about what was asked for.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Misasked {
    #[error(
        "CURVES.csv: give the private file, and before it a study whose name ends in .toml where there is one\n\
         hint: dpfda release study.toml curves.csv --out DIR; several files of one table are a pattern in quotes, such as 'site*/*.csv'"
    )]
    Files,
    #[error("{option} cannot be used with {kind}\nhint: leave {option} out")]
    NotForKind { option: &'static str, kind: &'static str },
    #[error("how a figure looks was said, but no figure was asked for\nhint: give --figure FILE.svg, or leave it out")]
    NoFigure,
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
    #[error(
        "--center was not given; every smoother pulls towards it, here as in a release. Give the public centre that the \
         release will have: a number in the units of the data, or a CSV file with the columns t,value"
    )]
    NoCenter,
    #[error("--kernel: at most {most} kernels can be compared, got {found}")]
    TooManyKernels { found: usize, most: usize },
    #[error("--range: the kernel of this release is composed of several; give --kernel as well")]
    CompositeKernel,
    #[error(
        "RELEASE.json: several releases go into one report where a ledger says what they cost together\nhint: give --ledger FILE, or \
         --export FILE with what `dpfda ledger export` printed, or make a report of each release"
    )]
    ReleasesWithoutLedger,
    #[error(
        "--out: the ledger `{}` lies in that directory, which --force would replace\nhint: give another directory, and keep \
         ledgers apart from releases",
        shown(path)
    )]
    LedgerInOutput { path: PathBuf },
    #[error(
        "--export: `{}` is not what `dpfda ledger export` printed, or it was edited: its entries do not hold together",
        path.display()
    )]
    NotAnExport { path: PathBuf },
    #[error("RELEASE.json: `{}` does not name a ledger: the release was made without one", path.display())]
    NoLedger { path: PathBuf },
    #[error(
        "--key was not given, and no --study: a release is verified by the signature beside it or by the study that it follows\n\
         hint: give --key FILE.pub or --study STUDY.toml; `dpfda ledger verify` compares a release with its ledger alone"
    )]
    NothingToVerify,
    #[error("cannot audit this: {0}")]
    Audit(#[source] AuditError),
}

own_refusals!(Misasked);
