//! The released function: evaluated, differentiated, integrated and compared as often as wanted.

use std::sync::Arc;

use dpfda_kernels::{CovarianceKernel, Grid, Kernel, Spectrum, SpectrumError};
use dpfda_mechanism::exact;
use dpfda_smoothing::PenalizedMean;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use thiserror::Error;

use crate::mean::noisy_mean::{NoiseFactor, NoisyMean};

/// Why a released function could not answer. Everything in it is public.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FunctionError {
    #[error("the function is known from {} to {}, not at {}; a release is not extrapolated", exact(*lower), exact(*upper), exact(*value))]
    OutsideDomain { value: f64, lower: f64, upper: f64 },
    #[error(
        "a function smoothed with this kernel has no derivative; smooth the release again with a differentiable kernel such as matern52 or gaussian, which costs no privacy"
    )]
    NotDifferentiable,
}

/// A private mean function, `f(t) = c(t) + sum_j b_j v_j(t)`, with the law of the privacy noise in it. All of it is public.
///
/// Points `t` are in the units of the curves' own domain `[a, b]`; so are integrals, while
/// kernels and penalties act on the domain mapped to `[0, 1]`.
#[derive(Debug, Clone)]
pub struct ReleasedFunction {
    noisy: Arc<NoisyMean>,
    smoother: PenalizedMean,
    expansion: Expansion,
    /// `alpha` in `f(t) = c(t) + sum_k C(t, t_k) alpha_k`: one kernel evaluation a grid point, whatever the rank.
    representer: Array1<f64>,
    values: Array1<f64>,
    noise_sd: Array1<f64>,
}

/// A function in the eigenbasis of a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    pub(crate) spectrum: Arc<Spectrum<Kernel>>,
    pub(crate) coefficients: Array1<f64>,
    pub(crate) noise: NoiseFactor,
}

impl Expansion {
    /// Covariances of `sum_j noise_j b_j` for rows `b`: `v_j(t)` at a point, or forms of them.
    fn noise_between(&self, rows: ArrayView2<'_, f64>) -> Array2<f64> {
        let factors = match &self.noise {
            NoiseFactor::Independent(sd) => &rows * &sd.view().insert_axis(Axis(0)),
            NoiseFactor::Mixed(factor) => rows.dot(factor),
        };
        factors.dot(&factors.t())
    }
}

impl ReleasedFunction {
    pub(crate) fn new(noisy: Arc<NoisyMean>, smoother: PenalizedMean, expansion: Expansion) -> Self {
        let spectrum = &expansion.spectrum;
        let deviation = spectrum.values(expansion.coefficients.view());
        let scaled = &expansion.coefficients / &spectrum.eigenvalues();
        let representer = spectrum.values(scaled.view()) * spectrum.grid().weights();
        let variances = spectrum.variances(|rows| expansion.noise_between(rows));
        let pairs = variances.iter().zip(&deviation);
        let noise_sd = pairs.map(|(variance, d)| total_sd(*variance, *d, noisy.relative_count_sd)).collect();
        let values = &noisy.center + &deviation;
        Self { noisy, smoother, expansion, representer, values, noise_sd }
    }

    /// The points the curves were seen at.
    pub fn grid(&self) -> &Grid {
        &self.noisy.grid
    }

