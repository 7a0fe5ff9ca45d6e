//! How a smoother looks at a release of a mean.

use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Grid, Kernel, Spectrum};
use dpfda_mechanism::Release;
use dpfda_smoothing::PenalizedMean;

use crate::defaults::default_penalty;
use crate::mean::document::MeanRelease;
use crate::mean::noise_law::in_radii;
use crate::mean::smoother_choice::SmootherChoice;
use crate::mean::{Mean, MeanMechanism};
use crate::release_error::ReleaseError;

impl SmootherChoice {
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
