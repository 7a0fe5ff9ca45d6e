//! Mercer pairs of a kernel on a grid.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, CowArray, Ix2, Slice};
use thiserror::Error;

use crate::functions::covariance::{CovarianceKernel, KernelError};
use crate::functions::domain_kernel::DomainKernel;
use crate::grid::Grid;
use crate::mercer::eigenfunctions::Eigenfunctions;
use crate::mercer::eigensolver::{EigenError, Eigenpairs};
use crate::mercer::local_basis::LocalBasis;
use crate::mercer::weighted_kernel::WeightedKernel;

#[cfg(test)]
#[path = "long_grid_tests.rs"]
mod long_grid_tests;
#[cfg(test)]
#[path = "spectrum_tests.rs"]
mod tests;

/// The default tolerance: pairs are dropped unless their eigenvalue is above this fraction of the largest.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;

/// Below this fraction of the largest eigenvalue, the results of an eigensolver are rounding error.
const SMALLEST_TOLERANCE: f64 = 32.0 * f64::EPSILON;

/// The largest number of grid points of a dense eigenproblem, which takes about 6 GB of memory at this size.
const LARGEST_GRID: usize = 16_384;

/// Up to this number of points [`Spectrum::leading`] solves a dense eigenproblem where the rank is not small.
const LARGEST_DENSE: usize = 2048;

/// A compression is used instead of a dense eigenproblem where it loses at most this fraction of the trace.
const UNSEEN: f64 = 1e-6;

/// The largest number of pairs of a circle of more points than a dense eigenproblem has.
const MOST_WAVES: usize = 1024;

/// The largest fraction of the trace that a compression may lose where there is no dense eigenproblem.
const LARGEST_LOSS: f64 = 1e-2;

/// Why a spectrum could not be computed.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SpectrumError {
    #[error("spectrum tolerance must be from {SMALLEST_TOLERANCE:.1e} to below 1, got {value:?}")]
    Tolerance { value: f64 },
    #[error("all pairs are computed on at most {LARGEST_GRID} grid points, got {found}; average neighbouring points")]
    TooManyPoints { found: usize },
    #[error("this kernel is a covariance on [{lower:?}, {upper:?}] only, but the grid covers [{from:?}, {to:?}]")]
    Domain { lower: f64, upper: f64, from: f64, to: f64 },
    #[error(
        "on a grid of {points} points this kernel would lose {lost:.1e} of its variance, at most {LARGEST_LOSS} is allowed; take a longer range or a smoother kernel, or average neighbouring points"
    )]
    TooRough { points: usize, lost: f64 },
    #[error("the kernel has no finite, positive spectrum on this grid; check its range against the grid's spacing")]
    Degenerate,
    #[error(transparent)]
    Kernel(#[from] KernelError),
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
    kernel: DomainKernel<K>,
    grid: Grid,
    eigenvalues: Array1<f64>,
    eigenfunctions: Eigenfunctions,
    trace: f64,
}

impl<K: CovarianceKernel> Spectrum<K> {
    /// The Mercer pairs with `lambda_j > tolerance * lambda_1`, from a dense eigenproblem.
    ///
    /// On a grid that is symmetric about its midpoint, a stationary kernel is split into two problems of half the size.
    /// The sign of each eigenfunction is fixed: positive at its first value that is not small. Coordinates in this basis
    /// therefore mean the same on every machine.
    ///
    /// On a [circle](Grid::periodic) there is no eigenproblem. The kernel is that of chords ([`DomainKernel`]), its eigenfunctions are
    /// the constant and then, for each frequency, a cosine and a sine with one eigenvalue, in this order.
    ///
    /// # Errors
    /// [`SpectrumError`] for a tolerance outside `[32 eps, 1)`, too many points, a kernel that is not a covariance on the
    /// whole grid, or values that are not finite.
    pub fn new(kernel: K, grid: Grid, tolerance: f64) -> Result<Self, SpectrumError> {
        if grid.len() > LARGEST_GRID {
            return Err(SpectrumError::TooManyPoints { found: grid.len() });
        }
        let kernel = DomainKernel::new(kernel, &grid)?;
        check(&kernel, &grid, tolerance)?;
        let weighted = WeightedKernel::new(&kernel, &grid)?;
        let pairs = if grid.is_periodic() { weighted.waves(tolerance, grid.len())? } else { weighted.dense()? };
        let trace = weighted.trace();
        Self::of(kernel, grid, tolerance, pairs, trace, None)
    }

