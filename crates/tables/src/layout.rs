//! Which columns of a table hold what.

use dpfda_kernels::{Grid, GridError, SurfaceGrid};
use glob::Pattern;

use crate::codes::Missing;
use crate::error::TableError;
use crate::names::{are_dates, are_equally_spaced, are_times, are_unclear_dates, increases, positions};
use crate::separator::{Decimal, Separator};

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

/// What stands before names of columns that are none of the values.
const NOT: char = '!';

/// A name, or a pattern of names.
pub(crate) type Piece = (String, Pattern);

/// Where on the line the columns of a file lie.
///
/// Columns whose names are numbers, dates or times must be in their order, and equally spaced where the grid is; only
/// [`GridChoice::Uniform`] does not look at the names.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum GridChoice {
    /// Equally spaced on `[0, 1]`.
    #[default]
    Unit,
    /// Equally spaced from the first number to the second.
    Interval(f64, f64),
    /// One point for each matched column, in the order in which they are taken.
    Points(Vec<f64>),
    /// Where the names say: numbers as they are, times of the day in hours, dates in days after the first column.
    Names,
    /// Equally spaced from the first number to the second, whatever the names say.
    Uniform(f64, f64),
    /// The points of this grid, one for each matched column, in the order in which they are taken.
    Of(Grid),
}

/// Which columns of a table hold the values of a curve, which the subject, where the grid points lie, and how cells are written.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveLayout {
    pub(crate) pattern: String,
    pub(crate) patterns: Vec<Piece>,
    pub(crate) left_out: Vec<Piece>,
    pub(crate) subject: Option<String>,
    grid: GridChoice,
    is_periodic: bool,
    /// Whether each row holds one value: the columns are a time and a value, or the two places on a surface and a value.
    pub(crate) is_long: bool,
    /// The points of the surfaces of a long table.
    pub(crate) surface: Option<SurfaceGrid>,
    /// `None`: what the name of the file says, or a comma.
    pub(crate) separator: Option<Separator>,
    pub(crate) decimal: Decimal,
    pub(crate) missing: Missing,
}

impl CurveLayout {
    /// The value columns are those whose name matches `values_pattern`.
    ///
    /// A pattern is a glob (`cca_*`, `t?`, `[xy]_*`) or a plain name; several are separated by commas, and each must match
    /// a column. Columns are taken in the order of the patterns, for one pattern in the order of the file; a column that
    /// several match is taken once, at its first place. Columns that match a pattern after a `!` are left out, wherever it
    /// stands: `angle_*,!angle_100`. The grid is equally spaced on `[0, 1]` unless [`CurveLayout::grid`] says otherwise.
    pub fn new(values_pattern: &str) -> Result<Self, TableError> {
        let pieces = || of_pieces(values_pattern.split(',').map(str::trim), &[]);
        let [patterns, left_out] =
            pieces().ok_or_else(|| TableError::Pattern { pattern: values_pattern.to_owned() })?;
        Ok(Self {
            patterns,
            left_out,
            pattern: values_pattern.to_owned(),
            subject: None,
            grid: GridChoice::default(),
            is_periodic: false,
            is_long: false,
            surface: None,
            separator: None,
            decimal: Decimal::Point,
            missing: Missing::default(),
        })
    }

    /// The value columns of a table in memory with these columns: names, or patterns as in [`CurveLayout::new`]. What is the name of a column
    /// is this column alone, whatever signs are in it.
    pub fn of_columns<S: AsRef<str>>(pieces: &[S], columns: &[String]) -> Result<Self, TableError> {
        let pattern = pieces.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(",");
        let [patterns, left_out] = of_pieces(pieces.iter().map(AsRef::as_ref), columns)
            .ok_or_else(|| TableError::Pattern { pattern: pattern.clone() })?;
        Ok(Self { pattern, patterns, left_out, ..Self::new("*")? })
    }

    /// A long table: each row holds one value with its time and the id of its subject. The rows of a subject may be anywhere.
    ///
    /// Its readers give two numbers for each row, the time and the value.
    ///
    /// # Examples
    /// ```
    /// use dpfda_tables::{CsvCurves, CurveBatch, CurveLayout, CurveSource};
    ///
    /// let file = "id,day,value\nS01,0,0.4\nS02,3,0.3\nS01,7.5,0.5\n";
    /// let mut rows = CsvCurves::new(file.as_bytes(), &CurveLayout::long("id", "day", "value")?)?;
    /// let mut batch = CurveBatch::new();
    /// rows.read(&mut batch)?;
    /// assert_eq!((batch.subject(2), batch.values().row(2).to_vec()), (Some(&b"S01"[..]), vec![7.5, 0.5]));
    /// # Ok::<(), dpfda_tables::TableError>(())
    /// ```
    pub fn long(subject: &str, time: &str, value: &str) -> Result<Self, TableError> {
        Self::one_value_a_row(subject, &[time, value]).ok_or(TableError::LongColumns)
    }

