//! Curves as they are read: some at a time.

use std::fmt;

use dpfda_kernels::Grid;
use ndarray::ArrayView2;

use crate::columns::Columns;
use crate::error::TableError;

/// About how many values are read at a time: 512 kB.
const VALUES: usize = 1 << 16;

/// A table of curves, read from its beginning to its end in bounded memory: private data.
pub trait CurveSource: Send {
    /// The points that the columns stand for, in the units of the data.
    fn grid(&self) -> &Grid;

    /// Whether every curve comes with the id of a subject.
    fn has_subjects(&self) -> bool;

    /// The names of the columns of values, where they are surely names and no data: public.
    fn column_names(&self) -> Option<Vec<&str>> {
        None
    }

    /// How many of the cells that were read so far are missing, and what stood in them: private.
    fn missing_cells(&self) -> &MissingCells {
        const NONE: &MissingCells = &MissingCells { codes: Vec::new(), missing: 0, cells: 0 };
        NONE
    }

    /// Fills the batch with the next curves; `false` when there are none left.
    ///
    /// # Errors
    /// [`TableError`], which counts data rows from 1 and never shows what a cell holds; do not read on after an error.
    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError>;

    /// Cuts off some of the curves that are left, for another thread to read; `None` when there are none left.
    ///
    /// Where a part is decoded later than here, it counts the cells that it reads as missing, and rows in its errors are counted from its first.
    ///
    /// # Errors
    /// As [`CurveSource::read`].
    fn cut(&mut self) -> Result<Option<Box<dyn CurveSource>>, TableError> {
        decoded(self)
    }
}

/// The next curves of a source as a part that is decoded.
pub(crate) fn decoded(source: &mut (impl CurveSource + ?Sized)) -> Result<Option<Box<dyn CurveSource>>, TableError> {
    let mut batch = CurveBatch::new();
    if !source.read(&mut batch)? {
        return Ok(None);
    }
    let (grid, has_subjects) = (source.grid().clone(), source.has_subjects());
    Ok(Some(Box::new(Decoded { grid, has_subjects, batch: Some(batch) })))
}

/// Curves that were decoded, to be read once.
struct Decoded {
    grid: Grid,
    has_subjects: bool,
    batch: Option<CurveBatch>,
}

impl CurveSource for Decoded {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn has_subjects(&self) -> bool {
        self.has_subjects
    }

    fn read(&mut self, batch: &mut CurveBatch) -> Result<bool, TableError> {
        let decoded = self.batch.take();
        let is_there = decoded.is_some();
        *batch = decoded.unwrap_or_default();
        Ok(is_there)
    }
}

/// Curves whose columns have names.
pub(crate) trait NamedCurves: CurveSource {
    /// The columns that are read.
    fn columns(&self) -> &Columns;
}

/// How many cells were read, how many of them as missing, and what stood in those: private data.
#[derive(Clone, Default)]
pub struct MissingCells {
    codes: Vec<(Vec<u8>, u64)>,
    missing: u64,
    cells: u64,
}

impl MissingCells {
    /// Counts a cell that was read as this number, NaN where it is missing.
    pub fn count(&mut self, cell: &[u8], value: f64) {
        self.cells += 1;
        if !value.is_nan() {
            return;
        }
        self.missing += 1;
        let cell = cell.trim_ascii();
        match self.codes.iter_mut().find(|(known, _)| known == cell) {
            Some((_, count)) => *count += 1,
            None if cell.is_empty() => {}
            None => self.codes.push((cell.to_owned(), 1)),
        }
    }

    /// Counts cells that were read as numbers, none of them missing.
    pub(crate) fn count_values(&mut self, cells: usize) {
        self.cells += cells as u64;
    }

