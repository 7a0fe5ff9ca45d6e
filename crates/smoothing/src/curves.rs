//! Curves on a common grid, and the record that each curve belongs to.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::Hash;
use std::ops::Deref;
use std::slice;

use dpfda_kernels::{Grid, GridError};
use dpfda_privacy::{NonPrivate, PrivacyUnit};
use dpfda_tables::{MissingCells, similar_ids};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use thiserror::Error;

use crate::gaussian_fill::{FillError, GaussianFill};
use crate::missing::fill_missing;
use crate::wide::has_infinite;

#[cfg(test)]
#[path = "curves_tests.rs"]
mod tests;

/// Why curves were refused. No variant carries a value of the data.
/// Rows and places are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CurveSetError {
    #[error("the grid has {points} points, but the curves have {columns} values each")]
    Columns { points: usize, columns: usize },
    #[error("the value in row {row}, column {column} (counted from 0) is infinite; a missing value must be NaN")]
    Infinite { row: usize, column: usize },
    #[error("{ids} subject ids were given for {curves} curves; give one id for each curve")]
    Subjects { curves: usize, ids: usize },
    #[error("the grid cannot be mapped to [0, 1]: {0}")]
    Grid(#[from] GridError),
}

/// Curves on a common grid: private data.
///
/// ```text
/// X_i(t_k),   i = 1..number of curves,   k = 1..n;   NaN where missing
/// ```
///
/// A curve set cannot be serialised. Its `Debug` shows only the number of points, because the number of curves or
/// subjects may be private.
///
/// # Examples
/// ```
/// use dpfda_kernels::Grid;
/// use dpfda_smoothing::CurveSet;
/// use ndarray::array;
///
/// let grid = Grid::uniform(0.0, 1.0, 3)?;
/// let values = array![[0.4, 0.5, 0.6], [0.3, f64::NAN, 0.5], [0.5, 0.5, 0.5]];
/// let curves = CurveSet::new(grid, values)?;
/// assert_eq!(curves.units(), 3);
///
/// // the first two curves belong to one person
/// let curves = curves.with_subjects(&["S01", "S01", "S02"])?;
/// assert_eq!(curves.units(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CurveSet {
    grid: Grid,
    unit_grid: Grid,
    /// Row-major, one row for each curve.
    values: Array2<f64>,
    subjects: Option<Subjects>,
    /// As the header of their table has them, where it is one.
    columns: Option<Vec<String>>,
    missing_cells: MissingCells,
}

/// Rows grouped by subject: subject `i` owns `rows[starts[i]..starts[i + 1]]`.
#[derive(Clone)]
struct Subjects {
    rows: Vec<usize>,
    starts: Vec<usize>,
    /// As they were given, one for each subject.
    ids: Vec<Vec<u8>>,
}

/// The rows of a [`CurveSet`] that belong to one record. It dereferences to a slice of row indices.
#[derive(Debug, Clone, Copy)]
pub struct RecordRows<'a>(Rows<'a>);

#[derive(Debug, Clone, Copy)]
enum Rows<'a> {
    One([usize; 1]),
    Many(&'a [usize]),
}

impl Deref for RecordRows<'_> {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match &self.0 {
            Rows::One(row) => row,
            Rows::Many(rows) => rows,
        }
    }
}

impl CurveSet {
    /// Makes a set of curves on `grid`, one in each row of `values` (`curves x n`). Missing values are NaN. Each curve
    /// is a record.
    ///
    /// An empty set is accepted: under add/remove-one the number of curves is private, so only the mechanism may refuse
    /// it.
    ///
    /// # Errors
    /// [`CurveSetError`] if the rows do not fit the grid, if a value is infinite (the error names its place, never the
    /// value), or if the grid cannot be mapped to `[0, 1]`.
    pub fn new(grid: Grid, values: Array2<f64>) -> Result<Self, CurveSetError> {
        if values.ncols() != grid.len() {
            return Err(CurveSetError::Columns { points: grid.len(), columns: values.ncols() });
        }
        let values = if values.is_standard_layout() { values } else { values.as_standard_layout().into_owned() };
        for (row, curve) in values.rows().into_iter().enumerate() {
            if curve.as_slice().is_some_and(has_infinite) {
                let column = curve.iter().position(|x| x.is_infinite()).unwrap_or_default();
                return Err(CurveSetError::Infinite { row, column });
            }
        }
        let unit_grid = grid.to_unit()?;
        Ok(Self { grid, unit_grid, values, subjects: None, columns: None, missing_cells: MissingCells::default() })
    }

    /// Adds one subject id for each curve, in any order of rows. All curves with the same id are one record.
    pub fn with_subjects<S: Eq + Hash + Display>(self, ids: &[S]) -> Result<Self, CurveSetError> {
        if ids.len() != self.len() {
            return Err(CurveSetError::Subjects { curves: self.len(), ids: ids.len() });
        }
        let mut known = HashMap::new();
        let owners: Vec<usize> = ids
            .iter()
            .map(|id| {
                let next = known.len();
                *known.entry(id).or_insert(next)
            })
            .collect();
        let mut names = vec![Vec::new(); known.len()];
        for (id, owner) in known {
            names[owner] = S::to_string(id).into_bytes();
        }
        Ok(self.with_owners(&owners, names))
    }