    /// A long table of surfaces: each row holds the value of a subject's surface at one point of the grid. The rows of a subject may be
    /// anywhere, and a point without a row is a missing value.
    ///
    /// Its readers give three numbers for each row, `s`, `t` and the value. A row whose `s` or `t` is no point of the grid, up to
    /// [`PLACE_TOLERANCE`](dpfda_kernels::PLACE_TOLERANCE) of a step, is refused.
    pub fn long_surface(subject: &str, [s, t]: [&str; 2], value: &str, grid: SurfaceGrid) -> Result<Self, TableError> {
        let layout = Self::one_value_a_row(subject, &[s, t, value]).ok_or(TableError::LongSurfaceColumns)?;
        Ok(Self { surface: Some(grid), ..layout })
    }

    /// A long table of these columns, the value last; `None` unless all have names of their own.
    fn one_value_a_row(subject: &str, columns: &[&str]) -> Option<Self> {
        let names: Vec<&str> = columns.iter().copied().chain([subject]).collect();
        let is_own = |(place, name): (usize, &&str)| !name.is_empty() && !names[..place].contains(name);
        if !names.iter().enumerate().all(is_own) {
            return None;
        }
        let plain = |name: &&str| {
            let escaped = Pattern::new(&Pattern::escape(name));
            ((*name).to_owned(), escaped.unwrap_or_else(|_| unreachable!("an escaped name is a pattern")))
        };
        let layout = Self::new("*").ok()?.subject(subject).grid(GridChoice::Uniform(0.0, 1.0));
        let pattern = columns.last().copied().unwrap_or_default().to_owned();
        Some(Self { patterns: columns.iter().map(plain).collect(), pattern, is_long: true, ..layout })
    }

    /// Rows with the same id in this column are one record; the column is never taken for values.
    #[must_use]
    pub fn subject(self, column: &str) -> Self {
        Self { subject: Some(column.to_owned()), ..self }
    }

    /// Whether a column of this name is one of the values.
    pub fn takes(&self, column: &str) -> bool {
        let is_subject = self.subject.as_deref() == Some(column);
        !is_subject && !are_in(&self.left_out, column) && are_in(&self.patterns, column)
    }

    /// Where the grid points lie.
    #[must_use]
    pub fn grid(self, grid: GridChoice) -> Self {
        Self { grid, ..self }
    }

    /// The domain closes up. Two ends are then those of one period, and columns are equally spaced from the first end to one step
    /// before the second, which is the first point again. Points, and positions that names say, must be equally spaced, and the
    /// domain closes up one step after the last of them.
    ///
    /// ```
    /// use dpfda_tables::{CsvCurves, CurveLayout, CurveSource, GridChoice};
    ///
    /// let file = "night,morning,noon,evening\n1,2,4,3\n";
    /// let day = CurveLayout::new("*")?.grid(GridChoice::Interval(0.0, 24.0)).periodic();
    /// let curves = CsvCurves::new(file.as_bytes(), &day)?;
    /// assert_eq!(curves.grid().points().to_vec(), [0.0, 6.0, 12.0, 18.0]);
    /// # Ok::<(), dpfda_tables::TableError>(())
    /// ```
    #[must_use]
    pub fn periodic(self) -> Self {
        Self { is_periodic: true, ..self }
    }

    /// What stands between the cells of a text file (default: a tab where its name ends with `.tsv` or `.tab`, otherwise a comma).
    #[must_use]
    pub fn separated_by(self, separator: Separator) -> Self {
        Self { separator: Some(separator), ..self }
    }

    /// What stands before the decimals of a number in a text file (default: a point).
    #[must_use]
    pub fn decimal(self, decimal: Decimal) -> Self {
        Self { decimal, ..self }
    }

    /// What stands for a missing value, besides the usual words.
    #[must_use]
    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// The same with cells that are written as those of another layout.
    pub(crate) fn written_as(self, other: &Self) -> Self {
        Self { separator: other.separator, decimal: other.decimal, missing: other.missing.clone(), ..self }
    }

    /// The points of the surfaces, where the table is a long one of surfaces.
    pub fn surface(&self) -> Option<&SurfaceGrid> {
        self.surface.as_ref()
    }

    /// The grid for so many values, whose columns have no names.
    ///
    /// # Errors
    /// [`TableError`] for another number of points, and where the names of columns say where they lie.
    pub fn grid_of(&self, values: usize) -> Result<Grid, TableError> {
        self.grid_at(values, None)
    }

