//! Mercer pairs of a kernel on a grid.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};
use thiserror::Error;

use crate::centrosymmetric::centrosymmetric_eigenpairs;
use crate::covariance::CovarianceKernel;
use crate::eigensolver::{EigenError, Eigenpairs, symmetric_eigenpairs};
use crate::grid::Grid;

#[cfg(test)]
#[path = "spectrum_tests.rs"]
mod tests;

/// The default tolerance: pairs are dropped unless their eigenvalue is above this fraction of the largest.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;

/// Below this fraction of the largest eigenvalue, the results of an eigensolver are rounding error.
const SMALLEST_TOLERANCE: f64 = 32.0 * f64::EPSILON;

/// The largest number of grid points: a dense eigenproblem of this size takes about 6 GB of memory.
const LARGEST_GRID: usize = 16_384;

/// Why a spectrum could not be computed.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SpectrumError {
    /// The relative tolerance must be below 1, and at least 32 times the precision of a double.
    #[error("spectrum tolerance must be from {SMALLEST_TOLERANCE:.1e} to below 1, got {value}")]
    Tolerance {
        /// The tolerance given.
        value: f64,
    },
    /// The grid has too many points for a dense eigenproblem.
    #[error("a spectrum is computed on at most {LARGEST_GRID} grid points, got {found}; average neighbouring points")]
    TooManyPoints {
        /// The number of points.
        found: usize,
    },
    /// The kernel is a covariance on a smaller interval than the grid covers.
    #[error("this kernel is a covariance on [{lower}, {upper}] only, but the grid covers [{from}, {to}]")]
    Domain {
        /// Where the kernel's interval begins.
        lower: f64,
        /// Where the kernel's interval ends.
        upper: f64,
        /// Where the grid begins.
        from: f64,
        /// Where the grid ends.
        to: f64,
    },
    /// The kernel has a value that is not finite, or has no positive eigenvalue.
    #[error("the kernel has no finite, positive spectrum on this grid; check its range against the grid's spacing")]
    Degenerate,
    /// The eigensolver did not converge.
    #[error(transparent)]
    Eigen(#[from] EigenError),
}

/// The leading Mercer pairs `(lambda_j, v_j)` of a kernel on a grid, in decreasing order of `lambda_j`.
///
/// ```text
/// sum_k w_k C(t_i, t_k) v_j(t_k) = lambda_j v_j(t_i),     sum_k w_k v_i(t_k) v_j(t_k) = 1{i = j}
/// ```
///
/// The pairs are computed from the eigenpairs `(lambda, u)` of `W^{1/2} K W^{1/2}`, with `v = W^{-1/2} u`. The factor
/// `W^{-1/2}` matters: noise built from the unit vectors `u` instead of `v` is too small by about `sqrt(n)`.
///
/// ```
/// use dpfda_kernels::{DEFAULT_TOLERANCE, Exponential, Grid, Spectrum};
///
/// let grid = Grid::uniform(0.0, 1.0, 101)?;
/// let spectrum = Spectrum::new(Exponential::new(0.5)?, grid, DEFAULT_TOLERANCE)?.truncated(10);
///
/// // the coefficients of an eigenfunction are 1 for itself and 0 for the others
/// let coefficients = spectrum.coefficients(spectrum.eigenfunctions().column(1));
/// assert_eq!(coefficients.len(), 10);
/// assert!((coefficients[1] - 1.0).abs() < 1e-12 && coefficients[2].abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Spectrum<K> {
    kernel: K,
    grid: Grid,
    eigenvalues: Array1<f64>,
    /// `n x J`, column-major: one column is one eigenfunction at the grid's points.
    eigenfunctions: Array2<f64>,
}

impl<K: CovarianceKernel> Spectrum<K> {
    /// The Mercer pairs with `lambda_j > tolerance * lambda_1`.
    ///
    /// On a grid that is symmetric about its midpoint, a stationary kernel is split into two problems of half the size.
    /// The sign of each eigenfunction is fixed: positive at its first value that is not small. Coordinates in this basis
    /// therefore mean the same on every machine.
    ///
    /// # Errors
    /// [`SpectrumError`] for a tolerance outside `[32 eps, 1)`, too many points, a kernel that is not a covariance on the
    /// whole grid, or values that are not finite.
    pub fn new(kernel: K, grid: Grid, tolerance: f64) -> Result<Self, SpectrumError> {
        if !(SMALLEST_TOLERANCE..1.0).contains(&tolerance) {
            return Err(SpectrumError::Tolerance { value: tolerance });
        }
        if grid.len() > LARGEST_GRID {
            return Err(SpectrumError::TooManyPoints { found: grid.len() });
        }
        let (lower, upper) = kernel.domain();
        let (from, to) = (grid.lower(), grid.upper());
        if from < lower || to > upper {
            return Err(SpectrumError::Domain { lower, upper, from, to });
        }
        let pairs = weighted_eigenpairs(&kernel, &grid)?;
        let smallest = pairs.values.first().copied().unwrap_or(f64::NAN);
        let largest = pairs.values.last().copied().unwrap_or(f64::NAN);
        // the last condition refuses a negative kernel, whose largest eigenvalue is rounding error
        if !(largest.is_finite() && largest > 0.0 && largest > -smallest) {
            return Err(SpectrumError::Degenerate);
        }
        let kept = pairs.values.iter().rev().take_while(|&&value| value > tolerance * largest).count();
        let eigenvalues = pairs.values.iter().rev().take(kept).copied().collect();
        let mut eigenfunctions = pairs.vectors;
        eigenfunctions.invert_axis(Axis(1));
        eigenfunctions.slice_axis_inplace(Axis(1), Slice::from(..kept));
        let inverse_roots = grid.weights().mapv(|w| 1.0 / w.sqrt());
        for mut column in eigenfunctions.columns_mut() {
            let sign = orientation(column.view());
            column.zip_mut_with(&inverse_roots, |u, root| *u *= sign * root);
        }
        Ok(Self { kernel, grid, eigenvalues, eigenfunctions })
    }

