//! Released groups with their provenance.

use std::ops::Deref;

use dpfda_mechanism::{ReadError, Release, close, demand};
use dpfda_privacy::{GroupedBall, Law, NeighbouringRelation};
use ndarray::Array1;
use serde::{Deserialize, Serialize};

use crate::groups::Groups;
use crate::second_moments::SecondMoments;

/// The published means of groups. Everything in it may be shown to anybody.
///
/// What was drawn, its guarantee and its provenance are those of the [`Release`] that it dereferences to.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupsRelease(Release<Groups>);

/// What a release says about one group, in data units.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasedGroup {
    /// Its name.
    pub name: String,
    /// The number of records: public, or what the noisy count says, at least 1.
    pub records: f64,
    /// The standard deviation of the noise in that number; 0 where it is public.
    pub records_sd: f64,
    /// The noisy mean as a deviation from the centre: `sqrt(w_i) (Y - c)(t_i)`.
    pub whitened: Array1<f64>,
    /// The standard deviation of the noise in each of these coordinates.
    pub sd: f64,
    /// The second moments, where they were released.
    pub second_moments: Option<SecondMoments>,
}

impl From<Release<Groups>> for GroupsRelease {
    fn from(release: Release<Groups>) -> Self {
        Self(release)
    }
}

impl Deref for GroupsRelease {
    type Target = Release<Groups>;

    fn deref(&self) -> &Release<Groups> {
        &self.0
    }
}

impl GroupsRelease {
    /// The groups, in the order of their names in the plan.
    pub fn groups(&self) -> Vec<ReleasedGroup> {
        let statistic = self.statistic();
        let body = statistic.grouped_ball();
        let noise = self.noise();
        let blocks = if statistic.mean().moments().is_some() { 5 } else { 2 };
        let parts = self.coordinates().chunks(body.length_of_group());
        let named = statistic.names().iter().enumerate().zip(parts);
        named
            .map(|((place, name), integers)| {
                let steps = GroupedBall::count_steps();
                let (records, records_sd) = match (statistic.sizes(), integers.last()) {
                    (Some(sizes), _) => (sizes[place] as f64, 0.0),
                    (None, Some(count)) => {
                        ((*count as f64 / steps).max(1.0), noise.variance(blocks - 1).sqrt() / steps)
                    }
                    (None, None) => (1.0, 0.0),
                };
                let (whitened, sd) = statistic.mean().decoded(integers, records, noise);
                let second_moments = SecondMoments::decoded(statistic.mean(), integers, records, noise);
                ReleasedGroup { name: name.clone(), records, records_sd, whitened, sd, second_moments }
            })
            .collect()
    }

    /// The release as a JSON document, with the noisy means of the groups.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        self.0.to_json_with(Some(&GroupsDerived::of(self)))
    }

    /// The same with an estimate that was made of the release.
    ///
    /// # Errors
    /// None in practice: every number in a release is finite.
    pub fn to_json_with_estimate<E: Serialize>(&self, estimate: &E) -> Result<String, serde_json::Error> {
        self.0.to_json_with_estimate(&GroupsDerived::of(self), estimate)
    }

    /// Reads a release back, checking every constructor's rules and that the numbers agree with one another.
    ///
    /// # Errors
    /// [`ReadError`] with the reason.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Ok(Self::from_json_with_estimate::<serde::de::IgnoredAny>(json)?.0)
    }

    /// The same with the estimate of the document, where it has one, for a reader that knows how estimates are made.
    ///
    /// # Errors
    /// [`ReadError`]
    pub fn from_json_with_estimate<E: serde::de::DeserializeOwned>(json: &str) -> Result<(Self, Option<E>), ReadError> {
        let (release, derived, estimate) = Release::<Groups>::from_json_with_estimate::<GroupsDerived, E>(json)?;
        let is_whole = matches!(release.mechanism().law(), Law::Gaussian { share, .. } if share.is_whole());
        demand("noise.law", is_whole)?;
        demand("statistic.mean.ball.bounds", release.statistic().ball().is_of_its_bounds())?;
        if let Some(sizes) = release.statistic().sizes() {
            demand("statistic.membership", release.neighbours() == NeighbouringRelation::SubstituteOne)?;
            let total = sizes.iter().try_fold(0_u64, |total, size| total.checked_add(*size));
            demand("statistic.sizes", total == release.public_records())?;
        }
        let release = Self(release);
        derived.ok_or(ReadError::Contradiction { field: "derived" })?.check(&release)?;
        Ok((release, estimate))
    }
}

/// The noisy means, for readers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupsDerived {
    groups: Vec<GroupDerived>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupDerived {
    name: String,
    records: f64,
    records_sd: f64,
    noise_scale: f64,
}

impl GroupsDerived {
    fn of(release: &GroupsRelease) -> Self {
        let derived = |ReleasedGroup { name, records, records_sd, sd, .. }: ReleasedGroup| GroupDerived {
            name,
            records,
            records_sd,
            noise_scale: sd,
        };
        Self { groups: release.groups().into_iter().map(derived).collect() }
    }

    fn check(&self, release: &GroupsRelease) -> Result<(), ReadError> {
        let derived = Self::of(release);
        let same = |a: f64, b: f64| close(a, b, b.abs());
        let agree = self.groups.iter().zip(&derived.groups).all(|(a, b)| {
            let numbers =
                same(a.records, b.records) && same(a.records_sd, b.records_sd) && same(a.noise_scale, b.noise_scale);
            a.name == b.name && numbers
        });
        demand("derived.groups", self.groups.len() == derived.groups.len() && agree)
    }
}