    /// The same curves, each with the place of its subject's id.
    pub(crate) fn with_owners(self, owners: &[usize], ids: Vec<Vec<u8>>) -> Self {
        Self { subjects: Some(Subjects::group(owners, ids)), ..self }
    }

    /// The same curves with the names of the columns that they were read from, and what stood in missing cells.
    pub(crate) fn with_cells(self, columns: Option<Vec<String>>, missing_cells: MissingCells) -> Self {
        Self { columns, missing_cells, ..self }
    }

    /// What stood in the cells of the table that were read as missing.
    pub fn missing_cells(&self) -> NonPrivate<&MissingCells> {
        NonPrivate::new(&self.missing_cells)
    }

    /// The same curves with their gaps filled from a public Gaussian process, each from its own values alone.
    pub fn filled(mut self, process: &GaussianFill) -> Result<Self, FillError> {
        let (points, found) = (process.points(), self.grid.len());
        if points != found {
            return Err(FillError::Grid { points, found });
        }
        for mut row in self.values.rows_mut() {
            let mut curve = row.to_vec();
            process.fill(&mut curve);
            row.iter_mut().zip(curve).for_each(|(to, from)| *to = from);
        }
        Ok(self)
    }

    /// The same curves, whose columns have these names in their table: public.
    #[must_use]
    pub fn with_column_names(self, columns: Option<Vec<String>>) -> Self {
        Self { columns, ..self }
    }

    /// The names of the columns that the curves were read from, where the first row of the table was surely a header: public.
    pub fn column_names(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// The grid, in the units of the data.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The grid mapped to `[0, 1]`. Its weights sum to one and define every norm in this crate.
    pub fn unit_grid(&self) -> &Grid {
        &self.unit_grid
    }

    /// The private values, `curves x n`, NaN where missing.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// What one record is.
    pub fn unit(&self) -> PrivacyUnit {
        if self.subjects.is_some() { PrivacyUnit::Subject } else { PrivacyUnit::Curve }
    }

    /// The number of records: of subjects if ids were given, otherwise of curves.
    pub fn units(&self) -> usize {
        self.subjects.as_ref().map_or(self.len(), Subjects::count)
    }

    /// How many groups there are of subject ids that differ only by letter case, leading zeros, Unicode form or invisible
    /// characters, such as `S01`, `s01` and `S1`.
    ///
    /// Each of these ids is a subject of its own all the same. If one person has two of them, that person has two records,
    /// and the guarantee does not hold for both together: look at the ids before a release. The ids are compared at each call.
    pub fn similar_ids(&self) -> NonPrivate<usize> {
        let ids = self.subjects.iter().flat_map(|subjects| &subjects.ids);
        NonPrivate::new(similar_ids(ids.map(Vec::as_slice)))
    }

    /// The id of the subject of a record, as it was given; `None` where each curve is a record: private.
    pub fn subject(&self, record: usize) -> Option<&[u8]> {
        self.subjects.as_ref().and_then(|subjects| subjects.ids.get(record)).map(Vec::as_slice)
    }

    /// The number of curves.
    pub fn len(&self) -> usize {
        self.values.nrows()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of each record. Subjects are in the order of their first curve.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = RecordRows<'_>> + ExactSizeIterator + Clone {
        (0..self.units()).map(|i| {
            RecordRows(match &self.subjects {
                None => Rows::One([i]),
                Some(subjects) => Rows::Many(subjects.rows_of(i)),
            })
        })
    }

    /// Keeps only the curves without a missing value.
    ///
    /// **Not for private releases**: the number of records then depends on values. It is for reproducing papers that
    /// dropped such curves.
    #[must_use]
    pub fn complete(&self) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|&i| !self.curve(i).iter().any(|x| x.is_nan())).collect();
        let subjects = self.subjects.as_ref().map(|subjects| subjects.keep(&kept, self.len()));
        Self {
            grid: self.grid.clone(),
            unit_grid: self.unit_grid.clone(),
            values: self.values.select(Axis(0), &kept),
            subjects,
            columns: self.columns.clone(),
            missing_cells: self.missing_cells.clone(),
        }
    }

    /// Returns the mean over records of the mean of each record's curves, with missing values filled and without any
    /// projection.
    ///
    /// ```text
    /// (1/N) sum_i (1/m_i) sum_{k in record i} X_k
    /// ```
    ///
    /// Without a ball there is no centre that could replace a curve without any value. Such curves are left out here,
    /// and so are records that have only such curves. The result is NaN everywhere if no value was observed.
    pub fn raw_mean(&self) -> NonPrivate<Array1<f64>> {
        let mut filled = vec![0.0; self.grid.len()];
        let mut total = Array1::zeros(self.grid.len());
        let mut records = 0_usize;
        for rows in self.records() {
            let mut sum = Array1::<f64>::zeros(self.grid.len());
            let mut curves = 0_usize;
            for &row in &*rows {
                if self.fill_into(row, &mut filled) {
                    sum.iter_mut().zip(&filled).for_each(|(total, x)| *total += x);
                    curves += 1;
                }
            }
            if curves > 0 {
                total.scaled_add(1.0 / curves as f64, &sum);
                records += 1;
            }
        }
        NonPrivate::new(total / records as f64)
    }

    /// Returns the mean of each record's curves, `records x n`, with missing values filled and without any projection.
    ///
    /// A curve that has only missing values counts as `center`, as in a release.
    ///
    /// # Panics
    /// If `center` does not have one value for each grid point.
    pub fn record_means(&self, center: ArrayView1<'_, f64>) -> NonPrivate<Array2<f64>> {
        let mut means = Array2::zeros((self.units(), self.grid.len()));
        let mut filled = vec![0.0; self.grid.len()];
        for (rows, mut mean) in self.records().zip(means.rows_mut()) {
            let share = 1.0 / rows.len() as f64;
            for &row in &*rows {
                if self.fill_into(row, &mut filled) {
                    mean.iter_mut().zip(&filled).for_each(|(sum, x)| *sum += share * x);
                } else {
                    mean.scaled_add(share, &center);
                }
            }
        }
        NonPrivate::new(means)
    }

    /// The same records with one curve each. `make` writes it from those rows of the record that have a value, with their gaps filled; it
    /// is zero unless it is written. A number that is none is 0 in it, and one that is too large is the largest that there is.
    #[must_use]
    pub fn one_curve_each(&self, mut make: impl FnMut(&[(usize, Vec<f64>)], &mut [f64])) -> Self {
        let mut values = Array2::zeros((self.units(), self.grid.len()));
        let mut curve = vec![0.0; self.grid.len()];
        for (rows, mut made) in self.records().zip(values.rows_mut()) {
            let filled = |&row: &usize| {
                let mut values = self.curve(row).to_vec();
                fill_missing(slice::from_ref(&self.unit_grid), &mut values).then_some((row, values))
            };
            curve.fill(0.0);
            make(&rows.iter().filter_map(filled).collect::<Vec<_>>(), &mut curve);
            let number = |x: &f64| if x.is_nan() { 0.0 } else { x.clamp(f64::MIN, f64::MAX) };
            made.iter_mut().zip(&curve).for_each(|(to, from)| *to = number(from));
        }
        let subjects = self.subjects.as_ref().map(Subjects::one_row_each);
        Self {
            grid: self.grid.clone(),
            unit_grid: self.unit_grid.clone(),
            values,
            subjects,
            columns: self.columns.clone(),
            missing_cells: self.missing_cells.clone(),
        }
    }

    /// Writes one curve with its missing values filled; `false` if no value was observed.
    fn fill_into(&self, row: usize, filled: &mut [f64]) -> bool {
        filled.copy_from_slice(self.curve(row));
        fill_missing(slice::from_ref(&self.unit_grid), filled)
    }

    /// The values of one curve, NaN where missing.
    ///
    /// # Panics
    /// If there is no such row.
    /// The values of one curve.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn curve(&self, row: usize) -> &[f64] {
        self.values.row(row).to_slice().unwrap_or_else(|| unreachable!("the constructor made every row contiguous"))
    }
}

