//! The best linear smoother known: an oracle that sees the data, in closed form.

use dpfda::prelude::*;
use ndarray::{Array1, ArrayView1};

use crate::Fault;

/// Penalties that are tried with each kernel.
const PENALTIES: u8 = 40;

/// Kernels with their spectra on one grid of the unit interval.
pub struct Oracle {
    grid: Grid,
    spectra: Vec<Spectrum<Kernel>>,
}

/// What is smoothed: the mean of the bounded curves, the raw mean that the result is compared with, and the noise.
pub struct Problem {
    /// Less the centre.
    raw: Array1<f64>,
    /// Less the centre.
    bounded: Array1<f64>,
    /// The scale of the noise.
    sigma: f64,
    energy: Energy,
}

/// Expected squared norm of smoothed noise of scale 1, from shrinkages and eigenvalues.
type Energy = fn(ArrayView1<'_, f64>, ArrayView1<'_, f64>) -> f64;

impl Problem {
    pub fn new(ball: &Ball, curves: &CurveSet, sigma: f64, energy: Energy) -> Result<Self, Fault> {
        let center = ball.center_at(curves.grid())?;
        let raw = curves.raw_mean().into_revealed() - &center;
        let bounded = ball.bound(curves)?.mean().into_revealed() - &center;
        Ok(Self { raw, bounded, sigma, energy })
    }
}

impl Oracle {
    pub fn new(grid: &Grid) -> Result<Self, Fault> {
        let families = [
            (KernelName::Gaussian, vec![0.01, 0.02, 0.03, 0.05, 0.1, 0.2]),
            (KernelName::Matern(1.5), vec![0.1, 0.2, 0.3, 0.5, 1.0]),
            (KernelName::Exponential, vec![0.2, 0.5, 1.0, 2.0]),
        ];
        let grid = grid.to_unit()?;
        let mut spectra = Vec::new();
        for (name, ranges) in families {
            for range in ranges {
                spectra.push(Spectrum::new(name.with_range(range)?, grid.clone(), DEFAULT_TOLERANCE)?);
            }
        }
        Ok(Self { grid, spectra })
    }

    /// The smoother with the smallest expected squared error, and that error.
    ///
    /// ```text
    /// sum_j (s_j a_j - r_j)^2 + |r|^2 - sum_j r_j^2 + sigma^2 energy,    a, r: coefficients of bounded - c and raw - c
    /// ```
    pub fn best(&self, of: &Problem) -> Result<(PenalizedMean, f64), Fault> {
        let whole = mean_square(&self.grid, of.raw.view());
        let mut best: Option<(PenalizedMean, f64)> = None;
        for spectrum in &self.spectra {
            let (r, a) = (spectrum.coefficients(of.raw.view()), spectrum.coefficients(of.bounded.view()));
            let outside = whole - r.dot(&r);
            for step in 0..PENALTIES {
                let penalty = 1e-5 * (0.3_f64 / 1e-5).powf(f64::from(step) / f64::from(PENALTIES - 1));
                let smoother = PenalizedMean::new(spectrum.kernel().clone(), penalty, 1.0)?;
                let shrinkages = smoother.shrinkages(spectrum.eigenvalues());
                let bias = (&shrinkages * &a - &r).mapv(|x| x * x).sum() + outside;
                let noise = (of.energy)(shrinkages.view(), spectrum.eigenvalues());
                let error = bias + of.sigma * of.sigma * noise;
                if best.as_ref().is_none_or(|(_, smallest)| error < *smallest) {
                    best = Some((smoother, error));
                }
            }
        }
        best.ok_or_else(|| "no candidate".into())
    }

    /// The smallest expected squared error for the ball and the noise of an isonormal release of these curves.
    pub fn least_error(&self, release: &MeanRelease, curves: &CurveSet) -> Result<f64, Fault> {
        let ball = release.ball();
        let problem = Problem::new(ball, curves, release.relative_noise() * ball.radius(), white)?;
        Ok(self.best(&problem)?.1)
    }
}

/// The energy of smoothed white noise: `sum s_j^2`.
pub fn white(shrinkages: ArrayView1<'_, f64>, _: ArrayView1<'_, f64>) -> f64 {
    shrinkages.dot(&shrinkages)
}

/// The energy of noise of the smoother's kernel, in units of the sensitivity: `max_j (s_j^2 / lambda_j) sum lambda_j`.
pub fn of_kernel(shrinkages: ArrayView1<'_, f64>, eigenvalues: ArrayView1<'_, f64>) -> f64 {
    let amplification = shrinkages.iter().zip(eigenvalues).map(|(s, lambda)| s * s / lambda).fold(0.0, f64::max);
    amplification * eigenvalues.sum()
}

/// The squared L2 norm of a function on a grid of the unit interval.
pub fn mean_square(grid: &Grid, difference: ArrayView1<'_, f64>) -> f64 {
    grid.integrate(difference.mapv(|x| x * x).view())
}

/// The squared L2 distance of the raw mean of the curves from a centre.
pub fn centre_alone(curves: &CurveSet, center: &Array1<f64>) -> f64 {
    mean_square(curves.unit_grid(), (curves.raw_mean().into_revealed() - center).view())
}