    /// The same spectrum with at most the `rank` leading pairs.
    #[must_use]
    pub fn truncated(mut self, rank: usize) -> Self {
        let kept = rank.min(self.rank());
        self.eigenvalues.slice_axis_inplace(Axis(0), Slice::from(..kept));
        self.eigenfunctions.slice_axis_inplace(Axis(1), Slice::from(..kept));
        self
    }

    /// All `v_j(t)` at one point, by Nystrom's extension. At a grid point they are the eigenfunctions up to rounding.
    ///
    /// ```text
    /// v_j(t) = lambda_j^{-1} sum_k w_k C(t, t_k) v_j(t_k)
    /// ```
    pub fn eigenfunctions_at(&self, t: f64) -> Array1<f64> {
        let points = self.grid.points();
        let weighted =
            Array1::from_shape_fn(points.len(), |k| self.grid.weights()[k] * self.kernel.covariance(t, points[k]));
        self.eigenfunctions.t().dot(&weighted) / &self.eigenvalues
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The eigenvalues `lambda_1 >= ... >= lambda_J > 0`.
    pub fn eigenvalues(&self) -> ArrayView1<'_, f64> {
        self.eigenvalues.view()
    }

    /// The eigenfunctions at the grid's points, `n x J`: column `j` is `v_j`.
    pub fn eigenfunctions(&self) -> ArrayView2<'_, f64> {
        self.eigenfunctions.view()
    }

    /// The number of pairs kept, `J`.
    pub fn rank(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The coefficients `<f, v_j>` of a function given by its values at the grid's points.
    ///
    /// # Panics
    /// If `values` does not have one value for each point.
    pub fn coefficients(&self, values: ArrayView1<'_, f64>) -> Array1<f64> {
        self.eigenfunctions.t().dot(&(&values * &self.grid.weights()))
    }
}

/// Eigenpairs of `W^{1/2} K W^{1/2}` in increasing order.
fn weighted_eigenpairs<K: CovarianceKernel>(kernel: &K, grid: &Grid) -> Result<Eigenpairs, SpectrumError> {
    let n = grid.len();
    let symmetric = kernel.is_stationary() && grid.is_symmetric();
    let covariances = Covariances::new(kernel, grid, symmetric && grid.is_uniform());
    // Eigensolvers lose pairs near the limits of double precision. Powers of two bring the matrix near 1 without rounding.
    let weight_scale = power_of_two(grid.weights().iter().copied().fold(0.0, f64::max));
    let scale = power_of_two(covariances.largest().ok_or(SpectrumError::Degenerate)?);
    if scale == 0.0 {
        return Err(SpectrumError::Degenerate);
    }
    let roots = grid.weights().mapv(|w| (w / weight_scale).sqrt());
    let entry = |i: usize, j: usize| roots[i] * (covariances.at(i, j) / scale) * roots[j];
    let mut pairs = if symmetric {
        centrosymmetric_eigenpairs(n, entry)?
    } else {
        symmetric_eigenpairs(&Array2::from_shape_fn((n, n), |(i, j)| entry(i, j)))?
    };
    pairs.values.mapv_inplace(|value| value * weight_scale * scale);
    Ok(pairs)
}

/// The covariances between the points of a grid, each evaluated once.
enum Covariances {
    /// Equally spaced points have `n` distinct distances.
    ByLag(Vec<f64>),
    ByPair(Array2<f64>),
}

impl Covariances {
    fn new<K: CovarianceKernel>(kernel: &K, grid: &Grid, by_lag: bool) -> Self {
        let (n, points) = (grid.len(), grid.points());
        if by_lag {
            return Self::ByLag((0..n).map(|lag| kernel.covariance(points[0], points[lag])).collect());
        }
        let mut matrix = Array2::zeros((n, n));
        for i in 0..n {
            for j in 0..=i {
                let value = kernel.covariance(points[i], points[j]);
                matrix[[i, j]] = value;
                matrix[[j, i]] = value;
            }
        }
        Self::ByPair(matrix)
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::ByLag(lags) => lags[i.abs_diff(j)],
            Self::ByPair(matrix) => matrix[[i, j]],
        }
    }

    /// The largest absolute value; `None` if any value is not finite.
    fn largest(&self) -> Option<f64> {
        let largest = |m: Option<f64>, c: &f64| m.filter(|_| c.is_finite()).map(|m| m.max(c.abs()));
        match self {
            Self::ByLag(lags) => lags.iter().fold(Some(0.0), largest),
            Self::ByPair(matrix) => matrix.iter().fold(Some(0.0), largest),
        }
    }
}

/// The largest power of two that is not above a positive number; 0 for subnormal numbers.
fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT)
}

/// The sign that makes an eigenvector positive at its first entry that is not small.
///
/// The largest entry cannot decide: on a symmetric grid, mirrored entries are equal up to rounding.
fn orientation(u: ArrayView1<'_, f64>) -> f64 {
    let largest = u.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    u.iter().find(|x| x.abs() >= 0.1 * largest).map_or(1.0, |x| x.signum())
}
