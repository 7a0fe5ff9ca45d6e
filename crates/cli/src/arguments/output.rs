//! Where a release goes, and noise that is no secret; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::values::{directory, seed};

/// Noise that everybody can draw again.
#[derive(Debug, Args)]
#[command(next_help_heading = "Guarantee")]
pub struct DemonstrationArguments {
    /// Allow noise from a seed, for demonstrations: the release protects nobody and is stamped so
    #[arg(long, requires = "seed", hide_short_help = true)]
    pub not_private: bool,
    /// The seed of the noise; only with --not-private
    #[arg(long, requires = "not_private", value_parser = seed, allow_hyphen_values = true, hide_short_help = true)]
    pub seed: Option<u64>,
}

/// Where the files go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// The directory to write; it appears complete or not at all
    ///
    /// Once the noise is drawn, a table or a figure that cannot be made does not hold the release back: the directory is there without it, and
    /// the exit code is 3.
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(directory))]
    pub out: PathBuf,
    /// Replace the directory if it holds nothing but an earlier result of the same command
    #[arg(long)]
    pub force: bool,
}
