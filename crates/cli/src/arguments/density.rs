//! What can be asked of `dpfda density`; these comments are the help text.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dpfda::privacy::NeighbouringRelation;

use super::OutputArguments;
use crate::values::{ColumnNames, Numbers, count, number, seed};

/// `dpfda density`
#[derive(Debug, Args)]
pub struct DensityArguments {
    /// The points: a CSV file with a header, one row for each record
    #[arg(value_name = "POINTS.csv")]
    pub points: PathBuf,
    /// The columns of the coordinates: one to three names, separated by commas
    #[arg(long, value_name = "X[,Y[,Z]]")]
    pub columns: ColumnNames,
    /// The public bounds: lower and upper end for each column, in the units of the data. Chosen from public knowledge,
    /// never from these data
    #[arg(long, value_name = "A,B[,A,B[,A,B]]", allow_hyphen_values = true)]
    pub bounds: Option<Numbers>,
    /// How the density is made private
    #[arg(long, value_enum, default_value_t = DensityMechanism::Perturbed)]
    pub mechanism: DensityMechanism,
    /// The privacy parameter epsilon, such as 1; smaller is more private
    #[arg(long, value_parser = number, allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// The privacy parameter delta: 0 for pure differential privacy, or well below 1 / (number of records)
    #[arg(long, value_parser = number, allow_hyphen_values = true, default_value_t = 0.0)]
    pub delta: f64,
    /// Which data sets must look alike: substitute (one record replaced, n is public) or add-remove (one record more or
    /// less, n is private)
    #[arg(long, value_name = "RELATION", default_value_t)]
    pub neighbours: NeighbouringRelation,
    /// The number of cells along each axis, chosen without looking at the data [default: chosen from the release itself]
    #[arg(long, value_name = "M", value_parser = count, allow_hyphen_values = true)]
    pub cells: Option<usize>,
    /// Write so many synthetic points, drawn from the released density at no cost in privacy
    #[arg(long, value_name = "K", value_parser = count, allow_hyphen_values = true)]
    pub draws: Option<usize>,
    /// Allow noise from a seed, for demonstrations: the release protects nobody and is stamped so
    #[arg(long, requires = "seed")]
    pub not_private: bool,
    /// The seed of the noise; only with --not-private
    #[arg(long, requires = "not_private", value_parser = seed, allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// The mechanisms for densities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DensityMechanism {
    /// Noise on the count of every cell (Wasserman and Zhou 2010, Theorem 8)
    Perturbed,
}
