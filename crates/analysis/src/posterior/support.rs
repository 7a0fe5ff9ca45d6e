//! Where the posterior is solved: the points of a small grid, or bins of a large one.

use dpfda_kernels::{Cell, CovarianceKernel, DomainKernel, Grid, KernelError};
use ndarray::{Array1, ArrayView1};

use crate::posterior::bins::{Bin, Bins};

#[cfg(test)]
#[path = "support_tests.rs"]
mod tests;

/// The largest number of points the posterior is solved at by default. A larger grid is averaged in bins.
pub(crate) const MOST_POINTS: usize = 256;

/// The points the posterior is solved at, on the unit interval, and how the grid's points belong to them.
///
/// A small grid is its own support. On a larger grid the first and the last point stay alone, and the points
/// between are averaged in bins of equal width:
///
/// ```text
/// W_b = sum_{i in b} w_i,    s_b = sum_{i in b} w_i t_i / W_b,    y_b = sum_{i in b} sqrt(w_i) y_i / sqrt(W_b)
/// ```
///
/// The map of `y` has orthonormal rows, so the noise stays white.
#[derive(Debug, Clone)]
pub(crate) struct Support {
    /// Increasing, from 0 to 1; on a circle to the last point before 1.
    pub(crate) points: Array1<f64>,
    pub(crate) weights: Array1<f64>,
    /// The bins, where the grid is not its own support.
    pub(crate) bins: Option<Bins>,
    unit_grid: Grid,
}

impl Support {
    /// A support of at most so many points, at least 3.
    pub(crate) fn of(unit_grid: &Grid, most_points: usize) -> Self {
        let n = unit_grid.len();
        let unit_grid = unit_grid.clone();
        if n <= most_points {
            let (points, weights) = (unit_grid.points().to_owned(), unit_grid.weights().to_owned());
            return Self { points, weights, bins: None, unit_grid };
        }
        let bins = Bins::of(&unit_grid, most_points.saturating_sub(2).max(1));
        let weights: Array1<f64> = bins.iter().map(|bin| bin.weight).collect();
        Self { points: bins.centers(), weights, bins: Some(bins), unit_grid }
    }

    pub(crate) fn unit_grid(&self) -> &Grid {
        &self.unit_grid
    }

    pub(crate) fn kernel<K: CovarianceKernel>(&self, kernel: K) -> Result<DomainKernel<K>, KernelError> {
        DomainKernel::new(kernel, &self.unit_grid)
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    pub(crate) fn is_grid(&self) -> bool {
        self.bins.is_none()
    }

    /// Isonormal coordinates on the grid as isonormal coordinates on the support.
    pub(crate) fn binned(&self, isonormal: ArrayView1<'_, f64>) -> Array1<f64> {
        let Some(bins) = &self.bins else { return isonormal.to_owned() };
        let weights = self.unit_grid.weights();
        let sum = |bin: &Bin| bin.members.clone().map(|i| weights[i].sqrt() * isonormal[i]).sum::<f64>();
        bins.iter().map(|bin| sum(bin) / bin.weight.sqrt()).collect()
    }

    /// Values at the support as values at the grid's points, linear between.
    pub(crate) fn on_grid(&self, values: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.is_grid() {
            return values.to_owned();
        }
        self.unit_grid.points().iter().map(|&t| self.cell(t).between(values)).collect()
    }

    /// Values of a smooth function at the support as values at the grid's points: cubic through the four nearest points.
    pub(crate) fn smoothly_on_grid(&self, values: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.is_grid() || self.len() < 4 {
            return self.on_grid(values);
        }
        let at = |&t: &f64| {
            let first = self.cell(t).left.saturating_sub(1).min(self.len() - 4);
            let nodes = first..first + 4;
            let others = |i: usize| nodes.clone().filter(move |&j| j != i);
            let share =
                |i| others(i).map(|j| (t - self.points[j]) / (self.points[i] - self.points[j])).product::<f64>();
            nodes.clone().map(|i| share(i) * values[i]).sum()
        };
        self.unit_grid.points().iter().map(at).collect()
    }

    /// Weights on values at the grid's points as weights on values at the support, for functions linear between its points.
    pub(crate) fn gathered(&self, weights: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.is_grid() {
            return weights.to_owned();
        }
        let mut gathered = Array1::zeros(self.len());
        for (&t, weight) in self.unit_grid.points().iter().zip(weights) {
            let Cell { left, right, share, .. } = self.cell(t);
            gathered[left] += weight * (1.0 - share);
            gathered[right] += weight * share;
        }
        gathered
    }

    /// The cell of the support that holds a point of the unit interval.
    pub(crate) fn cell(&self, t: f64) -> Cell {
        Cell::of(self.points.view(), self.unit_grid.is_periodic().then_some(1.0), t)
    }
}
