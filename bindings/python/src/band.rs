//! Which estimate and which band a release is shown with.

use dpfda::analysis::{AnalysisError, Band, DEFAULT_LEVEL, Estimated};
use dpfda::crossval::{Candidates, select_after_release};
use dpfda::release::{Mean, MeanMechanism, MeanRelease};

use crate::refusal::{Refusal, attempt, one_of};
use crate::release::EstimatedOrBare;

/// What a band is about, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BandName {
    Population,
    Posterior,
    Smoothed,
    Undersmoothed,
    Unsmoothed,
    Honest,
    Noise,
}

/// The names in documents and arguments.
const NAMES: [(&str, BandName); 7] = [
    ("population", BandName::Population),
    ("posterior", BandName::Posterior),
    ("smoothed", BandName::Smoothed),
    ("undersmoothed", BandName::Undersmoothed),
    ("unsmoothed", BandName::Unsmoothed),
    ("honest", BandName::Honest),
    ("noise", BandName::Noise),
];

/// The band that was asked for, checked as far as it can be without a release.
#[derive(Debug, Clone, Copy)]
pub struct BandChoice {
    band: Option<BandName>,
    level: Option<f64>,
    roughness: f64,
}

impl BandChoice {
    /// What was asked for.
    ///
    /// # Errors
    /// [`Refusal`] for an unknown name, a level that no band states, and a roughness without the band that needs it.
    pub fn new(band: Option<&str>, level: Option<f64>, roughness: Option<f64>) -> Result<Self, Refusal> {
        let band = band.map(|name| one_of("band", name, &NAMES)).transpose()?;
        let level = checked_level(level)?;
        let is_bound = roughness.is_none_or(|value| value > 0.0 && value.is_finite());
        if (band == Some(BandName::Honest)) != roughness.is_some() || !is_bound {
            let reason = "the band \"honest\", and no other, needs band_roughness: a positive public bound on the roughness of the mean";
            return Err(Refusal::new("band_roughness", reason));
        }
        Ok(Self { band, level, roughness: roughness.unwrap_or(f64::NAN) })
    }

    /// Refuses, before anything is paid for, what noise of another shape cannot have and a smoother that would not be used.
    ///
    /// # Errors
    /// [`Refusal`]
    pub fn check(&self, is_isonormal: bool, smoother: Option<&'static str>, is_white: bool) -> Result<(), Refusal> {
        let smooths = self.band.is_none_or(|band| matches!(band, BandName::Smoothed | BandName::Undersmoothed));
        if let Some(parameter) = smoother.filter(|_| is_isonormal && !(is_white && smooths)) {
            let reason = "a smoother belongs to white noise and to the bands \"smoothed\" and \"undersmoothed\": leave the smoother out";
            return Err(Refusal::new(parameter, reason));
        }
        match self.band {
            Some(BandName::Smoothed | BandName::Undersmoothed | BandName::Unsmoothed | BandName::Honest)
                if !(is_isonormal && is_white) =>
            {
                Err(AnalysisError::NeedsIsonormal { band: self.name() }.into())
            }
            _ => Ok(()),
        }
    }

    /// Whether another band than the default was asked for.
    pub fn is_given(&self) -> bool {
        self.band.is_some()
    }

    /// The level that was asked for.
    pub fn level(&self) -> Option<f64> {
        self.level
    }

    fn name(&self) -> &'static str {
        NAMES.iter().find(|(_, band)| Some(*band) == self.band).map_or("population", |(name, _)| name)
    }

    /// The estimate of a release whose smoother was named, or not. A smoother that a band needs and nobody named is chosen from
    /// the release.
    ///
    /// # Errors
    /// [`Refusal`] for a band that the release cannot have.
    pub fn estimate(&self, release: MeanRelease, named: bool) -> Result<Estimated<Mean>, Refusal> {
        let is_isonormal = release.statistic().mechanism() == MeanMechanism::Isonormal;
        let default = match Estimated::<Mean>::default_band(&release) {
            Band::Population if named && is_isonormal => BandName::Smoothed,
            Band::Population => BandName::Population,
            _ => BandName::Posterior,
        };
        let wanted = self.band.unwrap_or(default);
        let needs_smoother = matches!(wanted, BandName::Smoothed | BandName::Undersmoothed);
        let release = if needs_smoother && !named { chosen(&release)? } else { release };
        let band = match wanted {
            BandName::Population => Band::Population,
            BandName::Posterior => Band::Posterior,
            BandName::Smoothed => Band::Smoothed(release.smoother().clone()),
            BandName::Undersmoothed => Band::Undersmoothed(release.smoother().clone()),
            BandName::Unsmoothed => Band::Unsmoothed,
            BandName::Honest => Band::Honest { roughness: self.roughness },
            BandName::Noise => Band::Noise,
        };
        Ok(Estimated::<Mean>::new(release, &band, self.level.unwrap_or(DEFAULT_LEVEL))?)
    }

    /// The estimate of a new release. Its noise is drawn: what is refused now is told beside the release.
    pub fn of_new(&self, release: MeanRelease, named: bool) -> EstimatedOrBare {
        attempt(|| self.estimate(release.clone(), named)).map_err(|refusal| Box::new((release, refusal)))
    }

    /// The same estimate with another band, where one was asked for.
    ///
    /// # Errors
    /// As [`BandChoice::estimate`].
    pub fn again(&self, estimated: &Estimated<Mean>) -> Result<Estimated<Mean>, Refusal> {
        let level = self.level.unwrap_or(estimated.estimate().level);
        if self.band.is_none() {
            return Ok(estimated.with_band(&estimated.estimate().band, level)?);
        }
        let named = matches!(estimated.estimate().band, Band::Smoothed(_) | Band::Undersmoothed(_));
        Self { level: Some(level), ..*self }.estimate(estimated.release().clone(), named)
    }
}

/// The bands that a release without a smoother can have: one of its name, where one was given.
///
/// # Errors
/// [`Refusal`] for another name.
pub fn plain(band: Option<&str>) -> Result<Option<Band>, Refusal> {
    type Made = fn() -> Band;
    const BANDS: [(&str, Made); 3] =
        [("population", || Band::Population), ("posterior", || Band::Posterior), ("noise", || Band::Noise)];
    Ok(band.map(|name| one_of("band", name, &BANDS)).transpose()?.map(|band| band()))
}

/// A level that bands can state, where one was given.
///
/// # Errors
/// [`Refusal`] for another one.
pub fn checked_level(level: Option<f64>) -> Result<Option<f64>, Refusal> {
    match level.filter(|level| !(*level > 0.5 && *level < 0.9999)) {
        Some(value) => Err(AnalysisError::Level { value }.into()),
        None => Ok(level),
    }
}

/// The release through the smoother of least estimated risk, which is a function of the release.
///
/// # Errors
/// [`Refusal`] where no risk can be estimated.
pub fn chosen(release: &MeanRelease) -> Result<MeanRelease, Refusal> {
    let surface = select_after_release(release, &Candidates::for_release(release))?;
    Ok(release.smoothed(surface.chosen())?)
}
