//! Reads the bytes of one line.

use std::io::{BufRead, ErrorKind, Read};

use memchr::memchr2;

use super::{MOST_LINE_BYTES, RecordError, Records};

impl<R: Read> Records<R> {
    /// Reads the next line, without its end, into the record; `false` at the end of the file.
    pub(super) fn read_line(&mut self) -> Result<bool, RecordError> {
        self.record.bytes.clear();
        let mut is_there = false;
        loop {
            let mut chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(RecordError::Read { kind: error.kind() }),
            };
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
}
