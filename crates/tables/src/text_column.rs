//! Columns of text beside the curves: labels of groups and covariates.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;

use crate::codes::{Missing, Unfit};
use crate::error::TableError;
use crate::number::is_padding;
use crate::records::Records;
use crate::said::Said;
use crate::separator::{Decimal, Separator};

#[cfg(test)]
#[path = "text_column_tests.rs"]
mod tests;

/// The names that the cells of a column say, one for each data row, `None` where a cell is missing: private data.
///
/// [`Said`] is what a cell says: `1`, `01` and `1.0` are one name. Its `Debug` shows nothing.
#[derive(Clone)]
pub struct TextColumn(Vec<Option<String>>);

impl TextColumn {
    /// Reads columns of a text table by their names, with the rules of [`CsvCurves`](crate::CsvCurves) for rows.
    pub fn read<R: Read>(
        reader: R,
        separator: Separator,
        (missing, decimal): (&Missing, Decimal),
        names: &[&str],
    ) -> Result<Vec<Self>, TableError> {
        let mut records = Records::separated_by(reader, separator);
        let (length, places) = loop {
            match records.read()? {
                None => return Err(TableError::NoHeader),
                Some(record) if record.is_blank() => {}
                Some(header) => {
                    let found: Vec<String> = header.iter().map(text).collect();
                    let place = |name: &&str| {
                        let unknown = || TableError::UnknownColumn { column: (*name).to_owned(), columns: found.len() };
                        found.iter().position(|other| other == name).ok_or_else(unknown)
                    };
                    break (header.len(), names.iter().map(place).collect::<Result<Vec<_>, _>>()?);
                }
            }
        };
        let mut columns = vec![Self(Vec::new()); places.len()];
        let (mut row, mut after_blank) = (0, false);
        while let Some(record) = records.read()? {
            if record.is_blank() {
                after_blank = true;
                continue;
            }
            row += 1;
            if after_blank {
                return Err(TableError::BlankLine { row });
            }
            if record.len() != length {
                return Err(TableError::Ragged { row, expected: length, found: record.len() });
            }
            for ((column, place), name_of) in columns.iter_mut().zip(&places).zip(names) {
                let cell = text(record.get(*place).unwrap_or_default());
                let cell = if decimal == Decimal::Comma { with_point(cell) } else { cell };
                column.0.push(name(Said::of_text(&cell), missing, row, name_of)?);
            }
        }
        Ok(columns)
    }

    /// A column of text that is at hand already.
    pub fn new(cells: Vec<Option<String>>) -> Self {
        let name = |cell: String| Said::of_text(&cell).name().map(Cow::into_owned);
        Self(cells.into_iter().map(|cell| cell.and_then(name)).collect())
    }

    /// A column of cells that are at hand already, by its name.
    pub fn of<'a>(
        cells: impl IntoIterator<Item = Said<'a>>,
        missing: &Missing,
        column: &str,
    ) -> Result<Self, TableError> {
        let cells = cells.into_iter().enumerate();
        cells.map(|(row, said)| name(said, missing, row + 1, column)).collect::<Result<_, _>>().map(Self)
    }

    /// Adds the cells of another file below these.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The cells, in the order of the rows: private.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        self.0.iter().map(Option::as_deref)
    }
}

fn name(said: Said<'_>, missing: &Missing, row: usize, column: &str) -> Result<Option<String>, TableError> {
    let name = missing.name(said).map_err(|_: Unfit| TableError::Code { row, column: column.to_owned() })?;
    Ok(name.map(Cow::into_owned))
}

/// A number with a decimal comma as one with a point; other text as it is.
fn with_point(cell: String) -> String {
    let with_point = cell.replacen(',', ".", 1);
    if cell.contains('.') || with_point.parse::<f64>().is_err() { cell } else { with_point }
}

fn text(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).trim_matches(is_padding).to_owned()
}

impl fmt::Debug for TextColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextColumn(..)")
    }
}
