//! Points from a CSV file: one row for each record, one named column for each axis.

use std::io::{ErrorKind, Read};
use std::path::Path;

use dpfda_tables::{
    Decimal, Ids, Missing, MissingCells, NoId, Record, RecordError, Records, Separator, Unfit, are_values, id_of,
    similar_ids,
};
use ndarray::Array2;
use thiserror::Error;

use super::{Points, PointsError};
use crate::bounds::Bounds;

/// Why a CSV file holds no points; rows are data rows, counted from 1, and what a cell holds is never shown.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PointsCsvError {
    #[error("the CSV cannot be read: {kind}")]
    Read { kind: ErrorKind },
    #[error(transparent)]
    Line(RecordError),
    #[error("the file is empty: its first row must name the columns")]
    NoHeader,
    #[error(
        "the file seems to have no header: in its first row every column asked for has a number or a missing value in place of \
         a name, and as a header that row would not be counted; names that are numbers are not read"
    )]
    HeaderIsData,
    #[error(
        "the file seems to be separated by {separator}, but it is read with another separator: give {delimiter} as the delimiter"
    )]
    Separator { separator: &'static str, delimiter: &'static str },
    #[error("a comma cannot stand between cells and before the decimals of a number: give another separator")]
    DecimalSeparator,
    #[error("no column is named {column}: the first row of the file must name it")]
    NoColumn { column: String },
    #[error("several columns are named {column}: column names must be unique")]
    SeveralColumns { column: String },
    #[error("row {row} has {found} cells, the header has {expected}")]
    Ragged { row: usize, expected: usize, found: usize },
    #[error("the cell in row {row}, column {column}, is not a number; leave a missing value empty")]
    NotANumber { row: usize, column: String },
    #[error(
        "the cell in row {row}, column {column}, holds one of -999, -9999 and -99999, which often stand for a missing value; say what \
         it is: name the codes for missing values in this file, such as -999, and every other number is a value"
    )]
    Code { row: usize, column: String },
    #[error(
        "the cell in row {row}, column {column}, is infinite, or larger than any measurement (1e100); leave a missing value empty"
    )]
    Infinite { row: usize, column: String },
    #[error(
        "row {row} has no id in the column {column}: ids are text or whole numbers, and this is a truth, or a number with decimals, of \
         which 1.10 and 1.1 are the same; put a letter or a dash into such ids"
    )]
    IdKind { row: usize, column: String },
    #[error("row {row} has no id in the column {column}: every row must say whose it is")]
    NoId { row: usize, column: String },
    #[error(transparent)]
    Points(#[from] PointsError),
}

/// Which columns of a CSV file hold points, and what stands for a missing value.
#[derive(Debug, Clone, PartialEq)]
pub struct PointLayout {
    columns: Vec<String>,
    subject: Option<String>,
    missing: Missing,
    separator: Option<Separator>,
    decimal: Decimal,
}

impl PointLayout {
    /// The names of the coordinates, one for each axis.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self {
            columns: columns.into_iter().map(S::into).collect(),
            subject: None,
            missing: Missing::default(),
            separator: None,
            decimal: Decimal::Point,
        }
    }

    /// The same with this between cells.
    #[must_use]
    pub fn separated_by(self, separator: Separator) -> Self {
        Self { separator: Some(separator), ..self }
    }

    /// The same for a file of this name: where nothing was said, a tab stands between the cells of a `.tsv` file, and a comma in every other.
    #[must_use]
    pub fn of_file(self, path: &Path) -> Self {
        Self { separator: self.separator.or_else(|| Some(Separator::of_name(path))), ..self }
    }

    /// The same with this before decimals.
    #[must_use]
    pub fn decimal(self, decimal: Decimal) -> Self {
        Self { decimal, ..self }
    }

    /// The same with the column of ids: all rows of a person are one record, the mean of those rows. Each value is clamped to the
    /// bounds before it counts, and a missing value does not count.
    #[must_use]
    pub fn subject(self, column: &str) -> Self {
        Self { subject: Some(column.to_owned()), ..self }
    }

    /// The same with codes for missing values.
    #[must_use]
    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }
}

impl Points {
    /// The points of anything that reads as a CSV file with a header row.
    ///
    /// Missing values are what [`number`](dpfda_tables::number) takes for them, such as empty cells and `NA`, and the codes of the
    /// layout: they count as the centre of the axis. Every line after the header is one record, a blank line one without any values,
    /// unless the layout names a column of ids.
    ///
    /// # Errors
    /// [`PointsCsvError`]; it never shows what a cell holds.
    pub fn from_csv_reader<R: Read>(reader: R, layout: &PointLayout, bounds: Bounds) -> Result<Self, PointsCsvError> {
        let dimension = layout.columns.len();
        let Some(subject) = &layout.subject else {
            let mut values = Vec::new();
            let (rows, missing) = read(reader, layout, |_, _, row| {
                values.extend_from_slice(row);
                Ok(())
            })?;
            return Ok(Self::new(of_rows(rows, dimension, values), bounds)?.with_cells(missing, 0));
        };
        let mut people = People::new(&bounds);
        let (_, missing) = read(reader, layout, |number, id, row| {
            let id = id_of(id).map_err(|none| match none {
                NoId::Missing => PointsCsvError::NoId { row: number, column: subject.clone() },
                NoId::Kind => PointsCsvError::IdKind { row: number, column: subject.clone() },
            })?;
            people.push(&id, row);
            Ok(())
        })?;
        Ok(people.points(missing)?)
    }

