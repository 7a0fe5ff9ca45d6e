//! The eigenproblem of a kernel on a grid, by three methods.

use ndarray::{Array1, Array2, ShapeBuilder};

use crate::functions::covariance::CovarianceKernel;
use crate::grid::Grid;
use crate::mercer::centrosymmetric::{centrosymmetric_eigenpairs, eigenpairs};
use crate::mercer::compressed_kernel::CompressedKernel;
use crate::mercer::eigensolver::{Eigenpairs, symmetric_eigenpairs};
use crate::mercer::local_basis::LocalBasis;
use crate::mercer::low_rank::low_rank_eigenpairs;
use crate::mercer::spectrum::SpectrumError;

/// Grids of at most this number of points have a dense eigenproblem, whatever the rank.
const SMALLEST_LONG_GRID: usize = 256;

/// The largest rank that counts as small. The factor of `10^5` points then takes 51 MB.
const SMALL_RANK: usize = 64;

/// The number of cells of a compression.
const CELLS: usize = 64;

/// `A = W^{1/2} K W^{1/2}`, brought near 1.
///
/// Eigensolvers lose pairs near the limits of double precision. Powers of two bring the matrix near 1 without rounding.
pub(crate) struct WeightedKernel<'a, K> {
    kernel: &'a K,
    grid: &'a Grid,
    /// `sqrt(w_i / weight_scale)`
    roots: Array1<f64>,
    /// The scales of the weights and of the covariances.
    weight_scale: f64,
    scale: f64,
    /// The scaled diagonal of `A`.
    diagonal: Array1<f64>,
}

impl<'a, K: CovarianceKernel> WeightedKernel<'a, K> {
    /// # Errors
    /// [`SpectrumError::Degenerate`] for a variance that is not finite, or variances that are all 0.
    pub(crate) fn new(kernel: &'a K, grid: &'a Grid) -> Result<Self, SpectrumError> {
        let variances = grid.points().mapv(|t| kernel.covariance(t, t));
        let largest = largest(variances.iter()).ok_or(SpectrumError::Degenerate)?;
        let weight_scale = power_of_two(grid.weights().iter().copied().fold(0.0, f64::max));
        let scale = power_of_two(largest);
        if scale == 0.0 {
            return Err(SpectrumError::Degenerate);
        }
        let roots = grid.weights().mapv(|w| (w / weight_scale).sqrt());
        let diagonal = variances / scale * &roots * &roots;
        Ok(Self { kernel, grid, roots, weight_scale, scale, diagonal })
    }

    /// `tr A`
    pub(crate) fn trace(&self) -> f64 {
        self.diagonal.sum() * self.weight_scale * self.scale
    }

    fn rescaled(&self, mut pairs: Eigenpairs) -> Eigenpairs {
        pairs.values.mapv_inplace(|value| value * self.weight_scale * self.scale);
        pairs
    }

    /// All eigenpairs, in increasing order.
    pub(crate) fn dense(&self) -> Result<Eigenpairs, SpectrumError> {
        let n = self.grid.len();
        let is_symmetric = self.kernel.is_stationary() && self.grid.is_symmetric();
        let covariances = Covariances::new(self.kernel, self.grid, is_symmetric && self.grid.is_uniform());
        let entry = |i: usize, j: usize| self.roots[i] * (covariances.at(i, j) / self.scale) * self.roots[j];
        covariances.largest().ok_or(SpectrumError::Degenerate)?;
        Ok(self.rescaled(if is_symmetric {
            centrosymmetric_eigenpairs(n, entry)?
        } else {
            symmetric_eigenpairs(&Array2::from_shape_fn((n, n), |(i, j)| entry(i, j)))?
        }))
    }

