//! What can be asked of `dpfda forecast`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;

use super::OfPlans;
use crate::settings::Settings;
use crate::values::{RecordsArgument, count, number};

/// `dpfda forecast`
#[derive(Debug, Args)]
#[command(
    mut_arg("bins", |bins| bins.requires("points_per_subject").conflicts_with("points")),
    mut_arg("bound", |bound| bound.requires("points_per_subject").conflicts_with("points"))
)]
pub struct PlanArguments {
    /// How many records there will be: a number, a list 100,300,1000, or a range 100..10000
    ///
    /// A record is all curves of a person, or one curve where each is protected alone.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Data")]
    pub records: Option<RecordsArgument>,
    /// An error to be reached, in the units of the data: says how many records that takes
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Data")]
    pub error: Option<f64>,
    /// The public bound, the budget, and what is bought.
    #[command(flatten)]
    pub settings: Settings<OfPlans>,
    /// For a long table: how many values a subject has, at times of its own
    ///
    /// As for `dpfda release --time`, with times spread evenly over the domain. Take it from the protocol of the study, never from these data.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true, conflicts_with = "points", help_heading = "Data")]
    pub points_per_subject: Option<u32>,
    /// The number of points that the curves are seen at, equally spaced
    #[arg(long, value_name = "n", value_parser = count, allow_hyphen_values = true, default_value_t = 100, help_heading = "Data")]
    pub points: usize,
    /// Print JSON in place of words
    ///
    /// Its keys are the settings, expected (a list, one entry for each N), table, relations, needed and the definition of the
    /// error.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Draw the error against the number of records in a new .svg, .pdf or .png file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub figure: Option<PathBuf>,
}