    /// Points in memory, of which each subject has one record: the mean of its points; `ids` say whose each row is, and missing values are
    /// no numbers.
    ///
    /// # Errors
    /// [`PointsError`] for another number of columns than the bounds have axes, and of ids than there are rows.
    pub fn of_subjects(values: &Array2<f64>, ids: &[String], bounds: &Bounds) -> Result<Self, PointsError> {
        if values.ncols() != bounds.dimension() {
            return Err(PointsError::Dimension { axes: bounds.dimension(), columns: values.ncols() });
        }
        if values.nrows() != ids.len() {
            return Err(PointsError::Subjects { rows: values.nrows(), ids: ids.len() });
        }
        let mut people = People::new(bounds);
        for (row, id) in values.rows().into_iter().zip(ids) {
            people.push(id.as_bytes(), &row.to_vec());
        }
        people.points(MissingCells::default())
    }
}

/// The points of each person so far.
struct People<'b> {
    bounds: &'b Bounds,
    known: Ids,
    /// For each person and axis, the sum of what is known and how much that is.
    sums: Vec<(f64, f64)>,
}

impl<'b> People<'b> {
    fn new(bounds: &'b Bounds) -> Self {
        Self { bounds, known: Ids::default(), sums: Vec::new() }
    }

    fn push(&mut self, id: &[u8], row: &[f64]) {
        let dimension = self.bounds.dimension();
        let person = self.known.place_of(id);
        self.sums.resize(self.known.len() * dimension, (0.0, 0.0));
        for (axis, &value) in row.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let (lower, upper) = self.bounds.axis(axis);
            let (sum, count) = &mut self.sums[person * dimension + axis];
            *sum += value.clamp(lower, upper);
            *count += 1.0;
        }
    }

    /// One record for each person, of whom nothing may be known.
    fn points(self, missing: MissingCells) -> Result<Points, PointsError> {
        let similar = similar_ids(self.known.iter());
        // nothing known of a person is no number
        let values = self.sums.into_iter().map(|(sum, count)| sum / count).collect();
        let values = of_rows(self.known.len(), self.bounds.dimension(), values);
        Ok(Points::new(values, self.bounds.clone())?.with_cells(missing, similar))
    }
}

/// Calls `each` with the number of every row, its id and its values, and returns how many rows there are and what was missing.
/// Without a column of ids the id is empty; missing values are no numbers.
fn read<R: Read>(
    reader: R,
    layout: &PointLayout,
    mut each: impl FnMut(usize, &[u8], &[f64]) -> Result<(), PointsCsvError>,
) -> Result<(usize, MissingCells), PointsCsvError> {
    let PointLayout { columns, subject, missing, separator, decimal } = layout;
    let separator = separator.unwrap_or(Separator::COMMA);
    if (separator, *decimal) == (Separator::COMMA, Decimal::Comma) {
        return Err(PointsCsvError::DecimalSeparator);
    }
    let mut cells = MissingCells::default();
    let mut records = Records::separated_by(reader, separator);
    let header = records.read()?.ok_or(PointsCsvError::NoHeader)?;
    let expected = header.len();
    let places = places(header, columns, separator)?;
    let of_ids = subject.as_ref().map(|name| place(header, name)).transpose()?;
    let (mut values, mut row) = (vec![f64::NAN; columns.len()], 0);
    while let Some(record) = records.read()? {
        row += 1;
        if record.is_blank() {
            values.fill(f64::NAN);
            for _ in columns {
                cells.count(b"", f64::NAN);
            }
            each(row, &[], &values)?;
            continue;
        }
        if record.len() != expected {
            return Err(PointsCsvError::Ragged { row, expected, found: record.len() });
        }
        for ((value, &place), name) in values.iter_mut().zip(&places).zip(columns) {
            let cell = record.get(place).unwrap_or_default();
            let number = missing.read(cell, *decimal);
            let number = number.ok_or_else(|| PointsCsvError::NotANumber { row, column: name.clone() })?;
            *value = missing.measured(number).map_err(|unfit| match unfit {
                Unfit::Infinite => PointsCsvError::Infinite { row, column: name.clone() },
                Unfit::Code => PointsCsvError::Code { row, column: name.clone() },
            })?;
            cells.count(cell, *value);
        }
        let id = of_ids.and_then(|place| record.get(place)).unwrap_or_default();
        each(row, id.trim_ascii(), &values)?;
    }
    Ok((row, cells))
}

fn of_rows(rows: usize, dimension: usize, values: Vec<f64>) -> Array2<f64> {
    Array2::from_shape_vec((rows, dimension), values)
        .unwrap_or_else(|_| unreachable!("each row has one value for each column"))
}

/// Where the columns of these names are.
///
/// A first row that is data is told from a header by its own cells, and none of them is shown.
fn places(header: &Record, columns: &[String], separator: Separator) -> Result<Vec<usize>, PointsCsvError> {
    if let Some(missing) = columns.iter().find(|name| named(header, name).is_empty()) {
        if let Some((separator, delimiter)) = separator.other_in(header) {
            return Err(PointsCsvError::Separator { separator, delimiter });
        }
        return Err(PointsCsvError::NoColumn { column: missing.clone() });
    }
    if !columns.is_empty() && are_values(columns.iter().map(String::as_str)) {
        return Err(PointsCsvError::HeaderIsData);
    }
    columns.iter().map(|name| place(header, name)).collect()
}

/// The one column of this name.
fn place(header: &Record, name: &str) -> Result<usize, PointsCsvError> {
    match named(header, name)[..] {
        [place] => Ok(place),
        [] => Err(PointsCsvError::NoColumn { column: name.to_owned() }),
        _ => Err(PointsCsvError::SeveralColumns { column: name.to_owned() }),
    }
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
