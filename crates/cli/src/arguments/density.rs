//! What can be asked of `dpfda density`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::{AccountArguments, AnswerArguments, DemonstrationArguments, OfDensities, OutputArguments, keys};
use crate::settings::Settings;

/// `dpfda density`
#[derive(Debug, Args)]
#[command(mut_arg("unit", |unit| unit.requires("ledger").conflicts_with_all(["not_private", "seed", "subject"])))]
#[command(mut_arg("json", keys("Its keys are title, software, given_back, facts, notes, closing and ledger.")))]
pub struct DensityArguments {
    /// The points: a CSV file, one row for each record; a study file may stand before it
    #[arg(value_name = "POINTS.csv", num_args = 1..=2, required = true, display_order = 0, help_heading = "Data")]
    pub files: Vec<PathBuf>,
    /// What is released, and of which columns.
    #[command(flatten)]
    pub settings: Settings<OfDensities>,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
}
