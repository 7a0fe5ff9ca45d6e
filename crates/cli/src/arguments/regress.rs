//! What can be asked of a regression; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::{AccountArguments, AnswerArguments, DemonstrationArguments, OfRegressions, OutputArguments, keys};
use crate::settings::Settings;

/// `dpfda regress`
#[derive(Debug, Args)]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are those of `dpfda release --json`, and grid and coefficients: a list with name, values, lower and upper for each function."
    )
))]
pub struct RegressArguments {
    /// The curves: a CSV file, one row for each curve; a study file may stand before it
    ///
    /// Also compressed (.gz, .zst), Parquet or Arrow, a folder of such files, a pattern such as 'site*/*.csv', or - for the standard input.
    #[arg(value_name = "CURVES.csv", num_args = 1..=2, required = true, display_order = 0, help_heading = "Data")]
    pub files: Vec<PathBuf>,
    /// What is released.
    #[command(flatten)]
    pub settings: Settings<OfRegressions>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
}