    /// The grid of columns with these names.
    pub(crate) fn grid_of_names(&self, names: &[&str]) -> Result<Grid, TableError> {
        let positions = positions(names);
        let is_uniform = matches!(self.grid, GridChoice::Unit | GridChoice::Interval(..));
        if (is_uniform || matches!(self.grid, GridChoice::Names)) && are_unclear_dates(names) {
            return Err(TableError::UnclearDates { columns: names.len() });
        }
        if is_uniform && positions.as_ref().is_some_and(|t| increases(t) && !are_equally_spaced(t)) {
            return Err(TableError::UnequalNames { columns: names.len() });
        }
        if let (true, GridChoice::Interval(lower, upper), Some(t)) = (self.is_periodic, &self.grid, &positions) {
            refuse_repeated(t, *lower, *upper)?;
        }
        if let (true, GridChoice::Names, Some(t)) = (self.is_periodic, &self.grid, &positions) {
            refuse_other_period(t, names)?;
        }
        self.grid_at(names.len(), positions)
    }

    /// Whether the names are not looked at.
    pub(crate) fn ignores_names(&self) -> bool {
        matches!(self.grid, GridChoice::Uniform(..))
    }

    fn grid_at(&self, columns: usize, positions: Option<Vec<f64>>) -> Result<Grid, TableError> {
        let of_points = if self.is_periodic { Grid::closing } else { Grid::new };
        let of_ends = if self.is_periodic { Grid::circle } else { Grid::uniform };
        let grid = match &self.grid {
            GridChoice::Unit => of_ends(0.0, 1.0, columns)?,
            GridChoice::Interval(lower, upper) | GridChoice::Uniform(lower, upper) => of_ends(*lower, *upper, columns)?,
            GridChoice::Points(points) => of_points(points.clone())?,
            GridChoice::Names => of_points(positions.ok_or(TableError::NoPositions)?)?,
            GridChoice::Of(grid) => grid.clone(),
        };
        if grid.len() == columns { Ok(grid) } else { Err(TableError::GridPoints { points: grid.len(), columns }) }
    }
}

/// The pieces that take columns, and those after a `!`, which leave them out; what is one of the `names` is this column alone. `None` where a
/// piece is no pattern, and where none takes a column.
fn of_pieces<'a>(pieces: impl Iterator<Item = &'a str>, names: &[String]) -> Option<[Vec<Piece>; 2]> {
    let is_name = |piece: &str| names.iter().any(|name| name == piece);
    let (mut patterns, mut left_out) = (Vec::new(), Vec::new());
    for piece in pieces {
        let (to, piece) = match piece.strip_prefix(NOT) {
            Some(piece) if !is_name(&format!("{NOT}{piece}")) => (&mut left_out, piece.trim()),
            _ => (&mut patterns, piece),
        };
        if piece.is_empty() {
            return None;
        }
        let pattern = if is_name(piece) { Pattern::escape(piece) } else { piece.to_owned() };
        to.push((piece.to_owned(), Pattern::new(&pattern).ok()?));
    }
    (!patterns.is_empty()).then_some([patterns, left_out])
}

/// Whether one of the pieces is this name, or its pattern.
pub(crate) fn are_in(pieces: &[Piece], name: &str) -> bool {
    pieces.iter().any(|(plain, pattern)| plain == name || pattern.matches(name))
}

/// Refuses names on a circle that close up elsewhere than they seem to: a day from 0:00 to 24:00 or a gait cycle from 0 to 100 has
/// its first point twice and would close up a step late, and times from 8:00 to 17:00 are no whole day.
fn refuse_other_period(positions: &[f64], names: &[&str]) -> Result<(), TableError> {
    const USUAL: [f64; 5] = [1.0, 24.0, 60.0, 100.0, 360.0];
    let (first, last) = (positions.first().copied().unwrap_or(0.0), positions.last().copied().unwrap_or(0.0));
    if first == 0.0 && USUAL.contains(&last) && !are_dates(names) {
        refuse_repeated(positions, 0.0, last)?;
    }
    if !are_times(names) {
        return Ok(());
    }
    refuse_repeated(positions, 0.0, 24.0)?;
    let hours = Grid::closing(positions.to_vec())?.length();
    if (hours - 24.0).abs() > 1e-6 { Err(TableError::PartOfDay { hours }) } else { Ok(()) }
}

/// Refuses columns of a circle whose names reach over the whole period: the last is then the first one again.
fn refuse_repeated(positions: &[f64], lower: f64, upper: f64) -> Result<(), GridError> {
    let (first, last) = (positions.first().copied().unwrap_or(0.0), positions.last().copied().unwrap_or(0.0));
    if (last - first - (upper - lower)).abs() > 1e-9 * (upper - lower) {
        return Ok(());
    }
    Err(GridError::Closed { last, end: last })
}
