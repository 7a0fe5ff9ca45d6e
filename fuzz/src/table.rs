//! A hostile table: what stands in it, and what must not be seen of it.

use std::fmt::{Debug, Display};

/// Stands for a cell that is somebody's.
const CANARY: &[u8] = b"7777.123456789";

/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The digits of the canary that no text may show.
const TELLTALES: [&str; 3] = ["7777", "123456789", "77771"];

/// The table with the canary in place of each `@` below the header, the first line that is not blank: names of columns may be
/// shown.
pub fn with_canaries(bytes: &[u8]) -> Vec<u8> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let mark = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    let first = bytes.iter().skip(mark).position(|byte| !is_end(byte)).map_or(bytes.len(), |blank| mark + blank);
    let header = bytes[first..].iter().position(is_end).map_or(bytes.len(), |length| first + length);
    let mut table = bytes[..header].to_vec();
    for &byte in &bytes[header..] {
        if byte == b'@' { table.extend(CANARY) } else { table.push(byte) }
    }
    table
}

/// An error about a table in which only canaries have these digits may show none of them.
pub fn assert_tells_nothing(error: &(impl Display + Debug), written: &[u8]) {
    if TELLTALES.iter().any(|digits| written.windows(digits.len()).any(|found| found == digits.as_bytes())) {
        // the input has them elsewhere, such as in the header
        return;
    }
    let shown = format!("{error} {error:?}");
    for digits in TELLTALES {
        assert!(!shown.contains(digits), "an error shows what a cell holds: {shown}");
    }
}

/// The lines below the first that holds anything, however they end: their number, and that of blank ones after the last other.
pub fn lines_below_header(table: &[u8]) -> (usize, usize) {
    let table = table.strip_prefix(MARK).unwrap_or(table);
    let mut lines = Vec::new();
    let mut line_is_blank = true;
    let mut bytes = table.iter().peekable();
    while let Some(&byte) = bytes.next() {
        if byte == b'\r' && bytes.peek() == Some(&&b'\n') {
            bytes.next();
        }
        if matches!(byte, b'\n' | b'\r') {
            lines.push(std::mem::replace(&mut line_is_blank, true));
        } else {
            line_is_blank = false;
        }
    }
    if !line_is_blank {
        lines.push(false);
    }
    let header = lines.iter().position(|blank| !blank).unwrap_or(lines.len());
    let below = &lines[(header + 1).min(lines.len())..];
    (below.len(), below.iter().rev().take_while(|blank| **blank).count())
}

/// A table of numbers as CSV, missing ones left empty, every cell in quotation marks or none.
pub fn written<'a>(names: &[String], rows: impl Iterator<Item = &'a [f64]>, quoted: bool) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> =
            cells.into_iter().map(|cell| if quoted { format!("\"{cell}\"") } else { cell }).collect();
        cells.join(",") + "\n"
    };
    let number = |value: &f64| if value.is_nan() { String::new() } else { value.to_string() };
    let rows = rows.map(|row| line(row.iter().map(number).collect()));
    std::iter::once(line(names.to_vec())).chain(rows).collect()
}
