//! What can be asked of `dpfda plan`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use dpfda::privacy::NeighbouringRelation;

use super::{BallArguments, BudgetArguments, CoordinateArguments, StatedBallArguments};
use crate::values::{RecordsArgument, count, number};

/// `dpfda plan`
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// How many records there will be: a number, a list 100,300,1000, or a range 100..10000
    ///
    /// A record is all curves of a person, or one curve where each is protected alone.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Data")]
    pub records: Option<RecordsArgument>,
    /// An error to be reached, in the units of the data: says how many records that takes
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true, help_heading = "Data")]
    pub error: Option<f64>,
    /// The public bound.
    #[command(flatten)]
    pub stated: StatedBallArguments,
    /// What of the bound is known, and what is bought.
    #[command(flatten)]
    pub ball: BallArguments,
    /// What is protected.
    #[command(flatten)]
    pub budget: BudgetArguments,
    /// How much is released without a delta.
    #[command(flatten)]
    pub pure: CoordinateArguments,
    /// Which data sets must look alike: substitute or add-remove
    ///
    /// substitute: one record is replaced, and N is public. add-remove: there is one record more or less, and N is private.
    #[arg(long, alias = "neighbors", value_name = "RELATION", default_value_t, help_heading = "Guarantee")]
    pub neighbours: NeighbouringRelation,
    /// For a long table: how many values a subject has, at times of its own
    ///
    /// As for `dpfda release --time`, with times spread evenly over the domain. Take it from the protocol of the study, never from these data.
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true, conflicts_with = "points", help_heading = "Data")]
    pub points_per_subject: Option<u32>,
    /// For a long table: the number of bins of the domain [default: {bins}]
    #[arg(long, value_name = "NUMBER", value_parser = count, allow_hyphen_values = true, requires = "points_per_subject", conflicts_with = "points", help_heading = "Data", hide_short_help = true)]
    pub bins: Option<usize>,
    /// For a long table: the largest distance of one value from the centre [default: twice the radius, or what --bounds say]
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_hyphen_values = true, requires = "points_per_subject", conflicts_with = "points", help_heading = "Data", hide_short_help = true)]
    pub bound: Option<f64>,
    /// The number of points that the curves are seen at, equally spaced
    #[arg(long, value_name = "n", value_parser = count, allow_hyphen_values = true, default_value_t = 100, help_heading = "Data")]
    pub points: usize,
    /// The domain closes up, as a day does: its two ends are one point
    #[arg(long, help_heading = "Data", hide_short_help = true)]
    pub periodic: bool,
    /// The probability that the band states, above 0.5 and below 0.9999 [default: {level}]
    #[arg(long, value_parser = number, allow_hyphen_values = true, help_heading = "Estimate")]
    pub level: Option<f64>,
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
