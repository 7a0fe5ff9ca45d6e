//! What of a mean lies outside the coordinates that were released.

use dpfda_kernels::Grid;
use ndarray::{Array1, Array2};

use super::ladder::Ladder;
use super::observed::Observation;
use super::rung::Rung;
use super::seen::Reduced;
use super::support::{MOST_POINTS, Support};
use crate::error::AnalysisError;

/// The share of the variance of the mean under the public prior that lies outside these coordinates: orthonormal functions in isonormal
/// coordinates, a column each, as [`Mean::map`](dpfda_release::Mean::map) gives them.
///
/// # Errors
/// [`AnalysisError`] for a ladder that cannot be solved on the grid.
pub fn share_outside(grid: &Grid, basis: Array2<f64>, ladder: &Ladder) -> Result<f64, AnalysisError> {
    let observed = (Array1::zeros(basis.ncols()), basis);
    let observation = Observation::through(grid.clone(), Array1::zeros(grid.len()), 1.0, observed, 1.0, 1.0)?;
    let support = Support::of(&observation.unit_grid, MOST_POINTS);
    let reduced = Reduced::of(&observation, &support)?;
    let (mut outside, mut kernels) = (0.0, 0.0);
    for kernel in ladder.rungs() {
        let section = Rung::solve(kernel, &support, &reduced)?.at_support(&support, &reduced.rows);
        outside += section.open.dot(&support.weights);
        kernels += 1.0;
    }
    // every kernel has the same weight and, on average over the domain, the variance 1
    Ok(outside / kernels)
}