    /// Adds those of another file.
    pub fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.missing += other.missing;
        for (cell, more) in &other.codes {
            match self.codes.iter_mut().find(|(known, _)| known == cell) {
                Some((_, count)) => *count += more,
                None => self.codes.push((cell.clone(), *more)),
            }
        }
    }

    /// The share of cells that are missing; 0 where there are no cells.
    pub fn share(&self) -> f64 {
        self.missing as f64 / self.cells.max(1) as f64
    }

    /// The same where many are: more than a tenth.
    pub fn many(&self) -> Option<f64> {
        Some(self.share()).filter(|share| *share > 0.1)
    }

    /// What stood in missing cells other than the most usual words, as it may be printed, and how often.
    pub fn unusual(&self) -> impl Iterator<Item = (String, u64)> {
        const USUAL: [&str; 5] = ["NA", "NaN", "nan", "null", "."];
        let unusual = self.iter().filter(|(code, _)| !USUAL.contains(&code.as_str()));
        unusual.map(|(code, count)| (code.escape_debug().to_string(), count))
    }

    /// What stood in missing cells that are not empty, as text, and how often. Whichever was read first changes nothing.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (String, u64)> {
        let mut codes = self.codes.clone();
        codes.sort_unstable();
        codes.into_iter().map(|(cell, count)| (String::from_utf8_lossy(&cell).into_owned(), count))
    }
}

impl fmt::Debug for MissingCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MissingCells(..)")
    }
}

/// Some curves of a table, row by row, with the ids of their subjects where there are any: private data.
#[derive(Default)]
pub struct CurveBatch {
    points: usize,
    values: Vec<f64>,
    /// The ids, one after the other.
    ids: Vec<u8>,
    /// Where each id ends; empty where each curve is a record.
    id_ends: Vec<usize>,
}

impl CurveBatch {
    /// Room for curves.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of curves.
    pub fn len(&self) -> usize {
        self.values.len() / self.points.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values, `curves x n`, NaN where missing.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.len(), self.points), &self.values)
            .unwrap_or_else(|_| unreachable!("only whole curves are kept"))
    }

    /// The values of each curve.
    pub fn curves(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.points.max(1))
    }

    /// The id of the subject of a curve, without white space around it; `None` where there are no subjects.
    pub fn subject(&self, curve: usize) -> Option<&[u8]> {
        let end = *self.id_ends.get(curve)?;
        let start = if curve == 0 { 0 } else { self.id_ends[curve - 1] };
        self.ids.get(start..end)
    }

    /// Forgets all curves; those to come have this many values each.
    pub(crate) fn clear(&mut self, points: usize) {
        self.points = points;
        self.values.clear();
        self.ids.clear();
        self.id_ends.clear();
    }

    /// Forgets all but the first curves, and what was added after them.
    pub(crate) fn truncate(&mut self, curves: usize) {
        self.values.truncate(curves * self.points);
        self.id_ends.truncate(curves);
        self.ids.truncate(self.id_ends.last().copied().unwrap_or(0));
    }

    /// Adds a curve of as many values as there are points, with the id of its subject where there are subjects.
    pub(crate) fn push(&mut self, subject: Option<&[u8]>, values: impl Iterator<Item = f64>) {
        self.values.extend(values);
        if let Some(id) = subject {
            self.ids.extend(id);
            self.id_ends.push(self.ids.len());
        }
    }

    /// How many more curves are read at a time; at least one into an empty batch.
    pub(crate) fn room(&self) -> usize {
        (VALUES / self.points.max(1)).max(1).saturating_sub(self.len())
    }

    /// Adds this many curves, and gives their values to be written.
    #[cfg(feature = "columnar")]
    pub(crate) fn extend(&mut self, curves: usize) -> &mut [f64] {
        let before = self.values.len();
        self.values.resize(before + curves * self.points, f64::NAN);
        &mut self.values[before..]
    }

    pub(crate) fn push_value(&mut self, value: f64) {
        self.values.push(value);
    }

    pub(crate) fn push_subject(&mut self, id: &[u8]) {
        self.ids.extend_from_slice(id.trim_ascii());
        self.id_ends.push(self.ids.len());
    }
}

impl fmt::Debug for CurveBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CurveBatch").field("points", &self.points).finish_non_exhaustive()
    }
}
