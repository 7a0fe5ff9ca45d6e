//! The header of a file of curves: which columns matter, and which may be called by their name.

use std::collections::HashMap;

use dpfda_kernels::Grid;

use crate::cell::{are_values, number_with};
use crate::error::TableError;
use crate::layout::CurveLayout;
use crate::separator::Decimal;

/// The most value columns: no curve has more coordinates than the lattice of a release.
const MOST_COLUMNS: usize = 1 << 17;

/// The header, the positions in it that matter, and the grid that the values are on.
pub(crate) struct Columns {
    names: Vec<String>,
    /// Whether no name could be a value of the data; without a header row the "names" are data.
    is_header: bool,
    decimal: Decimal,
    pub(crate) values: Vec<usize>,
    pub(crate) subject: Option<usize>,
    pub(crate) grid: Grid,
}

impl Columns {
    /// Those of the first row of a text file, which may be data.
    pub(crate) fn of_first_row(names: Vec<String>, layout: &CurveLayout) -> Result<Self, TableError> {
        let is_header = !names.iter().any(|name| looks_like_data(name));
        let columns = Self::new(names, is_header, layout)?;
        columns.refuse_data()?;
        columns.checked(layout)
    }

    /// Those of a schema, whose names are names. One column may hold lists, as many values long as `list_length` says.
    #[cfg(feature = "columnar")]
    pub(crate) fn of_schema(
        names: Vec<String>,
        layout: &CurveLayout,
        list_length: impl Fn(usize) -> Option<usize>,
    ) -> Result<Self, TableError> {
        let columns = Self::new(names, true, layout)?;
        match columns.values[..] {
            [only] => match list_length(only) {
                Some(length) if length > 1 => {
                    columns.refuse_duplicates()?;
                    Ok(Self { grid: layout.grid_of(length)?, ..columns })
                }
                _ => columns.checked(layout),
            },
            _ => columns.checked(layout),
        }
    }

    fn new(names: Vec<String>, is_header: bool, layout: &CurveLayout) -> Result<Self, TableError> {
        let grid = Grid::uniform(0.0, 1.0, 2)?;
        let mut columns = Self { names, is_header, decimal: layout.decimal, values: Vec::new(), subject: None, grid };
        columns.subject = columns.find_subject(layout)?;
        columns.values = columns.find_values(layout)?;
        Ok(columns)
    }

    fn checked(mut self, layout: &CurveLayout) -> Result<Self, TableError> {
        self.refuse_duplicates()?;
        if let [only] = self.values[..] {
            return Err(TableError::TooFewColumns { pattern: layout.pattern.clone(), column: self.name(only) });
        }
        self.grid = layout.grid_of(self.values.len())?;
        Ok(self)
    }

    /// The column in which the files of a data set differ: every file has the same value columns in the same order.
    pub(crate) fn first_difference(&self, other: &Self) -> Option<String> {
        let name =
            |columns: &Self, place: usize| columns.values.get(place).map(|&column| columns.names[column].clone());
        (0..self.values.len().max(other.values.len())).find(|&place| name(self, place) != name(other, place)).map(
            |place| match other.values.get(place) {
                Some(&column) => other.name(column),
                None => format!("#{}", place + 1),
            },
        )
    }

    fn find_subject(&self, layout: &CurveLayout) -> Result<Option<usize>, TableError> {
        let Some(subject) = &layout.subject else { return Ok(None) };
        let found = self.names.iter().position(|name| name == subject);
        let unknown = || TableError::UnknownSubject { column: subject.clone(), columns: self.len() };
        found.ok_or_else(unknown).map(Some)
    }

    /// The value columns in the order of the patterns, each once.
    fn find_values(&self, layout: &CurveLayout) -> Result<Vec<usize>, TableError> {
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
                return Err(TableError::NoMatch { pattern: plain.clone(), columns: self.len() });
            }
        }
        if values.len() > MOST_COLUMNS {
            return Err(TableError::TooManyColumns { found: values.len(), limit: MOST_COLUMNS });
        }
        Ok(values)
    }

    /// Refuses numbers for the names of all value columns.
    ///
    /// Nothing in such a row tells a header from the first record, and with some bad luck not even a grid does: `0,1,2` may
    /// be three times and three scores. Whoever has numbers for names can put a letter before them; a record taken for names
    /// would be lost without a word. The first row alone decides, and no other record.
    fn refuse_data(&self) -> Result<(), TableError> {
        let names = self.values.iter().map(|&column| self.names[column].as_str());
        if are_values(names) { Err(TableError::HeaderIsData) } else { Ok(()) }
    }

    fn refuse_duplicates(&self) -> Result<(), TableError> {
        let mut seen = HashMap::new();
        for position in self.values.iter().copied().chain(self.subject) {
            seen.insert(self.names[position].as_str(), position);
        }
        for (position, name) in self.names.iter().enumerate() {
            if seen.get(name.as_str()).is_some_and(|&known| known != position) {
                return Err(TableError::DuplicateColumn { column: self.name(position) });
            }
        }
        Ok(())
    }

    /// The number of columns in the file.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// What an error calls a value or subject column: its name if that is clearly one, else its place from 1.
    ///
    /// Without a header row the "names" are data, so only what looks like an identifier is shown, and only when no cell of
    /// the row is a number. The caller asks for columns that the user's own pattern or subject matched.
    pub(crate) fn name(&self, column: usize) -> String {
        let name = &self.names[column];
        if self.is_header && is_identifier(name) { name.clone() } else { format!("#{}", column + 1) }
    }

    /// The number in a cell, NaN where it is missing.
    pub(crate) fn parse(&self, cell: &[u8], row: usize, column: usize) -> Result<f64, TableError> {
        match number_with(cell, self.decimal) {
            Some(value) if value.is_infinite() => Err(TableError::Infinite { row, column: self.name(column) }),
            Some(value) => Ok(value),
            None => Err(TableError::NotNumeric { row, column: self.name(column) }),
        }
    }
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
