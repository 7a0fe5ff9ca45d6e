//! What can be asked of `dpfda ledger`, and of a ledger by whatever releases; these comments are the help text.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use dpfda::ledger::{GroupName, ReleaseId};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};

use super::answer::AnswerArguments;
use super::signing::SigningArguments;
use crate::values::number;

/// `dpfda ledger`
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Create a ledger: the account of everything that is ever released of one data set
    Create(CreateArguments),
    /// Show what was spent, what is left, and which releases were paid for
    Show(ShowArguments),
    /// Print all entries with their hashes as JSON, for an archive or an auditor
    Export(ExportArguments),
    /// Compare a release with the ledger that paid for it, or with what the ledger exported
    Verify(VerifyArguments),
    /// Write one page about the account to read, print and sign
    ///
    /// It says what was spent, what that means for one person, and what is left.
    Report(LedgerReportArguments),
}

/// `dpfda ledger create`
#[derive(Debug, Args)]
pub struct CreateArguments {
    /// The new file; it must not exist
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// The epsilon that all releases together may reach, such as 3
    #[arg(long, value_parser = number, allow_hyphen_values = true, value_name = "E")]
    pub epsilon: f64,
    /// The delta that all releases together may reach, such as 1e-5; 0 for pure releases alone
    #[arg(long, value_parser = number, allow_hyphen_values = true, value_name = "D")]
    pub delta: f64,
    /// Who is protected: subject (a person with all their curves) or curve (each row alone)
    #[arg(long)]
    pub unit: PrivacyUnit,
    /// Which data sets must look alike: substitute or add-remove
    #[arg(long, alias = "neighbors", value_name = "RELATION")]
    pub neighbours: NeighbouringRelation,
    /// What the data set is called
    #[arg(long, value_name = "NAME")]
    pub dataset: String,
    /// Disjoint groups of the data, such as women,men: a release of one group costs it alone
    ///
    /// Nobody may be in two groups or change from one to another, and who belongs to which group is not protected.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub groups: Vec<GroupName>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda ledger show`
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda ledger export`
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda ledger verify`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("account").args(["ledger", "export"]).required(true)))]
pub struct VerifyArguments {
    /// The release.json
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// The account.
    #[command(flatten)]
    pub account: HistoryArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda ledger report`
#[derive(Debug, Args)]
pub struct LedgerReportArguments {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// The new file: a page for screen and paper, or a .pdf
    #[arg(long, value_name = "FILE.html | FILE.pdf", default_value = "ledger.html")]
    pub out: PathBuf,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// The entries of a ledger.
#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// The ledger
    #[arg(long, value_name = "FILE", conflicts_with = "export")]
    pub ledger: Option<PathBuf>,
    /// What `dpfda ledger export` printed
    #[arg(long, value_name = "FILE", alias = "ledger-export")]
    pub export: Option<PathBuf>,
}

/// Who pays for a release.
///
/// What an option requires is not asked for where something else conflicts with it, so conflicts are named on both sides.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct AccountArguments {
    /// Pay for the release from this ledger, made by `dpfda ledger create`
    ///
    /// Without one, nothing remembers what was spent.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["not_private", "seed"])]
    pub ledger: Option<PathBuf>,
    /// What the release is called in the ledger: the same command with the same id gives the stored release back and spends
    /// nothing, also after a crash [default: made from what is released and by which settings]
    #[arg(long, value_name = "ID", requires = "ledger", conflicts_with_all = ["not_private", "seed"], hide_short_help = true)]
    pub release_id: Option<ReleaseId>,
    /// The group that the file holds, of those that the ledger was created with: the release costs this group alone
    #[arg(long, value_name = "GROUP", requires = "ledger", conflicts_with_all = ["not_private", "seed"], hide_short_help = true)]
    pub part_of: Option<GroupName>,
    /// Who signs.
    #[command(flatten)]
    pub signing: SigningArguments,
}
