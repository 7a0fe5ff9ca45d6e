//! The header of a file of curves: which columns matter, and which may be called by their name.

use std::collections::HashMap;
use std::ops::Range;

use dpfda_kernels::{Grid, SurfaceGrid};
use glob::{MatchOptions, Pattern};

use crate::codes::{Missing, Unfit};
use crate::error::TableError;
use crate::layout::{CurveLayout, Piece, are_in};
use crate::names::{positions, shape};
use crate::number::{are_values, says_missing};
use crate::separator::Decimal;

/// The most value columns: no curve has more coordinates than the lattice of a release.
const MOST_COLUMNS: usize = 1 << 17;
/// From so many columns of one shape on, a column of another shape was hardly meant.
const MANY: usize = 3;
/// Names of columns that no pattern meant: a curve has no point of such a name.
const NO_POINTS: [&str; 24] = [
    "",
    "id",
    "subject",
    "index",
    "rownames",
    "unnamed: 0",
    "time",
    "date",
    "timestamp",
    "year",
    "age",
    "sex",
    "gender",
    "visit",
    "patient",
    "participant",
    "person",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "group",
    "site",
];
/// The most names in a message.
const MOST_SHOWN: usize = 24;

/// The header, the positions in it that matter, and the grid that the values are on.
#[derive(Clone)]
pub(crate) struct Columns {
    names: Vec<String>,
    /// Whether the row is surely a header: no name could be a value of the data, or the subject's column was found by its name.
    is_header: bool,
    decimal: Decimal,
    missing: Missing,
    is_long: bool,
    /// The points that the first two value columns name.
    surface: Option<SurfaceGrid>,
    pub(crate) values: Vec<usize>,
    pub(crate) subject: Option<usize>,
    pub(crate) grid: Grid,
}

impl CurveLayout {
    /// The places of the value columns, that of the subjects, and the grid, in a table in memory with these columns. The rules are those of
    /// files: a column that a wildcard takes and that is by its name no point of the curve is refused, and so are names in another order.
    ///
    /// # Errors
    /// [`TableError`] for columns that do not fit the layout; names of columns are public.
    pub fn find_columns(&self, columns: Vec<String>) -> Result<(Vec<usize>, Option<usize>, Grid), TableError> {
        let found = Columns::of_table(columns, self)?;
        Ok((found.values, found.subject, found.grid))
    }
}

