//! The header of a file of curves: which columns matter, and which may be called by their name.

use std::collections::HashMap;

use dpfda_records::{Record, are_values, number};

use super::{CsvError, CsvLayout};

/// The most value columns: the eigenproblem is dense, so 10000 already take 800 MB for each matrix.
const MOST_COLUMNS: usize = 10_000;

/// The header, and the positions in it that matter.
pub(super) struct Columns {
    names: Vec<String>,
    /// Whether no name could be a value of the data; without a header row the "names" are data.
    is_header: bool,
    pub(super) values: Vec<usize>,
    pub(super) subject: Option<usize>,
}

impl Columns {
    pub(super) fn find(header: &Record, layout: &CsvLayout) -> Result<Self, CsvError> {
        let first = header.get(0).unwrap_or_default();
        if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
            return Err(CsvError::Utf16);
        }
        if header.len() == 1 {
            for (separator, byte) in [("semicolons", b';'), ("tabs", b'\t')] {
                if first.contains(&byte) {
                    return Err(CsvError::Separator { separator });
                }
            }
        }
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim_matches(is_padding).to_owned()).collect();
        let is_header = !names.iter().any(|name| looks_like_data(name));
        let mut columns = Self { names, is_header, values: Vec::new(), subject: None };
        columns.subject = columns.find_subject(layout)?;
        columns.values = columns.find_values(layout)?;
        columns.refuse_data()?;
        columns.refuse_duplicates()?;
        match columns.values[..] {
            [only] => Err(CsvError::TooFewColumns { pattern: layout.pattern.clone(), column: columns.name(only) }),
            _ => Ok(columns),
        }
    }

    fn find_subject(&self, layout: &CsvLayout) -> Result<Option<usize>, CsvError> {
        let Some(subject) = &layout.subject else { return Ok(None) };
        let found = self.names.iter().position(|name| name == subject);
        let unknown = || CsvError::UnknownSubject { column: subject.clone(), columns: self.len() };
        found.ok_or_else(unknown).map(Some)
    }

    /// The value columns in the order of the patterns, each once.
    fn find_values(&self, layout: &CsvLayout) -> Result<Vec<usize>, CsvError> {
        let mut values = Vec::new();
        let mut taken = vec![false; self.len()];
        for (plain, pattern) in &layout.patterns {
            let mut matched = false;
            for (position, name) in self.names.iter().enumerate() {
                let is_subject = layout.subject.as_ref() == Some(name);
                if is_subject || !(plain == name || pattern.matches(name)) {
                    continue;
                }
                matched = true;
                if !taken[position] {
                    taken[position] = true;
                    values.push(position);
                }
            }
            if !matched {
                return Err(CsvError::NoMatch { pattern: plain.clone(), columns: self.len() });
            }
        }
        if values.len() > MOST_COLUMNS {
            return Err(CsvError::TooManyColumns { found: values.len(), limit: MOST_COLUMNS });
        }
        Ok(values)
    }

    /// Refuses numbers for the names of all value columns.
    ///
    /// Nothing in such a row tells a header from the first record, and with some bad luck not even a grid does: `0,1,2` may
    /// be three times and three scores. Whoever has numbers for names can put a letter before them; a record taken for names
    /// would be lost without a word. The first row alone decides, and no other record.
    fn refuse_data(&self) -> Result<(), CsvError> {
        let names = self.values.iter().map(|&column| self.names[column].as_str());
        if are_values(names) { Err(CsvError::HeaderIsData) } else { Ok(()) }
    }

    fn refuse_duplicates(&self) -> Result<(), CsvError> {
        let mut seen = HashMap::new();
        for position in self.values.iter().copied().chain(self.subject) {
            seen.insert(self.names[position].as_str(), position);
        }
        for (position, name) in self.names.iter().enumerate() {
            if seen.get(name.as_str()).is_some_and(|&known| known != position) {
                return Err(CsvError::DuplicateColumn { column: self.name(position) });
            }
        }
        Ok(())
    }

    /// The number of columns in the file.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// What an error calls a value or subject column: its name if that is clearly one, else its place from 1.
    ///
    /// Without a header row the "names" are data, so only what looks like an identifier is shown, and only when no cell of
    /// the row is a number. The caller asks for columns that the user's own pattern or subject matched.
    pub(super) fn name(&self, column: usize) -> String {
        let name = &self.names[column];
        if self.is_header && is_identifier(name) { name.clone() } else { format!("#{}", column + 1) }
    }

    /// The number in a cell, NaN where it is missing.
    pub(super) fn parse(&self, cell: &[u8], row: usize, column: usize) -> Result<f64, CsvError> {
        match number(cell) {
            Some(value) if value.is_infinite() => Err(CsvError::Infinite { row, column: self.name(column) }),
            Some(value) => Ok(value),
            None => Err(CsvError::NotNumeric { row, column: self.name(column) }),
        }
    }
}

/// White space, and the byte order mark that spreadsheets put before the first name.
pub(super) fn is_padding(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether a cell of the header holds a number, also with a decimal comma or between other separators.
fn looks_like_data(cell: &str) -> bool {
    cell.split(|c: char| c.is_whitespace() || matches!(c, ';' | '|')).any(|piece| {
        let is_digits = piece.contains(|c: char| c.is_ascii_digit())
            && piece.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | '\''));
        is_digits || piece.replace(',', ".").parse::<f64>().is_ok()
    })
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
}
