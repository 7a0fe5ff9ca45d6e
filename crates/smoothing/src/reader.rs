//! Curves from a CSV file: one row for each curve, one column for each grid point.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use dpfda_kernels::Grid;
use dpfda_records::{RecordError, Records};
use glob::Pattern;
use ndarray::Array2;

use self::header::Columns;
use self::subjects::Subjects;
use crate::curves::CurveSet;

mod error;
mod header;
mod subjects;
#[cfg(test)]
mod tests;
mod text_column;

pub use error::CsvError;
pub use text_column::TextColumn;

/// Where on the line the columns of a file lie.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum GridChoice {
    /// Equally spaced on `[0, 1]`.
    #[default]
    Unit,
    /// Equally spaced from the first number to the second.
    Interval(f64, f64),
    /// One point for each matched column, in the order in which they are taken.
    Points(Vec<f64>),
}

/// Which columns of a CSV file hold the values of a curve, which the subject, and where the grid points lie.
#[derive(Debug, Clone, PartialEq)]
pub struct CsvLayout {
    pattern: String,
    patterns: Vec<(String, Pattern)>,
    subject: Option<String>,
    grid: GridChoice,
}

impl CsvLayout {
    /// The value columns are those whose name matches `values_pattern`.
    ///
    /// A pattern is a glob (`cca_*`, `t?`, `[xy]_*`) or a plain name; several are separated by commas, and each must match
    /// a column. Columns are taken in the order of the patterns, for one pattern in the order of the file; a column that
    /// several match is taken once, at its first place. The grid is equally spaced on `[0, 1]` unless
    /// [`CsvLayout::grid`] says otherwise.
    ///
    /// # Errors
    /// [`CsvError::Pattern`] for a pattern that is empty or no glob.
    pub fn new(values_pattern: &str) -> Result<Self, CsvError> {
        let patterns = values_pattern.split(',').map(|piece| {
            let piece = piece.trim();
            match Pattern::new(piece) {
                Ok(pattern) if !piece.is_empty() => Ok((piece.to_owned(), pattern)),
                _ => Err(CsvError::Pattern { pattern: values_pattern.to_owned() }),
            }
        });
        Ok(Self {
            patterns: patterns.collect::<Result<_, _>>()?,
            pattern: values_pattern.to_owned(),
            subject: None,
            grid: GridChoice::default(),
        })
    }

    /// Rows with the same id in this column are one record; the column is never taken for values.
    #[must_use]
    pub fn subject(self, column: &str) -> Self {
        Self { subject: Some(column.to_owned()), ..self }
    }

    /// Where the grid points lie.
    #[must_use]
    pub fn grid(self, grid: GridChoice) -> Self {
        Self { grid, ..self }
    }

    /// The grid for a number of matched columns.
    fn grid_of(&self, columns: usize) -> Result<Grid, CsvError> {
        Ok(match &self.grid {
            GridChoice::Unit => Grid::uniform(0.0, 1.0, columns)?,
            GridChoice::Interval(lower, upper) => Grid::uniform(*lower, *upper, columns)?,
            GridChoice::Points(points) if points.len() == columns => Grid::new(points.clone())?,
            GridChoice::Points(points) => return Err(CsvError::GridPoints { points: points.len(), columns }),
        })
    }
}

impl CurveSet {
    /// The curves of a CSV file with a header row.
    ///
    /// Missing values are empty cells, `NA`, `NaN`, `nan`, `null` and a lone dot. An id that is empty or only says that it is
    /// missing, such as `N/A` or `-`, is refused. So is a first row with numbers for the names of all value columns: it is
    /// data, and as a header its record would be lost. A file with a header and nothing else gives
    /// a set without curves: the number of records may be private, so it is for the mechanism to judge.
    ///
    /// # Errors
    /// [`CsvError`]; it counts data rows from 1, and never shows what a cell holds.
    pub fn read_csv(path: impl AsRef<Path>, layout: &CsvLayout) -> Result<Self, CsvError> {
        let in_file = |kind| CsvError::File { path: path.as_ref().to_owned(), kind };
        let file = File::open(path.as_ref()).map_err(|error| in_file(error.kind()))?;
        Self::from_csv_reader(file, layout).map_err(|error| match error {
            CsvError::Read { kind } => in_file(kind),
            other => other,
        })
    }

    /// The curves of anything that reads as a CSV file, such as a decompressor; see [`CurveSet::read_csv`].
    ///
    /// # Errors
    /// As [`CurveSet::read_csv`], with [`CsvError::Read`] in place of [`CsvError::File`].
    pub fn from_csv_reader<R: Read>(reader: R, layout: &CsvLayout) -> Result<Self, CsvError> {
        let mut records = Records::new(reader);
        let columns = loop {
            match records.read()? {
                None => return Err(CsvError::NoHeader),
                Some(record) if record.is_blank() => {}
                Some(header) => break Columns::find(header, layout)?,
            }
        };
        let grid = layout.grid_of(columns.values.len())?;

        let mut values = Vec::new();
        let mut subjects = Subjects::default();
        let (mut row, mut after_blank) = (0, false);
        while let Some(record) = records.read()? {
            if record.is_blank() {
                after_blank = true;
                continue;
            }
            row += 1;
            // at the end of the file blank lines are no matter; here one may be a record, and their number is public
            if after_blank {
                return Err(CsvError::BlankLine { row });
            }
            if record.len() != columns.len() {
                return Err(CsvError::Ragged { row, expected: columns.len(), found: record.len() });
            }
            let cell = |column| record.get(column).unwrap_or_default();
            if let Some(column) = columns.subject {
                subjects
                    .push(cell(column))
                    .ok_or_else(|| CsvError::BlankSubject { row, column: columns.name(column) })?;
            }
            for &column in &columns.values {
                values.push(columns.parse(cell(column), row, column)?);
            }
        }
        let values = Array2::from_shape_vec((row, columns.values.len()), values)
            .unwrap_or_else(|_| unreachable!("each row pushed one value for each column"));
        let curves = Self::new(grid, values)?;
        if columns.subject.is_none() {
            return Ok(curves);
        }
        let similar = subjects.similar();
        Ok(curves.with_subjects(&subjects.of_rows)?.with_similar_ids(similar))
    }
}

impl From<RecordError> for CsvError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Read { kind } => Self::Read { kind },
            error => Self::Line(error),
        }
    }
}
