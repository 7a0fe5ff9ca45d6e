//! Where the posterior is solved: the points of a small grid, or bins of a large one.

use dpfda_kernels::{CovarianceKernel, EigenError, Grid, Kernel, eigenpairs};
use ndarray::{Array1, Array2, ArrayView1, Axis};

use crate::observation::Observation;

/// The largest number of points the posterior is solved at by default. A larger grid is averaged in bins.
pub(crate) const MOST_POINTS: usize = 256;

/// Directions of a map whose squared size is below this fraction of the largest say nothing about the mean.
const BLIND: f64 = 1e-14;

/// The points the posterior is solved at, on the unit interval, and how the grid's points belong to them.
///
/// A small grid is its own support. On a larger grid the first and the last point stay alone, and the points
/// between are averaged in bins of equal width:
///
/// ```text
/// W_b = sum_{i in b} w_i,    s_b = sum_{i in b} w_i t_i / W_b,    y_b = sum_{i in b} sqrt(w_i) y_i / sqrt(W_b)
/// ```
///
/// The map of `y` has orthonormal rows, so the noise stays white. The one approximation is that the average of the mean over
/// a bin is the mean's value at the bin's centre.
#[derive(Debug, Clone)]
pub(crate) struct Support {
    /// Increasing, from 0 to 1.
    pub(crate) points: Array1<f64>,
    pub(crate) weights: Array1<f64>,
    /// The bin of each grid point, where the grid is not its own support.
    bins: Option<Vec<usize>>,
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
        let inner = most_points.saturating_sub(2).max(1) as f64;
        let mut bins = vec![0; n];
        let (mut last_cell, mut bin) = (f64::NEG_INFINITY, 0);
        for i in 1..n - 1 {
            let cell = (unit_grid.points()[i] * inner).floor().min(inner - 1.0);
            if cell > last_cell {
                (last_cell, bin) = (cell, bin + 1);
            }
            bins[i] = bin;
        }
        bins[n - 1] = bin + 1;
        let (mut points, mut weights) = (Array1::zeros(bin + 2), Array1::zeros(bin + 2));
        for ((&b, t), w) in bins.iter().zip(unit_grid.points()).zip(unit_grid.weights()) {
            points[b] += w * t;
            weights[b] += w;
        }
        points /= &weights;
        Self { points, weights, bins: Some(bins), unit_grid }
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
        let mut binned = Array1::zeros(self.len());
        for ((&b, w), z) in bins.iter().zip(self.unit_grid.weights()).zip(isonormal) {
            binned[b] += w.sqrt() * z;
        }
        binned / self.weights.mapv(f64::sqrt)
    }

    /// Values at the support as values at the grid's points, linear between.
    pub(crate) fn on_grid(&self, values: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.is_grid() {
            return values.to_owned();
        }
        self.unit_grid.points().iter().map(|&t| self.interpolate(values, t)).collect()
    }

    /// Values at the support as a value at a point of the unit interval, linear between.
    pub(crate) fn interpolate(&self, values: ArrayView1<'_, f64>, t: f64) -> f64 {
        let (left, share) = self.cell(t);
        values[left] + share * (values[left + 1] - values[left])
    }

    /// Weights on values at the grid's points as weights on values at the support, for functions linear between its points.
    pub(crate) fn gathered(&self, weights: ArrayView1<'_, f64>) -> Array1<f64> {
        if self.is_grid() {
            return weights.to_owned();
        }
        let mut gathered = Array1::zeros(self.len());
        for (&t, weight) in self.unit_grid.points().iter().zip(weights) {
            let (left, share) = self.cell(t);
            gathered[left] += weight * (1.0 - share);
            gathered[left + 1] += weight * share;
        }
        gathered
    }

    fn cell(&self, t: f64) -> (usize, f64) {
        let points = self.points.as_slice().unwrap_or(&[]);
        let left = points.partition_point(|&s| s <= t).clamp(1, points.len() - 1) - 1;
        (left, (t - points[left]) / (points[left + 1] - points[left]))
    }
}

/// The rows of an observation as functionals of the deviation `f - c` at the support.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    /// `sqrt(W_b)` times the value at point `b`.
    Roots(Array1<f64>),
    /// `m x q`: any functionals of the values.
    Map(Array2<f64>),
}

impl Rows {
    /// `R K`, for a matrix with a row for each point of the support.
    pub(crate) fn times(&self, matrix: &Array2<f64>) -> Array2<f64> {
        match self {
            Self::Roots(roots) => matrix * &roots.view().insert_axis(Axis(1)),
            Self::Map(map) => map.dot(matrix),
        }
    }

    /// `R' Q`, for a matrix with a row for each coordinate.
    pub(crate) fn transposed_times(&self, matrix: &Array2<f64>) -> Array2<f64> {
        match self {
            Self::Roots(roots) => matrix * &roots.view().insert_axis(Axis(1)),
            Self::Map(map) => map.t().dot(matrix),
        }
    }

