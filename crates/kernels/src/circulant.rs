//! Paths of any stationary process on equally spaced points, by circulant embedding.

use std::sync::Arc;

use ndarray::{Array1, Axis, Slice};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use realfft::ComplexToReal;
use realfft::num_complex::Complex;

use crate::functions::covariance::CovarianceKernel;
use crate::grid::Grid;
use crate::mercer::fourier;
use crate::path::PathError;

/// The negative eigenvalues of an embedding may sum to this fraction of the trace. Setting them to 0 changes no covariance by more
/// than this fraction of the variance.
const NEGATIVE: f64 = 1e-9;

/// The circle may be this many times as long as the grid.
const LONGEST: usize = 64;

/// A stationary process on a circle of `M` equally spaced points, of which a grid takes the first `n`.
///
/// ```text
/// c_0, c_1, ..., c_{M/2}, c_{M/2 - 1}, ..., c_1      the covariances on the circle, lambda_k their discrete Fourier transform
/// y_j = M^{-1/2} sum_k sqrt(lambda_k) eps_k exp(2 pi i j k / M),   Cov(y_i, y_j) = c_{i - j}
/// ```
///
/// (Dietrich and Newsam, SIAM J. Sci. Comput. 18, 1997.) The circle grows until no eigenvalue is negative.
#[derive(Clone)]
pub(crate) struct Circulant {
    /// `sqrt(lambda_k / M)` for `k <= M/2`; divided by `sqrt 2` where the noise is complex.
    scales: Vec<f64>,
    points: usize,
    inverse: Arc<dyn ComplexToReal<f64>>,
}

impl Circulant {
    pub(crate) fn new(kernel: &impl CovarianceKernel, grid: &Grid) -> Result<Self, PathError> {
        let (n, lower) = (grid.len(), grid.lower());
        let step = grid.length() / (n - 1) as f64;
        let mut half = (n - 1).next_power_of_two();
        loop {
            let circle = 2 * half;
            let covariance = |lag: usize| kernel.covariance(lower, lower + step * lag as f64);
            let mut covariances: Vec<f64> = (0..=half).map(covariance).collect();
            covariances.extend_from_within(1..half);
            covariances[half + 1..].reverse();
            let spectrum = fourier::transform(&mut covariances).map_err(|_| PathError::Degenerate)?;
            let eigenvalues: Vec<f64> = spectrum.iter().map(|value| value.re).collect();
            // both ends stand once on the circle, all others twice
            let times = |k: usize| if k == 0 || k == half { 1.0 } else { 2.0 };
            let sum = |of: &dyn Fn(f64) -> f64| (0..=half).map(|k| times(k) * of(eigenvalues[k])).sum::<f64>();
            let (trace, negative) = (sum(&|value| value), sum(&|value| (-value).max(0.0)));
            if !(trace.is_finite() && trace > 0.0) {
                return Err(PathError::Degenerate);
            }
            if negative <= NEGATIVE * trace {
                let scale = |k: usize| (eigenvalues[k].max(0.0) * times(k).recip() / circle as f64).sqrt();
                let scales = (0..=half).map(scale).collect();
                return Ok(Self { scales, points: n, inverse: fourier::inverse(circle) });
            }
            half *= 2;
            if half > LONGEST * n {
                return Err(PathError::NotEmbedded { times: LONGEST });
            }
        }
    }

    pub(crate) fn draw<R: Rng + ?Sized>(&self, randomness: &mut R) -> Array1<f64> {
        let last = self.scales.len() - 1;
        let mut noise = self.inverse.make_input_vec();
        for (k, (value, scale)) in noise.iter_mut().zip(&self.scales).enumerate() {
            let mut normal = || -> f64 { StandardNormal.sample(randomness) };
            let real = scale * normal();
            let imaginary = if k == 0 || k == last { 0.0 } else { scale * normal() };
            *value = Complex::new(real, imaginary);
        }
        let mut values = self.inverse.make_output_vec();
        let done = self.inverse.process(&mut noise, &mut values);
        debug_assert!(done.is_ok(), "both ends are real and all lengths are the plan's");
        let mut values = Array1::from(values);
        values.slice_axis_inplace(Axis(0), Slice::from(..self.points));
        values
    }
}
