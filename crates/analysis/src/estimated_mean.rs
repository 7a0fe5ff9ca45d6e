//! A released mean with its estimate: what documents, figures and summaries show of it.

use std::ops::Deref;

use dpfda_mechanism::{Fact, ReadError, demand, read_part, rounded};
use dpfda_release::{MeanMechanism, MeanRelease, PenalizedMean};
use ndarray::ArrayView1;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::band::{Band, ConfidenceBand};
use crate::error::AnalysisError;
use crate::estimate::Estimate;
use crate::population_mean::PopulationMean;
use crate::posterior::Posterior;
use crate::posterior::observed::Observation;
use crate::risk::BayesRisk;
use crate::sampling::SamplingCovariance;

#[cfg(test)]
#[path = "estimated_mean_tests.rs"]
mod tests;

/// The level of a band where none is asked for.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// A release of a mean, its posterior, and a band. It dereferences to the release.
///
/// ```
/// use dpfda_analysis::{Band, DEFAULT_LEVEL, EstimatedMean};
/// # use dpfda_kernels::Grid;
/// # use dpfda_privacy::{PrivacyBudget, SystemRandomness};
/// # use dpfda_release::PrivateMean;
/// # use dpfda_smoothing::{Ball, Center, CurveSet};
/// # use ndarray::Array2;
/// # let values = Array2::from_shape_fn((400, 40), |(i, k)| 0.5 + 0.1 * ((i % 7 + k) as f64 / 9.0).sin());
/// # let curves = CurveSet::new(Grid::uniform(0.0, 2.0, 40)?, values)?;
/// # let ball = Ball::new(Center::Constant(0.5), 0.2)?;
/// # let private_mean = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5)?);
/// # let release = private_mean.release(&curves, &mut SystemRandomness::new()?)?;
/// let estimated = EstimatedMean::new(release, &Band::default(), DEFAULT_LEVEL)?;
/// let estimate = estimated.estimate();
/// assert!(estimate.lower.iter().zip(&estimate.upper).all(|(lower, upper)| lower < upper));
/// // the document has the estimate in it, and reads back
/// let again = EstimatedMean::from_json(&estimated.to_json()?)?;
/// assert_eq!(again.estimate().band, Band::Population);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct EstimatedMean {
    release: MeanRelease,
    population: PopulationMean,
    band: ConfidenceBand,
    estimate: Estimate,
}

/// The estimate at one point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PointEstimate {
    /// The point.
    pub t: f64,
    /// The estimate.
    pub value: f64,
    /// Its posterior standard deviation.
    pub posterior_sd: f64,
    /// The standard deviation of the privacy noise alone.
    pub noise_sd: f64,
    /// The lower end of the band.
    pub lower: f64,
    /// The upper end of the band.
    pub upper: f64,
}

impl Deref for EstimatedMean {
    type Target = MeanRelease;

    fn deref(&self) -> &MeanRelease {
        &self.release
    }
}

impl EstimatedMean {
    /// The estimate of a release, with a band of this level.
    ///
    /// The sampling part of the band comes from the private second moments where the release has them and their count can be
    /// trusted, else from the ball.
    ///
    /// # Errors
    /// [`AnalysisError`] for a level outside (0.5, 0.9999), and a band that needs what the release does not hold.
    pub fn new(release: MeanRelease, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let observation = Observation::of(&release)?;
        let population = PopulationMean::new(observation, release.second_moments().as_ref())?;
        Self::assemble(release, population, band, level)
    }

    /// The band of a release where none is asked for: that of the population, or of these people where a noisy number of records
    /// below 2 says nothing about a population.
    pub fn default_band(release: &MeanRelease) -> Band {
        if release.units() < 2.0 { Band::Posterior } else { Band::Population }
    }

