//! Released groups with their estimates: what documents, figures and summaries show of them.

use std::ops::Deref;

use dpfda_mechanism::{Fact, ReadError, Release, demand, read_part, rounded};
use dpfda_release::{Groups, ReleasedGroup};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::band::Band;
use crate::error::AnalysisError;
use crate::estimate::Estimate;
use crate::estimated_mean::DEFAULT_LEVEL;
use crate::population_mean::PopulationMean;
use crate::posterior::observed::Observation;

#[cfg(test)]
#[path = "estimated_groups_tests.rs"]
mod tests;

/// A release of groups with an estimate of each mean. It dereferences to the release.
///
/// ```text
/// f_g: posterior mean of group g from its own noisy sum,    band: that of the population of the group
/// ```
///
/// The noise of the groups is independent. A difference of two groups is a [`MeanDifference`](crate::MeanDifference) of their
/// [`EstimatedGroup::population`]s. Where a subject counts in several groups, their means are not independent: for curves of a
/// person that move together the band of a difference is then too wide, and never too narrow.
#[derive(Debug, Clone)]
pub struct EstimatedGroups {
    release: Release<Groups>,
    groups: Vec<EstimatedGroup>,
    level: f64,
}

/// One group: its mean, where the release says enough about it.
#[derive(Debug, Clone)]
pub struct EstimatedGroup {
    released: ReleasedGroup,
    estimated: Result<Box<(PopulationMean, Estimate)>, AnalysisError>,
}

impl EstimatedGroup {
    fn new(release: &Release<Groups>, released: ReleasedGroup, level: f64) -> Self {
        let estimated = || {
            let observation = Observation::of_group(release.statistic().mean(), &released)?;
            if !observation.count_is_trusted() {
                return Err(AnalysisError::GroupTooSmall { records: released.records, sd: released.records_sd });
            }
            let population = PopulationMean::new(observation, released.second_moments.as_ref())?;
            let band = Band::Population.around(population.posterior(), population.sampling(), level)?;
            let estimate = Estimate::new(population.posterior(), &band);
            Ok(Box::new((population, estimate)))
        };
        Self { estimated: estimated(), released }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.released.name
    }

    /// What the release says about it: its number of records, exact or noisy, and its noisy mean.
    pub fn released(&self) -> &ReleasedGroup {
        &self.released
    }

    /// The mean of its population, for a difference with another group.
    ///
    /// # Errors
    /// [`AnalysisError::GroupTooSmall`] where the noisy number of records says too little.
    pub fn population(&self) -> Result<&PopulationMean, AnalysisError> {
        self.estimated.as_ref().map(|both| &both.0).map_err(|reason| *reason)
    }

    /// Its mean with a band at the grid's points.
    ///
    /// # Errors
    /// As [`EstimatedGroup::population`].
    pub fn estimate(&self) -> Result<&Estimate, AnalysisError> {
        self.estimated.as_ref().map(|both| &both.1).map_err(|reason| *reason)
    }

    /// The number of records in words: `188`, or `190 +- 6.1 (noisy)`.
    pub fn records_in_words(&self) -> String {
        let records = rounded(self.released.records);
        match self.released.records_sd {
            0.0 => records,
            sd => format!("{records}\u{a0}+-\u{a0}{} (noisy)", rounded(sd)),
        }
    }
}

impl Deref for EstimatedGroups {
    type Target = Release<Groups>;

    fn deref(&self) -> &Release<Groups> {
        &self.release
    }
}

impl EstimatedGroups {
    /// The estimates of a release, each with a band of this level for the population of its group.
    ///
    /// # Errors
    /// [`AnalysisError::Level`] for a level outside (0.5, 0.9999). A group of which nothing can be said is no error here.
    pub fn new(release: Release<Groups>, level: f64) -> Result<Self, AnalysisError> {
        crate::error::check_level(level)?;
        let groups =
            Groups::groups(&release).into_iter().map(|group| EstimatedGroup::new(&release, group, level)).collect();
        Ok(Self { release, groups, level })
    }

