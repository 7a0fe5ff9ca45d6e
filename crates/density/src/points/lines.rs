//! One line, one record: what stands between a file and the CSV reader.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result};

/// The bytes of a file in which every line is one record, a blank one too.
///
/// A CSV reader passes over blank lines, and reads a quoted cell to its end however many lines that takes. Then the number of
/// records, which is public when one record is substituted, would depend on what records hold: in a file of one column a
/// missing value *is* a blank line. So a blank line is handed on as an empty cell, and a quoted cell that goes beyond its line
/// is an error.
pub(super) struct Lines<R> {
    inner: BufReader<R>,
    ready: Vec<u8>,
    taken: usize,
    /// Of the next byte, from 1.
    line: usize,
    at_start: bool,
    after_return: bool,
    in_quotes: bool,
    broken: Option<usize>,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            inner: BufReader::with_capacity(1 << 16, reader),
            ready: Vec::new(),
            taken: 0,
            line: 1,
            at_start: true,
            after_return: false,
            in_quotes: false,
            broken: None,
        }
    }

    /// The line on which a quoted cell began that does not end there.
    pub(super) fn broken(&self) -> Option<usize> {
        self.broken
    }

    /// Reads the next part of the file into `ready`.
    fn refill(&mut self) -> Result<()> {
        self.ready.clear();
        self.taken = 0;
        let chunk = self.inner.fill_buf()?.to_vec();
        self.inner.consume(chunk.len());
        if chunk.is_empty() && self.in_quotes {
            return self.fail();
        }
        chunk.into_iter().try_for_each(|byte| self.push(byte))
    }

    fn push(&mut self, byte: u8) -> Result<()> {
        if byte == b'\n' && self.after_return {
            // the second half of one line end
            self.after_return = false;
        } else if byte == b'\n' || byte == b'\r' {
            if self.in_quotes {
                return self.fail();
            }
            if self.at_start {
                self.ready.extend(b"\"\"");
            }
            self.line += 1;
            self.at_start = true;
            self.after_return = byte == b'\r';
        } else {
            self.in_quotes ^= byte == b'"';
            self.at_start = false;
            self.after_return = false;
        }
        self.ready.push(byte);
        Ok(())
    }

    fn fail(&mut self) -> Result<()> {
        self.broken = Some(self.line);
        Err(Error::from(ErrorKind::InvalidData))
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.taken == self.ready.len() {
            self.refill()?;
        }
        let count = buffer.len().min(self.ready.len() - self.taken);
        buffer[..count].copy_from_slice(&self.ready[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}
