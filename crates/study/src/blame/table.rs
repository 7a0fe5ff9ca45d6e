//! Errors of private tables.

use dpfda::smoothing::TableError;

use super::{Blame, Blamed, of};
use crate::advice::advice;

/// What to do about a file without names.
pub(super) const NAMES: &str = "put a row with the names of the columns above the data; where a name is a number, put a letter before the number, such as t0.5, \
     or name the column of subjects by {subject}";

/// What to do about a number that may be a code.
pub(super) const CODES: &str = "give {missing} -999, or the codes of this file; every other number is then a value";

/// What to do about a file of numbers alone. No name of a setting stands between the braces of the program.
const NUMBERS: &str = "put a line of names above the data, then give {values} 't*':\n  awk -v OFS=, 'NR==1{printf \"class\"; for(i=2;i<=NF;i++) \
     printf \",t\" i-1; print \"\"} {$1=$1} 1' FILE > curves.csv\nIf commas stand between the numbers, add -F, to it. If the \
     numbers are names, put a letter before each, such as t0.5, or add a column of subjects that has a name";

impl Blamed for TableError {
    fn blame(&self) -> Blame {
        match self {
            Self::Pattern { .. }
            | Self::NoMatch { .. }
            | Self::AllLeftOut { .. }
            | Self::TooFewColumns { .. }
            | Self::TooManyColumns { .. }
            | Self::DuplicateColumn { .. }
            | Self::PatternCase { .. }
            | Self::SubjectIsNoValue { .. }
            | Self::NotUtf8
            | Self::Stranger { .. }
            | Self::Disorder { .. } => of(&["values"]),
            Self::UnknownSubject { .. } | Self::SubjectCase { .. } => of(&["subject"]),
            Self::LongColumn { .. } | Self::LongColumns => of(&["id", "time", "value"]),
            Self::LongSurfaceColumns => of(&["id", "s", "t", "value"]),
            Self::UnknownColumn { .. } => of(&["by"]),
            Self::GridPoints { .. }
            | Self::Grid(_)
            | Self::UnequalNames { .. }
            | Self::UnclearDates { .. }
            | Self::NoPositions => of(&["grid"]),
            Self::AndMore { first, .. } => first.blame(),
            _ => Blame::Data,
        }
    }

    fn instead(&self) -> Option<String> {
        let text = match self {
            Self::InFile { source: error, .. } | Self::AndMore { first: error, .. } => return error.instead(),
            Self::Separator { delimiter, .. } => return Some(format!("give {{delimiter}} {delimiter}")),
            Self::Ragged { .. } => "give every row one cell for each column of the header",
            Self::HeaderIsData => NAMES,
            Self::NoNames { .. } => NUMBERS,
            Self::Disorder { .. } => "where the names say nothing about the order, give {grid} uniform",
            Self::UnequalNames { .. } | Self::UnclearDates { .. } => {
                "{grid} names puts the points where the names say; give {grid} uniform or uniform:A,B where the columns are equally \
                 spaced all the same"
            }
            Self::NoPositions => "give names that {grid} names reads, or the two ends of the domain as {grid} A,B",
            Self::TooFewColumns { .. } => {
                "give a long table by {id}, {time}, {value} and {domain} in place of {values}"
            }
            Self::NotNumeric { .. } => {
                "{missing} names other codes for missing values, and {decimal_comma} reads decimal commas"
            }
            Self::Infinite { .. } => "{missing} names other codes for missing values",
            Self::Code { .. } => CODES,
            // they say what to do
            Self::Stranger { .. }
            | Self::PatternCase { .. }
            | Self::SubjectCase { .. }
            | Self::SubjectIsNoValue { .. }
            | Self::LongColumn { .. }
            | Self::NotUtf8 => return None,
            other => return advice(other.blame().names()),
        };
        Some(text.to_owned())
    }
}
