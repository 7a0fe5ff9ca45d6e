//! The records of a private CSV file, one line each, in bounded memory.
//!
//! A general CSV reader skips blank lines, and reads a quoted cell to its end over any number of lines. Then the number of
//! records would depend on what the records hold. But this number is public when one record is substituted. In a file with
//! one column a missing value *is* a blank line, and the cell of one record could hide the records after it. Here every line
//! is one record, also a blank line, and a quoted cell that goes beyond its line is an error. The same code decides what a
//! line is and splits it, so the two cannot disagree.
//!
//! A line and its cells have a largest size, so a file that is not a table is refused after some megabytes.

use std::io::{BufReader, Cursor, ErrorKind, Read};

use memchr::memchr;
use thiserror::Error;

use crate::separator::Separator;

pub(crate) use cells::Cells;

mod cells;
mod line;
#[cfg(test)]
mod tests;

/// The most bytes of a line, its end left aside.
pub const MOST_LINE_BYTES: usize = 1 << 24;

/// The largest number of cells of a line.
pub const MOST_CELLS: usize = 1 << 20;

/// The byte order mark that spreadsheets put before the first name.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Why no more records can be read. Lines are counted from 1 in the file; an error never shows what a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecordError {
    /// A quoted cell does not end on its line. One record could hide others if this were allowed.
    #[error("a quoted cell goes beyond the end of line {line} of the file: every record must stand on one line")]
    QuotedLine { line: usize },
    #[error(
        "line {line} of the file is longer than {MOST_LINE_BYTES} bytes, the largest size of a line: is this a CSV file?"
    )]
    LongLine { line: usize },
    #[error("line {line} of the file has more than {MOST_CELLS} cells, the largest number of cells in a line")]
    ManyCells { line: usize },
    #[error("the file cannot be read: {kind}")]
    Read { kind: ErrorKind },
}

/// A reader that gives the records of a file, one after the other.
///
/// A line ends with a line feed, a carriage return, or a carriage return and a line feed. Cells are separated by commas, or by
/// another [`Separator`]. A cell that begins with a quotation mark ends at the next single quotation mark; two quotation marks in
/// it stand for one.
///
/// # Examples
/// ```
/// use dpfda_tables::Records;
///
/// let file = "ID,fa\nS01,0.45\n\"S02\",\n";
/// let mut records = Records::new(file.as_bytes());
/// let mut ids = Vec::new();
/// while let Some(record) = records.read()? {
///     assert_eq!(record.len(), 2);
///     ids.extend(record.get(0).map(<[u8]>::to_vec));
/// }
/// assert_eq!(ids, [&b"ID"[..], b"S01", b"S02"]);
/// # Ok::<(), dpfda_tables::RecordError>(())
/// ```
pub struct Records<R> {
    reader: BufReader<R>,
    /// The number of the line that was read last, from 1.
    line: usize,
    after_return: bool,
    separator: u8,
    record: Record,
}

/// The cells of one line; a blank line has one empty cell.
#[derive(Default)]
pub struct Record {
    /// The cells, each followed by one byte that belongs to no cell.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The bytes of the line as it was read.
    length: usize,
}

impl<R: Read> Records<R> {
    /// Reads records from any source of bytes, with commas between cells.
    pub fn new(reader: R) -> Self {
        Self::separated_by(reader, Separator::COMMA)
    }

    /// The same with another separator between cells.
    pub fn separated_by(reader: R, separator: Separator) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        Self { reader, line: 0, after_return: false, separator: separator.byte(), record: Record::default() }
    }

    /// A reader of lines that were taken, none of which is the first of the file.
    pub(crate) fn of_lines(&self, lines: Vec<u8>) -> Records<Cursor<Vec<u8>>> {
        let (reader, record) = (BufReader::with_capacity(1 << 16, Cursor::new(lines)), Record::default());
        Records { reader, line: self.line, after_return: false, separator: self.separator, record }
    }

    /// The number of the line that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Reads the next record; `None` at the end of the file.
    ///
    /// # Errors
    /// [`RecordError`]; do not read on after an error.
    pub fn read(&mut self) -> Result<Option<&Record>, RecordError> {
        if self.next_line()? { self.split().map(Some) } else { Ok(None) }
    }

    /// Reads the next line, whose cells are not looked for yet; `false` at the end of the file.
    pub(crate) fn next_line(&mut self) -> Result<bool, RecordError> {
        let is_there = self.read_line()?;
        if self.line == 1 && self.record.bytes.starts_with(MARK) {
            self.record.bytes.drain(..MARK.len());
        }
        self.record.length = self.record.bytes.len();
        Ok(is_there)
    }

    /// Whether the line that was read is empty.
    pub(crate) fn is_blank(&self) -> bool {
        self.record.is_blank()
    }

    /// The cells of the line that was read, one after the other; `None` where it has quotation marks.
    pub(crate) fn cells(&mut self) -> Option<Cells<'_>> {
        Cells::new(&mut self.record.bytes, self.separator)
    }

    /// The line that was read, with its cells.
    pub(crate) fn split(&mut self) -> Result<&Record, RecordError> {
        self.record.split(self.line, self.separator)?;
        Ok(&self.record)
    }
}

impl Record {
    /// The number of cells, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "there is no record without cells")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the line was empty, without even quotation marks.
    pub fn is_blank(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes of one cell, counted from 0; `None` if there is no such cell.
    pub fn get(&self, cell: usize) -> Option<&[u8]> {
        let end = *self.ends.get(cell)?;
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] + 1 };
        self.bytes.get(start..end)
    }

    /// All cells, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|cell| self.get(cell))
    }

    /// Finds the cells of a line without its end.
    fn split(&mut self, line: usize, separator: u8) -> Result<(), RecordError> {
        self.ends.clear();
        self.bytes.truncate(self.length);
        if memchr(b'"', &self.bytes).is_some() {
            return self.split_quoted(line, separator);
        }
        for end in memchr::memchr_iter(separator, &self.bytes) {
            end_cell(&mut self.ends, end, line)?;
        }
        end_cell(&mut self.ends, self.bytes.len(), line)
    }

    /// Finds the cells of a line with quotation marks, and removes the marks that are not part of a cell.
    fn split_quoted(&mut self, line: usize, separator: u8) -> Result<(), RecordError> {
        let (mut at_start, mut in_quotes, mut kept, mut i) = (true, false, 0, 0);
        while i < self.bytes.len() {
            let byte = self.bytes[i];
            i += 1;
            match byte {
                b'"' if in_quotes && self.bytes.get(i) == Some(&b'"') => i += 1,
                b'"' if in_quotes || at_start => {
                    in_quotes = !in_quotes;
                    at_start = false;
                    continue;
                }
                byte if byte == separator && !in_quotes => {
                    end_cell(&mut self.ends, kept, line)?;
                    at_start = true;
                    self.bytes[kept] = byte;
                    kept += 1;
                    continue;
                }
                _ => {}
            }
            at_start = false;
            self.bytes[kept] = byte;
            kept += 1;
        }
        if in_quotes { Err(RecordError::QuotedLine { line }) } else { end_cell(&mut self.ends, kept, line) }
    }
}

fn end_cell(ends: &mut Vec<usize>, end: usize, line: usize) -> Result<(), RecordError> {
    if ends.len() == MOST_CELLS {
        return Err(RecordError::ManyCells { line });
    }
    ends.push(end);
    Ok(())
}
