//! Surfaces of a long table in memory, with one value of a surface in each row.

use std::collections::HashMap;

use dpfda::kernels::{PLACE_TOLERANCE, SurfaceGrid};
use dpfda::smoothing::{CurveSet, Missing};
use ndarray::{Array2, ArrayView1};

use crate::data::measured;
use crate::refusal::Refusal;

/// Stands at a point that no row was about yet: no value is infinite.
const UNSEEN: f64 = f64::INFINITY;

/// Each value at its point of the surface of its subject; the columns are those of `s`, of `t` and of values.
///
/// # Errors
/// [`Refusal`] for a row that is about no point of the grid, or about one that an earlier row of the subject is about.
pub fn placed(
    ids: &[String],
    [s, t, values]: [ArrayView1<'_, f64>; 3],
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
    let surfaces = surfaces.map_err(|error| Refusal::new("data", error))?;
    Ok(CurveSet::new(grid.places()?, surfaces)?.with_subjects(&owners)?)
}

fn off_grid(axis: &'static str, row: usize) -> Refusal {
    let text = format!(
        "{axis} in row {row} (counted from 0) is no point of the grid of surface= and surface_domain=: it must be the number of such a \
         point, up to {PLACE_TOLERANCE} of a step, and cannot be missing"
    );
    Refusal::new(axis, text)
}

fn repeated(row: usize) -> Refusal {
    let text = format!(
        "row {row} (counted from 0) is about a subject and a point that an earlier row is about too: keep one row for each subject and \
         point of the grid, such as the mean of several measurements"
    );
    Refusal::new("data", text)
}