    /// The function at the grid's points.
    pub fn values(&self) -> ArrayView1<'_, f64> {
        self.values.view()
    }

    /// The standard deviation of the privacy noise in [`ReleasedFunction::values`].
    ///
    /// It says how far the release may lie from the smoothed mean of these very people, and nothing about how far that
    /// mean lies from a population's. It takes the smoother as given, also one that was chosen from the release. Under add/remove-one it includes, to first order, the noise of the count.
    pub fn noise_sd(&self) -> ArrayView1<'_, f64> {
        self.noise_sd.view()
    }

    /// The smoother that made this function of the release.
    pub fn smoother(&self) -> &PenalizedMean {
        &self.smoother
    }

    /// How much the smoother keeps of the leading component of the deviation from the centre, `s_1`, between 0 and 1.
    ///
    /// Near 0 the function is the public centre and little else. [`ReleasedFunction::noise_sd`] does not show that: what is
    /// shrunk to nothing has no noise.
    pub fn leading_shrinkage(&self) -> f64 {
        let eigenvalues = self.expansion.spectrum.eigenvalues();
        eigenvalues.first().map_or(0.0, |lambda| self.smoother.shrinkage(*lambda))
    }

    /// The function at any points of the domain, in any order.
    pub fn evaluate(&self, points: &[f64]) -> Result<Array1<f64>, FunctionError> {
        points
            .iter()
            .map(|&t| {
                let deviation = self.deviation_at(self.to_unit(t)?);
                Ok(self.grid().cell(t).between(self.noisy.center.view()) + deviation)
            })
            .collect()
    }

    /// The standard deviation of the privacy noise at any points of the domain; see [`ReleasedFunction::noise_sd`].
    pub fn noise_sd_at(&self, points: &[f64]) -> Result<Array1<f64>, FunctionError> {
        let at = |&t: &f64| {
            let u = self.to_unit(t)?;
            let row = self.expansion.spectrum.eigenfunctions_at(u).insert_axis(Axis(0));
            let variance = self.expansion.noise_between(row.view())[[0, 0]];
            Ok(total_sd(variance, self.deviation_at(u), self.noisy.relative_count_sd))
        };
        points.iter().map(at).collect()
    }

    /// The derivative `df/dt` at any points of the domain, in data units per unit of `t`.
    ///
    /// A centre given as a curve counts with the slope of its linear interpolant.
    ///
    /// # Errors
    /// [`FunctionError::NotDifferentiable`] for a kernel with a cusp; [`FunctionError::OutsideDomain`] as before.
    pub fn derivative(&self, points: &[f64]) -> Result<Array1<f64>, FunctionError> {
        let spectrum = &self.expansion.spectrum;
        let unit_points = spectrum.grid().points();
        let at = |&t: &f64| {
            let u = self.to_unit(t)?;
            let slopes = unit_points
                .iter()
                .zip(&self.representer)
                .map(|(&s, alpha)| spectrum.process().derivative(u, s).map(|slope| slope * alpha));
            let slope: f64 = slopes.sum::<Option<f64>>().ok_or(FunctionError::NotDifferentiable)?;
            Ok(slope / self.grid().length() + self.grid().cell(t).slope(self.noisy.center.view()))
        };
        points.iter().map(at).collect()
    }

    /// The integral `int_a^b f(t) dt`, by the grid's quadrature.
    pub fn integral(&self) -> f64 {
        self.grid().integrate(self.values())
    }

    /// The same release through another smoother: post-processing, at no cost.
    pub fn resmooth(&self, smoother: &PenalizedMean) -> Result<Self, SpectrumError> {
        self.noisy.smooth(smoother)
    }

    fn to_unit(&self, t: f64) -> Result<f64, FunctionError> {
        let (lower, upper) = (self.grid().lower(), self.grid().upper());
        if (lower..=upper).contains(&t) {
            Ok(self.grid().to_unit_point(t))
        } else {
            Err(FunctionError::OutsideDomain { value: t, lower, upper })
        }
    }

    /// `f - c` at a point of the unit interval.
    fn deviation_at(&self, u: f64) -> f64 {
        let spectrum = &self.expansion.spectrum;
        let points = spectrum.grid().points();
        points.iter().zip(&self.representer).map(|(&s, alpha)| spectrum.process().covariance(u, s) * alpha).sum()
    }
}

/// Noise of the sum and, to first order, of the count it is divided by.
fn total_sd(variance: f64, deviation: f64, relative_count_sd: f64) -> f64 {
    (variance + (deviation * relative_count_sd).powi(2)).sqrt()
}
