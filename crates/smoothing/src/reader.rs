//! Curves that are read whole, into memory.

use std::io::Read;
use std::path::Path;

use dpfda_kernels::{Grid, SurfaceGrid};
use dpfda_tables::{Bytes, CsvCurves, CurveBatch, CurveLayout, CurveSource, Ids, MissingCells, TableError, TableFiles};
use ndarray::Array2;

use crate::curves::{CurveSet, CurveSetError};

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;

impl CurveSet {
    /// The curves of a text table with a header row, of a folder of such tables, or of all whose names match a pattern:
    /// see [`TableFiles::find`] and [`CsvCurves`].
    ///
    /// # Errors
    /// [`TableError`]; it counts data rows from 1, and never shows what a cell holds.
    pub fn read_csv(path: impl AsRef<Path>, layout: &CurveLayout) -> Result<Self, TableError> {
        Self::read_files(&TableFiles::find(path.as_ref())?, layout, |bytes| bytes)
    }

    /// The curves of all files, with something that watches the bytes as they are read.
    ///
    /// Of a long table of surfaces ([`CurveLayout::long_surface`]) it makes the set that has each subject's surface in one row, in
    /// row-major order and with NaN at the points that no row is about: the set of the wide table of the same people.
    ///
    /// # Errors
    /// As [`CurveSet::read_csv`], and [`TableError::OtherColumns`] for a file with other columns than the first.
    /// [`TableError::RepeatedPoint`] for two rows of a long table about one point of one subject.
    pub fn read_files(
        files: &TableFiles,
        layout: &CurveLayout,
        mut watch: impl FnMut(Bytes) -> Bytes,
    ) -> Result<Self, TableError> {
        let mut rows = Rows::of(layout);
        let first = files.open_with(0, layout, &mut watch)?;
        for file in 1..files.paths().len() {
            // every header is looked at before any curve is read
            files.check_same(&first, file, &files.open(file, layout)?)?;
        }
        let mut source = first;
        for file in 0..files.paths().len() {
            if file > 0 {
                source = files.open_with(file, layout, &mut watch)?;
            }
            rows.read(&mut source).map_err(|error| files.in_file(file, error))?;
        }
        rows.into_curves(&source)
    }

    /// The curves of anything that reads as a text table; see [`CsvCurves`].
    pub fn from_csv_reader<R: Read + Send>(reader: R, layout: &CurveLayout) -> Result<Self, TableError> {
        let (mut source, mut rows) = (CsvCurves::new(reader, layout)?, Rows::of(layout));
        rows.read(&mut source)?;
        rows.into_curves(&source)
    }
}

/// Stands at a point of a surface that no row was about yet: no reader gives an infinite value.
const UNSEEN: f64 = f64::INFINITY;

/// Curves as they come in, and whose they are.
#[derive(Default)]
struct Rows {
    /// The points of surfaces, where each row holds one value of one.
    surface: Option<SurfaceGrid>,
    values: Vec<f64>,
    known: Ids,
    owners: Vec<usize>,
    missing: MissingCells,
}

impl Rows {
    fn of(layout: &CurveLayout) -> Self {
        Self { surface: layout.surface().cloned(), ..Self::default() }
    }

    fn read(&mut self, source: &mut impl CurveSource) -> Result<(), TableError> {
        let mut batch = CurveBatch::new();
        let mut row = 0;
        while source.read(&mut batch)? {
            if self.surface.is_some() {
                self.put(&batch, &mut row)?;
                continue;
            }
            self.values.extend(batch.values());
            for id in (0..batch.len()).map_while(|curve| batch.subject(curve)) {
                let owner = self.known.place_of(id);
                self.owners.push(owner);
            }
        }
        self.missing.add(source.missing_cells());
        Ok(())
    }

    /// Puts each value at its point of the surface of its subject; `row` counts the data rows of the file.
    fn put(&mut self, batch: &CurveBatch, row: &mut usize) -> Result<(), TableError> {
        let Some(grid) = self.surface.clone() else { return Ok(()) };
        for (curve, cells) in batch.curves().enumerate() {
            *row += 1;
            let (Some(id), &[s, t, value]) = (batch.subject(curve), cells) else { continue };
            let (Some(i), Some(j)) = (grid.place_on(0, s), grid.place_on(1, t)) else {
                unreachable!("the reader refuses what is no point of the grid");
            };
            let owner = self.known.place_of(id);
            if owner == self.owners.len() {
                self.owners.push(owner);
                self.values.resize(self.values.len() + grid.len(), UNSEEN);
            }
            let place = &mut self.values[owner * grid.len() + i * grid.shape().1 + j];
            if !place.is_infinite() {
                return Err(TableError::RepeatedPoint { row: *row });
            }
            *place = value;
        }
        Ok(())
    }

    /// Points that no row was about have a missing value. The grid is that of the places in a row of surfaces.
    fn fill_unseen(&mut self, grid: &SurfaceGrid) -> Result<Grid, TableError> {
        for value in self.values.iter_mut().filter(|value| value.is_infinite()) {
            *value = f64::NAN;
            self.missing.count(b"", f64::NAN);
        }
        Ok(grid.places()?)
    }

    fn into_curves(mut self, source: &impl CurveSource) -> Result<CurveSet, TableError> {
        let grid = match self.surface.take() {
            Some(surface) => self.fill_unseen(&surface)?,
            None => source.grid().clone(),
        };
        let values = Array2::from_shape_vec((self.values.len() / grid.len(), grid.len()), self.values)
            .unwrap_or_else(|_| unreachable!("each curve has one value for each point"));
        let curves = match CurveSet::new(grid, values) {
            Err(CurveSetError::Grid(error)) => return Err(error.into()),
            curves => curves.unwrap_or_else(|_| unreachable!("the reader refuses infinite values")),
        };
        let names = source.column_names().map(|names| names.into_iter().map(str::to_owned).collect());
        let curves = curves.with_cells(names, self.missing);
        if !source.has_subjects() {
            return Ok(curves);
        }
        Ok(curves.with_owners(&self.owners, self.known.iter().map(<[u8]>::to_vec).collect()))
    }
}
