//! A private mean that lacks nothing but its noise.

use std::fmt;
use std::sync::Arc;

use dpfda_kernels::{DEFAULT_TOLERANCE, Kernel, Spectrum};
use dpfda_privacy::{NeighbouringRelation, Randomness, RoundedNormal, Spend};

use crate::encode::EncodedCurves;
use crate::mechanism::{MechanismName, PrivateMean, ReleaseError};
use crate::release::Release;
use crate::whitening::Whitening;

/// The exact sum of encoded curves, and everything that its release takes: whatever can be refused has been.
///
/// It is private data: its `Debug` shows nothing. Between it and [`PreparedMean::draw`] stands the payment, where a ledger is
/// kept.
pub struct PreparedMean {
    settings: PrivateMean,
    parts: EncodedCurves,
    noise: RoundedNormal,
    /// That of the smoother's kernel, where it is needed.
    spectrum: Option<Arc<Spectrum<Kernel>>>,
}

impl PreparedMean {
    pub(crate) fn new(settings: &PrivateMean, parts: EncodedCurves) -> Result<Self, ReleaseError> {
        let same_mechanism = match &parts.whitening {
            Whitening::Isonormal { .. } => settings.name == MechanismName::Isonormal,
            Whitening::CameronMartin(_) => settings.name == MechanismName::CameronMartin,
        };
        if parts.ball != settings.ball || !same_mechanism {
            return Err(ReleaseError::PartsDiffer);
        }
        if settings.neighbours == NeighbouringRelation::SubstituteOne && parts.sum.records() < 2 {
            return Err(ReleaseError::TooFewRecords { found: usize::from(parts.sum.records() == 1) });
        }
        settings.checked_penalty()?;
        let noise = settings.noise()?;
        let spectrum = match &parts.whitening {
            Whitening::Isonormal { .. } => {
                let unit_grid = parts.grid.to_unit()?;
                Some(Arc::new(Spectrum::new(settings.kernel_or_default()?, unit_grid, DEFAULT_TOLERANCE)?))
            }
            Whitening::CameronMartin(_) => None,
        };
        Ok(Self { settings: settings.clone(), parts, noise, spectrum })
    }

    /// What the release costs, for an account of several: a function of public numbers alone.
    pub fn spend(&self) -> Spend {
        Spend::of_gaussian(self.noise.privacy(self.settings.neighbours))
    }

    /// Adds the noise and crosses the privacy boundary: **spends the budget**.
    ///
    /// # Errors
    /// [`ReleaseError`], none in practice.
    pub fn draw<R: Randomness>(self, randomness: &mut R) -> Result<Release, ReleaseError> {
        Release::draw(&self.settings, self.parts, self.noise, self.spectrum, randomness)
    }
}

impl fmt::Debug for PreparedMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedMean(..)")
    }
}
