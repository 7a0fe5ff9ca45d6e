//! The smoother that a mean is seen through: which one, and how it looks at a release.

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, KernelError, Spectrum};
use dpfda_mechanism::Release;
use dpfda_smoothing::PenalizedMean;
use serde::{Deserialize, Serialize};

use crate::defaults::{DEFAULT_KERNEL, default_penalty};
use crate::mean::document::MeanRelease;
use crate::mean::noise_law::in_radii;
use crate::mean::{Mean, MeanMechanism};
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
    fn kernel_or_default(&self) -> Result<Kernel, KernelError> {
        self.kernel.clone().map_or_else(|| DEFAULT_KERNEL.with_range(DEFAULT_KERNEL.default_range()), Ok)
    }

    /// Refuses a penalty or power that no smoother could have, also where the default penalty will be used.
    pub(crate) fn check(&self) -> Result<(), ReleaseError> {
        self.with_penalty(self.penalty.unwrap_or(1.0)).map(|_| ())
    }

    /// The smoother with this penalty.
    pub(crate) fn with_penalty(&self, penalty: f64) -> Result<PenalizedMean, ReleaseError> {
        Ok(PenalizedMean::new(self.kernel_or_default()?, penalty, self.power)?)
    }

    /// What looks at a release on this grid. The spectrum of the kernel is solved here, before the noise.
    pub(crate) fn viewer(&self, grid: &Grid, is_after_noise: bool) -> Result<MeanViewer, ReleaseError> {
        self.check()?;
        let spectrum = if is_after_noise {
            let spectrum = Spectrum::for_smoothing(self.kernel_or_default()?, grid.to_unit()?, DEFAULT_TOLERANCE)?;
            Some(Arc::new(spectrum))
        } else {
            None
        };
        Ok(MeanViewer { smoother: self.clone(), spectrum })
    }

    /// The smoother of the released function, once the number of records is public or released.
    fn after_noise(&self, release: &Release<Mean>) -> Result<PenalizedMean, ReleaseError> {
        let mechanism = release.statistic().mechanism();
        if let MeanMechanism::CameronMartin(smoother) = mechanism {
            return Ok(smoother);
        }
        let relative = in_radii(release.noise(), release.units());
        self.with_penalty(self.penalty.unwrap_or_else(|| default_penalty(&mechanism, relative, self.power)))
    }
}

/// The smoother of some settings, ready for a release.
#[derive(Debug, Clone)]
pub struct MeanViewer {
    smoother: SmootherChoice,
    spectrum: Option<Arc<Spectrum<Kernel>>>,
}

impl MeanViewer {
    /// The release through the smoother: at no cost.
    ///
    /// # Errors
    /// [`ReleaseError`] for a default penalty that is no penalty; none in practice.
    pub fn view(self, release: impl Into<Release<Mean>>) -> Result<MeanRelease, ReleaseError> {
        let release = release.into();
        let smoother = self.smoother.after_noise(&release)?;
        // a release on another grid needs a spectrum of its own
        let spectrum = self
            .spectrum
            .filter(|spectrum| release.statistic().grid().to_unit().is_ok_and(|grid| grid == *spectrum.grid()));
        Ok(MeanRelease::through(release, &smoother, spectrum)?)
    }
}