    /// The eigenpairs on equally spaced points of a circle, in increasing order: at most so many, above this fraction of the largest, and of
    /// each frequency all or none.
    ///
    /// ```text
    /// lambda_k = w sum_j C(t_1, t_j) cos(2 pi j k / n),    u = 1/sqrt(n), and sqrt(2/n) times cos and sin of 2 pi j k / n
    /// ```
    ///
    /// The order is that of the frequencies, with which the eigenvalues of isotropic kernels fall. Sorting them would let rounding decide
    /// between equal ones.
    pub(crate) fn waves(&self, tolerance: f64, most: usize) -> Result<Eigenpairs, SpectrumError> {
        let n = self.grid.len();
        let first = self.grid.lower();
        let row = self.grid.points().mapv(|t| self.kernel.covariance(first, t) / self.scale);
        if row.iter().any(|value| !value.is_finite()) {
            return Err(SpectrumError::Degenerate);
        }
        let angles = Array1::from_shape_fn(n, |m| std::f64::consts::TAU * m as f64 / n as f64);
        let circle = [angles.mapv(f64::cos), angles.mapv(f64::sin)];
        let weight = self.roots[0] * self.roots[0];
        let least = tolerance * sum_of_waves(&row, &circle[0], 0);
        let both = |k: usize| if k == 0 || 2 * k == n { 1 } else { 2 };
        let frequencies = (0..=n / 2).map(|k| (k, sum_of_waves(&row, &circle[0], k)));
        // of one frequency all waves, or none
        let is_few = |k: usize| 2 * k + usize::from(2 * k != n) <= most;
        let frequencies = frequencies.take_while(|(k, value)| *value > least && is_few(*k));
        let waves = frequencies.flat_map(|(k, value)| (0..both(k)).map(move |is_sine| (k, is_sine, value)));
        let mut kept: Vec<(usize, usize, f64)> = waves.collect();
        kept.reverse();
        let vectors = Array2::from_shape_fn((n, kept.len()).f(), |(j, column)| {
            let (k, is_sine, _) = kept[column];
            circle[is_sine][(j * k) % n] * (both(k) as f64 / n as f64).sqrt()
        });
        Ok(self.rescaled(Eigenpairs { values: kept.iter().map(|wave| wave.2 * weight).collect(), vectors }))
    }

    /// All eigenpairs above rounding error, where there are few on a grid that is not small.
    pub(crate) fn of_small_rank(&self) -> Result<Option<Eigenpairs>, SpectrumError> {
        let n = self.grid.len();
        let most = SMALL_RANK.min(n / 8);
        // every few points tell whether the rank is small, at little cost
        let stride = n.div_ceil(4 * SMALL_RANK);
        if n <= SMALLEST_LONG_GRID || self.low_rank(stride, most)?.is_none() {
            return Ok(None);
        }
        Ok(self.low_rank(1, most)?.map(|pairs| self.rescaled(pairs)))
    }

    /// The pairs of every so many points.
    fn low_rank(&self, stride: usize, most: usize) -> Result<Option<Eigenpairs>, SpectrumError> {
        let points = self.grid.points();
        let places: Vec<usize> = (0..self.grid.len()).step_by(stride).collect();
        let diagonal: Array1<f64> = places.iter().map(|&i| self.diagonal[i]).collect();
        let entry = |i: usize, j: usize| {
            let (i, j) = (places[i], places[j]);
            self.roots[i] * (self.kernel.covariance(points[i], points[j]) / self.scale) * self.roots[j]
        };
        Ok(low_rank_eigenpairs(diagonal.view(), entry, most)?)
    }

    /// The eigenpairs of `P'AP`, in increasing order, and `P`.
    pub(crate) fn compressed(&self) -> Result<(Eigenpairs, LocalBasis), SpectrumError> {
        let basis = LocalBasis::new(self.grid, self.roots.view(), CELLS);
        let covariance = |t: f64, s: f64| self.kernel.covariance(t, s) / self.scale;
        let (points, roots) = (self.grid.points(), self.roots.view());
        let matrix = CompressedKernel { points, roots, covariance }.matrix(&basis);
        if !matrix.iter().all(|entry| entry.is_finite()) {
            return Err(SpectrumError::Degenerate);
        }
        Ok((self.rescaled(eigenpairs(&matrix)?), basis))
    }
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
        match self {
            Self::ByLag(lags) => largest(lags.iter()),
            Self::ByPair(matrix) => largest(matrix.iter()),
        }
    }
}

/// `sum_j x_j cos(2 pi j k / n)`, with what each addition rounds off (Neumaier): a wave costs as much as its values do.
fn sum_of_waves(values: &Array1<f64>, cosines: &Array1<f64>, k: usize) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for (j, value) in values.iter().enumerate() {
        let term = value * cosines[(j * k) % values.len()];
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + lost
}

/// The largest absolute value; `None` if any value is not finite.
fn largest<'a>(mut values: impl Iterator<Item = &'a f64>) -> Option<f64> {
    values.try_fold(0.0, |most: f64, value| value.is_finite().then(|| most.max(value.abs())))
}

/// The largest power of two that is not above a positive number; 0 for subnormal numbers.
fn power_of_two(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT)
}
