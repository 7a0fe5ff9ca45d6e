//! What can be asked of `dpfda density`; these comments are the help text.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};
use dpfda::smoothing::Missing;

use super::{AccountArguments, DemonstrationArguments, FrameArguments, OutputArguments, ReasonArguments};
use crate::values::{ColumnNames, Numbers, count, missing, number};

/// `dpfda density`
#[derive(Debug, Args)]
pub struct DensityArguments {
    /// The points: a CSV file with a header, one row for each record
    #[arg(value_name = "POINTS.csv", help_heading = "Data")]
    pub points: PathBuf,
    /// The columns of the coordinates: one to three names, separated by commas
    #[arg(long, value_name = "X[,Y[,Z]]", help_heading = "Data")]
    pub columns: ColumnNames,
    /// The column that says whose a row is: all rows of a subject are one record
    ///
    /// All rows of a subject are then one record, the mean of its points; without this each row is a record.
    #[arg(long, value_name = "COLUMN", conflicts_with = "unit", help_heading = "Data")]
    pub subject: Option<String>,
    /// Codes for missing values, such as -999; empty cells and words such as NA are known
    ///
    /// Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999
    /// or -99999 is refused, for it may be either.
    #[arg(long, value_name = "CODES", value_parser = missing, allow_hyphen_values = true, help_heading = "Data")]
    pub missing: Option<Missing>,
    /// The public bounds: lower and upper end for each column
    ///
    /// They are in the units of the data, and chosen from public knowledge, never from these data.
    #[arg(
        long,
        value_name = "A,B[,A,B[,A,B]]",
        allow_hyphen_values = true,
        help_heading = "Public bounds (from public knowledge, never from these data)"
    )]
    pub bounds: Option<Numbers>,
    /// How: perturbed (the default), smoothed, exponential, series or series-exponential
    ///
    /// - perturbed: noise on the count of every cell (Wasserman and Zhou 2010, Theorem 8)
    ///
    /// - smoothed: draws from the histogram mixed with the uniform density (Theorem 5); substitute and a delta of 0 only
    ///
    /// - exponential: one exact draw of a distribution near that of the points in Kolmogorov-Smirnov distance (Theorems 9 to
    ///   12); one column and a delta of 0 only
    ///
    /// - series: noise on the coefficients of a cosine series, their number chosen after the release (Theorem 15)
    ///
    /// - series-exponential: the same coefficients, drawn all together by the exponential mechanism, with less noise for two terms or more
    ///   (after Theorem 14); a delta of 0 only
    #[arg(long, value_enum, default_value_t = DensityMechanism::Perturbed, hide_possible_values = true, hide_default_value = true, help_heading = "Estimate")]
    pub mechanism: DensityMechanism,
    /// The privacy parameter epsilon, such as 1; smaller is more private
    #[arg(long, value_parser = number, allow_hyphen_values = true, help_heading = "Guarantee")]
    pub epsilon: Option<f64>,
    /// The privacy parameter delta: 0, or well below 1 / (number of records)
    ///
    /// 0 is pure differential privacy.
    #[arg(long, value_parser = number, allow_hyphen_values = true, default_value_t = 0.0, help_heading = "Guarantee")]
    pub delta: f64,
    /// A guarantee that is not usual.
    #[command(flatten)]
    pub reason: ReasonArguments,
    /// Which data sets must look alike: substitute or add-remove
    ///
    /// substitute: one record is replaced, and n is public. add-remove: there is one record more or less, and n is private.
    #[arg(long, alias = "neighbors", value_name = "RELATION", default_value_t, help_heading = "Guarantee")]
    pub neighbours: NeighbouringRelation,
    /// The number of cells along each axis, chosen without looking at the data
    ///
    /// By default: for perturbed, chosen from the release itself; for smoothed, the rate of Theorem 7 for n epsilon; for
    /// exponential, about 4 n^(1/3) and at most 1000, or 48 under add-remove; for both series, where it is only the resolution of
    /// release.csv and of the figure, 200, 60 or 24 for one, two or three columns.
    #[arg(long, value_name = "M", value_parser = count, allow_hyphen_values = true, help_heading = "Estimate")]
    pub cells: Option<usize>,
    /// The number of points in synthetic.csv
    ///
    /// For perturbed and both series, drawn from the released density at no cost in privacy [default: none]. For smoothed and
    /// exponential K is part of the mechanism, and its draws are the release itself [default: for smoothed, the rate of
    /// Theorem 7 for n epsilon; for exponential, (3 epsilon n)^(2/3) but at most n and at most 200, with n = 1000 under add-remove].
    #[arg(long, value_name = "K", value_parser = count, allow_hyphen_values = true, help_heading = "Estimate")]
    pub draws: Option<usize>,
    /// Who pays for it.
    #[command(flatten)]
    pub account: AccountArguments,
    /// What a row is to the ledger: curve (alone, the default), or subject
    ///
    /// Say subject if nobody has two rows, which is your word.
    #[arg(long, requires = "ledger", conflicts_with_all = ["not_private", "seed"], help_heading = "Guarantee")]
    pub unit: Option<PrivacyUnit>,
    /// Noise that is no secret.
    #[command(flatten)]
    pub demonstration: DemonstrationArguments,
    /// How the figure looks.
    #[command(flatten)]
    pub frame: FrameArguments,
    /// Where the files go.
    #[command(flatten)]
    pub output: OutputArguments,
    /// Print JSON in place of words
    ///
    /// Its keys are title, software, `given_back`, facts, notes, closing and ledger.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The mechanisms for densities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DensityMechanism {
    /// Noise on the count of every cell (Wasserman and Zhou 2010, Theorem 8)
    Perturbed,
    /// Draws from the histogram mixed with the uniform density (Theorem 5); substitute and a delta of 0 only
    Smoothed,
    /// One exact draw of a distribution near that of the points in Kolmogorov-Smirnov distance (Theorems 9 to 12); one
    /// column and a delta of 0 only
    Exponential,
    /// Noise on the coefficients of a cosine series, their number chosen after the release (Theorem 15)
    Series,
    /// The same coefficients, drawn all together by the exponential mechanism (after Theorem 14); a delta of 0 only
    SeriesExponential,
}