impl Columns {
    /// Those of the first row of a text file, which may be data.
    pub(crate) fn of_first_row(names: Vec<String>, layout: &CurveLayout) -> Result<Self, TableError> {
        let is_name = |name: &&String| !says_missing(name) && !looks_like_data(name);
        let names_subject = layout.subject.as_ref().filter(is_name).is_some_and(|subject| names.contains(subject));
        let is_header = names_subject || !names.iter().any(|name| looks_like_data(name));
        let columns = Self::new(names, is_header, layout)?;
        columns.refuse_data(names_subject)?;
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
                Some(found) if found > MOST_COLUMNS => Err(TableError::TooManyColumns { found, limit: MOST_COLUMNS }),
                Some(length) if length > 1 => {
                    columns.refuse_duplicates()?;
                    Ok(Self { grid: layout.grid_of(length)?, ..columns })
                }
                _ => columns.checked(layout),
            },
            _ => columns.checked(layout),
        }
    }

    /// Those of a table in memory, whose names are names.
    pub(crate) fn of_table(names: Vec<String>, layout: &CurveLayout) -> Result<Self, TableError> {
        let columns = Self::new(names, true, layout)?;
        if layout.is_long {
            columns.refuse_duplicates()?;
            return Ok(columns);
        }
        columns.checked(layout)
    }

    fn new(names: Vec<String>, is_header: bool, layout: &CurveLayout) -> Result<Self, TableError> {
        let grid = Grid::uniform(0.0, 1.0, 2)?;
        let (decimal, missing) = (layout.decimal, layout.missing.clone());
        let mut columns = Self {
            names,
            is_header,
            decimal,
            missing,
            is_long: layout.is_long,
            surface: layout.surface.clone(),
            values: Vec::new(),
            subject: None,
            grid,
        };
        columns.subject = columns.find_subject(layout)?;
        columns.values = columns.find_values(layout)?;
        Ok(columns)
    }

    fn checked(mut self, layout: &CurveLayout) -> Result<Self, TableError> {
        self.refuse_duplicates()?;
        if let [only] = self.values[..] {
            return Err(TableError::TooFewColumns { pattern: layout.pattern.clone(), column: self.name(only) });
        }
        if !layout.ignores_names() {
            self.refuse_strangers(layout)?;
            self.refuse_disorder(layout)?;
        }
        self.grid = layout.grid_of_names(&self.value_names(0..self.values.len()))?;
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
        let unknown = || {
            if layout.is_long {
                return TableError::LongColumn { column: subject.clone(), columns: self.len() };
            }
            if self.names.iter().any(|name| name.to_lowercase() == subject.to_lowercase()) {
                return TableError::SubjectCase { column: subject.clone() };
            }
            TableError::UnknownSubject { column: subject.clone(), columns: self.len() }
        };
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
                if !taken[position] && !are_in(&layout.left_out, name) {
                    taken[position] = true;
                    values.push(position);
                }
            }
            if !matched {
                return Err(self.no_match(plain, pattern, layout));
            }
        }
        let leaves_none_out =
            |(plain, pattern): &&Piece| !self.names.iter().any(|name| plain == name || pattern.matches(name));
        if let Some((plain, pattern)) = layout.left_out.iter().find(leaves_none_out) {
            return Err(self.no_match(plain, pattern, layout));
        }
        if values.is_empty() {
            return Err(TableError::AllLeftOut { pattern: layout.pattern.clone() });
        }
        if values.len() > MOST_COLUMNS {
            return Err(TableError::TooManyColumns { found: values.len(), limit: MOST_COLUMNS });
        }
        Ok(values)
    }

    /// Why a pattern takes no column.
    fn no_match(&self, plain: &str, pattern: &Pattern, layout: &CurveLayout) -> TableError {
        let any_case = MatchOptions { case_sensitive: false, ..MatchOptions::default() };
        let pattern_text = plain.to_owned();
        if layout.is_long {
            TableError::LongColumn { column: pattern_text, columns: self.len() }
        } else if layout.subject.as_deref() == Some(plain) {
            TableError::SubjectIsNoValue { column: pattern_text }
        } else if self.names.iter().any(|name| pattern.matches_with(name, any_case)) {
            TableError::PatternCase { pattern: pattern_text }
        } else if self.names.iter().any(|name| name.contains(char::REPLACEMENT_CHARACTER)) {
            TableError::NotUtf8
        } else {
            TableError::NoMatch { pattern: pattern_text, columns: self.len() }
        }
    }

    /// Refuses numbers for the names of all value columns, unless the subject's column was found by its name.
    ///
    /// Nothing in such a row tells a header from the first record, and with some bad luck not even a grid does: `0,1,2` may
    /// be three times and three scores. Whoever has numbers for names can put a letter before them; a record taken for names
    /// would be lost without a word. The first row alone decides, and no other record.
    fn refuse_data(&self, names_subject: bool) -> Result<(), TableError> {
        let names = self.value_names(0..self.values.len());
        let are_positions = || names_subject && positions(&names).is_some();
        if are_values(names.iter().copied()) && !are_positions() { Err(TableError::HeaderIsData) } else { Ok(()) }
    }

    fn value_names(&self, places: Range<usize>) -> Vec<&str> {
        self.values[places].iter().map(|&column| self.names[column].as_str()).collect()
    }

    /// The columns that each pattern with a wildcard took, as places among the values.
    fn taken<'a>(&self, layout: &'a CurveLayout) -> Vec<(&'a str, Range<usize>)> {
        let mut taken = Vec::new();
        let mut from = 0;
        for (plain, pattern) in &layout.patterns {
            let is_taken = |&&column: &&usize| *plain == self.names[column] || pattern.matches(&self.names[column]);
            let to = from + self.values[from..].iter().take_while(is_taken).count();
            if !self.names.contains(plain) {
                taken.push((plain.as_str(), from..to));
            }
            from = to;
        }
        taken
    }

    /// Refuses a column that a pattern took though its name is not like those of the others, such as `YEAR` among `h0,h1,...`.
    fn refuse_strangers(&self, layout: &CurveLayout) -> Result<(), TableError> {
        for (pattern, places) in self.taken(layout) {
            let names = self.value_names(places.clone());
            let shapes: Vec<String> = names.iter().map(|name| shape(name)).collect();
            let mut counts: HashMap<&str, usize> = HashMap::new();
            shapes.iter().filter(|shape| shape.contains('#')).for_each(|shape| *counts.entry(shape).or_default() += 1);
            let usual = counts.into_iter().max_by_key(|(_, count)| *count);
            let usual = usual.filter(|(_, many)| *many >= MANY && 2 * many > shapes.len()).map(|(shape, _)| shape);
            let is_stranger = |place: &usize| {
                let is_no_point = NO_POINTS.iter().any(|word| names[*place].eq_ignore_ascii_case(word));
                is_no_point || usual.is_some_and(|usual| shapes[*place] != usual)
            };
            let strangers: Vec<usize> = (0..names.len()).filter(is_stranger).collect();
            if let Some(first) = strangers.first() {
                return Err(TableError::Stranger {
                    pattern: pattern.to_owned(),
                    column: self.name(self.values[places.start + first]),
                    strangers: strangers.len(),
                    columns: names.len(),
                });
            }
        }
        Ok(())
    }

    /// Refuses columns whose names are numbers, dates or times in another order than the columns.
    fn refuse_disorder(&self, layout: &CurveLayout) -> Result<(), TableError> {
        let whole = 0..self.values.len();
        let groups = match positions(&self.value_names(whole.clone())) {
            Some(_) => vec![whole],
            None => self.taken(layout).into_iter().map(|(_, places)| places).collect(),
        };
        for places in groups {
            let Some(t) = positions(&self.value_names(places.clone())) else { continue };
            if t.windows(2).all(|pair| pair[0] <= pair[1]) {
                continue;
            }
            let mut order: Vec<usize> = (0..t.len()).collect();
            order.sort_by(|&a, &b| t[a].total_cmp(&t[b]));
            let shown = order.iter().take(MOST_SHOWN).map(|place| self.shown(self.values[places.start + place]));
            let more = if order.len() > MOST_SHOWN { ",..." } else { "" };
            return Err(TableError::Disorder { sorted: shown.collect::<Vec<_>>().join(",") + more });
        }
        Ok(())
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

    /// The name of a column of a header, as it is; its place where the first row may be data.
    fn shown(&self, column: usize) -> String {
        if self.is_header { self.names[column].escape_debug().to_string() } else { format!("#{}", column + 1) }
    }

    /// The names of the value columns, where the first row is surely a header.
    pub(crate) fn public_names(&self) -> Option<Vec<&str>> {
        self.is_header.then(|| self.value_names(0..self.values.len()))
    }

    /// The number in a cell, NaN where it is missing.
    pub(crate) fn parse(&self, cell: &[u8], row: usize, column: usize) -> Result<f64, TableError> {
        match self.missing.read(cell, self.decimal) {
            Some(value) => self.number(value, row, column),
            None if self.axis_of(column).is_some() => Err(TableError::OffSurface { row, column: self.name(column) }),
            None if self.is_time(column) => Err(TableError::NotATime { row, column: self.name(column) }),
            None => Err(TableError::NotNumeric { row, column: self.name(column) }),
        }
    }

    /// Whether the column holds the times of a long table.
    fn is_time(&self, column: usize) -> bool {
        self.is_long && self.values.first() == Some(&column)
    }

    /// The axis of a surface that the column names points of, 0 for `s` and 1 for `t`.
    pub(crate) fn axis_of(&self, column: usize) -> Option<usize> {
        self.surface.as_ref()?;
        self.values.iter().take(2).position(|&place| place == column)
    }

    /// Whether what a number says does not depend on how it is written: no comma may be in it, and no code or point of an axis.
    pub(crate) fn are_numbers_values(&self) -> bool {
        self.decimal == Decimal::Point && self.missing.codes().is_empty() && self.surface.is_none()
    }

    /// Whether a number of a table without points of axes is surely a value as it stands.
    #[inline]
    pub(crate) fn is_value(&self, number: f64) -> bool {
        self.missing.are_values(&[number])
    }

    /// Whether all these numbers of a column are surely values as they stand.
    #[cfg(feature = "columnar")]
    pub(crate) fn are_values(&self, numbers: &[f64], column: usize) -> bool {
        self.axis_of(column).is_none() && self.missing.are_values(numbers)
    }

    /// A number that was read, unless it is none, may be a code, or is no point of its axis.
    pub(crate) fn number(&self, value: f64, row: usize, column: usize) -> Result<f64, TableError> {
        if let (Some(grid), Some(axis)) = (&self.surface, self.axis_of(column)) {
            let off = || TableError::OffSurface { row, column: self.name(column) };
            let at = self.missing.value(value);
            return grid.place_on(axis, at).map(|_| at).ok_or_else(off);
        }
        self.missing.measured(value).map_err(|unfit| match unfit {
            Unfit::Infinite => TableError::Infinite { row, column: self.name(column) },
            Unfit::Code => TableError::Code { row, column: self.name(column) },
        })
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
