//! The estimate of a release, and its band.

use dpfda::analysis::AnalysisError;
use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimable, Estimated, Means};
use dpfda::crossval::{Candidates, ScoreSurface, select_after_release};
use dpfda::release::{Mean, MeanRelease};

use crate::choices::BandName;
use crate::refusal::Refusal;
use crate::sections;

/// The band that was asked for, checked as far as it can be without a release.
#[derive(Debug, Clone, Copy, Default)]
pub struct BandChoice {
    band: Option<BandName>,
    level: Option<f64>,
    roughness: Option<f64>,
}

/// A smoother that was chosen from the release itself, at no cost in privacy.
#[derive(Debug)]
pub struct Selected {
    /// The release through the smoother of the least estimated risk.
    pub release: MeanRelease,
    /// The estimated risk of every candidate.
    pub surface: ScoreSurface,
}

/// How the smoother of an estimate was found.
#[derive(Debug)]
pub enum Selection {
    /// None was chosen from the release.
    Off,
    /// One was chosen.
    Chosen(Box<Selected>),
    /// None could be chosen, and the release has its default smoother.
    Failed(Refusal),
}

impl Selected {
    /// The smoother of the least estimated risk.
    ///
    /// # Errors
    /// [`Refusal`] where no risk can be estimated.
    pub fn of(release: &MeanRelease) -> Result<Self, Refusal> {
        let surface = select_after_release(release, &Candidates::for_release(release))?;
        Ok(Self { release: release.smoothed(surface.chosen())?, surface })
    }
}

impl BandChoice {
    /// What the settings ask for.
    ///
    /// # Errors
    /// [`Refusal`] for a level that no band states, and a band without what it needs.
    pub fn check(settings: &sections::Estimate) -> Result<Self, Refusal> {
        settings.check()?;
        Ok(Self { band: settings.band, level: settings.level, roughness: settings.band_roughness })
    }

    /// The level, or the usual one.
    pub fn level(&self) -> f64 {
        self.level.unwrap_or(DEFAULT_LEVEL)
    }

