//! A refusal of a table, in the options of the command: the library names no option.

use std::borrow::Cow;

use dpfda::smoothing::TableError;
use dpfda_study::Blamed;

use crate::argument::Argument;

/// What to do about a file without names.
pub const NAMES: &str = "put a row with the names of the columns above the data; where a name is a number, put a letter before \
                         the number, such as t0.5, or name the column of subjects by --subject";

/// What to do about a number that may be a code.
pub const CODES: &str = "give --missing -999, or the codes of this file; every other number is then a value";

/// What to do about a file of numbers alone.
const NUMBERS: &str = "put a line of names above the data, then give --values 't*':\n  awk -v OFS=, 'NR==1{printf \"class\"; \
                       for(i=2;i<=NF;i++) printf \",t\" i-1; print \"\"} {$1=$1} 1' FILE > curves.csv\nIf commas stand between the \
                       numbers, add -F, to it. If the numbers are names, put a letter before each, such as t0.5, or add a \
                       column of subjects that has a name";

/// What to do instead, where the refusal itself does not say it.
pub fn advice(error: &TableError) -> Option<Cow<'static, str>> {
    let advice = match error {
        TableError::InFile { source: error, .. } | TableError::AndMore { first: error, .. } => return advice(error),
        TableError::Separator { delimiter, .. } => return Some(format!("give --delimiter {delimiter}").into()),
        TableError::Ragged { .. } => "give every row one cell for each column of the header",
        TableError::HeaderIsData => NAMES,
        TableError::NoNames { .. } => NUMBERS,
        TableError::Disorder { .. } => "where the names say nothing about the order, give --grid uniform",
        TableError::UnequalNames { .. } | TableError::UnclearDates { .. } => {
            "--grid names puts the points where the names say; give --grid uniform or uniform:A,B where the columns are equally spaced \
             all the same"
        }
        TableError::NoPositions => "give names that --grid names reads, or the two ends of the domain as --grid A,B",
        TableError::TooFewColumns { .. } => {
            "give a long table by --id, --time, --value and --domain in place of --values"
        }
        TableError::NotNumeric { .. } => {
            "--missing names other codes for missing values, and --decimal-comma reads decimal commas"
        }
        TableError::Infinite { .. } => "--missing names other codes for missing values",
        TableError::Code { .. } => CODES,
        // they say what to do
        TableError::Stranger { .. }
        | TableError::PatternCase { .. }
        | TableError::SubjectCase { .. }
        | TableError::SubjectIsNoValue { .. }
        | TableError::LongColumn { .. }
        | TableError::NotUtf8 => return None,
        other => return Argument::of(other.blame(), Argument::Curves).advice(),
    };
    Some(Cow::Borrowed(advice))
}
