//! One mean with its estimate, or several under names.

use std::fmt::Debug;

use dpfda_mechanism::Fact;

use crate::band::Band;
use crate::error::{AnalysisError, check_level};
use crate::estimate::document::{EstimateDocument, Stated};
use crate::estimate::{Estimate, PointEstimate, in_words};
use crate::population::{Population, PopulationMean};

/// The means that a release tells.
pub trait Means: Clone + Debug {
    /// The same means with another band.
    fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError>;

    /// The band; `None` where the noise hides all means.
    fn band(&self) -> Option<Band>;

    /// The level of the bands.
    fn level(&self) -> f64;

    /// Each estimate as a document states it, with the size of its numbers.
    fn stated(&self) -> Vec<(Stated, f64)>;
}

/// A mean over a domain with its estimate.
#[derive(Debug, Clone)]
pub struct Banded<M: Population> {
    population: M,
    estimate: Estimate<M::Point>,
}

/// One of several means: its name, and its estimate where the release says enough about it.
#[derive(Debug, Clone)]
pub struct Named<M: Population> {
    name: String,
    mean: Result<Box<Banded<M>>, AnalysisError>,
}

/// Several means with bands of one level.
#[derive(Debug, Clone)]
pub struct Several<M: Population> {
    all: Vec<Named<M>>,
    level: f64,
}

impl<M: Population> Banded<M> {
    /// A mean with a band of this level.
    pub fn new(population: M, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        Ok(Self { estimate: population.estimate(band, level)?, population })
    }

    /// The mean of the population, for a difference with another.
    pub fn population(&self) -> &M {
        &self.population
    }

    /// The estimate at the grid's points.
    pub fn estimate(&self) -> &Estimate<M::Point> {
        &self.estimate
    }

    /// The estimate at any points of the domain; see [`Estimated::at`](crate::Estimated::at).
    pub fn at(&self, points: &[M::Point]) -> Result<Vec<PointEstimate<M::Point>>, AnalysisError> {
        self.population.at(&self.estimate, points)
    }

    /// How the estimate was made, what its band promises, and what should make a reader careful.
    pub fn facts(&self) -> Vec<Fact> {
        in_words::facts(&self.population, &self.estimate)
    }

    pub(crate) fn parts(&mut self) -> (&mut M, &mut Estimate<M::Point>) {
        (&mut self.population, &mut self.estimate)
    }

    fn stated(&self) -> (EstimateDocument, f64) {
        (self.estimate.clone().into(), self.population.radius())
    }
}

impl Banded<PopulationMean> {
    /// The middle and the ends of the band at any points of the domain: what a figure shows.
    ///
    /// # Errors
    /// [`AnalysisError::OutsideDomain`]
    pub fn band_at(&self, points: &[f64]) -> Result<Vec<[f64; 3]>, AnalysisError> {
        self.population.band_at(&self.estimate, points)
    }
}

impl<M: Population> Means for Banded<M> {
    fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        Self::new(self.population.clone(), band, level)
    }

    fn band(&self) -> Option<Band> {
        Some(self.estimate.band.clone())
    }

    fn level(&self) -> f64 {
        self.estimate.level
    }

    fn stated(&self) -> Vec<(Stated, f64)> {
        let (document, size) = self.stated();
        vec![((String::new(), Some(document)), size)]
    }
}

impl<M: Population> Named<M> {
    fn new(name: String, population: Result<M, AnalysisError>, band: &Band, level: f64) -> Self {
        let mean = population.and_then(|population| Banded::new(population, band, level)).map(Box::new);
        Self { name, mean }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mean with its estimate.
    pub fn mean(&self) -> Result<&Banded<M>, AnalysisError> {
        self.mean.as_deref().map_err(|reason| *reason)
    }

    /// The mean of its population, for a difference with another.
    pub fn population(&self) -> Result<&M, AnalysisError> {
        self.mean().map(Banded::population)
    }

    /// Its mean with a band at the grid's points.
    pub fn estimate(&self) -> Result<&Estimate<M::Point>, AnalysisError> {
        self.mean().map(Banded::estimate)
    }
}

impl<M: Population> Several<M> {
    /// Means under their names, each with a band of this level. A mean of which the release says too little keeps the reason.
    pub(crate) fn new(
        means: impl IntoIterator<Item = (String, Result<M, AnalysisError>)>,
        band: &Band,
        level: f64,
    ) -> Result<Self, AnalysisError> {
        check_level(level)?;
        Ok(Self::of(means, band, level))
    }

    /// The same with a level that was checked.
    pub(crate) fn of(
        means: impl IntoIterator<Item = (String, Result<M, AnalysisError>)>,
        band: &Band,
        level: f64,
    ) -> Self {
        let named = |(name, population)| Named::new(name, population, band, level);
        Self { all: means.into_iter().map(named).collect(), level }
    }

    /// The means in the order of the release.
    pub fn all(&self) -> &[Named<M>] {
        &self.all
    }

    /// The mean of this name.
    pub fn get(&self, name: &str) -> Option<&Named<M>> {
        self.all.iter().find(|mean| mean.name == name)
    }

    /// The level of the bands.
    pub fn level(&self) -> f64 {
        self.level
    }
}

impl<M: Population> Means for Several<M> {
    fn with_band(&self, band: &Band, level: f64) -> Result<Self, AnalysisError> {
        let populations = self.all.iter().map(|mean| (mean.name.clone(), mean.population().cloned()));
        let again = Self::new(populations, band, level)?;
        // a band that these means cannot have is refused, and hides none
        for (known, again) in self.all.iter().zip(&again.all) {
            known.mean().map_or(Ok(()), |_| again.mean().map(|_| ()))?;
        }
        Ok(again)
    }

    fn band(&self) -> Option<Band> {
        self.all.iter().find_map(|one| Some(one.estimate().ok()?.band.clone()))
    }

    fn level(&self) -> f64 {
        self.level
    }

    fn stated(&self) -> Vec<(Stated, f64)> {
        let each = self.all.iter().map(|mean| {
            let (document, size) = mean.mean().map(Banded::stated).ok().unzip();
            ((mean.name.clone(), document), size.unwrap_or_default())
        });
        each.collect()
    }
}
