//! A curve that is public already, such as one from an earlier study, as the centre of a ball.

use std::io::Read;

use dpfda_kernels::Grid;
use dpfda_tables::{Record, RecordError, Records};
use ndarray::Array1;
use thiserror::Error;

use crate::ball::{LARGEST, shown};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
#[path = "public_curve_tests.rs"]
mod tests;

/// The columns of a file; the last may be missing, and is not used.
const COLUMNS: [&str; 6] = ["t", "value", "noise_sd", "posterior_sd", "lower", "upper"];

/// Why a public curve was refused. The file may be a private one, given by mistake: no variant shows what a cell holds.
/// Rows and places are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PublicCurveError {
    #[error(transparent)]
    Line(#[from] RecordError),
    /// A column is not there. Other names are not listed: this may be the wrong file.
    #[error("the header names no column `{column}`; a public curve has the columns t,value")]
    NoColumn { column: &'static str },
    #[error(
        "column {column} of the header is none of t,value,posterior_sd,noise_sd,lower,upper, or is there twice; a public curve has the \
         columns t,value (and the others, if it was released before) and no other, because a file with more, such as id,t,value, holds the \
         curves of people, which are private"
    )]
    OtherColumn { column: usize },
    #[error("data row {row} has {found} cells, but the header names {expected} columns")]
    Ragged { row: usize, expected: usize, found: usize },
    #[error("data row {row}, column `{column}` must be a finite number, at most {LARGEST:e} in size")]
    NotFinite { row: usize, column: &'static str },
    #[error("t must increase from row to row, but data row {row}, column `t` does not")]
    NotIncreasing { row: usize },
    #[error("there are no rows below the header: a public curve has at least one point")]
    Empty,
    #[error(
        "the curve must reach from {} to {}, the ends of the grid, but column `t` {}",
        shown(*lower),
        shown(*upper),
        if *begins_late { "begins after the first" } else { "ends before the last" }
    )]
    DoesNotCover { lower: f64, upper: f64, begins_late: bool },
}

/// Where the columns of a file are, and how many there are.
#[derive(Clone, Copy)]
struct Columns {
    t: usize,
    value: usize,
    count: usize,
}

impl Columns {
    fn find(header: &Record) -> Result<Self, PublicCurveError> {
        let names: Vec<String> = header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        let position =
            |column| names.iter().position(|name| name == column).ok_or(PublicCurveError::NoColumn { column });
        let (t, value) = (position(COLUMNS[0])?, position(COLUMNS[1])?);
        let other =
            |&index: &usize| !COLUMNS.contains(&names[index].as_str()) || names[..index].contains(&names[index]);
        match (0..names.len()).find(other) {
            Some(index) => Err(PublicCurveError::OtherColumn { column: index + 1 }),
            None => Ok(Self { t, value, count: names.len() }),
        }
    }
}

/// A curve on points of its own, linear between them: public, in the units of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicCurve {
    /// Increasing, at least one.
    points: Vec<f64>,
    values: Vec<f64>,
}

impl PublicCurve {
    /// The curve through these points `(t, value)`, which increase in `t`.
    ///
    /// # Errors
    /// [`PublicCurveError`] for no point, one that is not above the one before, and a number that is not finite or above
    /// `1e100` in size; rows are points, counted from 1.
    pub fn new(points: &[(f64, f64)]) -> Result<Self, PublicCurveError> {
        if points.is_empty() {
            return Err(PublicCurveError::Empty);
        }
        let is_bounded = |number: f64| number.abs() <= LARGEST;
        for (index, &(t, value)) in points.iter().enumerate() {
            let row = index + 1;
            for (number, column) in [(t, "t"), (value, "value")] {
                if !is_bounded(number) {
                    return Err(PublicCurveError::NotFinite { row, column });
                }
            }
            if index > 0 && points[index - 1].0 >= t {
                return Err(PublicCurveError::NotIncreasing { row });
            }
        }
        let (points, values) = points.iter().copied().unzip();
        Ok(Self { points, values })
    }

    /// The points, which increase.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The value at each point.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The curve of a CSV file with the columns `t` and `value`, as `release.csv` of a release has them; blank lines do not
    /// count.
    pub fn from_csv_reader<R: Read>(reader: R) -> Result<Self, PublicCurveError> {
        let mut records = Records::new(reader);
        let (mut columns, mut points) = (None, Vec::new());
        while let Some(record) = records.read()? {
            if record.is_blank() {
                continue;
            }
            let Some(Columns { t, value, count }) = columns else {
                columns = Some(Columns::find(record)?);
                continue;
            };
            if record.len() != count {
                return Err(PublicCurveError::Ragged { row: points.len() + 1, expected: count, found: record.len() });
            }
            // what is no number is not finite either
            points.push((number(record, t), number(record, value)));
        }
        if columns.is_none() {
            return Err(PublicCurveError::NoColumn { column: COLUMNS[0] });
        }
        Self::new(&points)
    }

    /// The curve at the points of a grid: interpolated, and not extrapolated.
    pub fn on(&self, grid: &Grid) -> Result<Array1<f64>, PublicCurveError> {
        let (from, to) = (self.points[0], self.points[self.points.len() - 1]);
        // on a circle nothing is asked for between the last point and the end
        let (lower, upper) = (grid.lower(), grid.points()[grid.len() - 1]);
        // A grid computed in one program and a curve written by another may differ in the last digits.
        let slack = 1e-9 * grid.length();
        let begins_late = from > lower + slack;
        if begins_late || to < upper - slack {
            return Err(PublicCurveError::DoesNotCover { lower, upper, begins_late });
        }
        Ok(grid.points().iter().map(|&t| self.at(t)).collect())
    }

    fn at(&self, t: f64) -> f64 {
        let right = self.points.partition_point(|&s| s < t);
        if right == 0 || right == self.points.len() {
            return self.values[right.min(self.points.len() - 1)];
        }
        let (a, b) = (self.points[right - 1], self.points[right]);
        let share = (t - a) / (b - a);
        self.values[right - 1] * (1.0 - share) + self.values[right] * share
    }
}

fn number(record: &Record, cell: usize) -> f64 {
    let text = std::str::from_utf8(record.get(cell).unwrap_or_default()).unwrap_or_default();
    text.trim().parse().unwrap_or(f64::NAN)
}