    /// `R K R'` of the covariance of a rung.
    pub(crate) fn covariance(&self, kernel: &Kernel, points: &Array1<f64>) -> Array2<f64> {
        let between = between(kernel, points);
        match self {
            Self::Roots(roots) => {
                let rows = between * &roots.view().insert_axis(Axis(1));
                rows * &roots.view().insert_axis(Axis(0))
            }
            Self::Map(map) => map.dot(&between).dot(&map.t()),
        }
    }
}

/// The covariances between all points, each evaluated once.
pub(crate) fn between(kernel: &Kernel, points: &Array1<f64>) -> Array2<f64> {
    let n = points.len();
    let mut matrix = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let value = kernel.covariance(points[i], points[j]);
            matrix[[i, j]] = value;
            matrix[[j, i]] = value;
        }
    }
    matrix
}

/// An observation reduced to the support, in units of the radius.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    pub(crate) coordinates: Array1<f64>,
    pub(crate) rows: Rows,
    pub(crate) sigma: f64,
}

impl Reduced {
    /// Keeps all that the observation says about a function that is linear between the support's points.
    ///
    /// More coordinates than points are reduced to the sufficient statistic `R'y`, whitened by the eigenpairs of `R'R`.
    pub(crate) fn of(observation: &Observation, support: &Support) -> Result<Self, EigenError> {
        let sigma = observation.sigma / observation.radius;
        let y = &observation.coordinates / observation.radius;
        let Some(map) = &observation.map else {
            let rows = Rows::Roots(support.weights.mapv(f64::sqrt));
            return Ok(Self { coordinates: support.binned(y.view()), rows, sigma });
        };
        let roots = observation.unit_grid.weights().mapv(f64::sqrt);
        let mut rows = Array2::zeros((map.ncols(), support.len()));
        for (mut row, column) in rows.rows_mut().into_iter().zip(map.columns()) {
            row.assign(&support.gathered((&column * &roots).view()));
        }
        if rows.nrows() <= support.len() {
            return Ok(Self { coordinates: y, rows: Rows::Map(rows), sigma });
        }
        let pairs = eigenpairs(&rows.t().dot(&rows))?;
        let largest = pairs.values.last().copied().unwrap_or(0.0);
        let seen: Vec<usize> = (0..pairs.values.len()).filter(|&j| pairs.values[j] > BLIND * largest).collect();
        let vectors = pairs.vectors.select(Axis(1), &seen);
        let sizes: Array1<f64> = seen.iter().map(|&j| pairs.values[j].sqrt()).collect();
        let coordinates = vectors.t().dot(&rows.t().dot(&y)) / &sizes;
        let rows = &vectors.t() * &sizes.insert_axis(Axis(1));
        Ok(Self { coordinates, rows: Rows::Map(rows), sigma })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use approx::assert_abs_diff_eq;

    use super::*;

    fn grids() -> [Grid; 3] {
        let uneven = (0..700).map(|i| (f64::from(i) / 699.0).powi(3)).collect();
        [Grid::uniform(0.0, 1.0, 93).unwrap(), Grid::uniform(0.0, 1.0, 1001).unwrap(), Grid::new(uneven).unwrap()]
    }

    #[test]
    fn the_support_spans_the_domain_and_keeps_all_weight() {
        for grid in grids() {
            let support = Support::of(&grid, MOST_POINTS);
            assert!(support.len() <= MOST_POINTS && support.points.windows(2).into_iter().all(|p| p[0] < p[1]));
            assert_eq!((support.points[0], support.points[support.len() - 1]), (0.0, 1.0));
            assert_abs_diff_eq!(support.weights.sum(), 1.0, epsilon = 1e-12);
        }
    }

    #[test]
    fn binning_has_orthonormal_rows_so_that_the_noise_stays_white() {
        for grid in grids() {
            let support = Support::of(&grid, MOST_POINTS);
            let columns = Array2::<f64>::eye(grid.len());
            let mut rows = Array2::zeros((support.len(), grid.len()));
            for (i, column) in columns.columns().into_iter().enumerate() {
                rows.column_mut(i).assign(&support.binned(column));
            }
            let gram = rows.dot(&rows.t());
            assert_abs_diff_eq!(gram, Array2::eye(support.len()), epsilon = 1e-12);
        }
    }

    #[test]
    fn linear_functions_pass_between_grid_and_support_unchanged() {
        for grid in grids() {
            let support = Support::of(&grid, MOST_POINTS);
            let line = |t: &f64| 0.3 - 2.0 * t;
            let on_grid = grid.points().map(line);
            assert_abs_diff_eq!(support.on_grid(support.points.map(line).view()), on_grid, epsilon = 1e-12);
            let integral = support.gathered(grid.weights()).dot(&support.points.map(line));
            assert_abs_diff_eq!(integral, grid.integrate(on_grid.view()), epsilon = 1e-12);
        }
    }
}
