//! What can be asked for by the curator alone; these comments are the help text.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::{GuaranteeArguments, InputArguments, MechanismArgument};
use crate::values::{KernelNames, Numbers, count, directory, seed};

/// `dpfda crossval`
#[derive(Debug, Args)]
pub struct CrossvalArguments {
    /// The private curves, and the public bound on them.
    #[command(flatten)]
    pub input: InputArguments,
    /// The release that is planned.
    #[command(flatten)]
    pub guarantee: GuaranteeArguments,
    /// What the noise of the planned release is: white (isonormal), or of the smoother's own kernel (cameron-martin)
    #[arg(long, value_enum, default_value_t = MechanismArgument::Isonormal, requires = "epsilon")]
    pub mechanism: MechanismArgument,
    /// The number of folds [default: 10]
    #[arg(long, value_name = "K", value_parser = count, allow_hyphen_values = true)]
    pub folds: Option<usize>,
    /// One fold for each record
    #[arg(long, conflicts_with = "folds")]
    pub leave_one_out: bool,
    /// The seed that deals the records into folds, and of the draws; no secret
    #[arg(long, default_value_t = 0, value_parser = seed, allow_hyphen_values = true)]
    pub seed: u64,
    /// The kernels to try, separated by commas [default: gaussian,matern32,matern52,exponential]
    #[arg(long, value_name = "LIST")]
    pub kernel: Option<KernelNames>,
    /// The ranges to try, for every kernel [default: seven or eight for each kernel]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub range: Option<Numbers>,
    /// The penalties to try [default: 25 from 1e-6 to 1, four in each decade]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub penalty: Option<Numbers>,
    /// The powers eta to try [default: 1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub eta: Option<Numbers>,
    /// The score: the mean squared distance to what was left out, or the mean distance
    #[arg(long, value_enum, default_value_t = LossArgument::Squared)]
    pub loss: LossArgument,
    /// What an estimate is compared with: each left-out record, or the mean of the fold
    #[arg(long, value_enum, default_value_t = TargetArgument::Records)]
    pub target: TargetArgument,
    /// Draws of the noise in each fold, for --loss norm with a budget; the squared score needs none [default: 1000]
    #[arg(long, value_name = "M", value_parser = count, allow_hyphen_values = true)]
    pub draws: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// A directory for scores.csv and scores.svg, which are private data too
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(directory))]
    pub out: Option<PathBuf>,
    /// Replace the directory if it exists and holds nothing but earlier scores
    #[arg(long, requires = "out")]
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
