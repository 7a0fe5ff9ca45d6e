//! Why a file of curves was refused: places in the file, never what a cell holds.

use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;

use dpfda_kernels::GridError;
use thiserror::Error;

use crate::curves::CurveSetError;

/// How many column names an error lists.
const LISTED: usize = 10;

/// Why a file of curves was refused. Columns are named, data rows counted from 1 after the header; no variant carries
/// what a cell holds.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CsvError {
    /// The pattern of the value columns is empty or no glob.
    #[error("values pattern `{pattern}` is not a list of column names or globs such as `cca_*`")]
    Pattern {
        /// The pattern given.
        pattern: String,
    },
    /// The file could not be read.
    #[error("cannot read {}: {kind}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        kind: ErrorKind,
    },
    /// The reader given failed.
    #[error("cannot read the curves: {kind}")]
    Read {
        /// What the reader said.
        kind: ErrorKind,
    },
    /// The file is empty.
    #[error("the file is empty; its first row must name the columns")]
    NoHeader,
    /// No column has the subject's name.
    #[error("no column is named `{column}`, given for the subject; {available}")]
    UnknownSubject {
        /// The name given.
        column: String,
        /// The names in the file.
        available: ColumnNames,
    },
    /// No column matches the pattern.
    #[error("no column matches the values pattern `{pattern}`; {available}")]
    NoMatch {
        /// The pattern given.
        pattern: String,
        /// The names in the file.
        available: ColumnNames,
    },
    /// Only one column matches the pattern.
    #[error("the values pattern `{pattern}` matches only column `{column}`; a curve needs at least 2 points")]
    TooFewColumns {
        /// The pattern given.
        pattern: String,
        /// The column matched.
        column: String,
    },
    /// Two columns have the name of a value or subject column.
    #[error("more than one column is named `{column}`; rename one, or leave it out of the values pattern")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A grid was given with another number of points than columns matched.
    #[error("{points} grid points were given for {columns} value columns; give one point for each column")]
    GridPoints {
        /// The number of points given.
        points: usize,
        /// The number of columns matched.
        columns: usize,
    },
    /// The grid was refused.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A row has another number of cells than the header.
    #[error("data row {row} has {found} cells, but the header names {expected} columns")]
    Ragged {
        /// The data row, from 1.
        row: usize,
        /// The number of columns in the header.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A cell is neither a number nor missing.
    #[error(
        "data row {row}, column `{column}` is not a number; a missing value must be empty, NA, NaN, nan, null or a dot"
    )]
    NotNumeric {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A cell is infinite, or too large for double precision.
    #[error(
        "data row {row}, column `{column}` is infinite; a missing value must be empty, NA, NaN, nan, null or a dot"
    )]
    Infinite {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A row does not say whose curve it is.
    #[error("data row {row} has no subject id in column `{column}`; every curve must belong to a subject")]
    BlankSubject {
        /// The data row, from 1.
        row: usize,
        /// The subject column.
        column: String,
    },
    /// The curves were refused.
    #[error(transparent)]
    Curves(#[from] CurveSetError),
}

/// The first few column names of a file, for an error.
///
/// No name is kept when any of them is a number: the file may have no header, and then its first row is data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnNames {
    listed: Vec<String>,
    count: usize,
}

impl ColumnNames {
    pub(super) fn of(names: &[String]) -> Self {
        let is_header = !names.iter().any(|name| looks_like_data(name));
        let listed = if is_header { names.iter().take(LISTED).cloned().collect() } else { Vec::new() };
        Self { listed, count: names.len() }
    }

    /// The first names, at most ten.
    pub fn listed(&self) -> &[String] {
        &self.listed
    }

    /// The number of columns in the file.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl fmt::Display for ColumnNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.listed.is_empty() {
            return write!(f, "the first row has {} cells, some of them numbers: is it a header?", self.count);
        }
        write!(f, "the file has {}", self.listed.join(", "))?;
        match self.count - self.listed.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Whether a column name could be a value of the data.
pub(super) fn looks_like_data(name: &str) -> bool {
    name.parse::<f64>().is_ok()
}
