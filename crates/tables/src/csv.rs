//! Curves from a text table: one row for each curve, one column for each grid point.

use std::io::Read;

use dpfda_kernels::Grid;

use crate::batch::{CurveBatch, CurveSource};
use crate::columns::Columns;
use crate::error::TableError;
use crate::files::NamedCurves;
use crate::layout::CurveLayout;
use crate::records::{Record, Records};
use crate::separator::{Decimal, Separator};
use crate::subjects::is_id;

/// The curves of a CSV or TSV file with a header row.
///
/// Missing values are empty cells, `NA`, `NaN`, `nan`, `null` and a lone dot. An id that is empty or only says that it is
/// missing, such as `N/A` or `-`, is refused. So is a first row with numbers for the names of all value columns: it is
/// data, and as a header its record would be lost. A file with a header and nothing else gives no curves: the number of
/// records may be private, so it is for the mechanism to judge.
///
/// # Examples
/// ```
/// use dpfda_tables::{CsvCurves, CurveBatch, CurveLayout, CurveSource};
///
/// let file = "ID,fa_1,fa_2,fa_3\nS01,0.4,0.5,0.6\nS02,0.3,,0.5\n";
/// let mut curves = CsvCurves::new(file.as_bytes(), &CurveLayout::new("fa_*")?.subject("ID"))?;
/// let mut batch = CurveBatch::new();
/// assert!(curves.read(&mut batch)?);
/// assert_eq!((batch.len(), batch.subject(1)), (2, Some(&b"S02"[..])));
/// assert!(!curves.read(&mut batch)?);
/// # Ok::<(), dpfda_tables::TableError>(())
/// ```
pub struct CsvCurves<R> {
    records: Records<R>,
    columns: Columns,
    /// The number of data rows that were read.
    row: usize,
    after_blank: bool,
}

impl<R: Read + Send> CsvCurves<R> {
    /// Reads the header of anything that reads as a text table, such as a decompressor.
    ///
    /// # Errors
    /// [`TableError`] for a header that does not fit the layout, and for a source that cannot be read.
    pub fn new(reader: R, layout: &CurveLayout) -> Result<Self, TableError> {
        let separator = layout.separator.unwrap_or(Separator::COMMA);
        if separator == Separator::COMMA && layout.decimal == Decimal::Comma {
            return Err(TableError::DecimalSeparator);
        }
        let mut records = Records::separated_by(reader, separator);
        let columns = loop {
            match records.read()? {
                None => return Err(TableError::NoHeader),
                Some(record) if record.is_blank() => {}
                Some(header) => break Columns::of_first_row(names(header, separator)?, layout)?,
            }
        };
        Ok(Self { records, columns, row: 0, after_blank: false })
    }
}

impl<R: Read + Send> NamedCurves for CsvCurves<R> {
    fn columns(&self) -> &Columns {
        &self.columns
    }
}

impl<R: Read + Send> CurveSource for CsvCurves<R> {
    fn grid(&self) -> &Grid {
        &self.columns.grid
    }

    fn has_subjects(&self) -> bool {
        self.columns.subject.is_some()
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        let Self { records, columns, row, after_blank } = self;
        batch.clear(columns.values.len());
        while let Some(record) = if batch.room() == 0 { None } else { records.read()? } {
            if record.is_blank() {
                *after_blank = true;
                continue;
            }
            *row += 1;
            // at the end of the file blank lines are no matter; here one may be a record, and their number is public
            if *after_blank {
                return Err(TableError::BlankLine { row: *row });
            }
            add_row(record, columns, *row, batch)?;
        }
        Ok(!batch.is_empty())
    }
}

fn add_row(record: &Record, columns: &Columns, row: usize, batch: &mut CurveBatch) -> Result<(), TableError> {
    if record.len() != columns.len() {
        return Err(TableError::Ragged { row, expected: columns.len(), found: record.len() });
    }
    let cell = |column| record.get(column).unwrap_or_default();
    if let Some(column) = columns.subject {
        if !is_id(cell(column)) {
            return Err(TableError::BlankSubject { row, column: columns.name(column) });
        }
        batch.push_subject(cell(column));
    }
    for &column in &columns.values {
        batch.push_value(columns.parse(cell(column), row, column)?);
    }
    Ok(())
}

/// The cells of the first row as names, unless they show that the file is no such table.
fn names(header: &Record, separator: Separator) -> Result<Vec<String>, TableError> {
    let first = header.get(0).unwrap_or_default();
    if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
        return Err(TableError::Utf16);
    }
    if header.len() == 1 {
        let known = [
            ("commas", Separator::COMMA, "--delimiter ,"),
            ("semicolons", Separator::SEMICOLON, "--delimiter ';'"),
            ("tabs", Separator::TAB, "--delimiter tab"),
        ];
        for (name, other, remedy) in known {
            if other != separator && first.contains(&other.byte()) {
                return Err(TableError::Separator { separator: name, remedy });
            }
        }
    }
    Ok(header.iter().map(|name| String::from_utf8_lossy(name).trim_matches(is_padding).to_owned()).collect())
}

/// White space, and the byte order mark that spreadsheets put before the first name.
pub(crate) fn is_padding(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}
