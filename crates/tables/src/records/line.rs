//! Reads the bytes of one line.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use memchr::{memchr2, memrchr2};

use super::{MOST_LINE_BYTES, RecordError, Records};

impl<R: Read> Records<R> {
    /// Reads the next line, without its end, into the record; `false` at the end of the file.
    pub(super) fn read_line(&mut self) -> Result<bool, RecordError> {
        self.record.bytes.clear();
        let mut is_there = false;
        loop {
            let mut chunk = filled(&mut self.reader)?;
            if chunk.is_empty() {
                self.line += usize::from(is_there);
                return Ok(is_there);
            }
            let mut taken = 0;
            if std::mem::take(&mut self.after_return) && chunk[0] == b'\n' {
                // the second byte of the end of the previous line
                taken = 1;
                chunk = &chunk[1..];
            }
            let end = memchr2(b'\n', b'\r', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if part.len() > MOST_LINE_BYTES - self.record.bytes.len() {
                return Err(RecordError::LongLine { line: self.line + 1 });
            }
            is_there |= !part.is_empty();
            self.record.bytes.extend_from_slice(part);
            taken += part.len();
            if let Some(end) = end {
                self.after_return = chunk[end] == b'\r';
                self.reader.consume(taken + 1);
                self.line += 1;
                return Ok(true);
            }
            self.reader.consume(taken);
        }
    }

    /// Takes some of the lines that are left, as they are: at least so many bytes, unless the file ends before; none at its end.
    pub(crate) fn take_lines(&mut self, least: usize) -> Result<Vec<u8>, RecordError> {
        let mut lines = Vec::with_capacity(least + least / 2);
        loop {
            let chunk = filled(&mut self.reader)?;
            if std::mem::take(&mut self.after_return) && chunk.first() == Some(&b'\n') {
                self.reader.consume(1);
                continue;
            }
            let end = if lines.len() + chunk.len() < least { None } else { end_of_lines(chunk) };
            let taken = end.unwrap_or(chunk.len());
            lines.extend_from_slice(&chunk[..taken]);
            self.reader.consume(taken);
            if end.is_some() || taken == 0 {
                return Ok(lines);
            }
            if lines.len() > least + MOST_LINE_BYTES {
                return Err(RecordError::LongLine { line: self.line + 1 });
            }
        }
    }
}

/// The bytes that were read and not taken; none at the end of the file.
fn filled<R: Read>(reader: &mut BufReader<R>) -> Result<&[u8], RecordError> {
    // an interrupted call is made again
    while let Err(error) = reader.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(RecordError::Read { kind: error.kind() });
        }
    }
    Ok(reader.buffer())
}

/// Where the last line ends that surely does: a carriage return may have a line feed behind it.
fn end_of_lines(chunk: &[u8]) -> Option<usize> {
    match chunk {
        [.., b'\n'] => Some(chunk.len()),
        [before @ .., _] => memrchr2(b'\n', b'\r', before).map(|place| place + 1),
        [] => None,
    }
}
