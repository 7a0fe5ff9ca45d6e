//! Curves that are read whole, into memory.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use dpfda_tables::{
    Bytes, CsvCurves, CurveBatch, CurveLayout, CurveSource, MissingCells, TableError, TableFiles, similar_ids,
};
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
    /// # Errors
    /// As [`CurveSet::read_csv`], and [`TableError::OtherColumns`] for a file with other columns than the first.
    pub fn read_files(
        files: &TableFiles,
        layout: &CurveLayout,
        mut watch: impl FnMut(Bytes) -> Bytes,
    ) -> Result<Self, TableError> {
        let mut rows = Rows::default();
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
    ///
    /// # Errors
    /// As [`CurveSet::read_csv`], with [`TableError::Read`] in place of [`TableError::File`].
    pub fn from_csv_reader<R: Read + Send>(reader: R, layout: &CurveLayout) -> Result<Self, TableError> {
        let (mut source, mut rows) = (CsvCurves::new(reader, layout)?, Rows::default());
        rows.read(&mut source)?;
        rows.into_curves(&source)
    }
}

/// Curves as they come in, and whose they are.
#[derive(Default)]
struct Rows {
    values: Vec<f64>,
    known: HashMap<Vec<u8>, usize>,
    owners: Vec<usize>,
    missing: MissingCells,
}

impl Rows {
    fn read(&mut self, source: &mut impl CurveSource) -> Result<(), TableError> {
        let mut batch = CurveBatch::new();
        while source.read(&mut batch)? {
            self.values.extend(batch.values());
            for id in (0..batch.len()).map_while(|curve| batch.subject(curve)) {
                let next = self.known.len();
                let owner = match self.known.get(id) {
                    Some(&owner) => owner,
                    None => *self.known.entry(id.to_owned()).or_insert(next),
                };
                self.owners.push(owner);
            }
        }
        self.missing.add(source.missing_cells());
        Ok(())
    }

    fn into_curves(self, source: &impl CurveSource) -> Result<CurveSet, TableError> {
        let grid = source.grid().clone();
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
        let similar = similar_ids(self.known.keys().map(Vec::as_slice));
        let mut ids = vec![Vec::new(); self.known.len()];
        for (id, owner) in self.known {
            ids[owner] = id;
        }
        Ok(curves.with_owners(&self.owners, ids).with_similar_ids(similar))
    }
}
