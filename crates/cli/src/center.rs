//! The public centre: a number, or a curve from a CSV file.

use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Trim};
use dpfda::kernels::Grid;
use dpfda::smoothing::{Ball, BallError, Center};
use thiserror::Error;

use crate::input::whole;
use crate::summary::exact;
use crate::values::CenterArgument;

/// The columns of a public curve; the last may be missing, and is not used.
const COLUMNS: [&str; 3] = ["t", "value", "noise_sd"];

/// The largest file that is read, in bytes: far more than the points that a grid can have.
const LARGEST_FILE: u64 = 1 << 23;

/// The largest value in size, as for a constant centre: its square is far from overflow.
const LARGEST: f64 = 1e100;

/// Why a centre was refused. The file may be the private one, given by mistake: nothing in it is shown.
#[derive(Debug, Error)]
pub enum CenterError {
    /// The argument is no number, and no file can be read there.
    #[error("`{}` is not a number and cannot be read as a CSV file: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: csv::Error,
    },
    /// A column is not there. Other names are not listed: this may be the wrong file.
    #[error("{}: the header names no column `{column}`; a public curve has the columns t,value", path.display())]
    NoColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
    },
    /// There is a column too many.
    #[error(
        "{}: column {column} of the header is none of t,value,noise_sd, or is there twice; a public curve has the \
         columns t,value (and noise_sd, if it was released before) and no other, because a file with more, such as \
         id,t,value, holds the curves of people, which are private",
        path.display()
    )]
    OtherColumn {
        /// The file.
        path: PathBuf,
        /// The position of the column, from 1.
        column: usize,
    },
    /// A cell is no number, or too large.
    #[error("{}: data row {row}, column `{column}` must be a finite number, at most {LARGEST:e} in size", path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: usize,
        /// The column.
        column: &'static str,
    },
    /// The points do not increase.
    #[error("{}: t must increase from row to row, but data row {row}, column `t` does not", path.display())]
    NotIncreasing {
        /// The file.
        path: PathBuf,
        /// The row, from 1.
        row: usize,
    },
    /// The curve does not reach the ends of the domain.
    #[error(
        "{}: the curve must reach from {} to {}, the ends of the grid (see --grid), but column `t` {}",
        path.display(),
        exact(*lower),
        exact(*upper),
        if *begins_late { "begins after the first" } else { "ends before the last" }
    )]
    DoesNotCover {
        /// The file.
        path: PathBuf,
        /// Where the grid begins.
        lower: f64,
        /// Where it ends.
        upper: f64,
        /// Whether the lower end is not reached.
        begins_late: bool,
    },
    /// There is no row.
    #[error("{}: the file has no rows below its header", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// A centre before the grid is known.
#[derive(Debug)]
pub enum PublicCenter {
    /// The same value everywhere.
    Constant(f64),
    /// A piecewise linear curve.
    Curve(PublicCurve),
}

/// Points and values of a public curve, points increasing, at least one.
#[derive(Debug)]
pub struct PublicCurve {
    path: PathBuf,
    points: Vec<f64>,
    values: Vec<f64>,
}

impl PublicCenter {
    /// The centre an argument stands for.
    pub fn read(argument: &CenterArgument) -> Result<Self, CenterError> {
        Ok(match argument {
            CenterArgument::Constant(value) => Self::Constant(*value),
            CenterArgument::File(path) => Self::Curve(PublicCurve::read(path)?),
        })
    }

    /// Whether a ball about it may have this radius, before the grid is known.
    pub fn check_ball(&self, radius: f64) -> Result<(), BallError> {
        let constant = if let Self::Constant(value) = self { *value } else { 0.0 };
        Ball::new(Center::Constant(constant), radius).map(|_| ())
    }

    /// The centre on a grid; a curve is interpolated linearly and not extrapolated.
    pub fn on(&self, grid: &Grid) -> Result<Center, CenterError> {
        match self {
            Self::Constant(value) => Ok(Center::Constant(*value)),
            Self::Curve(curve) => curve.on(grid),
        }
    }
}

impl PublicCurve {
    fn read(path: &Path) -> Result<Self, CenterError> {
        let failed = |source| CenterError::Read { path: path.to_owned(), source };
        let bytes = whole(path, LARGEST_FILE).map_err(|error| failed(error.into()))?;
        let mut csv = ReaderBuilder::new().trim(Trim::All).from_reader(bytes.as_slice());
        let header = csv.headers().map_err(failed)?.clone();
        let names: Vec<&str> = header.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
        let position = |column: &'static str| {
            let found = names.iter().position(|name| *name == column);
            found.ok_or_else(|| CenterError::NoColumn { path: path.to_owned(), column })
        };
        let (t, value) = (position("t")?, position("value")?);
        let other = |&index: &usize| !COLUMNS.contains(&names[index]) || names[..index].contains(&names[index]);
        if let Some(index) = (0..names.len()).find(other) {
            return Err(CenterError::OtherColumn { path: path.to_owned(), column: index + 1 });
        }
        let mut curve = Self { path: path.to_owned(), points: Vec::new(), values: Vec::new() };
        for (index, record) in csv.records().enumerate() {
            let record = record.map_err(failed)?;
            let point = curve.cell(&record, index + 1, t, "t")?;
            let value = curve.cell(&record, index + 1, value, "value")?;
            curve.push(index + 1, point, value)?;
        }
        if curve.points.is_empty() { Err(CenterError::Empty { path: curve.path }) } else { Ok(curve) }
    }

    fn cell(&self, record: &StringRecord, row: usize, at: usize, column: &'static str) -> Result<f64, CenterError> {
        let cell = record.get(at).unwrap_or_default();
        let number = cell.parse().ok().filter(|number: &f64| number.abs() <= LARGEST);
        let refused = || CenterError::NotFinite { path: self.path.clone(), row, column };
        number.ok_or_else(refused)
    }

    fn push(&mut self, row: usize, point: f64, value: f64) -> Result<(), CenterError> {
        match self.points.last() {
            Some(&previous) if previous >= point => Err(CenterError::NotIncreasing { path: self.path.clone(), row }),
            _ => {
                self.points.push(point);
                self.values.push(value);
                Ok(())
            }
        }
    }

    fn on(&self, grid: &Grid) -> Result<Center, CenterError> {
        let (from, to) = (self.points[0], self.points[self.points.len() - 1]);
        let (lower, upper) = (grid.lower(), grid.upper());
        // A grid computed in one program and a curve written by another may differ in the last digits.
        let slack = 1e-9 * grid.length();
        let begins_late = from > lower + slack;
        if begins_late || to < upper - slack {
            return Err(CenterError::DoesNotCover { path: self.path.clone(), lower, upper, begins_late });
        }
        Ok(Center::Curve(grid.points().iter().map(|&t| self.at(t)).collect()))
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
