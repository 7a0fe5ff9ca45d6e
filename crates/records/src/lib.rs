//! Comma-separated records, one to a line, in bounded memory: what stands between a private file and its readers.
//!
//! A CSV reader for all purposes passes over blank lines, and reads a quoted cell to its end however many lines that takes.
//! Then the number of records, which is public when one record is substituted, would depend on what records hold: in a file of
//! one column a missing value *is* a blank line, and one record could swallow those after it. Here every line is one record,
//! a blank one too, and a quoted cell that goes beyond its line is an error. The line that decides is the line that is
//! split, so the two cannot disagree.
//!
//! A line and its cells have a largest size, so a file that is no table is refused after some megabytes of it.

use std::io::{BufReader, ErrorKind, Read};

use memchr::memchr;
use thiserror::Error;

mod cell;
mod line;
#[cfg(test)]
mod tests;

pub use cell::{are_values, is_invisible, number, says_missing};

/// The most bytes of a line, its end left aside.
pub const MOST_LINE_BYTES: usize = 1 << 24;

/// The most cells of a line.
pub const MOST_CELLS: usize = 1 << 20;

/// The byte order mark that spreadsheets put before the first name.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Why a file holds no more records; lines are lines of the file, from 1, and what they hold is never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A line is a record: were it otherwise, one record could hide others.
    #[error("a quoted cell goes beyond the end of line {line} of the file: every record must stand on one line")]
    QuotedLine {
        /// The line.
        line: usize,
    },
    /// Longer than any record.
    #[error(
        "line {line} of the file is longer than {MOST_LINE_BYTES} bytes, the most that are read: is this a CSV file?"
    )]
    LongLine {
        /// The line.
        line: usize,
    },
    /// More cells than any record has.
    #[error("line {line} of the file has more than {MOST_CELLS} cells, the most that are read")]
    ManyCells {
        /// The line.
        line: usize,
    },
    /// The source failed.
    #[error("the file cannot be read: {kind}")]
    Read {
        /// What the source said.
        kind: ErrorKind,
    },
}

/// The records of a file, one after the other.
///
/// A line ends with a line feed, a carriage return, or both in this order. Cells are separated by commas; one that begins with
/// a quotation mark goes to the next single one, and two in it stand for one.
pub struct Records<R> {
    reader: BufReader<R>,
    /// The line read last, from 1.
    line: usize,
    after_return: bool,
    record: Record,
}

/// The cells of one line; a blank line has one empty cell.
#[derive(Default)]
pub struct Record {
    /// The cells, each followed by one byte that is not its own.
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: Read> Records<R> {
    /// The records of anything that reads.
    pub fn new(reader: R) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        Self { reader, line: 0, after_return: false, record: Record::default() }
    }

    /// The line of the file that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next record, or `None` at the end of the file.
    ///
    /// # Errors
    /// [`RecordError`]; nothing more should be read after one.
    pub fn read(&mut self) -> Result<Option<&Record>, RecordError> {
        if !self.read_line()? {
            return Ok(None);
        }
        let line = self.line;
        if line == 1 && self.record.bytes.starts_with(MARK) {
            self.record.bytes.drain(..MARK.len());
        }
        self.record.split(line)?;
        Ok(Some(&self.record))
    }
}

impl Record {
    /// The number of cells, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "there is no record without cells")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there was nothing on the line, not even quotation marks.
    pub fn is_blank(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A cell, counted from 0.
    pub fn get(&self, cell: usize) -> Option<&[u8]> {
        let end = *self.ends.get(cell)?;
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] + 1 };
        self.bytes.get(start..end)
    }

    /// All cells in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|cell| self.get(cell))
    }

    /// Finds the cells of a line.
    fn split(&mut self, line: usize) -> Result<(), RecordError> {
        self.ends.clear();
        if memchr(b'"', &self.bytes).is_some() {
            return self.split_quoted(line);
        }
        for comma in memchr::memchr_iter(b',', &self.bytes) {
            end_cell(&mut self.ends, comma, line)?;
        }
        end_cell(&mut self.ends, self.bytes.len(), line)
    }

    /// The same where there are quotation marks: the cells move together, over the marks that are not part of them.
    fn split_quoted(&mut self, line: usize) -> Result<(), RecordError> {
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
                b',' if !in_quotes => {
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
