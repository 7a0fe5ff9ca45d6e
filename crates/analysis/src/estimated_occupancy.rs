//! A released mean of irregular curves with its estimate: what documents, figures and summaries show of it.

use std::ops::{Deref, Range};

use dpfda_mechanism::{Fact, ReadError, Release, demand, read_part, rounded};
use dpfda_release::Occupancy;
use ndarray::Array1;
use serde_json::value::RawValue;

use crate::band::{Band, ConfidenceBand};
use crate::error::AnalysisError;
use crate::estimate::Estimate;
use crate::estimated_mean::{DEFAULT_LEVEL, PointEstimate};
use crate::population_mean::PopulationMean;
use crate::posterior::Posterior;
use crate::posterior::ladder::Ladder;
use crate::posterior::observed_rows::OccupancyObservation;

#[cfg(test)]
#[path = "estimated_occupancy_tests.rs"]
mod tests;

/// A release of an occupancy, its posterior, and a band. It dereferences to the release.
///
/// ```text
/// S_b = H_b P_b f + noise,    H_b released,   P_b the average over bin b,   f a posterior as for a mean
/// ```
///
/// The noise of the weights counts: see `docs/proofs/occupancy.md`. The population band has the sampling of people on top, for the largest
/// variance that the ball allows.
#[derive(Debug, Clone)]
pub struct EstimatedOccupancy {
    release: Release<Occupancy>,
    population: PopulationMean,
    band: ConfidenceBand,
    estimate: Estimate,
}

impl Deref for EstimatedOccupancy {
    type Target = Release<Occupancy>;

    fn deref(&self) -> &Release<Occupancy> {
        &self.release
    }
}

impl EstimatedOccupancy {
    /// The estimate of a release, with a band of this level.
    ///
    /// # Errors
    /// [`AnalysisError::NeedsIsonormal`] for another band than `population`, `posterior` and `noise`, [`AnalysisError::Level`] for a level
    /// outside (0.5, 0.9999).
    pub fn new(release: Release<Occupancy>, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let observed = OccupancyObservation::of(&release);
        let posterior_with = |scales: &Array1<f64>| Posterior::new(observed.observation(scales)?, &Ladder::default());
        let first = posterior_with(&observed.scales(None))?;
        // once more, with the noise that the weights bring in where the mean is far from the centre
        let scales = observed.scales(Some(&first));
        let posterior = posterior_with(&scales)?;
        let sampling = observed.sampling(&posterior, &scales)?;
        Self::assemble(release, PopulationMean::of(posterior, sampling), band, level)
    }

    /// The band of a release where none is asked for: that of the population, or of these people where the weights say nothing about a
    /// population.
    pub fn default_band(release: &Release<Occupancy>) -> Band {
        if OccupancyObservation::least_records(release) < 2.0 { Band::Posterior } else { Band::Population }
    }

    /// The same release with another band: post-processing, at no cost.
    ///
    /// # Errors
    /// As [`EstimatedOccupancy::new`].
    pub fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        Self::assemble(self.release.clone(), self.population.clone(), band, level)
    }

    fn assemble(
        release: Release<Occupancy>,
        population: PopulationMean,
        band: &Band,
        level: f64,
    ) -> Result<Self, AnalysisError> {
        let band = band.around(population.posterior(), population.sampling(), level)?;
        let estimate = Estimate::new(population.posterior(), &band);
        Ok(Self { release, population, band, estimate })
    }

    /// The release.
    pub fn release(&self) -> &Release<Occupancy> {
        &self.release
    }

    /// The mean of the population, for a difference with another.
    pub fn population(&self) -> &PopulationMean {
        &self.population
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

    /// The estimate at any points of the domain. Between the grid's points the width of the band is linear.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`] for a point outside the domain or not a number.
    pub fn at(&self, points: &[f64]) -> Result<Vec<PointEstimate>, AnalysisError> {
        let values = self.posterior().evaluate(points)?;
        self.estimate.at(self.posterior(), points, values)
    }

    /// The parts of the domain, in the units of the grid, whose bins do not stand out from the noise: there the estimate is the prior
    /// and what the neighbouring bins say.
    pub fn unsupported(&self) -> Vec<Range<f64>> {
        let (statistic, sums) = (self.release.statistic(), Occupancy::sums(&self.release));
        let mut parts: Vec<Range<f64>> = Vec::new();
        for bin in (0..statistic.bins()).filter(|bin| !sums.is_supported(*bin)) {
            let (from, to) = statistic.ends_of_bin(bin);
            match parts.last_mut() {
                Some(last) if last.end == from => last.end = to,
                _ => parts.push(from..to),
            }
        }
        parts
    }

    /// What the release is and what the estimate promises, in words.
    pub fn facts(&self) -> Vec<Fact> {
        self.release.facts().into_iter().chain(self.facts_of_estimate()).collect()
    }

    /// How the estimate was made, what its band promises, and what should make a reader careful.
    pub fn facts_of_estimate(&self) -> Vec<Fact> {
        let mut facts = self.estimate.facts(self.posterior(), self.population.sampling());
        let parts = self.unsupported();
        if !parts.is_empty() {
            let shown: Vec<String> =
                parts.iter().map(|part| format!("{} to {}", rounded(part.start), rounded(part.end))).collect();
            let text = format!(
                "Too few people were measured from {} to tell from the noise: there the estimate is what the prior and its neighbours say.",
                shown.join(", from ")
            );
            facts.push(Fact::new("NOTE", text));
        }
        facts
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
    /// [`ReadError`] as in [`Release::<Occupancy>::from_json`], and for an estimate that is not of this release.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, estimate) = Release::from_json_with_estimate(json)?;
        Self::stated(release, estimate)
    }

    /// The same for a release that was read already, with the estimate in its document.
    ///
    /// # Errors
    /// As [`EstimatedOccupancy::from_json`].
    pub fn of_document(release: Release<Occupancy>, estimate: Option<&RawValue>) -> Result<Self, ReadError> {
        Self::stated(release, read_part(estimate)?)
    }

    fn stated(release: Release<Occupancy>, estimate: Option<Estimate>) -> Result<Self, ReadError> {
        let refused = |_| ReadError::Contradiction { field: "estimate.band" };
        let Some(estimate) = estimate else {
            let band = Self::default_band(&release);
            return Self::new(release, &band, DEFAULT_LEVEL).map_err(refused);
        };
        let derived = Self::new(release, &estimate.band, estimate.level).map_err(refused)?;
        estimate.check(&derived.estimate, derived.release.statistic().ball().radius())?;
        demand("estimate.level", estimate.level == derived.estimate.level)?;
        Ok(derived)
    }
}
