//! Why a file of curves was refused: places in the file, never what a cell holds.

use std::io::ErrorKind;
use std::path::PathBuf;

use dpfda_kernels::{GridError, PLACE_TOLERANCE};
use thiserror::Error;

use crate::records::RecordError;

/// Why a file of curves was refused. Data rows are counted from 1 after the header; no variant carries what a cell holds.
///
/// A file may have no header row, so a column is called by its name only where the user asked for it, the name is an
/// identifier, and no cell of the first row is a number; else by its place, `#1` for the first.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TableError {
    #[error(
        "values pattern `{pattern}` is not a list of column names or globs such as `cca_*`, of which at least one takes columns"
    )]
    Pattern { pattern: String },
    #[error("cannot read {path:?}: {kind}")]
    File { path: PathBuf, kind: ErrorKind },
    #[error("cannot read the curves: {kind}")]
    Read { kind: ErrorKind },
    #[error("the file is empty; its first row must name the columns")]
    NoHeader,
    #[error("the file is UTF-16; save it as UTF-8")]
    Utf16,
    #[error(
        "no value column matches, and the header has letters that are not UTF-8: the file was saved in an older encoding; save it as \
         UTF-8"
    )]
    NotUtf8,
    #[error("a long table needs three different columns: one of ids, one of times and one of values")]
    LongColumns,
    #[error(
        "a long table of surfaces needs four different columns: one of ids, two of the points on the two axes, and one of values"
    )]
    LongSurfaceColumns,
    #[error("a code for a missing value is empty; write the codes with commas between them, such as -999,NULL")]
    MissingCodes,
    #[error(
        "the file seems to be separated by {separator}, but it is read with another separator: give {delimiter} as the delimiter{}",
        if *separator == "spaces" { ", or save it with commas if several spaces follow one another" } else { "" }
    )]
    Separator { separator: &'static str, delimiter: &'static str },
    #[error("a comma cannot stand between cells and before the decimals of a number: give another separator")]
    DecimalSeparator,
    #[error("the file is {found}, which is not read here; {remedy}")]
    Format { found: &'static str, remedy: &'static str },
    #[error("the file is damaged or cut short")]
    Damaged,
    #[error(
        "column `{column}` cannot be read: a value must be a number, or a list of numbers of one length; an id must be text or a whole \
         number; dates must first become numbers, such as days since enrolment"
    )]
    ColumnType { column: String },
    #[error("a list in column `{column}` is missing; write a missing curve as a list of missing values")]
    MissingList { column: String },
    #[error("{path:?} names no table: give a file, a folder with tables, or a pattern such as data/*.csv")]
    NoFile { path: PathBuf },
    #[error("{path:?} is no pattern of file names")]
    FilePattern { path: PathBuf },
    #[error(
        "{path:?} has other value columns than the first file, from column `{column}` on; all files need the same columns in the same order"
    )]
    OtherColumns { path: PathBuf, column: String },
    #[error("{path:?} changed while it was read; read it again when nobody writes to it")]
    Changed { path: PathBuf },
    #[error(
        "the rows of a stream are kept in a private file to be gone through twice, and that could not be written or read: {kind}"
    )]
    Spool { kind: ErrorKind },
    #[error(
        "the rows of a stream are kept in a private file to be gone through twice, where a centre is bought, and take more than {most} bytes: \
         state a centre, or give a file"
    )]
    SpoolFull { most: u64 },
    #[error("in {path:?}: {source}")]
    InFile { path: PathBuf, source: Box<TableError> },
    #[error("no column is named `{column}`, given for the subject; {}", header_of(*columns))]
    UnknownSubject { column: String, columns: usize },
    #[error(
        "no column is named `{column}`, given for the subject, but one is in other letters, capital or small: write the name as \
             the header has it"
    )]
    SubjectCase { column: String },
    #[error("no column is named `{column}`; {}", header_of(*columns))]
    UnknownColumn { column: String, columns: usize },
    #[error(
        "no column is named `{column}`; {}. Write the name as the header has it, with the same capital and small letters",
        header_of(*columns)
    )]
    LongColumn { column: String, columns: usize },
    #[error("no value column matches `{pattern}`; {}", header_of(*columns))]
    NoMatch { pattern: String, columns: usize },
    #[error(
        "no value column matches `{pattern}`, but some do in other letters, capital or small: write the pattern as the header has \
             the names"
    )]
    PatternCase { pattern: String },
    #[error(
        "`{column}` is the column of the subjects and cannot be a value column too; leave it out of the values pattern"
    )]
    SubjectIsNoValue { column: String },
    #[error(
        "the pattern `{pattern}` takes {columns} columns, but {strangers} of them, the first of which is `{column}`, are by their names \
         no points of the same curve as the others; leave it out as `!{column}`, give a narrower pattern, or name such a column itself where \
         it belongs to the curve"
    )]
    Stranger { pattern: String, column: String, strangers: usize, columns: usize },
    #[error(
        "the names of the value columns are numbers, dates or times, but the columns are not in their order, which is {sorted}; sort \
         the columns in the file, or list them in order"
    )]
    Disorder {
        /// The names in order, or the places of their columns where the first row may be data.
        sorted: String,
    },
    #[error(
        "the names of the {columns} value columns are numbers, dates or times at unequal distances, but the grid would be equally \
         spaced; give the points of the grid, one for each column"
    )]
    UnequalNames { columns: usize },
    #[error(
        "the names of the {columns} value columns are dates whose day and month cannot be told apart, such as 1/5/24; write them as 2024-01-05"
    )]
    UnclearDates { columns: usize },
    #[error(
        "the names of the value columns do not say where they lie: a grid from names needs a number, a date or a time in each name, with the \
         same text before and after"
    )]
    NoPositions,
    #[error(
        "{found} value columns match, but at most {limit} are read; thin the columns, or average neighbouring points"
    )]
    TooManyColumns { found: usize, limit: usize },
    #[error("the values pattern `{pattern}` leaves out all that it takes; a curve needs at least 2 points")]
    AllLeftOut { pattern: String },
    #[error(
        "the values pattern `{pattern}` matches only column `{column}`; a curve needs at least 2 points, each in a column of its own: a \
         long table, with one row for each value and not one row for each curve, is read by its columns of ids, \
         times and values"
    )]
    TooFewColumns { pattern: String, column: String },
    #[error("column `{column}` has the same name as another; rename one, or leave it out of the values pattern")]
    DuplicateColumn { column: String },
    #[error(
        "the file seems to have no header: in its first row every value column has a number or a missing value in place of a \
         name, and as a header the curve in that row would be lost; names that are numbers are read only where the column of subjects \
         is given by its name"
    )]
    HeaderIsData,
    #[error(
        "the file has no header: its first row holds {columns} numbers and no name, and as a header the curve in it would be lost. \
         Text files of the UCR archive are like this: the first number is the class of the curve, and the others are its values"
    )]
    NoNames { columns: usize },
    #[error("{points} grid points were given for {columns} value columns; give one point for each column")]
    GridPoints { points: usize, columns: usize },
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("there is a blank line before data row {row}; every row must stand on the line after the one before it")]
    BlankLine { row: usize },
    #[error(transparent)]
    Line(RecordError),
    #[error("data row {row} has {found} cells, but the header names {expected} columns")]
    Ragged { row: usize, expected: usize, found: usize },
    #[error(
        "data row {row}, column `{column}` is not a number; write numbers as 1234.5, without signs such as %, < or a comma between \
         thousands; a missing value is an empty cell or a word such as NA, and other codes must be named; decimal commas are \
         read where that is asked for"
    )]
    NotNumeric { row: usize, column: String },
    #[error(
        "data row {row}, column `{column}` is not a number, and times must be numbers in the units of the domain: turn times of the day such as \
         10:56 into hours or minutes, and dates into days since the subject was enrolled (as.numeric(date - enrolled) in R, \
         (date - enrolled).dt.days in pandas); a row whose time is missing counts as no row"
    )]
    NotATime { row: usize, column: String },
    #[error(
        "data row {row}, column `{column}` is no point of the grid of the surfaces: it must be the number of such a \
         point, up to {PLACE_TOLERANCE} of a step, and cannot be missing"
    )]
    OffSurface { row: usize, column: String },
    #[error(
        "data row {row} is about a subject and a point that an earlier row is about too: keep one row for each subject and point of the \
         grid, such as the mean of several measurements"
    )]
    RepeatedPoint { row: usize },
    #[error(
        "the columns are named for times of the day, which closes up after 24 hours, and these would close up after {hours}; leave the \
         period out, or say where it begins and ends with a grid of two ends"
    )]
    PartOfDay { hours: f64 },
    #[error(
        "data row {row}, column `{column}` is infinite, or larger than any measurement (1e100); a missing value is an empty cell or a \
         word such as NA, and other codes must be named"
    )]
    Infinite { row: usize, column: String },
    #[error(
        "data row {row}, column `{column}` holds one of -999, -9999 and -99999, which often stand for a missing value; say what it is: \
         name the codes for missing values in this file, such as -999, and every other number is a value"
    )]
    Code { row: usize, column: String },
    #[error(
        "data row {row} is no subject: the id in column `{column}` is a word for a summary, such as mean or total; remove the row, or \
         rename the id if it is a person's"
    )]
    SummaryRow { row: usize, column: String },
    #[error("{first}; to the end of the file {more} more cell{} refused for the same reason", if *more == 1 { " is" } else { "s are" })]
    AndMore { first: Box<TableError>, more: usize },
    #[error("{path:?} and {other:?} are one file: its people would count twice; name it once")]
    SameFile { path: PathBuf, other: PathBuf },
    #[error(
        "data row {row} has no subject id in column `{column}`: the cell is empty or only says that the id is missing, as NA, \
         N/A, NULL, None or - do; every curve must belong to a subject"
    )]
    BlankSubject { row: usize, column: String },
    #[error(
        "data row {row} has no subject id in column `{column}`: ids are text or whole numbers, and this is a truth, or a number with \
         decimals, of which 1.10 and 1.1 are the same; put a letter or a dash into such ids"
    )]
    SubjectKind { row: usize, column: String },
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
