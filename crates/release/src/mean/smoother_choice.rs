//! The smoother that a mean is seen through, as far as it was stated.

use dpfda_kernels::{Kernel, KernelError};
use dpfda_smoothing::PenalizedMean;
use serde::{Deserialize, Serialize};

use crate::defaults::DEFAULT_KERNEL;
use crate::release_error::ReleaseError;

/// What was said of a smoother; the rest is as it is by default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SmootherDocument")]
pub struct SmootherChoice {
    pub(crate) kernel: Option<Kernel>,
    pub(crate) penalty: Option<f64>,
    pub(crate) power: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmootherDocument {
    kernel: Option<Kernel>,
    penalty: Option<f64>,
    power: f64,
}

impl TryFrom<SmootherDocument> for SmootherChoice {
    type Error = ReleaseError;

    fn try_from(document: SmootherDocument) -> Result<Self, ReleaseError> {
        let SmootherDocument { kernel, penalty, power } = document;
        let choice = Self { kernel, penalty, power };
        choice.check().map(|()| choice)
    }
}

impl Default for SmootherChoice {
    fn default() -> Self {
        Self { kernel: None, penalty: None, power: 1.0 }
    }
}

impl SmootherChoice {
    pub(crate) fn kernel_or_default(&self) -> Result<Kernel, KernelError> {
        self.kernel.clone().map_or_else(|| DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range()), Ok)
    }

    /// Refuses a penalty or power that no smoother could have, also where the default penalty will be used.
    pub(crate) fn check(&self) -> Result<(), ReleaseError> {
        self.with_penalty(self.penalty.unwrap_or(1.0)).map(|_| ())
    }

    pub(crate) fn with_penalty(&self, penalty: f64) -> Result<PenalizedMean, ReleaseError> {
        Ok(PenalizedMean::new(self.kernel_or_default()?, penalty, self.power)?)
    }
}
