//! The public centre between the grid's points.

use dpfda_kernels::Grid;
use ndarray::ArrayView1;

/// The centre at a point of the domain, linearly between its neighbours on the grid.
pub(crate) fn center_at(grid: &Grid, center: ArrayView1<'_, f64>, t: f64) -> f64 {
    let (left, share) = cell(grid, t);
    center[left] + share * (center[left + 1] - center[left])
}

/// The slope of the linear interpolant at a point of the domain.
pub(crate) fn center_slope_at(grid: &Grid, center: ArrayView1<'_, f64>, t: f64) -> f64 {
    let (left, _) = cell(grid, t);
    let points = grid.points();
    (center[left + 1] - center[left]) / (points[left + 1] - points[left])
}

/// The grid cell that holds `t`, by its left point, and how far across it `t` lies.
fn cell(grid: &Grid, t: f64) -> (usize, f64) {
    let points = grid.points();
    let right = points.iter().position(|&s| s > t).unwrap_or(points.len() - 1).max(1);
    (right - 1, (t - points[right - 1]) / (points[right] - points[right - 1]))
}
