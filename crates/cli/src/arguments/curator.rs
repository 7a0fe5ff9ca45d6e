//! What can be asked for by the curator alone; these comments are the help text.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use dpfda::crossval::DEFAULT_DRAWS;

use super::OfFolds;
use crate::settings::Settings;
use crate::values::{KernelNames, Numbers, count, directory, seed};

/// What draws are.
static DRAWS: LazyLock<String> = LazyLock::new(|| {
    format!("Draws of the noise in each fold, for --loss norm with a budget [default: {DEFAULT_DRAWS}]")
});

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
    /// The seed that deals the records into folds, and of the draws; no secret
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
    /// The score, of distances to what was left out: squared (the default) or norm
    ///
    /// squared: the mean squared distance. norm: the mean distance.
    #[arg(long, value_enum, default_value_t = LossArgument::Squared, help_heading = "Score", hide_possible_values = true, hide_default_value = true)]
    pub loss: LossArgument,
    /// What an estimate is compared with: records (the default) or fold-mean
    ///
    /// records: each left-out record. fold-mean: the mean of the fold.
    #[arg(long, value_enum, default_value_t = TargetArgument::Records, help_heading = "Score", hide_possible_values = true, hide_default_value = true)]
    pub target: TargetArgument,
    /// Draws of the noise in each fold.
    #[arg(long, value_name = "M", help = DRAWS.as_str(), long_help = format!("{}\n\nThe squared score needs none.", DRAWS.as_str()), value_parser = count, allow_hyphen_values = true, help_heading = "Score")]
    pub draws: Option<usize>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// A directory for scores.csv, scores.svg, .pdf and .png, which are private data too
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(directory), help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace the directory if it exists and holds nothing but earlier scores
    #[arg(long, requires = "out", help_heading = "Output")]
    pub force: bool,
}

/// The loss of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LossArgument {
    /// Squared distances
    Squared,
    /// Distances
    Norm,
}

/// What is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TargetArgument {
    /// Each left-out record
    Records,
    /// The mean of the left-out records
    FoldMean,
}
