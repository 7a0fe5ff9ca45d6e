//! What can be asked of `dpfda components`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::answer::{AnswerArguments, keys};
use super::output::OutputArguments;
use crate::values::{Numbers, count, seed};

/// `dpfda components`
#[derive(Debug, Args)]
#[command(mut_arg(
    "json",
    keys(
        "Its keys are rank, total variance, components (a list, one entry each) and more; components.json holds the same."
    )
))]
pub struct ComponentsArguments {
    /// A release with second moments, as written by `dpfda release`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// A new curve to be scored: a CSV file with the columns t,value
    ///
    /// Its scores are printed, and in no file.
    #[arg(long, value_name = "FILE.csv")]
    pub curve: Option<PathBuf>,
    /// How it answers.
    #[command(flatten)]
    pub answer: AnswerArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
    /// Curves like those of the release.
    #[command(flatten)]
    pub synthetic: SyntheticArguments,
}

/// Curves like those of a release.
#[derive(Debug, Args)]
#[command(next_help_heading = "Synthetic curves")]
pub struct SyntheticArguments {
    /// Draw so many Gaussian curves with the mean and the covariance of the release
    ///
    /// They are in synthetic.csv, and some of them in a figure. The columns are id and one for each point of the grid. Refused where the variance of the curves cannot be told from the privacy noise.
    #[arg(long, value_name = "M", value_parser = count, allow_hyphen_values = true)]
    pub synthetic: Option<usize>,
    /// The seed of the draws, which may be public [default: a new one, which is printed]
    #[arg(long, value_parser = seed, allow_hyphen_values = true, requires = "synthetic")]
    pub seed: Option<u64>,
    /// Public bounds that every synthetic value is moved into, such as 0,1 [default: none]
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true, requires = "synthetic")]
    pub clip: Option<Numbers>,
}
