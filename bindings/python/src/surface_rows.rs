//! Surfaces as Python says where they are: one in each row, or a long table with one value of a surface in each row.

use std::collections::HashMap;
use std::path::PathBuf;

use dpfda::kernels::{PLACE_TOLERANCE, SurfaceGrid};
use dpfda::smoothing::{CurveLayout, CurveSet, Missing, TableFiles};
use ndarray::{Array2, ArrayView1};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::cells::Ids;
use crate::curves::{CurvesArgument, WholeCurves};
use crate::door::Concerns;
use crate::mean::{CellsArguments, are_similar};
use crate::refusal::Refusal;
use crate::rows::{measured, of_long_table};

/// Stands at a point that no row was about yet: no value is infinite.
const UNSEEN: f64 = f64::INFINITY;

/// Surfaces, by what a row is.
#[derive(FromPyObject)]
pub enum SurfacesArgument<'py> {
    /// A row is a surface.
    Wide(CurvesArgument<'py>),
    /// A row is one value of a surface, in files that a path names.
    Files(SurfaceFiles),
    /// A row is one value of a surface, in memory.
    Memory(SurfaceColumns<'py>),
}

/// Files, and what their columns are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SurfaceFiles {
    path: PathBuf,
    id: String,
    s: String,
    t: String,
    value: String,
    cells: CellsArguments,
}

/// Columns in memory, of one length.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SurfaceColumns<'py> {
    ids: Py<Ids>,
    s: PyReadonlyArray1<'py, f64>,
    t: PyReadonlyArray1<'py, f64>,
    values: PyReadonlyArray1<'py, f64>,
    /// Codes for missing values.
    missing: Option<String>,
}

impl SurfacesArgument<'_> {
    /// The surfaces of a long table, one in each row with `t` fastest, and NaN at a point that no row is about.
    ///
    /// # Errors
    /// [`Refusal`] for a table that cannot be read, and for a row that is about no point of the grid, or about one that an earlier row of
    /// the subject is about; and for a table with a surface in each row, which is encoded as it is.
    pub fn put_together(&self, py: Python<'_>, grid: &SurfaceGrid) -> Result<WholeCurves, Refusal> {
        match self {
            Self::Wide(_) => Err(Refusal::new("surfaces", "each row is a surface")),
            Self::Files(files) => files.read(py, grid),
            Self::Memory(columns) => columns.read(py, grid),
        }
    }
}

impl SurfaceFiles {
    fn read(&self, py: Python<'_>, grid: &SurfaceGrid) -> Result<WholeCurves, Refusal> {
        let columns = [("id", &self.id), ("s", &self.s), ("t", &self.t), ("value", &self.value)];
        let refused = |error| of_long_table(error, &columns, "surfaces");
        let layout = CurveLayout::long_surface(&self.id, [&self.s, &self.t], &self.value, grid.clone());
        let layout = self.cells.on(layout.map_err(refused)?)?;
        let curves = py.detach(|| CurveSet::read_files(&TableFiles::find(&self.path)?, &layout, |bytes| bytes));
        let curves = curves.map_err(refused)?;
        let concerns = Concerns::of_file(*curves.similar_ids().reveal() > 0, curves.missing_cells());
        Ok(WholeCurves { curves, columns: Vec::new(), concerns })
    }
}

impl SurfaceColumns<'_> {
    fn read(&self, py: Python<'_>, grid: &SurfaceGrid) -> Result<WholeCurves, Refusal> {
        let missing = self.missing.as_deref().map(Missing::new).transpose()?.unwrap_or_default();
        let (ids, columns) = (self.ids.get().all(), [self.s.as_array(), self.t.as_array(), self.values.as_array()]);
        py.detach(|| {
            let concerns = Concerns::of_ids(are_similar(Some(ids)));
            Ok(WholeCurves { curves: placed(ids, &columns, grid, &missing)?, columns: Vec::new(), concerns })
        })
    }
}

/// Each value at its point of the surface of its subject.
fn placed(
    ids: &[String],
    [s, t, values]: &[ArrayView1<'_, f64>; 3],
    grid: &SurfaceGrid,
    missing: &Missing,
) -> Result<CurveSet, Refusal> {
    let (mut known, mut owners, mut surfaces) = (HashMap::new(), Vec::new(), Vec::new());
    for (row, (((id, s), t), value)) in ids.iter().zip(s).zip(t).zip(values).enumerate() {
        let place = |axis, at, of: &'static str| grid.place_on(axis, at).ok_or_else(|| off_grid(of, row));
        let (i, j) = (place(0, *s, "s")?, place(1, *t, "t")?);
        let value = measured(missing, *value, row, "value")?;
        let owner = *known.entry(id.as_str()).or_insert(owners.len());
        if owner == owners.len() {
            owners.push(id.as_str());
            surfaces.resize(surfaces.len() + grid.len(), UNSEEN);
        }
        let seen = &mut surfaces[owner * grid.len() + i * grid.shape().1 + j];
        if !seen.is_infinite() {
            return Err(repeated(row));
        }
        *seen = value;
    }
    surfaces.iter_mut().filter(|value| value.is_infinite()).for_each(|value| *value = f64::NAN);
    let surfaces = Array2::from_shape_vec((owners.len(), grid.len()), surfaces);
    let surfaces = surfaces.map_err(|error| Refusal::new("surfaces", error))?;
    Ok(CurveSet::new(grid.places()?, surfaces)?.with_subjects(&owners)?)
}

fn off_grid(axis: &'static str, row: usize) -> Refusal {
    let text = format!(
        "{axis} in row {row} (counted from 0) is no point of the grid of shape and domain_range: it must be the number of such a point, \
         up to {PLACE_TOLERANCE} of a step, and cannot be missing"
    );
    Refusal::new(axis, text)
}

fn repeated(row: usize) -> Refusal {
    let text = format!(
        "row {row} (counted from 0) is about a subject and a point that an earlier row is about too: keep one row for each subject and \
         point of the grid, such as the mean of several measurements"
    );
    Refusal::new("surfaces", text)
}
