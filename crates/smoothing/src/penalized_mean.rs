//! The penalised mean of bounded curves, and its sensitivity: how far one record can move it.

use dpfda_kernels::{Kernel, Spectrum};
use ndarray::{Array1, ArrayView1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(test)]
#[path = "penalized_mean_tests.rs"]
mod tests;

/// Why a penalised mean was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum PenaltyError {
    #[error(
        "penalty must be positive and finite, got {value:?}; without a penalty, the mean is not compatible with the noise"
    )]
    Penalty { value: f64 },
    #[error("penalty power eta must be finite and at least 1, got {value:?}")]
    Power { value: f64 },
}

/// The mean curve, penalised by a power of the Cameron-Martin norm of a kernel.
///
/// ```text
/// argmin_m (1/N) sum_i ||X_i - m||^2 + phi ||m - c||_{C^eta}^2 = c + sum_j s_j <Xbar - c, v_j> v_j
/// s_j = lambda_j^eta / (lambda_j^eta + phi)
/// ```
///
/// This is eq. (2) of Mirshani, Reimherr and Slavkovic, who have the centre `c = 0`. Kernel and penalty are stated on
/// the unit interval.
///
/// # Examples
/// ```
/// use dpfda_kernels::KernelName;
/// use dpfda_smoothing::PenalizedMean;
///
/// let kernel = KernelName::Matern(2.5).with_range(0.25)?;
/// let smoother = PenalizedMean::new(kernel, 0.01, 1.0)?;
/// // half of a coefficient is kept where the eigenvalue equals the penalty
/// assert!((smoother.shrinkage(0.01) - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PenalizedMeanDocument", into = "PenalizedMeanDocument")]
pub struct PenalizedMean {
    kernel: Kernel,
    penalty: f64,
    power: f64,
}

/// A bound on the distance of two neighbouring fits, together with the spectrum whose Cameron-Martin norm it refers to.
///
/// ```text
/// ||f - g||_C^2 = sum_j <f - g, v_j>^2 / lambda_j <= value^2
/// ```
///
/// Bound and spectrum are kept together, so that noise of another kernel cannot be calibrated to the bound.
#[derive(Debug, Clone, Copy)]
pub struct Sensitivity<'a> {
    value: f64,
    spectrum: &'a Spectrum<Kernel>,
}

impl<'a> Sensitivity<'a> {
    /// The bound `Delta`, in the units of the data.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The spectrum whose Cameron-Martin norm is bounded.
    pub fn spectrum(&self) -> &'a Spectrum<Kernel> {
        self.spectrum
    }
}

impl PenalizedMean {
    /// Makes the mean penalised by `penalty` (`phi`) times the squared norm of `C^power` (`C^eta`).
    pub fn new(kernel: Kernel, penalty: f64, power: f64) -> Result<Self, PenaltyError> {
        if !(penalty.is_finite() && penalty > 0.0) {
            return Err(PenaltyError::Penalty { value: penalty });
        }
        if !(power.is_finite() && power >= 1.0) {
            return Err(PenaltyError::Power { value: power });
        }
        Ok(Self { kernel, penalty, power })
    }

    /// The same with another power, and with the penalty that still keeps half of the same eigenvalue `phi^{1/eta}`.
    pub fn with_power(&self, power: f64) -> Result<Self, PenaltyError> {
        let mut changed = Self::new(self.kernel.clone(), self.penalty, power)?;
        if power != self.power {
            changed.penalty = self.penalty.powf(power / self.power).clamp(f64::MIN_POSITIVE, f64::MAX);
        }
        Ok(changed)
    }

    /// The kernel `C`, on the unit interval.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The penalty `phi`.
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    /// The penalty power `eta`.
    pub fn power(&self) -> f64 {
        self.power
    }

    /// The share of a coefficient that is kept: `s = lambda^eta / (lambda^eta + phi)`, from 0 to 1.
    pub fn shrinkage(&self, lambda: f64) -> f64 {
        self.shrink(self.threshold(), lambda)
    }

    /// [`PenalizedMean::shrinkage`] of every eigenvalue.
    pub fn shrinkages(&self, eigenvalues: ArrayView1<'_, f64>) -> Array1<f64> {
        let threshold = self.threshold();
        eigenvalues.mapv(|lambda| self.shrink(threshold, lambda))
    }

    /// `phi^{1/eta}`, the eigenvalue whose coefficient is halved.
    fn threshold(&self) -> f64 {
        self.penalty.powf(1.0 / self.power)
    }

    /// `1 / (1 + (phi^{1/eta} / lambda)^eta)`. The form with `phi / lambda^eta` would be 0/0 or inf/inf for large eta.
    fn shrink(&self, threshold: f64, lambda: f64) -> f64 {
        let ratio = threshold / lambda;
        // the power of every release that does not ask for another; a power function costs more than all the rest
        1.0 / (1.0 + if self.power == 1.0 { ratio } else { ratio.powf(self.power) })
    }

    /// Fits a mean curve: the result is at the grid points, in the units of the data.
    ///
    /// ```text
    /// c + sum_j s_j <mean - c, v_j> v_j
    /// ```
    ///
    /// The spectrum should be of [`PenalizedMean::kernel`] on the unit grid of the curves.
    ///
    /// # Panics
    /// If `centre` or `mean` does not have one value for each point of the spectrum's grid.
    pub fn fit(
        &self,
        spectrum: &Spectrum<Kernel>,
        centre: ArrayView1<'_, f64>,
        mean: ArrayView1<'_, f64>,
    ) -> Array1<f64> {
        let mut coefficients = spectrum.coefficients((&mean - &centre).view());
        coefficients *= &self.shrinkages(spectrum.eigenvalues());
        spectrum.values(coefficients.view()) + centre
    }

    /// Returns the largest distance by which substituting one of `records` records in a ball of this radius moves the
    /// fit. It is attained.
    ///
    /// ```text
    /// Delta = (2 tau / N) max_j lambda_j^{eta - 1/2} / (lambda_j^eta + phi)
    /// ```
    ///
    /// Mirshani, Reimherr and Slavkovic, first line of Theorem 4.1, in the Cameron-Martin norm of the given spectrum.
    /// The maximum is over `j` (the authors' package has a sum instead). Without records, or with a radius that is not
    /// a number, the value is not finite and every calibration refuses it.
    pub fn sensitivity<'a>(&self, spectrum: &'a Spectrum<Kernel>, radius: f64, records: u64) -> Sensitivity<'a> {
        let shrinkages = self.shrinkages(spectrum.eigenvalues());
        let gain = shrinkages.iter().zip(spectrum.eigenvalues()).fold(0.0_f64, |m, (s, l)| m.max(s / l.sqrt()));
        Sensitivity { value: 2.0 * radius / records as f64 * gain, spectrum }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PenalizedMeanDocument {
    kernel: Kernel,
    penalty: f64,
    power: f64,
}

impl TryFrom<PenalizedMeanDocument> for PenalizedMean {
    type Error = PenaltyError;

    fn try_from(document: PenalizedMeanDocument) -> Result<Self, PenaltyError> {
        Self::new(document.kernel, document.penalty, document.power)
    }
}

impl From<PenalizedMean> for PenalizedMeanDocument {
    fn from(mean: PenalizedMean) -> Self {
        Self { kernel: mean.kernel, penalty: mean.penalty, power: mean.power }
    }
}
