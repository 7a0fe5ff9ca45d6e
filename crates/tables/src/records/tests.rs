#![allow(clippy::unwrap_used, reason = "tests")]

use std::io::{self, Cursor};

use proptest::prelude::*;

use super::*;

type Table = Vec<Vec<Vec<u8>>>;

fn read(reader: impl Read) -> Result<Table, RecordError> {
    let (mut records, mut table) = (Records::new(reader), Vec::new());
    while let Some(record) = records.read()? {
        assert_eq!(record.iter().count(), record.len());
        assert_eq!(record.get(record.len()), None);
        table.push(record.iter().map(<[u8]>::to_vec).collect());
    }
    Ok(table)
}

fn cells(text: &str) -> Vec<Vec<String>> {
    let text_of = |cell: Vec<u8>| String::from_utf8(cell).unwrap();
    let table = read(text.as_bytes()).unwrap();
    table.into_iter().map(|record| record.into_iter().map(text_of).collect()).collect()
}

/// Gives one byte at a time, and is interrupted before each.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(ErrorKind::Interrupted.into());
        }
        let count = self.0.len().min(1);
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// The same bytes for ever, and how many of them were asked for.
struct Endless {
    pattern: &'static [u8],
    given: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for place in buffer.iter_mut() {
            *place = self.pattern[usize::try_from(self.given).unwrap() % self.pattern.len()];
            self.given += 1;
        }
        Ok(buffer.len())
    }
}

#[test]
fn every_line_is_a_record_whatever_ends_it() {
    for end in ["\n", "\r\n", "\r"] {
        let lines = ["a,b", "", "1,2", ",", " 3 , 4 "];
        let expected = [vec!["a", "b"], vec![""], vec!["1", "2"], vec!["", ""], vec![" 3 ", " 4 "]];
        assert_eq!(cells(&lines.join(end)), expected, "{end:?}, no end after the last line");
        assert_eq!(cells(&(lines.join(end) + end)), expected, "{end:?}");
    }
    assert_eq!(cells("a\n\rb\r\r\nc"), [["a"], [""], ["b"], [""], ["c"]]);
    assert!(cells("").is_empty());
    for (text, is_blank) in [("\n", true), ("\u{feff}\n", true), ("\"\"\n", false), (" \n", false)] {
        assert_eq!(Records::new(text.as_bytes()).read().unwrap().unwrap().is_blank(), is_blank, "{text:?}");
    }
    assert_eq!(cells("\n"), [[""]]);
}

#[test]
fn quotation_marks_enclose_a_cell_only_from_its_beginning() {
    for (line, expected) in [
        ("\"a,b\",c", vec!["a,b", "c"]),
        ("\"Doe, \"\"J\"\"\",1", vec!["Doe, \"J\"", "1"]),
        ("5\",\"6\"", vec!["5\"", "6"]),
        ("\"\",", vec!["", ""]),
        ("\"\"", vec![""]),
        ("\"a\"b\"c,d", vec!["ab\"c", "d"]),
        ("\"\"\"\"", vec!["\""]),
    ] {
        assert_eq!(cells(line), [expected], "{line}");
    }
}

#[test]
fn a_quoted_cell_ends_on_its_line() {
    for (text, line) in [
        ("a,b\n1,\"2\n3\",4\n", 2),
        ("a,b\r1,\"2\r3\",4\r", 2),
        ("\"a\n\"\n", 1),
        ("x\ny\n\"z", 3),
        // an even number of marks, and yet open at the end
        ("a,b,c\nx\"y,1,\"z\nd,2,e\nf\" \"g\n", 2),
    ] {
        assert_eq!(read(text.as_bytes()), Err(RecordError::QuotedLine { line }), "{text:?}");
    }
}

#[test]
fn a_byte_order_mark_is_passed_over_at_the_beginning_alone() {
    assert_eq!(cells("\u{feff}\"a\",b\n\u{feff}1,2\n"), [["a", "b"], ["\u{feff}1", "2"]]);
    assert_eq!(cells("\u{feff}"), [[""]]);
}

#[test]
fn a_reader_that_is_slow_and_interrupted_gives_the_same_records() {
    let text = b"\xef\xbb\xbfa,b\r\n\r\n\"1\",2\r3,4\n";
    assert_eq!(read(Slow(text, false)), read(text.as_slice()));
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::TimedOut.into())
    }
}

#[test]
fn a_reader_that_fails_is_told() {
    let broken = Cursor::new(b"a,b\n1").chain(Broken);
    assert_eq!(read(broken), Err(RecordError::Read { kind: ErrorKind::TimedOut }));
}

#[test]
fn a_line_has_a_largest_length() {
    let longest = vec![b'x'; MOST_LINE_BYTES];
    assert_eq!(read(longest.as_slice()).unwrap()[0][0].len(), MOST_LINE_BYTES);
    let longer = [b"a\n".as_slice(), &longest, b"x\n"].concat();
    let refused = read(longer.as_slice()).unwrap_err();
    assert_eq!(refused, RecordError::LongLine { line: 2 });
    assert!(refused.to_string().contains("16777216 bytes"), "{refused}");
}

#[test]
fn a_line_has_a_largest_number_of_cells() {
    let commas = vec![b','; MOST_CELLS];
    assert_eq!(read(&commas[1..]).unwrap()[0].len(), MOST_CELLS);
    let refused = read(commas.as_slice()).unwrap_err();
    assert_eq!(refused, RecordError::ManyCells { line: 1 });
    assert!(refused.to_string().contains("1048576 cells"), "{refused}");
    assert_eq!(read([b"\"\"", commas.as_slice()].concat().as_slice()), Err(RecordError::ManyCells { line: 1 }));
}

#[test]
fn no_more_is_read_of_an_endless_line_than_a_line_may_have() {
    for pattern in [b"x".as_slice(), b",", b"\"", b"\0", b"1,", b"\xff\xfe", b"\"a\","] {
        let mut endless = Endless { pattern, given: 0 };
        assert!(read(&mut endless).is_err(), "{pattern:?}");
        assert!(endless.given <= MOST_LINE_BYTES as u64 + (1 << 17), "{pattern:?}: {}", endless.given);
    }
}

proptest! {
    /// Where no quotation mark begins a cell, the number of records is that of lines.
    #[test]
    fn the_number_of_records_is_that_of_lines(bytes in prop::collection::vec(prop::sample::select(b"a,\"\n\r ".to_vec()), 0..40)) {
        let text = String::from_utf8(bytes).unwrap();
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines = unified.lines().count();
        if let Ok(table) = read(text.as_bytes()) {
            prop_assert_eq!(table.len(), lines);
        } else {
            prop_assert!(text.contains('"'));
        }
    }

    /// On one line that is not refused, the cells are those of a CSV reader for all purposes.
    #[test]
    fn the_cells_of_a_line_are_those_of_csv(line in prop::collection::vec(prop::sample::select(b"ab,,\"\" ".to_vec()), 1..30)) {
        if let Ok(table) = read(line.as_slice()) {
            let mut csv = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_slice());
            let record = csv.byte_records().next().unwrap().unwrap();
            prop_assert_eq!(&table[0], &record.iter().map(<[u8]>::to_vec).collect::<Vec<_>>());
        }
    }
}
