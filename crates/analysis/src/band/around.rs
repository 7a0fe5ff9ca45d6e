//! The band around a mean on a line or a circle.

use super::process::{self, Parts};
use super::{Band, smoother};
use crate::error::{AnalysisError, check_level};
use crate::estimate::Estimate;
use crate::posterior::Posterior;
use crate::sampling::SamplingCovariance;

impl Band {
    /// The estimate of a posterior with the band of this level.
    ///
    /// # Errors
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999), [`AnalysisError::NeedsIsonormal`] and
    /// [`AnalysisError::TooFewRecords`] for a band that needs what the release does not hold, and
    /// [`AnalysisError::Number`] for a roughness that is not positive and finite. [`AnalysisError::NoMoments`] for a band of people: it
    /// needs more than a sampling covariance, and a [`PopulationMean`](crate::PopulationMean) has it.
    pub fn around(
        &self,
        posterior: &Posterior,
        sampling: &SamplingCovariance,
        level: f64,
    ) -> Result<Estimate<f64>, AnalysisError> {
        check_level(level)?;
        let records = posterior.observation.records;
        if !matches!(self, Self::Posterior | Self::Noise) && records < 2.0 {
            return Err(AnalysisError::TooFewRecords { band: self.name(), records });
        }
        let parts = match self {
            Self::Population => process::population(posterior, sampling, level)?,
            Self::Posterior => process::in_sample(posterior, level)?,
            Self::Noise => process::noise(posterior, level),
            Self::Prediction | Self::Tolerance => return Err(AnalysisError::NoMoments),
            _ => smoother::band(self, posterior, sampling, level)?,
        };
        Ok(self.estimate(posterior, level, parts))
    }

    /// The estimate that a band with these parts makes.
    pub(crate) fn estimate(&self, posterior: &Posterior, level: f64, parts: Parts) -> Estimate<f64> {
        let Parts { middle, critical, half, noise_sd } = parts;
        Estimate {
            at: posterior.grid().points().to_vec(),
            lower: &middle - &half,
            upper: &middle + &half,
            values: middle,
            posterior_sd: posterior.sd().to_owned(),
            noise_sd: noise_sd.unwrap_or_else(|| posterior.noise_sd().to_owned()),
            band: self.clone(),
            level,
            target: self.target(),
            critical,
        }
    }
}
