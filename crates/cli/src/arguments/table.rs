//! A private table of curves on the command line; these comments are the help text.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use dpfda::smoothing::{Missing, Separator};

use crate::values::{GridArgument, missing};

/// A table of curves, and how its columns are read.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// The curves: a CSV file with a header, one row for each curve, one column for each point; also compressed (.gz, .zst), a
    /// folder of such files, a pattern such as 'site*/*.csv', or - for the standard input
    #[arg(value_name = "CURVES.csv")]
    pub curves: PathBuf,
    /// The value columns: names or patterns such as 'cca_*', separated by commas; in the order given; file order within a
    /// pattern
    #[arg(long, value_name = "PATTERN")]
    pub values: String,
    /// The column of subject ids: all curves of a subject are protected together. Without it, each row is protected alone
    #[arg(long, value_name = "COLUMN")]
    pub subject: Option<String>,
    /// What stands between cells: one character, or tab [default: a comma, and a tab in a .tsv file]
    #[arg(long, value_name = "CHARACTER", allow_hyphen_values = true)]
    pub delimiter: Option<Separator>,
    /// Numbers have a decimal comma, as in 1,5
    #[arg(long)]
    pub decimal_comma: bool,
    /// Codes for missing values in this file, such as -999, separated by commas. Empty cells and usual words such as NA are known
    #[arg(long, value_name = "CODES", value_parser = missing, allow_hyphen_values = true)]
    pub missing: Option<Missing>,
}

/// Where the columns lie.
#[derive(Debug, Args)]
pub struct GridArguments {
    /// Where the value columns lie: the ends A,B of an equally spaced grid, one point for each column, or where their names say
    /// (names) [default: 0,1]
    ///
    /// Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform,
    /// or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date
    /// in days after the first.
    #[arg(long, value_name = "A,B | A,T2,...,B | names | uniform", allow_hyphen_values = true)]
    pub grid: Option<GridArgument>,
}

/// How many curves are worked on at a time.
#[derive(Debug, Args)]
pub struct WorkArguments {
    /// The number of threads; the result is the same for every number [default: all cores]
    #[arg(long, value_name = "T")]
    pub threads: Option<NonZeroUsize>,
    /// All curves of a subject follow one another: memory then does not grow with the number of subjects. A subject who comes
    /// again is refused
    #[arg(long, requires = "subject")]
    pub sorted_by_subject: bool,
}

impl WorkArguments {
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}