    /// The same pairs in time and memory that grow with the length of the grid, on any grid.
    ///
    /// Three methods are tried in this order; `docs/adr/0012-long-grids.md` has their errors and why there are three.
    ///
    /// ```text
    /// small rank      A = L L' + R with tr R <= 16 eps tr A       pivoted Cholesky; as exact as a dense solver
    /// dense           Spectrum::new                               up to 2048 points
    /// compressed      P'AP, P'P = I                               polynomials of degree 15 on 64 cells of the grid
    /// ```
    ///
    /// The eigenfunctions are orthonormal in each. A compressed spectrum has at most 1024 pairs, [`Spectrum::tail`] is the variance
    /// that it does not hold, and its kernel must be smooth on each side of `t = s`, as all kernels of this crate are.
    ///
    /// # Errors
    /// As [`Spectrum::new`]; and [`SpectrumError::TooRough`] on a grid of more than 16,384 points for a kernel of which more than a
    /// hundredth of the variance would be lost.
    ///
    /// # Examples
    /// ```
    /// use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Matern, Spectrum};
    ///
    /// let spectrum = Spectrum::leading(Matern::new(2.5, 0.25)?, Grid::uniform(0.0, 1.0, 20_000)?, DEFAULT_TOLERANCE)?;
    /// assert!(spectrum.tail() < 1e-10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leading(kernel: K, grid: Grid, tolerance: f64) -> Result<Self, SpectrumError> {
        let kernel = DomainKernel::new(kernel, &grid)?;
        check(&kernel, &grid, tolerance)?;
        let n = grid.len();
        let weighted = WeightedKernel::new(&kernel, &grid)?;
        let trace = weighted.trace();
        if grid.is_periodic() {
            let most = if n > LARGEST_GRID { MOST_WAVES } else { n };
            let pairs = weighted.waves(tolerance, most)?;
            let lost = 1.0 - pairs.values.sum() / trace;
            if lost > LARGEST_LOSS {
                return Err(SpectrumError::TooRough { points: n, lost });
            }
            return Self::of(kernel, grid, tolerance, pairs, trace, None);
        }
        if let Some(pairs) = weighted.of_small_rank()? {
            return Self::of(kernel, grid, tolerance, pairs, trace, None);
        }
        if n <= LARGEST_DENSE {
            let pairs = weighted.dense()?;
            return Self::of(kernel, grid, tolerance, pairs, trace, None);
        }
        let (pairs, basis) = weighted.compressed()?;
        let lost = 1.0 - pairs.values.sum() / trace;
        if lost > UNSEEN && n <= LARGEST_GRID {
            let pairs = weighted.dense()?;
            return Self::of(kernel, grid, tolerance, pairs, trace, None);
        }
        if lost > LARGEST_LOSS {
            return Err(SpectrumError::TooRough { points: n, lost });
        }
        Self::of(kernel, grid, tolerance, pairs, trace, Some(basis))
    }

    /// [`Spectrum::new`] up to 2048 points and [`Spectrum::leading`] beyond: what a smoother gives on a grid that is not long stays
    /// what a dense solver gives, whatever its penalty.
    pub fn for_smoothing(kernel: K, grid: Grid, tolerance: f64) -> Result<Self, SpectrumError> {
        let is_long = grid.len() > LARGEST_DENSE;
        if is_long { Self::leading(kernel, grid, tolerance) } else { Self::new(kernel, grid, tolerance) }
    }

    /// Keeps the pairs above the tolerance, in decreasing order.
    fn of(
        kernel: DomainKernel<K>,
        grid: Grid,
        tolerance: f64,
        pairs: Eigenpairs,
        trace: f64,
        basis: Option<LocalBasis>,
    ) -> Result<Self, SpectrumError> {
        let smallest = pairs.values.first().copied().unwrap_or(f64::NAN);
        let largest = pairs.values.last().copied().unwrap_or(f64::NAN);
        // the last condition refuses a negative kernel, whose largest eigenvalue is rounding error
        if !(largest.is_finite() && largest > 0.0 && largest > -smallest) {
            return Err(SpectrumError::Degenerate);
        }
        let kept = pairs.values.iter().rev().take_while(|&&value| value > tolerance * largest).count();
        let eigenvalues = pairs.values.iter().rev().take(kept).copied().collect();
        let mut vectors = pairs.vectors;
        vectors.invert_axis(Axis(1));
        vectors.slice_axis_inplace(Axis(1), Slice::from(..kept));
        let eigenfunctions = Eigenfunctions::new(vectors, basis, grid.weights());
        Ok(Self { kernel, grid, eigenvalues, eigenfunctions, trace })
    }

    /// The same spectrum with at most the `rank` leading pairs. On a circle no cosine stays without its sine, so that the span does not
    /// depend on where the circle begins.
    #[must_use]
    pub fn truncated(mut self, rank: usize) -> Self {
        let splits_a_wave = self.grid.is_periodic() && rank < self.rank() && rank > 0 && rank.is_multiple_of(2);
        let kept = rank.min(self.rank()) - usize::from(splits_a_wave);
        self.eigenvalues.slice_axis_inplace(Axis(0), Slice::from(..kept));
        self.eigenfunctions.truncate(kept);
        self
    }

    /// All `v_j(t)` at one point, by Nystrom's extension. At a grid point they are the eigenfunctions up to rounding.
    ///
    /// ```text
    /// v_j(t) = lambda_j^{-1} sum_k w_k C(t, t_k) v_j(t_k)
    /// ```
    pub fn eigenfunctions_at(&self, t: f64) -> Array1<f64> {
        let points = self.grid.points();
        let covariances = points.mapv(|s| self.kernel.covariance(t, s));
        self.coefficients(covariances.view()) / &self.eigenvalues
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        self.kernel.kernel()
    }

    /// The kernel on the domain of the grid: of what this is the spectrum.
    pub fn process(&self) -> &DomainKernel<K> {
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

    /// The eigenfunctions at the grid's points, `n x J`: column `j` is `v_j`. On a long grid they are made when asked for.
    pub fn eigenfunctions(&self) -> CowArray<'_, f64, Ix2> {
        self.eigenfunctions.at_points()
    }

    /// The number of pairs kept, `J`.
    pub fn rank(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The integrated variance that the pairs do not hold, at least 0.
    ///
    /// ```text
    /// sum_i w_i C(t_i, t_i) - sum_j lambda_j
    /// ```
    ///
    /// It bounds every eigenvalue that is left out.
    pub fn tail(&self) -> f64 {
        (self.trace - self.eigenvalues.sum()).max(0.0)
    }

    /// The coefficients `<f, v_j>` of a function given by its values at the grid's points.
    ///
    /// # Panics
    /// If `values` does not have one value for each point.
    pub fn coefficients(&self, values: ArrayView1<'_, f64>) -> Array1<f64> {
        self.eigenfunctions.integrals((&values * &self.grid.weights()).view())
    }

    /// The values `sum_j b_j v_j(t_i)` of a function given by its coefficients.
    ///
    /// # Panics
    /// If `coefficients` does not have one value for each pair.
    pub fn values(&self, coefficients: ArrayView1<'_, f64>) -> Array1<f64> {
        self.eigenfunctions.sums(coefficients)
    }

    /// The variances at the grid's points of `sum_j b_j v_j(t_i)`, whose coefficients have a covariance `S`.
    ///
    /// ```text
    /// v(t_i)' S v(t_i)
    /// ```
    ///
    /// `quadratic` takes rows `B` of coefficients, `r x J`, and returns `B S B'`, `r x r`.
    pub fn variances(&self, quadratic: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>) -> Array1<f64> {
        self.eigenfunctions.quadratic_forms(quadratic)
    }
}

/// Refuses what has no spectrum by any method.
fn check<K: CovarianceKernel>(kernel: &K, grid: &Grid, tolerance: f64) -> Result<(), SpectrumError> {
    if !(SMALLEST_TOLERANCE..1.0).contains(&tolerance) {
        return Err(SpectrumError::Tolerance { value: tolerance });
    }
    let (lower, upper) = kernel.domain();
    let (from, to) = (grid.lower(), grid.upper());
    if from < lower || to > upper {
        return Err(SpectrumError::Domain { lower, upper, from, to });
    }
    Ok(())
}
