//! What can be asked of parts of a data set; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use dpfda::mechanism::PartId;

use super::answer::{AnswerArguments, keys};
use super::ledger::AccountArguments;
use super::offers::{OfMerges, OfParts};
use super::output::{DemonstrationArguments, OutputArguments};
use super::work::WorkArguments;
use crate::age::Recipient;
use crate::settings::Settings;

/// `dpfda part`
#[derive(Debug, Args)]
pub struct PartialArguments {
    /// The curves of this part: a CSV file, one row for each curve; a study file may stand before it
    ///
    /// One column for each point. Also compressed (.gz, .zst), Parquet or Arrow, a folder of such files, a pattern such as
    /// 'site*/*.csv', or - for the standard input.
    #[arg(value_name = "CURVES.csv", num_args = 1..=2, required = true, help_heading = "Data")]
    pub files: Vec<PathBuf>,
    /// Its columns, where they are not those of the plan.
    #[command(flatten)]
    pub settings: Settings<OfParts>,
    /// The public plan, as written by `dpfda release --plan-only`
    #[arg(long, value_name = "PLAN.json", help_heading = "Data")]
    pub plan: PathBuf,
    /// What this part is called, such as site-3: another name for each part
    ///
    /// The name is always the same for the same part.
    #[arg(long, value_name = "ID", help_heading = "Data")]
    pub part: PartId,
    /// The curator's secret key for subjects, as written beside the plan
    ///
    /// It is the same for all parts.
    #[arg(long, value_name = "PLAN.key", help_heading = "Data")]
    pub key: Option<PathBuf>,
    /// How the file is worked on.
    #[command(flatten)]
    pub work: WorkArguments,
    /// Encrypt the part to this public key (age1...), by the program age
    ///
    /// Only who has the secret key of the curator can read it then.
    #[arg(long, value_name = "RECIPIENT", help_heading = "Output")]
    pub to: Option<Recipient>,
    /// The new file of the part: NOT PRIVATE without --to
    ///
    /// It holds exact sums. Whoever reads it learns them without noise.
    #[arg(long, value_name = "P.part", help_heading = "Output")]
    pub out: PathBuf,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}

/// `dpfda merge`
#[derive(Debug, Args)]
#[command(mut_arg("json", keys("Its keys are those of `dpfda release --json`.")))]
pub struct MergeArguments {
    /// The parts, as written by `dpfda part`, each once
    #[arg(value_name = "P.part", required = true)]
    pub parts: Vec<PathBuf>,
    /// The public plan that was agreed on: a part of another is refused
    ///
    /// It is what --plan-only wrote. The parts have their plan in them. Whoever made one could have written another epsilon: what is released is what you state here.
    #[arg(long, value_name = "PLAN.json")]
    pub plan: PathBuf,
    /// The curator's secret key, for parts that were encrypted with --to
    #[arg(long, value_name = "KEY")]
    pub identity: Option<PathBuf>,
    /// A reason, the band around the estimate, and how the figure looks.
    #[command(flatten)]
    pub settings: Settings<OfMerges>,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// Where the files go; the file of the second plan, in the first of two steps.
    #[command(flatten)]
    pub output: OutputArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}