    /// Refuses a smoother that the estimate would not use.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_smoother(&self, named: Option<&'static str>, is_white: bool) -> Result<(), Refusal> {
        let Some(setting) = named else { return Ok(()) };
        let why = match self.band {
            _ if !is_white => format!(
                "a release with delta 0, or with a bound on slope or roughness, has the posterior mean for its estimate, and no \
                 smoother; leave {{{setting}}} out, or release with a delta above 0 and without the bound"
            ),
            None | Some(BandName::Smoothed | BandName::Undersmoothed) => return Ok(()),
            Some(_) => format!(
                "only the bands smoothed and undersmoothed use a smoother; leave {{{setting}}} out, or leave {{band}} out"
            ),
        };
        Err(Refusal::of(setting, why))
    }

    /// The band asked for, where it needs white noise on a mean curve.
    fn band_of_curves(&self) -> Option<&'static str> {
        match self.band? {
            BandName::Smoothed => Some("smoothed"),
            BandName::Undersmoothed => Some("undersmoothed"),
            BandName::Unsmoothed => Some("unsmoothed"),
            BandName::Honest => Some("honest"),
            BandName::Population
            | BandName::Posterior
            | BandName::Noise
            | BandName::Prediction
            | BandName::Tolerance => None,
        }
    }

    /// The band of people asked for, which needs second moments of curves.
    fn band_of_people(&self) -> Option<&'static str> {
        match self.band? {
            BandName::Prediction => Some("prediction"),
            BandName::Tolerance => Some("tolerance"),
            _ => None,
        }
    }

    /// Refuses, before anything is paid for, a band that noise of another shape cannot have.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_mechanism(&self, is_isonormal: bool) -> Result<(), Refusal> {
        match self.band_of_curves() {
            Some(band) if !is_isonormal => Err(AnalysisError::NeedsIsonormal { band }.into()),
            _ => Ok(()),
        }
    }

    /// Refuses, before anything is paid for, a band of people for a release without second moments.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_moments(&self, has_moments: bool) -> Result<(), Refusal> {
        if self.band_of_people().is_some() && !has_moments { Err(AnalysisError::NoMoments.into()) } else { Ok(()) }
    }

    /// Refuses, before anything is paid for, a band that surfaces do not have.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_surface(&self) -> Result<(), Refusal> {
        let other = self.band_of_curves().or_else(|| self.band_of_people());
        other.map_or(Ok(()), |band| Err(AnalysisError::BandOfSurface { band }.into()))
    }

    /// Refuses another band than that of the population for an answer that has no other.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check_one(&self, what: &'static str) -> Result<(), Refusal> {
        match self.band {
            None | Some(BandName::Population) => Ok(()),
            Some(band) => Err(AnalysisError::OneBand { what, band: band.word() }.into()),
        }
    }

    /// Whether anything was asked for.
    pub fn is_given(&self) -> bool {
        self.band.is_some() || self.level.is_some()
    }

    /// The estimate of a release whose smoother was named, or not. A smoother that a band needs and nobody named is chosen from
    /// the release; it comes back with the risks of all.
    ///
    /// # Errors
    /// [`Refusal`] for a band that the release cannot have.
    pub fn estimate(&self, release: MeanRelease, named: bool) -> Result<(Estimated<Mean>, Selection), Refusal> {
        let tells_all = release.statistic().mechanism().tells_all();
        let default = match Estimated::<Mean>::default_band(&release) {
            Band::Population if named && tells_all => BandName::Smoothed,
            Band::Population => BandName::Population,
            _ => BandName::Posterior,
        };
        let wanted = self.band.unwrap_or(default);
        let needs_smoother = matches!(wanted, BandName::Smoothed | BandName::Undersmoothed);
        let (release, selection) = if needs_smoother && !named {
            let selected = Selected::of(&release)?;
            (selected.release.clone(), Selection::Chosen(Box::new(selected)))
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
            BandName::Prediction => Band::Prediction,
            BandName::Tolerance => Band::Tolerance,
        };
        Ok((Estimated::<Mean>::new(release, &band, self.level())?, selection))
    }

    /// The estimate of a release that has no smoother: of rows, of surfaces, of groups, of coefficients.
    ///
    /// # Errors
    /// [`Refusal`] for a band that the release cannot have.
    pub fn plain<S: Estimable>(&self, release: S::View) -> Result<Estimated<S>, Refusal> {
        let band = self.plain_band()?.unwrap_or_else(|| Estimated::<S>::default_band(&release));
        Ok(Estimated::new(release, &band, self.level())?)
    }

    /// The same estimate with another band, where one was asked for.
    ///
    /// # Errors
    /// As [`BandChoice::plain`].
    pub fn plain_again<S: Estimable>(&self, estimated: Estimated<S>) -> Result<Estimated<S>, Refusal> {
        Ok(match self.other_than(estimated.means())? {
            Some((band, level)) => estimated.with_band(&band, level)?,
            None => estimated,
        })
    }

    /// The band asked for in place of the one that is shown.
    ///
    /// # Errors
    /// [`Refusal`] for a band that needs white noise on a curve.
    pub fn other_than(&self, shown: &impl Means) -> Result<Option<(Band, f64)>, Refusal> {
        if !self.is_given() {
            return Ok(None);
        }
        let band = self.plain_band()?.or_else(|| shown.band()).unwrap_or(Band::Population);
        Ok(Some((band, self.level.unwrap_or_else(|| shown.level()))))
    }

    /// One of the bands that need no white noise on a curve.
    fn plain_band(&self) -> Result<Option<Band>, Refusal> {
        self.check_mechanism(false)?;
        Ok(match self.band {
            Some(BandName::Population) => Some(Band::Population),
            Some(BandName::Posterior) => Some(Band::Posterior),
            Some(BandName::Noise) => Some(Band::Noise),
            Some(BandName::Prediction) => Some(Band::Prediction),
            Some(BandName::Tolerance) => Some(Band::Tolerance),
            _ => None,
        })
    }

    /// The same estimate of a mean with another band, where one was asked for.
    ///
    /// # Errors
    /// As [`BandChoice::estimate`].
    pub fn again(&self, estimated: Estimated<Mean>) -> Result<Estimated<Mean>, Refusal> {
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
