//! What can be asked for by the curator alone; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::answer::AnswerArguments;
use super::offers::OfFolds;
use crate::settings::Settings;
use crate::values::{KernelNames, Numbers, count, directory, seed};

/// `dpfda crossval`
#[derive(Debug, Args)]
pub struct CrossvalArguments {
    /// The curves: a CSV file, one row for each curve; a study file may stand before it
    ///
    /// One column for each point. Also compressed (.gz, .zst), Parquet or Arrow, a folder of such files, a pattern such as
    /// 'site*/*.csv', or - for the standard input.
    #[arg(value_name = "CURVES.csv", num_args = 1..=2, required = true, display_order = 0, help_heading = "Data")]
    pub files: Vec<PathBuf>,
    /// The table, the public centre, and the release that is planned.
    #[command(flatten)]
    pub settings: Settings<OfFolds>,
    /// The number of folds [default: 10]
    #[arg(long, value_name = "K", value_parser = count, allow_hyphen_values = true, help_heading = "Score")]
    pub folds: Option<usize>,
    /// One fold for each record
    #[arg(long, conflicts_with = "folds", help_heading = "Score")]
    pub leave_one_out: bool,
    /// The seed that deals the records into folds; no secret
    #[arg(long, default_value_t = 0, value_parser = seed, allow_hyphen_values = true, help_heading = "Score")]
    pub seed: u64,
    /// The kernels to try, separated by commas [default: gaussian,matern32,matern52,exponential]
    #[arg(long, value_name = "LIST", help_heading = "Candidates")]
    pub kernel: Option<KernelNames>,
    /// The ranges to try, for every kernel [default: seven or eight for each kernel]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "Candidates")]
    pub range: Option<Numbers>,
    /// The penalties to try [default: 25 from 1e-6 to 1, four in each decade]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "Candidates")]
    pub penalty: Option<Numbers>,
    /// The powers eta to try [default: 1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "Candidates")]
    pub eta: Option<Numbers>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// A directory for scores.csv, scores.svg, .pdf and .png, which are private data too
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(directory), help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace the directory if it exists and holds nothing but earlier scores
    #[arg(long, requires = "out", help_heading = "Output")]
    pub force: bool,
}
