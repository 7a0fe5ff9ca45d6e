//! What can be asked of `dpfda plan`; these comments are the help text.

use std::path::PathBuf;

use clap::Args;
use dpfda::privacy::NeighbouringRelation;

use super::{BallArguments, BudgetArguments, StatedBallArguments};
use crate::values::{RecordsArgument, count, number};

/// `dpfda plan`
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// How many records there will be: a number, a list such as 100,300,1000, or a range such as 100..10000. A record is all
    /// curves of a person, or one curve where each is protected alone
    #[arg(long, value_name = "N | N1,N2,... | A..B", allow_hyphen_values = true)]
    pub records: Option<RecordsArgument>,
    /// An error to be reached, in the units of the data: says how many records that takes
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
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
    /// Which data sets must look alike: substitute (one record replaced, N is public) or add-remove (one record more or
    /// less, N is private)
    #[arg(long, alias = "neighbors", value_name = "RELATION", default_value_t)]
    pub neighbours: NeighbouringRelation,
    /// The number of points that the curves are seen at, equally spaced
    #[arg(long, value_name = "n", value_parser = count, allow_hyphen_values = true, default_value_t = 100)]
    pub points: usize,
    /// The probability that the band states, above 0.5 and below 0.9999 [default: 0.95]
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub level: Option<f64>,
    /// Print JSON: the settings, expected (a list, one entry for each N), table, relations, needed and the definition of the error
    #[arg(long)]
    pub json: bool,
    /// Draw the error against the number of records in a new file, whose name ends in .svg, .pdf or .png
    #[arg(long, value_name = "FILE.svg | FILE.pdf | FILE.png")]
    pub figure: Option<PathBuf>,
}
