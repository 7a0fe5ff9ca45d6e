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
    /// The names of columns are not encoded in UTF-8.
    #[error(
        "no value column matches, and the header has letters that are not UTF-8: the file was saved in an older encoding; save it as \
         UTF-8"
    )]
    NotUtf8,
    /// The columns of a long table are not three.
    #[error("a long table needs three different columns: one of ids, one of times and one of values")]
    LongColumns,
    /// The columns of a long table of surfaces are not four.
    #[error(
        "a long table of surfaces needs four different columns: one of ids, two of the points on the two axes, and one of values"
    )]
    LongSurfaceColumns,
    /// A list of codes with an empty piece.
    #[error("a code for a missing value is empty; write the codes with commas between them, such as -999,NULL")]
    MissingCodes,
    /// The columns are not separated by commas.
    #[error(
        "the file seems to be separated by {separator}, but it is read with another separator: give {delimiter} as the delimiter{}",
        if *separator == "spaces" { ", or save it with commas if several spaces follow one another" } else { "" }
    )]
    Separator {
        /// What seems to separate the columns: `semicolons` or `tabs`.
        separator: &'static str,
        /// The same as it is given.
        delimiter: &'static str,
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
        "column `{column}` cannot be read: a value must be a number, or a list of numbers of one length; an id must be text or a whole \
         number; dates must first become numbers, such as days since enrolment"
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
    /// The rows of a stream could not be kept for a second time.
    #[error(
        "the rows of a stream are kept in a private file to be gone through twice, and that could not be written or read: {kind}"
    )]
    Spool {
        /// What the operating system said.
        kind: ErrorKind,
    },
    /// A stream has too many rows to be kept.
    #[error(
        "the rows of a stream are kept in a private file to be gone through twice, where a centre is bought, and take more than {most} bytes: \
         state a centre, or give a file"
    )]
    SpoolFull {
        /// The most that is kept.
        most: u64,
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
    /// The name of the subject's column is there in another letter case.
    #[error(
        "no column is named `{column}`, given for the subject, but one is in other letters, capital or small: write the name as \
             the header has it"
    )]
    SubjectCase {
        /// The name given.
        column: String,
    },
    /// No column has a name that was given.
    #[error("no column is named `{column}`; {}", header_of(*columns))]
    UnknownColumn {
        /// The name given.
        column: String,
        /// The number of columns in the header.
        columns: usize,
    },
    /// A column of a long table is not there.
    #[error(
        "no column is named `{column}`; {}. Write the name as the header has it, with the same capital and small letters",
        header_of(*columns)
    )]
    LongColumn {
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
    /// A pattern matches in another letter case alone.
    #[error(
        "no value column matches `{pattern}`, but some do in other letters, capital or small: write the pattern as the header has \
             the names"
    )]
    PatternCase {
        /// The pattern.
        pattern: String,
    },
    /// The subject's column among the values.
    #[error(
        "`{column}` is the column of the subjects and cannot be a value column too; leave it out of the values pattern"
    )]
    SubjectIsNoValue {
        /// The name given.
        column: String,
    },
    /// A pattern takes columns that are hardly of the same curve.
    #[error(
        "the pattern `{pattern}` takes {columns} columns, but {strangers} of them, the first of which is `{column}`, are by their names \
         no points of the same curve as the others; give a narrower pattern, or name such a column itself where it belongs to the curve"
    )]
    Stranger {
        /// The pattern.
        pattern: String,
        /// The first column that is not like the others.
        column: String,
        /// How many are not.
        strangers: usize,
        /// How many the pattern takes.
        columns: usize,
    },
    /// Columns whose names are numbers, dates or times, in another order.
    #[error(
        "the names of the value columns are numbers, dates or times, but the columns are not in their order, which is {sorted}; sort \
         the columns in the file, or list them in order"
    )]
    Disorder {
        /// The names in order, or the places of their columns where the first row may be data.
        sorted: String,
    },
    /// Columns whose names are at unequal distances on a grid of equal ones.
    #[error(
        "the names of the {columns} value columns are numbers, dates or times at unequal distances, but the grid would be equally \
         spaced; give the points of the grid, one for each column"
    )]
    UnequalNames {
        /// The number of value columns.
        columns: usize,
    },
    /// A grid from names that are no positions.
    #[error(
        "the names of the value columns do not say where they lie: a grid from names needs a number, a date or a time in each name, with the \
         same text before and after"
    )]
    NoPositions,
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
    #[error(
        "the values pattern `{pattern}` matches only column `{column}`; a curve needs at least 2 points, each in a column of its own: a \
         long table, with one row for each value and not one row for each curve, is read by its columns of ids, \
         times and values"
    )]
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
         name, and as a header the curve in that row would be lost; names that are numbers are read only where the column of subjects \
         is given by its name"
    )]
    HeaderIsData,
    /// The first row is numbers alone, as in text files of the UCR archive.
    #[error(
        "the file has no header: its first row holds {columns} numbers and no name, and as a header the curve in it would be lost. \
         Text files of the UCR archive are like this: the first number is the class of the curve, and the others are its values"
    )]
    NoNames {
        /// How many numbers.
        columns: usize,
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
        "data row {row}, column `{column}` is not a number; write numbers as 1234.5, without signs such as %, < or a comma between \
         thousands; a missing value is an empty cell or a word such as NA, and other codes must be named; decimal commas are \
         read where that is asked for"
    )]
    NotNumeric {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A time of a long table is neither a number nor missing.
    #[error(
        "data row {row}, column `{column}` is not a number, and times must be numbers: turn dates into numbers such as days since the \
         subject was enrolled (as.numeric(date - enrolled) in R, (date - enrolled).dt.days in pandas); a row whose time is missing counts \
         as no row"
    )]
    NotATime {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A row of a long table of surfaces names no point of the grid.
    #[error(
        "data row {row}, column `{column}` is no point of the grid of the surfaces: it must be the number of such a \
         point, up to {PLACE_TOLERANCE} of a step, and cannot be missing"
    )]
    OffSurface {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// Two rows of a long table of surfaces are about one point of one subject.
    #[error(
        "data row {row} is about a subject and a point that an earlier row is about too: keep one row for each subject and point of the \
         grid, such as the mean of several measurements"
    )]
    RepeatedPoint {
        /// The data row, from 1.
        row: usize,
    },
    /// Times that are not those of a whole day, on a circle.
    #[error(
        "the columns are named for times of the day, which closes up after 24 hours, and these would close up after {hours}; leave the \
         period out, or say where it begins and ends with a grid of two ends"
    )]
    PartOfDay {
        /// The hours from the first time to one step after the last.
        hours: f64,
    },
    /// A cell is infinite, or too large for double precision.
    #[error(
        "data row {row}, column `{column}` is infinite, or larger than any measurement (1e100); a missing value is an empty cell or a \
         word such as NA, and other codes must be named"
    )]
    Infinite {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A cell that may be a code for a missing value, or a value.
    #[error(
        "data row {row}, column `{column}` holds one of -999, -9999 and -99999, which often stand for a missing value; say what it is: \
         name the codes for missing values in this file, such as -999, and every other number is a value"
    )]
    Code {
        /// The data row, from 1.
        row: usize,
        /// The column.
        column: String,
    },
    /// A row that sums up the others.
    #[error(
        "data row {row} is no subject: the id in column `{column}` is a word for a summary, such as mean or total; remove the row, or \
         rename the id if it is a person's"
    )]
    SummaryRow {
        /// The data row, from 1.
        row: usize,
        /// The subject column.
        column: String,
    },
    /// A cell that was refused, and others for the same reason.
    #[error("{first}; to the end of the file {more} more cell{} refused for the same reason", if *more == 1 { " is" } else { "s are" })]
    AndMore {
        /// The first of them.
        first: Box<TableError>,
        /// How many more there are.
        more: usize,
    },
    /// A file by two names.
    #[error("{path:?} and {other:?} are one file: its people would count twice; name it once")]
    SameFile {
        /// The file.
        path: PathBuf,
        /// The same file.
        other: PathBuf,
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
    /// An id that is neither text nor a whole number.
    #[error(
        "data row {row} has no subject id in column `{column}`: ids are text or whole numbers, and this is a truth, or a number with \
         decimals, of which 1.10 and 1.1 are the same; put a letter or a dash into such ids"
    )]
    SubjectKind {
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
