//! The curves that the simulations draw.

use std::f64::consts::PI;

use dpfda::kernels::{DEFAULT_TOLERANCE, Gaussian, Grid, Spectrum};
use dpfda::smoothing::{Ball, Center, CurveSet};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::Rng;
use rand_distr::{Distribution, StandardUniform};

use crate::error::ReproductionError;

#[cfg(test)]
#[path = "simulation_tests.rs"]
mod tests;

/// Scores are uniform between minus this and this.
const LARGEST_SCORE: f64 = 0.4;

/// Equally spaced points of each curve on `[0, 1]`.
const POINTS: usize = 100;

/// A mean function on `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeanFunction {
    /// `0.1 sin(pi t)`, the paper's.
    #[default]
    HalfWave,
    /// `0.2 t^2`: smooth, and not 0 at an end. Not from the paper.
    Rise,
    /// `0.2 exp(-(t - 0.3)^2 / 0.01)`: flat but for one peak. Not from the paper.
    Peak,
    /// `0.1 sin(8 pi t)`: four whole waves. Not from the paper.
    Waves,
}

impl MeanFunction {
    /// The value at `t`.
    pub fn at(self, t: f64) -> f64 {
        match self {
            Self::HalfWave => 0.1 * (PI * t).sin(),
            Self::Rise => 0.2 * t * t,
            Self::Peak => 0.2 * (-(t - 0.3).powi(2) / 0.01).exp(),
            Self::Waves => 0.1 * (8.0 * PI * t).sin(),
        }
    }
}

/// A random curve, by its Karhunen-Loeve expansion on 100 equally spaced points of `[0, 1]`.
///
/// ```text
/// X(t) = mu(t) + sum_{j=1}^m j^{-p/2} U_j v_j(t),    U_j independent, uniform on (-0.4, 0.4)
/// ```
///
/// Mirshani, Reimherr and Slavkovic, eq. (4). The `v_j` are the `L2`-normalised eigenfunctions of the Gaussian kernel
/// `exp(-d^2 / rho)` of range `rho`, and `m` is the number of its eigenvalues that are numerically not zero: above 1e-12
/// of the largest, which for `rho = 0.001` is all 100. (The paper says "usually about 50"; the terms between them matter
/// little, since `sum_{j > 50} j^{-4}` is 3e-6.)
#[derive(Debug, Clone, PartialEq)]
pub struct RandomCurve {
    grid: Grid,
    mean: Array1<f64>,
    /// `n x m`: column `j` is `j^{-p/2} v_j`.
    loadings: Array2<f64>,
    radius: f64,
}

impl RandomCurve {
    /// The law with this mean function, decay `p` and kernel range `rho`; the paper has `p = 4` and `rho = 0.001`.
    pub fn new(mean: MeanFunction, decay: f64, range: f64) -> Result<Self, ReproductionError> {
        if !(decay.is_finite() && decay > 1.0) {
            return Err(ReproductionError::Decay { value: decay });
        }
        let grid = Grid::uniform(0.0, 1.0, POINTS)?;
        let spectrum = Spectrum::new(Gaussian::new(range)?, grid.clone(), DEFAULT_TOLERANCE)?;
        let variances: Array1<f64> = (1..=spectrum.rank()).map(|j| (j as f64).powf(-decay)).collect();
        let mean = grid.points().mapv(|t| mean.at(t));
        let size = grid.integrate((&mean * &mean).view()).sqrt();
        let radius = size + LARGEST_SCORE * variances.sum().sqrt();
        let loadings = spectrum.eigenfunctions().to_owned() * variances.mapv(f64::sqrt);
        Ok(Self { grid, mean, loadings, radius })
    }

    /// The points.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The mean function `mu` at the grid's points.
    pub fn mean(&self) -> ArrayView1<'_, f64> {
        self.mean.view()
    }

    /// The variance at the grid's points.
    ///
    /// ```text
    /// (0.4^2 / 3) sum_j j^{-p} v_j(t)^2
    /// ```
    pub fn variance(&self) -> Array1<f64> {
        self.loadings.mapv(|x| x * x).sum_axis(Axis(1)) * (LARGEST_SCORE.powi(2) / 3.0)
    }

    /// A ball that holds every curve there can be: a public bound, as the law is public.
    ///
    /// ```text
    /// ||X|| <= tau = ||mu|| + 0.4 sqrt(sum_j j^{-p}),    about the centre 0
    /// ```
    ///
    /// # Errors
    /// [`ReproductionError::Ball`]; none in practice.
    pub fn ball(&self) -> Result<Ball, ReproductionError> {
        Ok(Ball::new(Center::Constant(0.0), self.radius)?)
    }

    /// Draws curves, one after the other: with the same randomness, fewer curves are the first of more.
    ///
    /// # Errors
    /// [`ReproductionError::Curves`]; none in practice.
    pub fn draw<R: Rng + ?Sized>(&self, records: usize, rng: &mut R) -> Result<CurveSet, ReproductionError> {
        let score = || LARGEST_SCORE * (2.0 * Distribution::<f64>::sample(&StandardUniform, rng) - 1.0);
        let scores = Array2::from_shape_simple_fn((records, self.loadings.ncols()), score);
        Ok(CurveSet::new(self.grid.clone(), scores.dot(&self.loadings.t()) + &self.mean)?)
    }
}
