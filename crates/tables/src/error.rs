//! Why a file of curves was refused: places in the file, never what a cell holds.

use std::io::ErrorKind;
use std::path::PathBuf;

use dpfda_kernels::GridError;
use thiserror::Error;

use crate::records::RecordError;

/// Why a file of curves was refused. Data rows are counted from 1 after the header; no variant carries what a cell holds.
///
/// A file may have no header row, so a column is called by its name only where the user asked for it, the name is an
/// identifier, and no cell of the first row is a number; else by its place, `#1` for the first.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableError {
    /// The pattern of the value columns is empty or no glob.
    #[error("values pattern `{pattern}` is not a list of column names or globs such as `cca_*`")]
    Pattern {
        /// The pattern given.
        pattern: String,
    },
    /// The file could not be read.
    #[error("cannot read {path:?}: {kind}")]
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
    /// The file is not encoded in UTF-8.
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    /// The columns are not separated by commas.
    #[error(
        "the file seems to be separated by {separator}, but it is read with other separators; say so with {remedy}"
    )]
    Separator {
        /// What seems to separate the columns: `semicolons` or `tabs`.
        separator: &'static str,
        /// The option that says so.
        remedy: &'static str,
    },
    /// Commas cannot stand between cells and in numbers.
    #[error("a comma cannot stand between cells and before the decimals of a number: give another separator")]
    DecimalSeparator,
    /// The file is of a kind that is not read here.
    #[error("the file is {found}, which is not read here; {remedy}")]
    Format {
        /// What its first bytes or its name say.
        found: &'static str,
        /// What can be done.
        remedy: &'static str,
    },
    /// A columnar file whose bytes make no sense.
    #[error("the file is damaged or cut short")]
    Damaged,
    /// A column that holds no numbers, or no text.
    #[error(
        "column `{column}` cannot be read: a value must be a number, or a list of numbers of one length; an id must be text or a whole number"
    )]
    ColumnType {
        /// The column.
        column: String,
    },
    /// A list that is missing as a whole.
    #[error("a list in column `{column}` is missing; write a missing curve as a list of missing values")]
    MissingList {
        /// The column.
        column: String,
    },
    /// There is no file to read.
    #[error("{path:?} names no table: give a file, a folder with tables, or a pattern such as data/*.csv")]
    NoFile {
        /// What was given.
        path: PathBuf,
    },
    /// The pattern of file names cannot be read.
    #[error("{path:?} is no pattern of file names")]
    FilePattern {
        /// What was given.
        path: PathBuf,
    },
    /// A file of a data set has other columns than the first.
    #[error(
        "{path:?} has other value columns than the first file, from column `{column}` on; all files need the same columns in the same order"
    )]
    OtherColumns {
        /// The file.
        path: PathBuf,
        /// The first column that differs.
        column: String,
    },
    /// A file was written to while it was read.
    #[error("{path:?} changed while it was read; read it again when nobody writes to it")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Something is wrong in one file of a data set.
    #[error("in {path:?}: {source}")]
    InFile {
        /// The file.
        path: PathBuf,
        /// What.
        source: Box<TableError>,
    },
    /// No column has the subject's name.
    #[error("no column is named `{column}`, given for the subject; {}", header_of(*columns))]
    UnknownSubject {
        /// The name given.
        column: String,
        /// The number of columns in the header.
        columns: usize,
    },
    /// No column has a name that was given.
    #[error("no column is named `{column}`; {}", header_of(*columns))]
    UnknownColumn {
        /// The name given.
        column: String,
        /// The number of columns in the header.
        columns: usize,
    },
    /// No column, other than the subject's, matches one of the patterns given.
    #[error("no value column matches `{pattern}`; {}", header_of(*columns))]
    NoMatch {
        /// The one of the patterns that matches nothing.
        pattern: String,
        /// The number of columns in the header.
        columns: usize,
    },
    /// More columns match than a curve can have points.
    #[error(
        "{found} value columns match, but at most {limit} are read; thin the columns, or average neighbouring points"
    )]
    TooManyColumns {
        /// The number of columns matched.
        found: usize,
        /// The most that are read.
        limit: usize,
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
    #[error("column `{column}` has the same name as another; rename one, or leave it out of the values pattern")]
    DuplicateColumn {
        /// One of the two.
        column: String,
    },
    /// The first row is data.
    #[error(
        "the file seems to have no header: in its first row every value column has a number or a missing value in place of a \
         name, and as a header the curve in that row would be lost; names that are numbers are not read"
    )]
    HeaderIsData,
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
    /// A blank line, which may be a record that went missing.
    #[error("there is a blank line before data row {row}; every row must stand on the line after the one before it")]
    BlankLine {
        /// The data row after it, from 1.
        row: usize,
    },
    /// A line is no record, or larger than one can be.
    #[error(transparent)]
    Line(RecordError),
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
        "data row {row}, column `{column}` is not a number; a missing value must be empty, NA, NaN, nan, null or a dot, \
         and decimal commas are read where that is asked for (--decimal-comma)"
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
    #[error(
        "data row {row} has no subject id in column `{column}`: the cell is empty or only says that the id is missing, as NA, \
         N/A, NULL, None or - do; every curve must belong to a subject"
    )]
    BlankSubject {
        /// The data row, from 1.
        row: usize,
        /// The subject column.
        column: String,
    },
}

/// What to say of the header when a column was not found in it: its names may be data, so only how many there are.
fn header_of(columns: usize) -> String {
    let plural = if columns == 1 { "" } else { "s" };
    format!("the header has {columns} column{plural}: look at the first line of the file")
}

impl From<RecordError> for TableError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Read { kind } => Self::Read { kind },
            error => Self::Line(error),
        }
    }
}