    /// The release.
    pub fn release(&self) -> &Release<Groups> {
        &self.release
    }

    /// The groups in the order of the release.
    pub fn groups(&self) -> &[EstimatedGroup] {
        &self.groups
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&EstimatedGroup> {
        self.groups.iter().find(|group| group.name() == name)
    }

    /// The level of the bands.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// What the release is and what it says about each group, in words.
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = self.release.facts();
        let percent = rounded(100.0 * self.level);
        let band = format!(
            "{percent}% simultaneous band `population` around the posterior mean of each group, for one group at a time. {} {}",
            Band::Population.promises(),
            Band::Population.does_not_promise()
        );
        facts.push(Fact::new("band", band).captioned(format!("{percent}% bands for the population means")));
        facts.extend(self.groups.iter().map(|group| Fact::new("group", of_group(group))));
        facts
    }

    /// The release with its estimates as a JSON document.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.release.to_json_with_estimate(&GroupEstimates::of(self))
    }

    /// Reads a release back with its estimates, which must be what the release gives. A document without estimates gets those of the
    /// default level.
    ///
    /// # Errors
    /// [`ReadError`] as in [`Release::<Groups>::from_json`], and for estimates that are not of this release.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let (release, stated) = Release::from_json_with_estimate(json)?;
        Self::stated(release, stated)
    }

    /// The same for a release that was read already, with the estimates in its document.
    ///
    /// # Errors
    /// As [`EstimatedGroups::from_json`].
    pub fn of_document(release: Release<Groups>, estimate: Option<&RawValue>) -> Result<Self, ReadError> {
        Self::stated(release, read_part(estimate)?)
    }

    fn stated(release: Release<Groups>, stated: Option<GroupEstimates>) -> Result<Self, ReadError> {
        let level = stated.as_ref().map_or(DEFAULT_LEVEL, |stated| stated.level);
        let estimated = Self::new(release, level).map_err(|_| ReadError::Contradiction { field: "estimate.level" })?;
        if let Some(stated) = stated {
            stated.check(&estimated)?;
        }
        Ok(estimated)
    }
}

fn of_group(group: &EstimatedGroup) -> String {
    let size = group.records_in_words();
    match group.estimate() {
        Ok(estimate) => {
            let number = estimate.grid.len() as f64;
            let half: f64 =
                estimate.lower.iter().zip(&estimate.upper).map(|(l, u)| (u - l) / 2.0).sum::<f64>() / number;
            let sampling = group.population().map_or("", |population| population.sampling().in_words());
            format!(
                "{}: {size} records; the band reaches {} to each side on average. {sampling}",
                group.name(),
                rounded(half)
            )
        }
        Err(reason) => format!("{}: {size} records; {reason}", group.name()),
    }
}

/// The estimates in a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupEstimates {
    level: f64,
    groups: Vec<GroupEstimate>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupEstimate {
    name: String,
    /// `null` where the noisy number of records says too little.
    mean: Option<Estimate>,
}

impl GroupEstimates {
    fn of(estimated: &EstimatedGroups) -> Self {
        let of_group = |group: &EstimatedGroup| GroupEstimate {
            name: group.name().to_owned(),
            mean: group.estimate().ok().cloned(),
        };
        Self { level: estimated.level, groups: estimated.groups.iter().map(of_group).collect() }
    }

    fn check(&self, estimated: &EstimatedGroups) -> Result<(), ReadError> {
        demand("estimate.groups", self.groups.len() == estimated.groups.len())?;
        for (stated, derived) in self.groups.iter().zip(&estimated.groups) {
            demand("estimate.groups.name", stated.name == derived.name())?;
            match (&stated.mean, derived.estimate()) {
                (Some(stated), Ok(derived)) => stated.check(derived, estimated.statistic().ball().radius())?,
                (stated, derived) => demand("estimate.groups.mean", stated.is_none() && derived.is_err())?,
            }
        }
        Ok(())
    }
}
