//! Fills missing values of a curve with what a public Gaussian process expects of them.

use dpfda_kernels::{CovarianceKernel, DomainKernel, Grid, KernelError};
use ndarray::Array2;
use thiserror::Error;

use crate::ball::{Ball, BallError};

#[cfg(test)]
#[path = "gaussian_fill_tests.rs"]
mod tests;

/// The most points of a grid: filling a curve takes the cube of the number of its observed points.
const MOST_POINTS: usize = 2000;

/// The least and the largest standard deviation of a measurement, in those of the process.
const NOISE: (f64, f64) = (1e-3, 10.0);

/// Why there is no such process. Everything in it is public.
#[derive(Debug, Clone, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FillError {
    #[error(
        "gaps are filled from a Gaussian process on at most {MOST_POINTS} points, got {found}; fill them by a line between neighbours"
    )]
    Points { found: usize },
    #[error("the process is on {points} points, and the curves are on {found}")]
    Grid { points: usize, found: usize },
    #[error("the noise of a measurement must be from {} to {} standard deviations of the process, got {value:?}", NOISE.0, NOISE.1)]
    Noise { value: f64 },
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Ball(#[from] BallError),
}

/// A public Gaussian process about the centre of a public ball, from which each curve is filled on its own.
///
/// ```text
/// X = c + s (f + nu e),   f ~ GP(0, k),  e white;      X_gap = c + K_go (K_oo + nu^2 I)^-1 (X_o - c)
/// ```
///
/// `s` cancels. Observed values stay as they are. What is filled in is a function of the same curve and of public numbers, so no sensitivity
/// changes: records are what they were, and each is still within the ball.
#[derive(Debug, Clone)]
pub struct GaussianFill {
    ball: Ball,
    center: Vec<f64>,
    /// `k` between the points of the grid.
    covariance: Array2<f64>,
    noise: f64,
}

impl GaussianFill {
    /// The process of this kernel on a grid mapped to `[0, 1]`, seen with white noise of so many standard deviations of the process. On a
    /// circle the kernel is that of [chords](DomainKernel).
    ///
    /// # Errors
    /// [`FillError`] for more than 2000 points, noise outside `[0.001, 10]`, a kernel that is none on a circle, and a centre on another
    /// grid.
    pub fn new(ball: &Ball, grid: &Grid, kernel: impl CovarianceKernel, noise: f64) -> Result<Self, FillError> {
        let found = grid.len();
        if found > MOST_POINTS {
            return Err(FillError::Points { found });
        }
        check_noise(noise)?;
        let center = ball.center_at(grid)?.to_vec();
        let unit = grid.to_unit().map_err(BallError::from)?;
        let points = unit.points();
        let kernel = DomainKernel::new(kernel, &unit)?;
        let variance = kernel.covariance(points[0], points[0]);
        let covariance =
            Array2::from_shape_fn((found, found), |(i, j)| kernel.covariance(points[i], points[j]) / variance);
        Ok(Self { ball: ball.clone(), center, covariance, noise })
    }

    /// The number of points of its grid.
    pub fn points(&self) -> usize {
        self.center.len()
    }

    /// Fills the missing values (NaN) of one curve. A curve without an observed value, and one whose values are so large that the result
    /// is not finite, stays as it is.
    ///
    /// # Panics
    /// Unless the curve has one value for each grid point.
    pub fn fill(&self, curve: &mut [f64]) {
        assert_eq!(curve.len(), self.center.len(), "one value for each grid point");
        let (observed, gaps): (Vec<usize>, Vec<usize>) = (0..curve.len()).partition(|&place| !curve[place].is_nan());
        if gaps.is_empty() || observed.is_empty() {
            return;
        }
        let entry = |i: usize, j: usize| {
            self.covariance[[observed[i], observed[j]]] + if i == j { self.noise * self.noise } else { 0.0 }
        };
        let deviations = observed.iter().map(|&place| self.ball.clamp(curve[place]) - self.center[place]).collect();
        let weights = solved(observed.len(), entry, deviations);
        let expected = |&gap: &usize| {
            let pull: f64 =
                observed.iter().zip(&weights).map(|(&place, weight)| self.covariance[[gap, place]] * weight).sum();
            self.center[gap] + pull
        };
        let filled: Vec<f64> = gaps.iter().map(expected).collect();
        if filled.iter().all(|value| value.is_finite()) {
            gaps.into_iter().zip(filled).for_each(|(gap, value)| curve[gap] = value);
        }
    }
}

/// Refuses noise that is no noise.
pub(crate) fn check_noise(value: f64) -> Result<(), FillError> {
    if (NOISE.0..=NOISE.1).contains(&value) { Ok(()) } else { Err(FillError::Noise { value }) }
}

/// The solution of `A x = b` for a positive definite matrix, by Cholesky's factor.
fn solved(size: usize, entry: impl Fn(usize, usize) -> f64, mut b: Vec<f64>) -> Vec<f64> {
    let mut factor = Array2::<f64>::zeros((size, size));
    for i in 0..size {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[[i, k]] * factor[[j, k]]).sum();
            let rest = entry(i, j) - known;
            factor[[i, j]] = if i == j { rest.sqrt() } else { rest / factor[[j, j]] };
        }
    }
    for i in 0..size {
        let known: f64 = (0..i).map(|k| factor[[i, k]] * b[k]).sum();
        b[i] = (b[i] - known) / factor[[i, i]];
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|k| factor[[k, i]] * b[k]).sum();
        b[i] = (b[i] - known) / factor[[i, i]];
    }
    b
}
