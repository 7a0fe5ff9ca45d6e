//! Points from a CSV file: one row for each record, one named column for each axis.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use dpfda_tables::{Record, RecordError, Records, are_values, number};
use ndarray::Array2;
use thiserror::Error;

use super::{Points, PointsError};
use crate::bounds::Bounds;

/// Why a CSV file holds no points; rows are data rows, counted from 1, and what a cell holds is never shown.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PointsCsvError {
    /// The file cannot be read.
    #[error("{path:?} cannot be read: {kind}")]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        kind: ErrorKind,
    },
    /// The source cannot be read.
    #[error("the CSV cannot be read: {kind}")]
    Read {
        /// What went wrong.
        kind: ErrorKind,
    },
    /// A line is no record, or larger than one can be.
    #[error(transparent)]
    Line(RecordError),
    /// There is not even a header.
    #[error("the file is empty: its first row must name the columns")]
    NoHeader,
    /// The first row is data.
    #[error(
        "the file seems to have no header: in its first row every column asked for has a number or a missing value in place of \
         a name, and as a header that row would not be counted; names that are numbers are not read"
    )]
    HeaderIsData,
    /// A column is not there.
    #[error("no column is named {column}: the first row of the file must name it")]
    NoColumn {
        /// The name asked for.
        column: String,
    },
    /// A name does not say which column.
    #[error("several columns are named {column}: column names must be unique")]
    SeveralColumns {
        /// The name asked for.
        column: String,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} cells, the header has {expected}")]
    Ragged {
        /// The row.
        row: usize,
        /// The number of cells in the header.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A cell is no number.
    #[error("the cell in row {row}, column {column}, is not a number; leave a missing value empty")]
    NotANumber {
        /// The row.
        row: usize,
        /// The name of the column.
        column: String,
    },
    /// The columns do not fit the bounds.
    #[error(transparent)]
    Points(#[from] PointsError),
}

impl Points {
    /// The points of a CSV file with a header row: `columns` are the names of the coordinates, one for each axis.
    ///
    /// Missing values are what [`number`] takes for them, such as empty cells and `NA`: they count as the centre of the axis. Every
    /// line after the header is one record, a blank line one without any values.
    ///
    /// # Errors
    /// [`PointsCsvError`]; it never shows what a cell holds.
    pub fn read_csv(path: impl AsRef<Path>, columns: &[&str], bounds: Bounds) -> Result<Self, PointsCsvError> {
        let in_file = |kind| PointsCsvError::File { path: path.as_ref().to_owned(), kind };
        let file = File::open(path.as_ref()).map_err(|error| in_file(error.kind()))?;
        Self::from_csv_reader(file, columns, bounds).map_err(|error| match error {
            PointsCsvError::Read { kind } => in_file(kind),
            other => other,
        })
    }

    /// The points of anything that reads as a CSV file; see [`Points::read_csv`].
    ///
    /// # Errors
    /// As [`Points::read_csv`], with [`PointsCsvError::Read`] in place of [`PointsCsvError::File`].
    pub fn from_csv_reader<R: Read>(reader: R, columns: &[&str], bounds: Bounds) -> Result<Self, PointsCsvError> {
        let mut records = Records::new(reader);
        let header = records.read()?.ok_or(PointsCsvError::NoHeader)?;
        let expected = header.len();
        let places = places(header, columns)?;
        let (mut values, mut row) = (Vec::new(), 0);
        while let Some(record) = records.read()? {
            row += 1;
            if record.is_blank() {
                values.extend(places.iter().map(|_| f64::NAN));
                continue;
            }
            if record.len() != expected {
                return Err(PointsCsvError::Ragged { row, expected, found: record.len() });
            }
            for (&place, &name) in places.iter().zip(columns) {
                let number = number(record.get(place).unwrap_or_default());
                values.push(number.ok_or_else(|| PointsCsvError::NotANumber { row, column: name.to_owned() })?);
            }
        }
        let values = Array2::from_shape_vec((row, columns.len()), values)
            .unwrap_or_else(|_| unreachable!("each row pushed one value for each column"));
        Ok(Self::new(values, bounds)?)
    }
}

/// Where the columns of these names are.
///
/// A first row that is data is told from a header by its own cells, and none of them is shown.
fn places(header: &Record, columns: &[&str]) -> Result<Vec<usize>, PointsCsvError> {
    let found: Vec<Vec<usize>> = columns.iter().map(|name| named(header, name)).collect();
    if let Some(missing) = found.iter().position(Vec::is_empty) {
        return Err(PointsCsvError::NoColumn { column: columns[missing].to_owned() });
    }
    if !columns.is_empty() && are_values(columns.iter().copied()) {
        return Err(PointsCsvError::HeaderIsData);
    }
    let of_one = |(places, name): (Vec<usize>, &&str)| match places[..] {
        [place] => Ok(place),
        _ => Err(PointsCsvError::SeveralColumns { column: (*name).to_owned() }),
    };
    found.into_iter().zip(columns).map(of_one).collect()
}

/// All columns of this name.
fn named(header: &Record, name: &str) -> Vec<usize> {
    let is_named = |cell: &[u8]| cell.trim_ascii() == name.trim().as_bytes();
    header.iter().enumerate().filter(|(_, cell)| is_named(cell)).map(|(place, _)| place).collect()
}

impl From<RecordError> for PointsCsvError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Read { kind } => Self::Read { kind },
            error => Self::Line(error),
        }
    }
}
