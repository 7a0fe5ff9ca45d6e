//! A curve that is public already, such as one from an earlier study, as the centre of a ball.

use std::io::Read;

use dpfda_kernels::Grid;
use dpfda_tables::{Record, RecordError, Records};
use ndarray::Array1;
use thiserror::Error;

use crate::ball::{LARGEST, shown};

/// The columns of a file; the last may be missing, and is not used.
const COLUMNS: [&str; 6] = ["t", "value", "noise_sd", "posterior_sd", "lower", "upper"];

/// Why a public curve was refused. The file may be a private one, given by mistake: no variant shows what a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PublicCurveError {
    /// A line is no record, or the source failed.
    #[error(transparent)]
    Line(#[from] RecordError),
    /// A column is not there. Other names are not listed: this may be the wrong file.
    #[error("the header names no column `{column}`; a public curve has the columns t,value")]
    NoColumn {
        /// The column.
        column: &'static str,
    },
    /// There is a column too many.
    #[error(
        "column {column} of the header is none of t,value,posterior_sd,noise_sd,lower,upper, or is there twice; a public curve has the \
         columns t,value (and the others, if it was released before) and no other, because a file with more, such as id,t,value, holds the \
         curves of people, which are private"
    )]
    OtherColumn {
        /// The position of the column, from 1.
        column: usize,
    },
    /// A row is too short or too long.
    #[error("data row {row} has {found} cells, but the header names {expected} columns")]
    Ragged {
        /// The row, from 1.
        row: usize,
        /// The number of columns in the header.
        expected: usize,
        /// The number of cells in the row.
        found: usize,
    },
    /// A cell is no number, or too large.
    #[error("data row {row}, column `{column}` must be a finite number, at most {LARGEST:e} in size")]
    NotFinite {
        /// The row, from 1.
        row: usize,
        /// The column.
        column: &'static str,
    },
    /// The points do not increase.
    #[error("t must increase from row to row, but data row {row}, column `t` does not")]
    NotIncreasing {
        /// The row, from 1.
        row: usize,
    },
    /// There is no point.
    #[error("there are no rows below the header: a public curve has at least one point")]
    Empty,
    /// The curve does not reach the ends of the domain.
    #[error(
        "the curve must reach from {} to {}, the ends of the grid, but column `t` {}",
        shown(*lower),
        shown(*upper),
        if *begins_late { "begins after the first" } else { "ends before the last" }
    )]
    DoesNotCover {
        /// Where the grid begins.
        lower: f64,
        /// Where it ends.
        upper: f64,
        /// Whether the lower end is not reached.
        begins_late: bool,
    },
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

    /// The curve of a CSV file with the columns `t` and `value`, as `release.csv` of a release has them; blank lines do not
    /// count.
    ///
    /// # Errors
    /// As [`PublicCurve::new`], and for a file that is no such table.
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
    ///
    /// # Errors
    /// [`PublicCurveError::DoesNotCover`] unless the curve reaches from one end of the grid to the other.
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use approx::assert_relative_eq;
    use ndarray::array;
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<PublicCurve, PublicCurveError> {
        PublicCurve::from_csv_reader(text.as_bytes())
    }

    #[test]
    fn a_curve_is_linear_between_its_points() {
        let curve = PublicCurve::new(&[(0.0, 1.0), (1.0, 3.0), (4.0, 0.0)]).unwrap();
        let grid = Grid::new(vec![0.0, 0.25, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!(curve.on(&grid).unwrap(), array![1.0, 1.5, 3.0, 2.0, 0.0]);
        let inner = Grid::new(vec![0.5, 1.5]).unwrap();
        assert_eq!(curve.on(&inner).unwrap(), array![2.0, 2.5]);
    }

    #[test]
    fn a_curve_is_not_extrapolated_but_for_the_last_digits() {
        let curve = PublicCurve::new(&[(0.1, 1.0), (0.9, 3.0)]).unwrap();
        let on = |lower, upper| curve.on(&Grid::new(vec![lower, upper]).unwrap());
        for (lower, upper, begins_late) in [(0.0, 0.9, true), (0.1, 1.0, false), (0.0, 1.0, true)] {
            let refused = on(lower, upper).unwrap_err();
            assert_eq!(refused, PublicCurveError::DoesNotCover { lower, upper, begins_late });
        }
        assert_eq!(on(0.1 - 1e-11, 0.9 + 1e-11).unwrap(), array![1.0, 3.0]);
        assert!(PublicCurve::new(&[(0.5, 1.0)]).unwrap().on(&Grid::new(vec![0.0, 1.0]).unwrap()).is_err());
    }

    #[test]
    fn a_file_has_the_columns_of_a_released_curve_in_any_order() {
        let expected = PublicCurve::new(&[(0.0, 0.4), (0.8, 0.6)]).unwrap();
        for text in [
            "t,value\n0,0.4\n0.8,0.6\n",
            "\u{feff} value , t\r\n 0.4 ,0\r\n0.6, 8e-1",
            "\nt,value,noise_sd\n\n0,0.4,x\n\n0.8,0.6,\n\n",
            "\"t\",\"value\"\n\"0\",\"0.4\"\n0.8,0.6\n",
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn a_file_that_is_no_public_curve_is_refused_by_its_place_alone() {
        for (text, expected) in [
            ("", PublicCurveError::NoColumn { column: "t" }),
            ("\n\n", PublicCurveError::NoColumn { column: "t" }),
            ("0,777\n1,0.777\n", PublicCurveError::NoColumn { column: "t" }),
            ("t,777\n0,1\n", PublicCurveError::NoColumn { column: "value" }),
            ("t,value\n", PublicCurveError::Empty),
            ("id,t,value\n777,0,0.777\n", PublicCurveError::OtherColumn { column: 1 }),
            ("t,value,t\n0,1,2\n", PublicCurveError::OtherColumn { column: 3 }),
            ("t,value\n0,1\n777\n", PublicCurveError::Ragged { row: 2, expected: 2, found: 1 }),
            ("t,value\n0,x777\n", PublicCurveError::NotFinite { row: 1, column: "value" }),
            ("t,value\n777,\n", PublicCurveError::NotFinite { row: 1, column: "value" }),
            ("t,value\n0,1\n777,1e101\n", PublicCurveError::NotFinite { row: 2, column: "value" }),
            ("t,value\nnan,777\n", PublicCurveError::NotFinite { row: 1, column: "t" }),
            ("t,value\n777,1\n777,2\n", PublicCurveError::NotIncreasing { row: 2 }),
            ("t,value\n0,\"777\n\"\n", PublicCurveError::Line(RecordError::QuotedLine { line: 2 })),
        ] {
            let refused = read(text).unwrap_err();
            assert_eq!(refused, expected, "{text:?}");
            assert!(!format!("{refused} {refused:?}").contains("777"), "{refused}");
        }
        assert_eq!(PublicCurve::new(&[]), Err(PublicCurveError::Empty));
    }

    proptest! {
        /// A value lies between those at the two points around it, and is theirs at a point.
        #[test]
        fn a_curve_stays_between_its_points(values in prop::collection::vec(-1e3..1e3, 2..9), share in 0.0..1.0) {
            let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(t, &value)| (t as f64, value)).collect();
            let curve = PublicCurve::new(&points).unwrap();
            let t = share * (values.len() - 1) as f64;
            let before = points.iter().rfind(|(point, _)| *point <= t).unwrap().1;
            let after = points.iter().find(|(point, _)| *point >= t).unwrap().1;
            let at = curve.at(t);
            prop_assert!(at >= before.min(after) - 1e-9 && at <= before.max(after) + 1e-9);
            for (t, value) in points {
                assert_relative_eq!(curve.at(t), value, max_relative = 1e-12);
            }
        }
    }

    #[test]
    fn on_a_circle_a_curve_must_reach_its_last_point_and_not_its_end() {
        let day = Grid::circle(0.0, 24.0, 4).unwrap();
        let curve = PublicCurve::new(&[(0.0, 1.0), (18.0, 4.0)]).unwrap();
        assert_eq!(curve.on(&day).unwrap().to_vec(), [1.0, 2.0, 3.0, 4.0]);
        assert!(PublicCurve::new(&[(0.0, 1.0), (17.0, 4.0)]).unwrap().on(&day).is_err());
    }
}
