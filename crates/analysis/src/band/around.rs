//! The band around a mean on a line or a circle.

use super::{Band, process, smoother};
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
    /// [`AnalysisError::Number`] for a roughness that is not positive and finite.
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
        let process::Parts { middle, critical, half, noise_sd } = match self {
            Self::Population => process::population(posterior, sampling, level)?,
            Self::Posterior => process::in_sample(posterior, level)?,
            Self::Noise => process::noise(posterior, level),
            _ => smoother::band(self, posterior, sampling, level)?,
        };
        Ok(Estimate {
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
        })
    }
}
