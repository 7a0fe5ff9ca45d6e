//! What can be asked of a long table; these comments are the help text.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args};

use crate::values::{Numbers, count, number};

/// The columns of a table with one row for each value.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long tables (one row for each value)")]
pub struct LongColumns {
    /// The column of subject ids: all rows of a subject are protected together, wherever they are
    ///
    /// With --time and --value, in place of --values; a release of a long table also takes --domain. Of surfaces with --s, --t and --value.
    #[arg(long, value_name = "COLUMN", requires = "value", hide_short_help = true)]
    pub id: Option<String>,
    /// The column of times: numbers, such as days since enrolment
    #[arg(long, value_name = "COLUMN", requires_all = ["id", "value"], hide_short_help = true)]
    pub time: Option<String>,
    /// The column of values
    #[arg(long, value_name = "COLUMN", requires = "id", hide_short_help = true)]
    pub value: Option<String>,
}

/// A column of a part, which has no surfaces: what belongs to curves is refused here, as there is no table of kinds.
pub fn of_part(column: Arg) -> Arg {
    column.requires("time").conflicts_with_all(["values", "subject", "sorted_by_subject"])
}

/// A table with one row for each value.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long tables (one row for each value)")]
pub struct LongArguments {
    /// Its columns.
    #[command(flatten)]
    pub columns: LongColumns,
    /// The two ends of the times, chosen from public knowledge, never from these data; rows outside count as no rows
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, requires_all = ["id", "time", "value"], hide_short_help = true)]
    pub domain: Option<Numbers>,
    /// The number of bins of the domain [default: {bins}]
    ///
    /// 20 suit sparse data, and 30 suit 30 values a subject or more.
    #[arg(long, value_name = "NUMBER", value_parser = count, allow_hyphen_values = true, hide_short_help = true)]
    pub bins: Option<usize>,
    /// The largest distance of one value from the centre, at least the radius [default: twice the radius]
    ///
    /// Values beyond are clamped. With --bounds it is what the bounds say, unless a radius is bought.
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_hyphen_values = true, hide_short_help = true)]
    pub bound: Option<f64>,
}

/// The same refusal; where `--value` was given for `--values`, it says so.
pub fn told_of_values(mut error: clap::Error, given: impl Iterator<Item = OsString>) -> clap::Error {
    let given: Vec<String> = given.filter_map(|argument| argument.into_string().ok()).collect();
    let has = |name: &str| given.iter().any(|argument| argument.split('=').next() == Some(name));
    if error.kind() == ErrorKind::MissingRequiredArgument
        && has("--value")
        && !has("--time")
        && !has("--id")
        && !has("--s")
    {
        let tip = "--value names the column of a long table; the columns of curves, one curve in each row, are named by --values";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.to_owned().into()]));
    }
    error
}

/// The columns of a long table.
#[derive(Debug, Clone, Copy)]
pub struct LongTable<'a> {
    /// The column of ids.
    pub id: &'a str,
    /// The column of times.
    pub time: &'a str,
    /// The column of values.
    pub value: &'a str,
}

impl LongColumns {
    /// The columns, where the table is long.
    pub fn table(&self) -> Option<LongTable<'_>> {
        let Self { id, time, value } = self;
        Some(LongTable { id: id.as_ref()?, time: time.as_ref()?, value: value.as_ref()? })
    }
}
