//! Everything the command refuses. No variant can hold a cell of the private file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dpfda::analysis::AnalysisError;
use dpfda::audit::AuditError;
use dpfda::ledger::{LedgerError, Mismatch, ReleaseId};
use dpfda::mechanism::AgainError;
use dpfda::privacy::RandomnessError;
use thiserror::Error;

use crate::argument::Argument;
use crate::components::ComponentsRefusal;
use crate::covariates::CovariateRefusal;
use crate::evaluate::EvaluateRefusal;
use crate::files::Unmade;
use crate::flaw::Flaw;
use crate::gaps::GapsRefusal;
use crate::ledger::LedgerAdvice;
use crate::long::LongRefusal;
use crate::manual::ManualError;
use crate::missing::{BUDGET, EPSILON, Missing, PUBLIC_BOUND, PUBLIC_BOX};
use crate::new_file::NewFileError;
use crate::output::{OutputError, TableError};
use crate::parts::PartsRefusal;
use crate::plan::PlanError;
use crate::reason::UnusualGuarantee;
use crate::refusal::Refusal;
use crate::shown::{said, shown};
use crate::signature::SignatureRefusal;
use crate::signed::Doubt;
use crate::summary::exact;
use crate::surfaces::SurfaceRefusal;

/// Why the command did not do what it was asked for.
#[derive(Debug, Error)]
pub enum CliError {
    /// No public bound.
    #[error("{0} not given\n\n{PUBLIC_BOUND}")]
    NoBall(Missing),
    /// No privacy budget.
    #[error("{0} not given\n\n{BUDGET}")]
    NoBudget(Missing),
    /// No public box.
    #[error("--bounds was not given\n\n{PUBLIC_BOX}")]
    NoBounds,
    /// No privacy parameter.
    #[error("--epsilon was not given\n\n{EPSILON}")]
    NoEpsilon,
    /// Not one pair of bounds for each column.
    #[error(
        "--bounds: each column needs two numbers, its lower and its upper bound; got {numbers} for {columns} of --columns\n\
         hint: give them in the order of the columns, such as --bounds {}", example_bounds(*columns)
    )]
    BoundsOfColumns {
        /// The number of numbers given.
        numbers: usize,
        /// The number of columns given.
        columns: usize,
    },
    /// No synthetic points, or more than memory should hold.
    #[error(
        "--draws: the number of synthetic points must be from 1 to {most}, got {found}{}\nhint: leave --draws out for \
         none; whoever has release.json can draw more at any time, at no cost in privacy", memory(*gibibytes)
    )]
    Draws {
        /// The number given.
        found: usize,
        /// The most there may be.
        most: usize,
        /// The memory that they would take.
        gibibytes: f64,
    },
    /// The honest band without its assumption.
    #[error(
        "--band honest needs --band-roughness: a public bound on how rough the mean is, as the norm of its distance from the centre in \
         the space of the Matern 3/2 kernel of range 0.2\nhint: leave --band out if you know no such bound"
    )]
    NoRoughness,
    /// A roughness that is none.
    #[error("--band-roughness: the bound must be positive and finite, got {}", exact(*value))]
    Roughness {
        /// The value given.
        value: f64,
    },
    /// A roughness where no band uses one.
    #[error("--band-roughness: only --band honest uses it; leave it out, or give --band honest")]
    RoughnessWithoutBand,
    /// More or fewer than two bounds.
    #[error(
        "--bounds: give two numbers, the least and the largest value that a curve can have, such as 0,1; got {found}"
    )]
    TwoBounds {
        /// The number of numbers given.
        found: usize,
    },
    /// What a long table has not.
    #[error(transparent)]
    Long(#[from] LongRefusal),
    /// What surfaces do not have.
    #[error(transparent)]
    Surface(#[from] SurfaceRefusal),
    /// What stands for a missing value.
    #[error(transparent)]
    Gaps(#[from] GapsRefusal),
    /// A share that buys too much.
    #[error("{}: {source}\nhint: {}", argument.name(), "0.05 is usual for the radius and 0.1 for the centre; none buys nothing")]
    Share {
        /// The argument.
        argument: Argument,
        /// Why not.
        source: dpfda::release::BallShareError,
    },
    /// A release to be scored in expectation is not known in full.
    #[error(
        "{0} not given; the noise of a release follows from --epsilon, --delta and --radius together\nhint: give all \
         three, such as --epsilon 1 --delta 1e-5 --radius 0.25, or none of them for scores without noise"
    )]
    NoPlan(Missing),
    /// A radius where nothing needs one.
    #[error(
        "--radius: only the noise of a release needs a radius; give --epsilon and --delta as well, or leave it out"
    )]
    RadiusWithoutNoise,
    /// An epsilon that protects nobody, or leaves nothing.
    #[error(
        "--epsilon: epsilon must be from 1e-6 to 50 (or 0 with a positive --delta), got {}: above, it protects nobody; \
         below, nothing of the data would be left\nhint: 1 is a common choice; smaller is more private",
        exact(*value)
    )]
    EpsilonRange {
        /// The epsilon given.
        value: f64,
    },
    /// A guarantee that needs a reason.
    #[error(transparent)]
    Unusual(#[from] UnusualGuarantee),
    /// A summary of nothing.
    #[error("--dimension: a summary is at least one number, got 0\nhint: leave --dimension out for one number")]
    NoDimension,
    /// The classical scale is one of Gaussian noise.
    #[error(
        "--classical: only Gaussian noise has a classical scale\nhint: leave --classical out, or calibrate gaussian"
    )]
    ClassicalFamily,
    /// An argument was refused.
    #[error("{}: {refusal}{}", refusal.argument().name(), Advice(refusal))]
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// The private file was refused.
    #[error("{} (`{}`): {refusal}{}", argument.name(), shown(path), Advice(refusal))]
    InFile {
        /// The argument that names it.
        argument: Argument,
        /// The file.
        path: PathBuf,
        /// Why.
        refusal: Refusal,
    },
    /// Parts of a data set were refused.
    #[error(transparent)]
    Parts(#[from] PartsRefusal),
    /// The private file cannot be opened.
    #[error("{}: cannot read `{}`: {}; give {}", argument.name(), shown(path), said(source), argument.wanted())]
    Open {
        /// The argument that names it.
        argument: Argument,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A release cannot be read.
    #[error("RELEASE.json: cannot read `{}`: {}; give the release.json that dpfda wrote", shown(path), said(source))]
    ReadRelease {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file that is no JSON object.
    #[error("RELEASE.json: `{}` is not a JSON document; give the release.json that dpfda wrote", shown(path))]
    NotJson {
        /// The file.
        path: PathBuf,
    },
    /// A file that is no release.
    #[error(
        "RELEASE.json: `{}` is not a release that can be read here: {reason}; give a release.json as dpfda wrote it",
        shown(path)
    )]
    NotARelease {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Flaw,
    },
    /// A release that does not say where it was paid for.
    #[error("RELEASE.json: `{}` does not name a ledger: the release was made without one", path.display())]
    NoLedger {
        /// The file.
        path: PathBuf,
    },
    /// Several releases that nothing adds up.
    #[error(
        "RELEASE.json: several releases go into one report where a ledger says what they cost together\nhint: give --ledger FILE, or \
         --export FILE with what `dpfda ledger export` printed, or make a report of each release"
    )]
    ReleasesWithoutLedger,
    /// A file that no ledger exported.
    #[error(
        "--export: `{}` is not what `dpfda ledger export` printed, or it was edited: its entries do not hold together",
        path.display()
    )]
    NotAnExport {
        /// The file.
        path: PathBuf,
    },
    /// A release that the ledger contradicts.
    #[error("NOT VERIFIED: `{}`: {}", shown(path), listed(mismatches))]
    NotVerified {
        /// The file of the release.
        path: PathBuf,
        /// Where.
        mismatches: Vec<Mismatch>,
    },
    /// A smoother was named, and another was to be chosen.
    #[error(
        "--select sure chooses kernel, range, penalty and eta together, but {given} was given\nhint: leave one of the two \
         out; `dpfda smooth --select sure` can choose later, at no cost in privacy"
    )]
    SelectedAndGiven {
        /// What was given of the smoother.
        given: &'static str,
    },
    /// No centre for cross-validation.
    #[error(
        "--center was not given; every smoother pulls towards it, here as in a release. Give the public centre that the \
         release will have: a number in the units of the data, or a CSV file with the columns t,value"
    )]
    NoCenter,
    /// Draws for a score that has a closed form.
    #[error(
        "--draws: only the distances of a release, --loss norm with --epsilon and --delta, are averaged over draws; all \
         other scores are exact\nhint: leave --draws out"
    )]
    NoDrawsNeeded,
    /// More kernels than a figure has room for.
    #[error("--kernel: at most {most} kernels can be compared, got {found}")]
    TooManyKernels {
        /// The number given.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// A new range for a kernel that has several.
    #[error("--range: the kernel of this release is composed of several; give --kernel as well")]
    CompositeKernel,
    /// An error could not be foretold.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A smoother beside a band that has none.
    #[error(
        "{option}: only the bands smoothed and undersmoothed use a smoother; leave {option} out, or leave --band out"
    )]
    SmootherUnused {
        /// The option.
        option: &'static str,
    },
    /// A smoother for noise of another shape.
    #[error(
        "{option}: a release with delta 0, or with a bound on slope or roughness, has the posterior mean for its estimate, and no smoother; \
         leave {option} out, or release with a delta above 0 and without the bound"
    )]
    SmootherOfBody {
        /// The option.
        option: &'static str,
    },
    /// Names of groups that are no two names.
    #[error("--names: give two different names, such as women,men; got `{}`", shown(Path::new(found)))]
    TwoNames {
        /// What was given.
        found: String,
    },
    /// Groups that are no two groups of the release.
    #[error("--groups: give two different groups of the release, such as case,control; it has {}", known.join(", "))]
    TwoGroups {
        /// The groups of the release.
        known: Vec<String>,
    },
    /// A group of which the release says too little.
    #[error("--groups: `{name}`: {reason}")]
    HiddenGroup {
        /// The name of the group.
        name: String,
        /// Why nothing can be said.
        reason: AnalysisError,
    },
    /// Covariates that were not understood.
    #[error(transparent)]
    Covariates(#[from] CovariateRefusal),
    /// No value, slope, integral or maximum.
    #[error(transparent)]
    Evaluate(#[from] EvaluateRefusal),
    /// No manual page.
    #[error(transparent)]
    Manual(#[from] ManualError),
    /// No components, or no synthetic curves.
    #[error(transparent)]
    Components(#[from] ComponentsRefusal),
    /// A file that is not written.
    #[error(transparent)]
    NewFile(#[from] NewFileError),
    /// An audit could not be made.
    #[error("cannot audit this: {0}")]
    Audit(#[source] AuditError),
    /// No noise.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// The noise was drawn, but the files are not in their place.
    #[error(
        "--out: {reason}\n\nThe noise had been drawn: count the budget as spent. What was written is in `{}`; if that \
         holds release.json, {remedy}.",
        shown(kept)
    )]
    Unfinished {
        /// What went wrong.
        reason: OutputError,
        /// The hidden directory.
        kept: PathBuf,
        /// What release.json is still good for.
        remedy: &'static str,
    },
    /// The release is written, and something else could not be made of it. That follows from the release.
    #[error(
        "the release is in `{}`, and its budget is spent, but this could not be made of it: {}\nhint: {remedy}; a release that a \
         ledger paid for is given back by the same command with another --out",
        shown(directory),
        listed(unmade.iter().map(|(name, reason)| format!("{name} ({reason})")))
    )]
    Incomplete {
        /// What is said of the release.
        text: String,
        /// What is missing, and why.
        unmade: Vec<(&'static str, Unmade)>,
        /// Where the release is.
        directory: PathBuf,
        /// What release.json is good for.
        remedy: &'static str,
    },
    /// The noise was drawn, and there is no document of it.
    #[error("no release.json could be made: {reason}\n\nThe noise had been drawn: count the budget as spent.{}", is_stored(stored.as_ref()))]
    Undocumented {
        /// The ledger that holds the release, and its name there.
        stored: Option<(PathBuf, ReleaseId)>,
        /// Why not.
        reason: Unmade,
    },
    /// A file that could not be made of a release, at no cost.
    #[error("{name} could not be made: {reason}")]
    Unmade {
        /// The file.
        name: &'static str,
        /// Why not.
        reason: Unmade,
    },
    /// The ledger refused.
    #[error("--ledger (`{}`): {reason}{}", shown(path), LedgerAdvice(reason))]
    Ledger {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: LedgerError,
    },
    /// The release is in the ledger, but its files are not in their place.
    #[error(
        "--out: {reason}\n\nThe release {id} is stored in the ledger `{}`. The same command, with another --out if need be, \
         writes its files at no further cost.",
        shown(path)
    )]
    NotWritten {
        /// The ledger.
        path: PathBuf,
        /// What the release is called.
        id: ReleaseId,
        /// What went wrong.
        reason: OutputError,
    },
    /// Whatever is written there would replace the ledger.
    #[error(
        "--out: the ledger `{}` lies in that directory, which --force would replace\nhint: give another directory, and keep \
         ledgers apart from releases",
        shown(path)
    )]
    LedgerInOutput {
        /// The ledger.
        path: PathBuf,
    },
    /// A result could not be made into text.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A result could not be made into a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Data that were not the same when they were gone through again, without a ledger.
    #[error("{0}. Nothing was released, and nobody has seen the first answer")]
    Again(AgainError),
    /// A key or a signature.
    #[error(transparent)]
    Signature(#[from] SignatureRefusal),
    /// A signed release that does not hold.
    #[error("NOT VERIFIED: `{}`: {}", shown(path), doubt)]
    NotSigned {
        /// The release.
        path: PathBuf,
        /// What does not hold.
        doubt: Doubt,
    },
    /// A result could not be printed.
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

impl<E: Into<Refusal>> From<E> for CliError {
    fn from(error: E) -> Self {
        Self::Refused { refusal: error.into() }
    }
}

/// One after the other.
fn listed(reasons: impl IntoIterator<Item = impl fmt::Display>) -> String {
    reasons.into_iter().map(|reason| reason.to_string()).collect::<Vec<_>>().join("; ")
}

/// Where the integers are.
fn is_stored(stored: Option<&(PathBuf, ReleaseId)>) -> String {
    stored.map_or_else(String::new, |(path, id)| format!(" The ledger `{}` holds the release {id}.", shown(path)))
}

/// What too much would take.
fn memory(gibibytes: f64) -> String {
    if gibibytes > 0.0 { format!(", which would take {gibibytes:.1} GiB") } else { String::new() }
}

/// Bounds for so many columns.
fn example_bounds(columns: usize) -> &'static str {
    match columns {
        1 => "0,1",
        2 => "0,1,0,1",
        _ => "0,1,0,1,0,1",
    }
}

/// What to do instead, on its own line.
struct Advice<'a>(&'a Refusal);

impl fmt::Display for Advice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.advice().map_or(Ok(()), |advice| write!(f, "\nhint: {advice}"))
    }
}
