//! What was observed, as functionals of the mean at the support.

use dpfda_kernels::{CovarianceKernel, EigenError, eigenpairs};
use ndarray::{Array1, Array2, ArrayView1, Axis};

use crate::posterior::bins::Bins;
use crate::posterior::lattice::Lattice;
use crate::posterior::observed::Observation;
use crate::posterior::support::Support;

/// Points this close to equally spaced ones are equally spaced.
pub(crate) const EVEN: f64 = 1e-13;

/// Directions of a map whose squared size is below this fraction of the largest say nothing about the mean.
const BLIND: f64 = 1e-14;

/// The rows of an observation as functionals of the deviation `f - c` at the support.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    /// `sqrt(w_i)` times the value at point `i`.
    Points(Array1<f64>),
    /// `sqrt(W_b)` times the average over bin `b`.
    Averages(Bins),
    /// `m x q`: any functionals of the values.
    Map(Array2<f64>),
}

impl Rows {
    /// The rows of white noise on the mean itself.
    pub(crate) fn isonormal(support: &Support) -> Self {
        let points = || Self::Points(support.weights.mapv(f64::sqrt));
        support.bins.as_ref().map_or_else(points, |bins| Self::Averages(bins.clone()))
    }

    /// Each row applied to `s -> of(t, s)`, a column for each `t`.
    pub(crate) fn of(
        &self,
        points: &Array1<f64>,
        at: ArrayView1<'_, f64>,
        of: impl Fn(f64, f64) -> f64,
    ) -> Array2<f64> {
        if let Self::Averages(bins) = self {
            let mut matrix = Array2::zeros((bins.len(), at.len()));
            for ((mut row, bin), b) in matrix.rows_mut().into_iter().zip(bins.iter()).zip(0..) {
                for (value, &t) in row.iter_mut().zip(at) {
                    *value = bin.weight.sqrt() * bins.average(b, t, |s| of(t, s));
                }
            }
            return matrix;
        }
        let mut matrix = Array2::zeros((points.len(), at.len()));
        for (mut row, &s) in matrix.rows_mut().into_iter().zip(points) {
            for (value, &t) in row.iter_mut().zip(at) {
                *value = of(t, s);
            }
        }
        match self {
            Self::Map(map) => map.dot(&matrix),
            Self::Points(roots) => matrix * roots.view().insert_axis(Axis(1)),
            Self::Averages(_) => matrix,
        }
    }

    /// Each row applied to `s -> K(t, s)`, a column for each point `t` of the support.
    pub(crate) fn of_support(&self, kernel: &impl CovarianceKernel, points: &Array1<f64>) -> Array2<f64> {
        match self {
            Self::Map(map) => map.dot(&between(kernel, points)),
            other => other.of(points, points.view(), |t, s| kernel.covariance(t, s)),
        }
    }

    /// `R K R'` of the covariance of a rung.
    pub(crate) fn covariance(&self, kernel: &impl CovarianceKernel, points: &Array1<f64>) -> Array2<f64> {
        match self {
            Self::Points(roots) => scaled(between(kernel, points), roots),
            Self::Averages(bins) => {
                let averages = bins.covariance(kernel);
                scaled(averages, &bins.iter().map(|bin| bin.weight.sqrt()).collect())
            }
            Self::Map(map) => map.dot(&between(kernel, points)).dot(&map.t()),
        }
    }

    /// What `beta` weighs the points, or the bins, with in `sum_i beta_i (R f)_i`.
    pub(crate) fn representer(&self, beta: &Array1<f64>) -> Array1<f64> {
        match self {
            Self::Points(roots) => beta * roots,
            Self::Averages(bins) => bins.iter().zip(beta).map(|(bin, beta)| beta * bin.weight.sqrt()).collect(),
            Self::Map(map) => map.t().dot(beta),
        }
    }

    /// `sum_i alpha_i K(t, s_i)` at each point `t`, over the support, or over averages over the bins.
    pub(crate) fn expand(
        &self,
        kernel: &impl CovarianceKernel,
        at: ArrayView1<'_, f64>,
        points: &Array1<f64>,
        alpha: &Array1<f64>,
    ) -> Array1<f64> {
        if let Self::Averages(bins) = self {
            let average = |t: f64, b| bins.average(b, t, |s| kernel.covariance(t, s));
            return at.mapv(|t| alpha.iter().enumerate().map(|(b, alpha)| alpha * average(t, b)).sum());
        }
        if kernel.is_stationary()
            && let Some(lattice) = Lattice::of(points, at)
        {
            return lattice.expand(kernel, alpha);
        }
        at.mapv(|t| points.iter().zip(alpha).map(|(&s, alpha)| kernel.covariance(t, s) * alpha).sum())
    }
}

/// The columns of a map of isonormal coordinates as functionals of a function that is linear between the support's points.
pub(crate) fn rows_of(map: &Array2<f64>, support: &Support) -> Array2<f64> {
    let roots = support.unit_grid().weights().mapv(f64::sqrt);
    let mut rows = Array2::zeros((map.ncols(), support.len()));
    for (mut row, column) in rows.rows_mut().into_iter().zip(map.columns()) {
        row.assign(&support.gathered((&column * &roots).view()));
    }
    rows
}

/// `diag(r) K diag(r)`.
pub(crate) fn scaled(matrix: Array2<f64>, roots: &Array1<f64>) -> Array2<f64> {
    matrix * roots.view().insert_axis(Axis(1)) * roots.view().insert_axis(Axis(0))
}

/// The covariances between all points, each evaluated once. Equally spaced points have few distances.
pub(crate) fn between(kernel: &impl CovarianceKernel, points: &Array1<f64>) -> Array2<f64> {
    let n = points.len();
    let step = (points[n - 1] - points[0]) / (n - 1).max(1) as f64;
    let is_even = points.iter().enumerate().all(|(i, t)| (t - points[0] - step * i as f64).abs() <= EVEN);
    if is_even && kernel.is_stationary() {
        let lags: Vec<f64> = points.iter().map(|&t| kernel.covariance(points[0], t)).collect();
        return Array2::from_shape_fn((n, n), |(i, j)| lags[i.abs_diff(j)]);
    }
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
            return Ok(Self { coordinates: support.binned(y.view()), rows: Rows::isonormal(support), sigma });
        };
        let rows = rows_of(map, support);
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
