//! A private table of curves on the command line; these comments are the help text.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use dpfda::smoothing::{Missing, Separator};

use super::StatedBallArguments;
use crate::values::{CenterArgument, GridArgument, missing};

/// A table of curves, and how its columns are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct TableArguments {
    /// The curves: a CSV file with a header, one row for each curve
    ///
    /// One column for each point. Also compressed (.gz, .zst), Parquet or Arrow, a folder of such files, a pattern such as
    /// 'site*/*.csv', or - for the standard input.
    #[arg(value_name = "CURVES.csv", help_heading = "Data")]
    pub curves: PathBuf,
    /// The value columns: names or patterns such as 'cca_*', with commas
    ///
    /// Columns are taken in the order given, and in the order of the file within a pattern. A column that is no point of the curve,
    /// such as YEAR among h0,h1,..., is refused unless it is named itself.
    #[arg(long, value_name = "PATTERN", required = true)]
    pub values: Option<String>,
    /// The column of subject ids: all curves of a subject are protected together
    ///
    /// Without it, each row is protected alone.
    #[arg(long, value_name = "COLUMN")]
    pub subject: Option<String>,
    /// What stands between cells: one character, or tab [default: a comma, and a tab in a .tsv file]
    #[arg(long, value_name = "CHARACTER", allow_hyphen_values = true, hide_short_help = true)]
    pub delimiter: Option<Separator>,
    /// Numbers have a decimal comma, as in 1,5
    #[arg(long, hide_short_help = true)]
    pub decimal_comma: bool,
    /// Codes for missing values, such as -999; empty cells and words such as NA are known
    ///
    /// Several are separated by commas. Where codes are named, every other number is a value; where none are, a cell with -999, -9999
    /// or -99999 is refused, for it may be either.
    #[arg(long, value_name = "CODES", value_parser = missing, allow_hyphen_values = true)]
    pub missing: Option<Missing>,
}

/// Where the columns lie.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct GridArguments {
    /// Where the columns lie: two ends A,B, one point for each, or names [default: 0,1]
    ///
    /// With two ends, columns are equally spaced; with names, they lie where their names say. Names of columns that are numbers, dates or times must be in their order, and equally spaced where the grid is. With uniform,
    /// or uniform:A,B, the columns are equally spaced whatever their names say. With names, a time of the day is in hours, and a date
    /// in days after the first.
    #[arg(long, value_name = "GRID", allow_hyphen_values = true)]
    pub grid: Option<GridArgument>,
    /// The domain closes up, as a day or a gait cycle does: its two ends are one point
    ///
    /// With two ends A,B, columns are equally spaced from A to one step before B, which is A again: no column repeats the first. Points
    /// and names must be equally spaced, and the domain closes up one step after the last of them. With --domain, its two ends are one
    /// point. The estimate, its slope and its band close up.
    #[arg(long, hide_short_help = true)]
    pub periodic: bool,
}

/// How many curves are worked on at a time.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub struct WorkArguments {
    /// The number of threads; the result is the same for every number [default: all cores]
    #[arg(long, value_name = "T", hide_short_help = true)]
    pub threads: Option<NonZeroUsize>,
    /// All curves of a subject follow one another: memory then does not grow with the number of subjects. A subject who comes
    /// again is refused
    #[arg(long, requires = "subject", hide_short_help = true)]
    pub sorted_by_subject: bool,
}

impl WorkArguments {
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// A file of curves, and the public bound on them.
#[derive(Debug, Args)]
pub struct InputArguments {
    /// The private curves.
    #[command(flatten)]
    pub table: TableArguments,
    /// Where the columns lie.
    #[command(flatten)]
    pub grid: GridArguments,
    /// The public bound.
    #[command(flatten)]
    pub stated: StatedBallArguments,
}

impl InputArguments {
    /// The files that the arguments name.
    pub fn files(&self) -> Vec<&Path> {
        let center = match &self.stated.center {
            Some(CenterArgument::File(path)) => Some(path.as_path()),
            _ => None,
        };
        center.into_iter().chain([self.table.curves.as_path()]).collect()
    }
}
