//! What can be asked of `dpfda components` and `dpfda simulate`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::OutputArguments;
use crate::values::{Numbers, count, seed};

/// `dpfda components`
#[derive(Debug, Args)]
pub struct ComponentsArguments {
    /// A release with second moments, as written by `dpfda release`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// A new curve to be scored: a CSV file with the columns t,value
    ///
    /// Its scores are printed, and in no file.
    #[arg(long, value_name = "FILE.csv")]
    pub curve: Option<PathBuf>,
    /// Print JSON in place of words
    ///
    /// Its keys are rank, total variance, components (a list, one entry each) and more; components.json holds the same.
    #[arg(long)]
    pub json: bool,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `dpfda simulate`
#[derive(Debug, Args)]
pub struct SimulateArguments {
    /// A release with second moments, as written by `dpfda release`
    #[arg(value_name = "RELEASE.json")]
    pub release: PathBuf,
    /// How many synthetic curves to draw
    #[arg(long, value_name = "M", value_parser = count, allow_hyphen_values = true)]
    pub curves: usize,
    /// The seed of the draws, which may be public [default: a new one, which is printed]
    #[arg(long, value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Public bounds that every value is moved into, such as 0,1 for a proportion [default: none]
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub clip: Option<Numbers>,
    /// The new CSV file: id, then one column for each point of the grid
    #[arg(long, value_name = "FILE.csv")]
    pub out: PathBuf,
    /// Draw some of the curves beside the mean in a new .svg, .pdf or .png file
    ///
    /// The figure shows the band of the mean too.
    #[arg(long, value_name = "FILE")]
    pub figure: Option<PathBuf>,
}
