//! The independent-component Laplace process of Lin and Reimherr, for comparison with K-norm noise.

use dpfda::kernels::{DEFAULT_TOLERANCE, Grid, Kernel, Spectrum};
use dpfda::privacy::NonPrivate;
use dpfda::smoothing::{Ball, CurveSet, PenalizedMean};
use ndarray::Array1;
use rand::Rng;
use rand_distr::{Distribution, Exp1};

use crate::error::ReproductionError;

#[cfg(test)]
#[path = "independent_components_tests.rs"]
mod tests;

/// A smoothed mean of curves in a ball with noise that has independent Laplace components, purely private in real numbers.
///
/// ```text
/// c + S (Xbar - c) + (Delta / epsilon) sum_j sqrt(lambda_j) L_j v_j,    L_j ~ Laplace(1)
/// Delta = sup sum_j s_j |<h, v_j>| / sqrt(lambda_j) = u sqrt(sum_j s_j^2 / lambda_j),    |h| <= u = 2 tau / N
/// ```
///
/// The supremum is that of a sum of absolute values over a ball (Cauchy-Schwarz, attained), and finite where the sum of `s_j^2 /
/// lambda_j` is. The formula follows the definition of the process (Lin and Reimherr, Independent-Component Laplace Process); the constants
/// of their paper were not checked line by line. The noise is drawn in floating point: this is for comparison alone.
#[derive(Debug, Clone)]
pub struct IndependentComponents {
    spectrum: Spectrum<Kernel>,
    shrinkages: Array1<f64>,
    ball: Ball,
    epsilon: f64,
}

impl IndependentComponents {
    /// The process of a smoother's kernel on a grid.
    pub fn new(ball: Ball, epsilon: f64, smoother: &PenalizedMean, grid: &Grid) -> Result<Self, ReproductionError> {
        let spectrum = Spectrum::new(smoother.kernel().clone(), grid.to_unit()?, DEFAULT_TOLERANCE)?;
        let shrinkages = smoother.shrinkages(spectrum.eigenvalues());
        Ok(Self { spectrum, shrinkages, ball, epsilon })
    }

    /// `Delta / epsilon` for so many records.
    pub fn scale(&self, records: usize) -> f64 {
        let squares = self.shrinkages.mapv(|s| s * s) / self.spectrum.eigenvalues();
        2.0 * self.ball.radius() / records as f64 * squares.sum().sqrt() / self.epsilon
    }

    /// The root of the expected squared distance between a release and the raw mean of the curves, over the domain.
    pub fn error(&self, curves: &CurveSet) -> Result<NonPrivate<f64>, ReproductionError> {
        let center = self.ball.center_at(curves.grid())?;
        let smoothed = self.smoothed(curves, &center)?;
        let gap = smoothed - (curves.raw_mean().into_revealed() - center);
        let bias = self.spectrum.grid().integrate(gap.mapv(|d| d * d).view());
        let noise = 2.0 * self.scale(curves.units()).powi(2) * self.spectrum.eigenvalues().sum();
        Ok(NonPrivate::new((bias + noise).sqrt()))
    }

    /// A release: the function at the points of the grid.
    pub fn release<R: Rng + ?Sized>(
        &self,
        curves: &CurveSet,
        rng: &mut R,
    ) -> Result<NonPrivate<Array1<f64>>, ReproductionError> {
        let center = self.ball.center_at(curves.grid())?;
        let scale = self.scale(curves.units());
        // the difference of two exponential deviates is a Laplace deviate
        let mut exponential = || -> f64 { Exp1.sample(rng) };
        let noise = self.spectrum.eigenvalues().mapv(|lambda| scale * lambda.sqrt() * (exponential() - exponential()));
        let smoothed = self.smoothed(curves, &center)?;
        Ok(NonPrivate::new(center + smoothed + self.spectrum.values(noise.view())))
    }

    /// `S (Xbar - c)` of the projected curves.
    fn smoothed(&self, curves: &CurveSet, center: &Array1<f64>) -> Result<Array1<f64>, ReproductionError> {
        let bounded = self.ball.bound(curves)?;
        let records = bounded.record_means();
        let mean = records.reveal().mean_axis(ndarray::Axis(0)).unwrap_or_else(|| center.clone());
        let coefficients = self.spectrum.coefficients((mean - center).view()) * &self.shrinkages;
        Ok(self.spectrum.values(coefficients.view()))
    }
}
