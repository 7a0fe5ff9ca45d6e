//! Curves from a text table: one row for each curve, one column for each grid point.

use std::borrow::Cow;
use std::io::Read;
use std::mem::discriminant;
use std::sync::Arc;

use dpfda_kernels::Grid;

use crate::batch::{CurveBatch, CurveSource, MissingCells, NamedCurves};
use crate::columns::Columns;
use crate::error::TableError;
use crate::layout::CurveLayout;
use crate::number::is_padding;
use crate::records::{Record, Records};
use crate::separator::{Decimal, Separator};
use crate::subjects::check_id;

use line_order::LineOrder;

mod line_order;

/// The bytes that are cut off at a time.
const PART: usize = 1 << 18;

/// The curves of a CSV or TSV file with a header row.
///
/// Missing values are what [`number`](crate::number()) takes for them, and the codes of the layout. An id that is empty or only says
/// that it is missing, such as `N/A` or `-`, is refused, as is a word for a summary, such as `total`. So is a first row with
/// numbers for the names of all value columns, unless the subject's column is found by its name: it is data, and as a header its
/// record would be lost. A file with a header and nothing else gives no curves: the number of records may be private, so it is
/// for the mechanism to judge.
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
    columns: Arc<Columns>,
    order: Arc<LineOrder>,
    /// The number of data rows that were read.
    row: usize,
    after_blank: bool,
    missing: MissingCells,
}

impl<R: Read + Send> CsvCurves<R> {
    /// Reads the header of anything that reads as a text table, such as a decompressor.
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
        let order = Arc::new(LineOrder::of(&columns));
        Ok(Self {
            records,
            columns: Arc::new(columns),
            order,
            row: 0,
            after_blank: false,
            missing: MissingCells::default(),
        })
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

    fn column_names(&self) -> Option<Vec<&str>> {
        self.columns.public_names()
    }

    fn missing_cells(&self) -> &MissingCells {
        &self.missing
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        let Self { records, columns, order, row, after_blank, missing } = self;
        batch.clear(columns.values.len());
        while batch.room() > 0 && records.next_line()? {
            if records.is_blank() {
                *after_blank = true;
                continue;
            }
            *row += 1;
            // at the end of the file blank lines are no matter; here one may be a record, and their number is public
            if *after_blank {
                return Err(TableError::BlankLine { row: *row });
            }
            let (curves, cells) = (batch.len(), records.cells());
            if cells.is_some_and(|cells| order.add_line(cells, columns, *row, batch, missing).is_some()) {
                continue;
            }
            batch.truncate(curves);
            let record = records.split()?;
            if let Err(first) = add_row(record, columns, *row, batch, missing) {
                let more = flaws_like(&first, record, columns, *row);
                return Err(self.with_all_like(first, more));
            }
        }
        Ok(!batch.is_empty())
    }

    fn cut(&mut self) -> Result<Option<Box<dyn CurveSource>>, TableError> {
        let lines = self.records.take_lines(PART)?;
        if lines.is_empty() {
            return Ok(None);
        }
        let is_all_blank = lines.iter().all(|byte| is_end(*byte));
        if self.after_blank && !is_all_blank {
            return Err(TableError::BlankLine { row: self.row });
        }
        self.after_blank = is_all_blank || ends_blank(&lines);
        Ok(Some(Box::new(CsvCurves {
            records: self.records.of_lines(lines),
            columns: Arc::clone(&self.columns),
            order: Arc::clone(&self.order),
            row: 0,
            after_blank: false,
            missing: MissingCells::default(),
        })))
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether the last of some lines is blank.
fn ends_blank(lines: &[u8]) -> bool {
    let end = if lines.ends_with(b"\r\n") { 2 } else { 1 };
    matches!(lines, [.., last] if is_end(*last)) && lines[..lines.len() - end].last().is_some_and(|byte| is_end(*byte))
}

impl<R: Read> CsvCurves<R> {
    /// A refused cell with the number of cells to the end of the file that are refused for the same reason.
    fn with_all_like(&mut self, first: TableError, in_row: usize) -> TableError {
        let mut cells = in_row;
        while let Ok(Some(record)) = self.records.read() {
            self.row += 1;
            if record.len() != self.columns.len() {
                break;
            }
            cells += flaws_like(&first, record, &self.columns, self.row);
        }
        if cells > 1 { TableError::AndMore { first: Box::new(first), more: cells - 1 } } else { first }
    }
}

fn add_row(
    record: &Record,
    columns: &Columns,
    row: usize,
    batch: &mut CurveBatch,
    missing: &mut MissingCells,
) -> Result<(), TableError> {
    if record.len() != columns.len() {
        return Err(TableError::Ragged { row, expected: columns.len(), found: record.len() });
    }
    if let Some(column) = columns.subject {
        batch.push_subject(&checked_id(record, columns, column, row)?);
    }
    for &column in &columns.values {
        batch.push_value(read_cell(cell(record, column), columns, row, column, missing)?);
    }
    Ok(())
}

/// The value in a cell, which is counted.
fn read_cell(
    cell: &[u8],
    columns: &Columns,
    row: usize,
    column: usize,
    missing: &mut MissingCells,
) -> Result<f64, TableError> {
    let value = columns.parse(cell, row, column)?;
    if columns.axis_of(column).is_none() {
        missing.count(cell, value);
    }
    Ok(value)
}

fn cell(record: &Record, column: usize) -> &[u8] {
    record.get(column).unwrap_or_default()
}

fn checked_id<'a>(
    record: &'a Record,
    columns: &Columns,
    column: usize,
    row: usize,
) -> Result<Cow<'a, [u8]>, TableError> {
    check_id(cell(record, column), row, || columns.name(column))
}

/// How many cells of a row are refused for this reason, where it is one of a cell.
fn flaws_like(flaw: &TableError, record: &Record, columns: &Columns, row: usize) -> usize {
    let id = columns.subject.and_then(|column| checked_id(record, columns, column, row).err());
    let values = columns.values.iter().filter_map(|&column| columns.parse(cell(record, column), row, column).err());
    id.into_iter().chain(values).filter(|other| discriminant(other) == discriminant(flaw)).count()
}

/// The cells of the first row as names, unless they show that the file is no such table.
fn names(header: &Record, separator: Separator) -> Result<Vec<String>, TableError> {
    let first = header.get(0).unwrap_or_default();
    if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
        return Err(TableError::Utf16);
    }
    if first.starts_with(b"@") {
        let remedy = "write its curves as CSV: a header, then one row for each curve";
        return Err(TableError::Format { found: "one of a collection of time series (.ts or .arff)", remedy });
    }
    let cells: Vec<String> =
        header.iter().map(|name| String::from_utf8_lossy(name).trim_matches(is_padding).to_owned()).collect();
    refuse_numbers(&cells)?;
    match separator.other_in(header) {
        Some((separator, delimiter)) => Err(TableError::Separator { separator, delimiter }),
        None => Ok(cells),
    }
}

/// Refuses a first row of numbers alone, whatever stands between them. Such a row names nothing: no column of subjects is found by it.
fn refuse_numbers(cells: &[String]) -> Result<(), TableError> {
    let words: Vec<&str> = cells.iter().flat_map(|cell| cell.split_whitespace()).collect();
    let is_number = |word: &&str| word.replace(',', ".").parse().is_ok_and(f64::is_finite);
    if words.len() > 2 && words.iter().all(is_number) {
        return Err(TableError::NoNames { columns: words.len() });
    }
    Ok(())
}