impl fmt::Debug for CurveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CurveSet").field("points", &self.grid.len()).finish_non_exhaustive()
    }
}

impl Subjects {
    /// Groups rows by their subject, the place of an id. It is a counting sort, so rows keep their order within a
    /// subject.
    fn group(owners: &[usize], ids: Vec<Vec<u8>>) -> Self {
        let count = ids.len();
        let mut starts = vec![0; count + 1];
        for &owner in owners {
            starts[owner + 1] += 1;
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; owners.len()];
        for (row, &owner) in owners.iter().enumerate() {
            rows[next[owner]] = row;
            next[owner] += 1;
        }
        Self { rows, starts, ids }
    }

    /// The same subjects with a row each, in their order.
    fn one_row_each(&self) -> Self {
        Self { rows: (0..self.count()).collect(), starts: (0..=self.count()).collect(), ids: self.ids.clone() }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn rows_of(&self, subject: usize) -> &[usize] {
        &self.rows[self.starts[subject]..self.starts[subject + 1]]
    }

    /// The groups that remain, renumbered, if only the rows `kept` (increasing) of `rows` stay.
    fn keep(&self, kept: &[usize], rows: usize) -> Self {
        let mut owner = vec![0; rows];
        for subject in 0..self.count() {
            for &row in self.rows_of(subject) {
                owner[row] = subject;
            }
        }
        let (mut renumbered, mut ids) = (HashMap::new(), Vec::new());
        let owners: Vec<usize> = kept
            .iter()
            .map(|&row| {
                *renumbered.entry(owner[row]).or_insert_with(|| {
                    ids.push(self.ids[owner[row]].clone());
                    ids.len() - 1
                })
            })
            .collect();
        Self::group(&owners, ids)
    }
}
