//! The mean of one population, as far as a release tells it.

use dpfda_kernels::Grid;
use dpfda_release::SecondMoments;

use crate::error::AnalysisError;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed::Observation;
use crate::sampling::SamplingCovariance;

/// The posterior of the mean of some people, and how much the mean of others from their population would differ.
#[derive(Debug, Clone)]
pub struct PopulationMean {
    posterior: Posterior,
    sampling: SamplingCovariance,
}

impl PopulationMean {
    /// From what was observed. The sampling part comes from the private second moments where there are any and their count can be
    /// trusted, else from the ball.
    ///
    /// # Errors
    /// [`AnalysisError`] for a posterior that cannot be solved; none in practice.
    pub fn new(observation: Observation, moments: Option<&SecondMoments>) -> Result<Self, AnalysisError> {
        let posterior = Posterior::new(observation, &Ladder::default())?;
        let sampling = match moments.map(|moments| posterior.observation().decode(moments)) {
            Some(Ok(decoded)) => SamplingCovariance::Moments(decoded),
            _ => SamplingCovariance::Body,
        };
        Ok(Self { posterior, sampling })
    }

    /// The same with a sampling covariance that is known otherwise.
    pub(crate) fn with_sampling(observation: Observation, sampling: SamplingCovariance) -> Result<Self, AnalysisError> {
        Ok(Self::of(Posterior::new(observation, &Ladder::default())?, sampling))
    }

    /// A posterior and a sampling covariance that are known.
    pub(crate) fn of(posterior: Posterior, sampling: SamplingCovariance) -> Self {
        Self { posterior, sampling }
    }

    /// The points of the grid.
    pub fn grid(&self) -> &Grid {
        self.posterior.grid()
    }

    /// The posterior of the mean of the people in the release.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// Where the sampling part of a band comes from.
    pub fn sampling(&self) -> &SamplingCovariance {
        &self.sampling
    }
}
