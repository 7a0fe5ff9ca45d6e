//! The cells of a line, gone through once.

use memchr::memchr;

use crate::number::number_before;

/// The cells of a line without quotation marks that were not taken yet, from left to right.
pub(crate) struct Cells<'l> {
    /// The line and a separator behind it.
    text: &'l [u8],
    /// Where the next cell begins; behind the text after the last one.
    at: usize,
    separator: u8,
}

impl<'l> Cells<'l> {
    /// Those of a line without its end, which gets a separator behind it; `None` where it has quotation marks.
    pub(super) fn new(line: &'l mut Vec<u8>, separator: u8) -> Option<Self> {
        if memchr(b'"', line).is_some() {
            return None;
        }
        line.push(separator);
        Some(Self { text: line, at: 0, separator })
    }

    /// The number in the next cell, where it has nothing else; otherwise no cell is taken.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<f64> {
        let rest = self.text.get(self.at..)?;
        let (value, bytes) = number_before(rest)?;
        let is_whole = rest.get(bytes) == Some(&self.separator);
        self.at += if is_whole { bytes + 1 } else { 0 };
        is_whole.then_some(value)
    }

    /// The next cell.
    #[inline]
    pub(crate) fn cell(&mut self) -> Option<&'l [u8]> {
        let rest = self.text.get(self.at..)?;
        let cell = &rest[..memchr(self.separator, rest)?];
        self.at += cell.len() + 1;
        Some(cell)
    }

    /// Whether every cell was taken.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }
}
