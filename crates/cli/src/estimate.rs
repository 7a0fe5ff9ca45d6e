//! The estimate that a command makes of a release, and its band.

use dpfda::analysis::{AnalysisError, Band, Banded, DEFAULT_LEVEL, Estimable, Estimate, Estimated, Population};
use dpfda::release::{Mean, MeanMechanism, MeanRelease};

use dpfda_study::{BandName, Estimate as Settings};

use crate::error::CliError;
use crate::selection::{Choice, Selection};

/// The band that was asked for, checked as far as it can be without a release.
#[derive(Debug, Clone, Copy, Default)]
pub struct BandChoice {
    band: Option<BandName>,
    level: Option<f64>,
    roughness: Option<f64>,
}

impl BandChoice {
    /// What the settings ask for.
    pub fn check(settings: &Settings) -> Result<Self, CliError> {
        settings.check().map_err(CliError::of_flags)?;
        Ok(Self { band: settings.band, level: settings.level, roughness: settings.band_roughness })
    }

    /// Refuses a smoother that the estimate would not use.
    pub fn check_smoother(&self, named: Option<&'static str>, is_white: bool) -> Result<(), CliError> {
        let Some(option) = named else { return Ok(()) };
        match self.band {
            _ if !is_white => Err(CliError::SmootherOfBody { option }),
            None | Some(BandName::Smoothed | BandName::Undersmoothed) => Ok(()),
            Some(_) => Err(CliError::SmootherUnused { option }),
        }
    }

    /// The band asked for, where it needs white noise on a mean curve.
    fn band_of_curves(&self) -> Option<&'static str> {
        match self.band? {
            BandName::Smoothed => Some("smoothed"),
            BandName::Undersmoothed => Some("undersmoothed"),
            BandName::Unsmoothed => Some("unsmoothed"),
            BandName::Honest => Some("honest"),
            BandName::Population | BandName::Posterior | BandName::Noise => None,
        }
    }

    /// Refuses, before anything is paid for, a band that noise of another shape cannot have.
    pub fn check_mechanism(&self, is_isonormal: bool) -> Result<(), CliError> {
        match self.band_of_curves() {
            Some(band) if !is_isonormal => Err(AnalysisError::NeedsIsonormal { band }.into()),
            _ => Ok(()),
        }
    }

    /// Refuses, before anything is paid for, a band that surfaces do not have.
    pub fn check_surface(&self) -> Result<(), CliError> {
        self.band_of_curves().map_or(Ok(()), |band| Err(AnalysisError::BandOfSurface { band }.into()))
    }

    /// Whether anything was asked for.
    pub fn is_given(&self) -> bool {
        self.band.is_some() || self.level.is_some()
    }

    /// The estimate of a release whose smoother was named, or not. A smoother that a band needs and nobody named is chosen from
    /// the release.
    pub fn estimate(&self, release: MeanRelease, named: bool) -> Result<(Estimated<Mean>, Selection), CliError> {
        let is_isonormal = release.statistic().mechanism() == MeanMechanism::Isonormal;
        let default = match Estimated::<Mean>::default_band(&release) {
            Band::Population if named && is_isonormal => BandName::Smoothed,
            Band::Population => BandName::Population,
            _ => BandName::Posterior,
        };
        let wanted = self.band.unwrap_or(default);
        let needs_smoother = matches!(wanted, BandName::Smoothed | BandName::Undersmoothed);
        let (release, selection) = if needs_smoother && !named {
            let (release, choice) = Choice::of(&release)?;
            (release, Selection::Chosen(Box::new(choice)))
        } else {
            (release, Selection::Off)
        };
        let band = match wanted {
            BandName::Population => Band::Population,
            BandName::Posterior => Band::Posterior,
            BandName::Smoothed => Band::Smoothed(release.smoother().clone()),
            BandName::Undersmoothed => Band::Undersmoothed(release.smoother().clone()),
            BandName::Unsmoothed => Band::Unsmoothed,
            BandName::Honest => Band::Honest { roughness: self.roughness.unwrap_or(f64::NAN) },
            BandName::Noise => Band::Noise,
        };
        Ok((Estimated::<Mean>::new(release, &band, self.level.unwrap_or(DEFAULT_LEVEL))?, selection))
    }

    /// The estimate of a release that has no smoother: of rows, of surfaces.
    pub fn plain<S: Estimable>(&self, release: S::View) -> Result<Estimated<S>, CliError> {
        let band = self.plain_band()?.unwrap_or_else(|| Estimated::<S>::default_band(&release));
        Ok(Estimated::new(release, &band, self.level.unwrap_or(DEFAULT_LEVEL))?)
    }

    /// The same estimate with another band, where one was asked for.
    pub fn plain_again<S, M>(&self, estimated: Estimated<S>) -> Result<Estimated<S>, CliError>
    where
        S: Estimable<Means = Banded<M>>,
        M: Population,
    {
        Ok(match self.other_than(estimated.estimate())? {
            Some((band, level)) => estimated.with_band(&band, level)?,
            None => estimated,
        })
    }

    /// The band asked for in place of the one that is shown.
    pub fn other_than<P>(&self, shown: &Estimate<P>) -> Result<Option<(Band, f64)>, CliError> {
        if !self.is_given() {
            return Ok(None);
        }
        let band = self.plain_band()?.unwrap_or_else(|| shown.band.clone());
        Ok(Some((band, self.level.unwrap_or(shown.level))))
    }

    /// One of the bands that need no white noise on a curve.
    fn plain_band(&self) -> Result<Option<Band>, CliError> {
        self.check_mechanism(false)?;
        Ok(match self.band {
            Some(BandName::Population) => Some(Band::Population),
            Some(BandName::Posterior) => Some(Band::Posterior),
            Some(BandName::Noise) => Some(Band::Noise),
            _ => None,
        })
    }

    /// The same estimate with another band, where one was asked for.
    pub fn again(&self, estimated: Estimated<Mean>) -> Result<Estimated<Mean>, CliError> {
        let level = self.level.unwrap_or(estimated.estimate().level);
        match self.band {
            None if self.level.is_none() => Ok(estimated),
            None => Ok(estimated.with_band(&estimated.estimate().band.clone(), level)?),
            Some(_) => {
                let named = matches!(estimated.estimate().band, Band::Smoothed(_) | Band::Undersmoothed(_));
                let choice = Self { level: Some(level), ..*self };
                Ok(choice.estimate(estimated.release().clone(), named)?.0)
            }
        }
    }
}
