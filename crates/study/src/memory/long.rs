//! A long table in memory: one value of a subject in each row.

use std::collections::{HashMap, HashSet};

use dpfda::kernels::{PLACE_TOLERANCE, SurfaceGrid};
use dpfda::release::{LongRows, OfRows};
use dpfda::smoothing::{CurveSet, Missing};
use ndarray::{Array2, ArrayView1};

use super::rows::UnfitCell;
use crate::blame::Blame;
use crate::refusal::Refusal;

/// Stands at a point that no row was about yet: no value is infinite.
const UNSEEN: f64 = f64::INFINITY;

/// A long table in memory, with the id of a subject in each row: private data.
pub struct LongTable<'a> {
    ids: &'a [String],
    columns: Vec<ArrayView1<'a, f64>>,
    /// The names of the columns of places and values.
    pub names: Option<Vec<&'a str>>,
    missing: Missing,
    /// What the door calls the first row: 0 or 1.
    first: usize,
}

impl<'a> LongTable<'a> {
    /// Columns of times and values, or of `s`, `t` and values. A door counts rows from `first`.
    ///
    /// # Errors
    /// The first number of the columns that cannot be a time or a value; places of surfaces must be points of a grid, which is not known
    /// here.
    pub fn new(
        ids: &'a [String],
        columns: Vec<ArrayView1<'a, f64>>,
        names: Option<Vec<&'a str>>,
        missing: &Missing,
        first: usize,
    ) -> Result<Self, UnfitCell> {
        let places = if columns.len() > 2 { columns.len() - 1 } else { 0 };
        for (column, numbers) in columns.iter().enumerate().skip(places) {
            for (row, number) in numbers.iter().enumerate() {
                missing.measured(*number).map_err(|unfit| UnfitCell { row, column, unfit })?;
            }
        }
        Ok(Self { ids, columns, names, missing: missing.clone(), first })
    }

    /// The number of subjects.
    pub fn records(&self) -> usize {
        self.ids.iter().collect::<HashSet<_>>().len()
    }

    fn value(&self, number: f64) -> f64 {
        self.missing.measured(number).unwrap_or(f64::NAN)
    }

    fn of<const N: usize>(&self) -> Result<[&ArrayView1<'a, f64>; N], Refusal> {
        let columns: Vec<_> = self.columns.iter().collect();
        let has_length = columns.iter().all(|column| column.len() == self.ids.len());
        let refused = || data("the columns of a long table must have one length, and an id in each row");
        columns.try_into().ok().filter(|_| has_length).ok_or_else(refused)
    }

    /// Adds all rows: the columns are those of times and values.
    ///
    /// # Errors
    /// [`Refusal`] for columns of different lengths.
    pub fn push_to<S: OfRows>(&self, rows: &mut LongRows<S>) -> Result<(), Refusal> {
        let [times, values] = self.of()?;
        for ((id, time), value) in self.ids.iter().zip(times).zip(values) {
            rows.push(id.as_bytes(), self.value(*time), self.value(*value));
        }
        Ok(())
    }

    /// Each value at its point of the surface of its subject: the columns are those of `s`, of `t` and of values. NaN stands at a point
    /// that no row is about.
    ///
    /// # Errors
    /// [`Refusal`] for a row that is about no point of the grid, or about one that an earlier row of the subject is about.
    pub fn surfaces(&self, grid: &SurfaceGrid) -> Result<CurveSet, Refusal> {
        let [s, t, values] = self.of()?;
        let (mut known, mut owners, mut surfaces) = (HashMap::new(), Vec::new(), Vec::new());
        for (row, (((id, s), t), value)) in self.ids.iter().zip(s).zip(t).zip(values).enumerate() {
            let place = |axis, at, of| grid.place_on(axis, at).ok_or_else(|| self.off_grid(of, row));
            let (i, j) = (place(0, *s, "s")?, place(1, *t, "t")?);
            let owner = *known.entry(id.as_str()).or_insert(owners.len());
            if owner == owners.len() {
                owners.push(id.as_str());
                surfaces.resize(surfaces.len() + grid.len(), UNSEEN);
            }
            let seen = &mut surfaces[owner * grid.len() + i * grid.shape().1 + j];
            if !seen.is_infinite() {
                return Err(self.repeated(row));
            }
            *seen = self.value(*value);
        }
        surfaces.iter_mut().filter(|value| value.is_infinite()).for_each(|value| *value = f64::NAN);
        let surfaces = Array2::from_shape_vec((owners.len(), grid.len()), surfaces);
        let surfaces = surfaces.map_err(|error| data(error.to_string()))?;
        let curves = CurveSet::new(grid.places()?, surfaces)?.with_subjects(&owners)?;
        Ok(curves.with_column_names(self.names.as_ref().map(|names| names.iter().map(|&name| name.into()).collect())))
    }

    fn row(&self, row: usize) -> String {
        format!("row {} (counted from {})", row + self.first, self.first)
    }

    fn off_grid(&self, axis: &'static str, row: usize) -> Refusal {
        let why = format!(
            "{{{axis}}} in {} is no point of the grid of {{surface}} and {{surface_domain}}: it must be the number of such a point, up to \
             {PLACE_TOLERANCE} of a step, and cannot be missing",
            self.row(row)
        );
        Refusal::of(axis, why)
    }

    fn repeated(&self, row: usize) -> Refusal {
        data(format!(
            "{} is about a subject and a point that an earlier row is about too: keep one row for each subject and point of the grid, \
             such as the mean of several measurements",
            self.row(row)
        ))
    }
}

fn data(why: impl Into<String>) -> Refusal {
    Refusal { blame: Blame::Data, why: why.into(), instead: None }
}
