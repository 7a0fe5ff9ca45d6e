//! What can be asked of a release; these comments are the help text.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::answer::{AnswerArguments, keys};
use super::ledger::AccountArguments;
use super::offers::OfReleases;
use super::output::{DemonstrationArguments, OutputArguments};
use super::work::WorkArguments;
use crate::settings::Settings;

/// `dpfda release`
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("place").args(["out", "plan_only", "dry_run"]).required(true).multiple(true)),
    mut_arg("unit", |unit| unit.requires("ledger").conflicts_with_all(["not_private", "seed", "subject"]))
)]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are title, software, given_back, facts, notes, closing and ledger; of a regression, grid and coefficients as well; of a check, warning, closing and facts."
    )
))]
pub struct ReleaseArguments {
    /// The curves: a CSV file, one row for each curve; a study file may stand before it
    ///
    /// One column for each point. Also compressed (.gz, .zst), Parquet or Arrow, a folder of such files, a pattern such as
    /// 'site*/*.csv', or - for the standard input. A study, such as `dpfda new` writes, says every setting: an option may repeat it, and
    /// is refused where it says something else.
    #[arg(value_name = "CURVES.csv", num_args = 1..=2, required = true, display_order = 0, help_heading = "Data")]
    pub files: Vec<PathBuf>,
    /// What is released, and how the table is read.
    #[command(flatten)]
    pub settings: Settings<OfReleases>,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// How the curves are worked on.
    #[command(flatten)]
    pub work: WorkArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: Option<OutputArguments>,
    /// Write the public plan for parts to a new file, and draw nothing
    ///
    /// `dpfda part` encodes each part by it, and `dpfda merge`
    /// releases them. Of the curves only the header is read. With --subject also a secret key, in a file beside the plan
    #[arg(long, value_name = "PLAN.json", conflicts_with_all = [
        "out", "ledger", "release_id", "part_of", "sign", "seed", "not_private", "force", "dry_run", "title", "size", "x_label", "y_label", "units", "formats"
    ], help_heading = "Output")]
    pub plan_only: Option<PathBuf>,
    /// Tell what would be read and spent, and draw nothing: NOT PRIVATE
    ///
    /// The report is that of `dpfda check`, for the curator alone.
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda check`
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The release that is planned.
    #[command(flatten)]
    pub release: ReleaseArguments,
    /// Draw the curves in a new .svg, .pdf or .png file: private data, stamped so
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub figure: Option<PathBuf>,
}
