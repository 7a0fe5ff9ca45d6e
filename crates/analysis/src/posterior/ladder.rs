//! The public prior of a mean: kernels, and how much the mean varies about the centre.

use dpfda_kernels::{CovarianceKernel, Exponential, Gaussian, Kernel, KernelError, Matern};
use ndarray::Array1;

use crate::defaults::{
    AMPLITUDE_MEAN, AMPLITUDE_SD, AMPLITUDE_STEPS, BOUGHT_AMPLITUDE_MEAN, EXPONENTIAL, GAUSSIAN, MATERN_3_2, MATERN_5_2,
};
use crate::error::{AnalysisError, VARIANCE_SLACK};

#[cfg(test)]
#[path = "ladder_tests.rs"]
mod tests;

/// The public prior of a mean: families of kernels, a grid of amplitudes, and the prior of the amplitudes.
///
/// ```text
/// f - c ~ GP(0, a k),   k uniform over the kernels,   log10(a / tau^2) ~ N(m, s^2) on the grid of amplitudes
/// ```
///
/// A kernel is called a rung. Rungs have variance 1 and live on the domain mapped to `[0, 1]`. In a family they stand from
/// the shortest range to the longest. No mean of curves in a ball of radius `tau` varies more than the ball, so that
/// `a / tau^2 <= 1` loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    families: Vec<Vec<Kernel>>,
    amplitudes: Vec<f64>,
    mean: f64,
    sd: f64,
}

/// An end of the ladder that has most weight: what the release says may lie beyond the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderEnd {
    /// The shortest range of a family: the mean may be rougher than the prior allows.
    Shortest,
    /// The longest range of a family: the mean may be smoother than the prior expects.
    Longest,
    /// The smallest amplitude: the mean may be closer to the centre than the prior allows.
    Smallest,
    /// The largest amplitude: the mean may be further from the centre than the prior allows.
    Largest,
}

impl Ladder {
    /// A ladder of these families of kernels, these amplitudes `a / tau^2`, and this normal prior of `log10(a / tau^2)`.
    ///
    /// # Errors
    /// [`AnalysisError`] for an empty list, a kernel whose variance is not 1, amplitudes that do not increase from above 0,
    /// and a prior without a density.
    pub fn new(families: Vec<Vec<Kernel>>, amplitudes: Vec<f64>, mean: f64, sd: f64) -> Result<Self, AnalysisError> {
        if families.is_empty() || families.iter().any(Vec::is_empty) || amplitudes.is_empty() {
            return Err(AnalysisError::EmptyLadder);
        }
        for (index, kernel) in families.iter().flatten().enumerate() {
            for t in [0.0, 0.5, 1.0] {
                let variance = kernel.covariance(t, t);
                if variance.is_nan() || (variance - 1.0).abs() > VARIANCE_SLACK {
                    return Err(AnalysisError::RungVariance { index, variance });
                }
            }
        }
        let mut previous = 0.0;
        for (index, &value) in amplitudes.iter().enumerate() {
            if !(value.is_finite() && value > previous) {
                return Err(AnalysisError::Amplitude { index, value });
            }
            previous = value;
        }
        if !(mean.is_finite() && sd.is_finite() && sd > 0.0) {
            return Err(AnalysisError::AmplitudePrior { mean, sd });
        }
        Ok(Self { families, amplitudes, mean, sd })
    }

    /// The default kernels for a mean in a ball that was bought from rows: such a ball is no larger than the means of people, and the mean may
    /// be as far from the centre as they are. `a / tau^2` from `1e-4` to 10, `log10(a / tau^2) ~ N(-0.3, 0.7^2)`.
    pub(crate) fn in_a_bought_ball() -> Self {
        let amplitudes = (0..AMPLITUDE_STEPS + 2).map(amplitude).collect();
        Self { amplitudes, mean: BOUGHT_AMPLITUDE_MEAN, ..Self::default() }
    }

    /// The rungs, one family after the other.
    pub fn rungs(&self) -> impl Iterator<Item = &Kernel> {
        self.families.iter().flatten()
    }

    /// The amplitudes `a / tau^2`, increasing.
    pub fn amplitudes(&self) -> &[f64] {
        &self.amplitudes
    }

    /// The log prior of each amplitude, up to a constant.
    pub(crate) fn log_prior(&self) -> Array1<f64> {
        self.amplitudes.iter().map(|a| -0.5 * ((a.log10() - self.mean) / self.sd).powi(2)).collect()
    }

    /// Where in its family the rung with this index stands, if at an end of a family of several.
    pub(crate) fn end_of_family(&self, index: usize) -> Option<LadderEnd> {
        let mut first = 0;
        for family in &self.families {
            let place = index - first;
            if place < family.len() {
                let is_last = place + 1 == family.len();
                return match (family.len(), place) {
                    (1, _) => None,
                    (_, 0) => Some(LadderEnd::Shortest),
                    _ => is_last.then_some(LadderEnd::Longest),
                };
            }
            first += family.len();
        }
        None
    }

    fn standard() -> Result<Self, KernelError> {
        let exponential = EXPONENTIAL.iter().map(|&range| Ok(Exponential::new(range)?.into()));
        let gaussian = GAUSSIAN.iter().map(|&range| Ok(Gaussian::new(range)?.into()));
        let rougher = MATERN_3_2.iter().map(|&range| Ok(Matern::new(1.5, range)?.into()));
        let smoother = MATERN_5_2.iter().map(|&range| Ok(Matern::new(2.5, range)?.into()));
        Ok(Self {
            families: vec![
                exponential.collect::<Result<_, KernelError>>()?,
                gaussian.collect::<Result<_, KernelError>>()?,
                rougher.collect::<Result<_, KernelError>>()?,
                smoother.collect::<Result<_, KernelError>>()?,
            ],
            amplitudes: (0..AMPLITUDE_STEPS).map(amplitude).collect(),
            mean: AMPLITUDE_MEAN,
            sd: AMPLITUDE_SD,
        })
    }
}

/// `10^(k/2 - 4)`.
fn amplitude(k: u8) -> f64 {
    10.0_f64.powf(f64::from(k) / 2.0 - 4.0)
}

impl Default for Ladder {
    /// The exponential kernel with range 0.4; Gaussian kernels with 0.02, 0.08, 0.32; Matern 3/2 with 0.2; nine Matern 5/2 with 0.07 to
    /// 1.6; `a / tau^2` from `1e-4` to 1, `log10(a / tau^2) ~ N(-1, 0.7^2)`.
    fn default() -> Self {
        Self::standard().unwrap_or_else(|_| unreachable!("the ranges of the default ladder are positive"))
    }
}