    /// The same release with another band: post-processing, at no cost.
    ///
    /// # Errors
    /// As [`EstimatedMean::new`].
    pub fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        Self::assemble(self.release.clone(), self.population.clone(), band, level)
    }

    fn assemble(
        release: MeanRelease,
        population: PopulationMean,
        band: &Band,
        level: f64,
    ) -> Result<Self, AnalysisError> {
        let band = band.around(population.posterior(), population.sampling(), level)?;
        let mut estimate = Estimate::new(population.posterior(), &band);
        let release = match smoother(&band.band) {
            Some(smoother) if smoother != release.smoother() => release.smoothed(smoother)?,
            _ => release,
        };
        if smoother(&band.band).is_some() {
            estimate.noise_sd = release.function().noise_sd().to_vec();
        }
        Ok(Self { release, population, band, estimate })
    }

    /// The release.
    pub fn release(&self) -> &MeanRelease {
        &self.release
    }

    /// The mean of the population, for a difference with another.
    pub fn population(&self) -> &PopulationMean {
        &self.population
    }

    /// Where the sampling part of a band comes from.
    pub fn sampling(&self) -> &SamplingCovariance {
        self.population.sampling()
    }

    /// The posterior of the mean of the people in the release.
    pub fn posterior(&self) -> &Posterior {
        self.population.posterior()
    }

    /// The band.
    pub fn band(&self) -> &ConfidenceBand {
        &self.band
    }

    /// The estimate at the grid's points, as it stands in a document.
    pub fn estimate(&self) -> &Estimate {
        &self.estimate
    }

    /// The estimate at the grid's points, one by one.
    pub fn points(&self) -> Vec<PointEstimate> {
        self.estimate.points()
    }

    /// The estimate at any points of the domain. Between the grid's points the width of the band, and where the band has no
    /// function of its own its middle, are linear.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside the domain or not a number.
    pub fn at(&self, points: &[f64]) -> Result<Vec<PointEstimate>, AnalysisError> {
        let values = match &self.band.band {
            Band::Population | Band::Posterior | Band::Noise => self.posterior().evaluate(points)?,
            Band::Smoothed(_) | Band::Undersmoothed(_) if self.function_is_middle() => {
                self.release.function().evaluate(points).map_err(|_| self.outside(points))?
            }
            _ => {
                let values = ArrayView1::from(&self.estimate.values);
                points.iter().map(|t| self.posterior().grid().cell(*t).between(values)).collect()
            }
        };
        self.estimate.at(self.posterior(), points, values)
    }

    /// Whether the middle of the band is the released function through its smoother.
    fn function_is_middle(&self) -> bool {
        let function = self.release.function().values();
        function.iter().zip(&self.band.middle).all(|(a, b)| (a - b).abs() <= 1e-9 * self.release.ball().radius())
    }

    fn outside(&self, points: &[f64]) -> AnalysisError {
        let (lower, upper) = (self.posterior().grid().lower(), self.posterior().grid().upper());
        let value = points.iter().copied().find(|t| !(lower..=upper).contains(t)).unwrap_or(f64::NAN);
        AnalysisError::OutsideDomain { value, lower, upper }
    }

    /// What the release is and what the estimate promises, in words.
    pub fn facts(&self) -> Vec<Fact> {
        self.release.facts().into_iter().chain(self.facts_of_estimate()).collect()
    }

    /// How the estimate was made, what its band promises, and what should make a reader careful.
    pub fn facts_of_estimate(&self) -> Vec<Fact> {
        let mut facts = self.estimate.facts(self.posterior(), self.sampling());
        facts.extend(self.coordinates_in_words());
        facts
    }

    /// What an estimate from some coordinates alone leaves out, and what it takes their noise for.
    fn coordinates_in_words(&self) -> Option<Fact> {
        let basis = match self.release.coordinates_of_noise() {
            MeanMechanism::Coordinates(_) => self.release.statistic().map()?,
            _ => return None,
        };
        let number = basis.ncols();
        // a grid and a ladder that a posterior was solved for
        let risk = BayesRisk::in_coordinates(self.release.grid(), basis, self.posterior().ladder()).ok()?;
        let share = rounded(100.0 * risk.share_outside());
        let text = format!(
            "the release holds {number} coordinates of the mean. Of the variance of the mean under the public prior, {share}% lies outside \
             them: there the estimate is what the prior makes of them, and the band allows for it. The noise has heavier tails than normal \
             noise. The estimate uses its variances, and not its exact likelihood"
        );
        Some(Fact::new("coordinates", text))
    }

    /// The release with its estimate as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with_estimate(&self.estimate)
    }

    /// Reads a release back with its estimate, which must be what the release gives. A document without an estimate gets the
    /// default one.
    ///
    /// # Errors
    /// [`ReadError`] as in [`MeanRelease::from_json`], and for an estimate that is not of this release.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, estimate) = MeanRelease::from_json_with_estimate(json)?;
        Self::stated(release, estimate)
    }

    /// The same for a release that was read already, with the estimate in its document.
    ///
    /// # Errors
    /// As [`EstimatedMean::from_json`].
    pub fn of_document(release: MeanRelease, estimate: Option<&RawValue>) -> Result<Self, ReadError> {
        Self::stated(release, read_part(estimate)?)
    }

    fn stated(release: MeanRelease, estimate: Option<Estimate>) -> Result<Self, ReadError> {
        let refused = |_| ReadError::Contradiction { field: "estimate.band" };
        let Some(estimate) = estimate else {
            let band = Self::default_band(&release);
            return Self::new(release, &band, DEFAULT_LEVEL).map_err(refused);
        };
        let derived = Self::new(release, &estimate.band, estimate.level).map_err(refused)?;
        estimate.check(&derived.estimate, derived.release.ball().radius())?;
        demand("estimate.level", estimate.level == derived.estimate.level)?;
        Ok(derived)
    }
}

/// The smoother of a band that has one.
fn smoother(band: &Band) -> Option<&PenalizedMean> {
    match band {
        Band::Smoothed(smoother) => Some(smoother),
        _ => None,
    }
}
