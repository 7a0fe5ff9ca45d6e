//! The estimates of released groups.

use std::sync::Arc;

use dpfda_mechanism::{Fact, Release, rounded};
use dpfda_release::{Grouped, Partition, ReleasedGroup, stated_by_default};
use serde::{Deserialize, Serialize};

use super::Estimable;
use super::means::{Banded, Named, Several};
use crate::band::{Band, Target};
use crate::error::AnalysisError;
use crate::estimate::document::{EstimateDocument, Stated, StatedEstimates};
use crate::population::PopulationMean;
use crate::posterior::observed::Observation;

#[cfg(test)]
#[path = "of_groups_tests.rs"]
mod tests;

/// ```text
/// f_g: posterior mean of group g from its own noisy sum,    band: that of the population of the group
/// ```
///
/// The noise of the groups is independent. A difference of two groups is a [`Difference`](crate::Difference) of their
/// [`Named::population`]s. Where a subject counts in several groups, their means are not independent: for curves of a person that move
/// together the band of a difference is then too wide, and never too narrow.
impl<P: Partition> Estimable for Grouped<P> {
    type View = Release<Self>;
    type Means = Several<PopulationMean>;
    type Document = GroupEstimates;

    fn means(release: &Release<Self>, band: &Band, level: f64) -> Result<Self::Means, AnalysisError> {
        let groups = Self::groups(release);
        let together = Arc::new(());
        let all = groups.iter().map(|group| group.records).sum();
        let population = |(number, group): (usize, ReleasedGroup)| {
            let observation = Observation::of_group(release.statistic().mean(), (number, &group), all)?;
            if !observation.count_is_trusted() {
                return Err(AnalysisError::GroupTooSmall { records: group.records, sd: group.records_sd });
            }
            let mean = PopulationMean::new(observation, group.second_moments)?;
            Ok(mean.of_group_in(&together).of_quantity(release.statistic().partition().quantity()))
        };
        let each = groups.into_iter().enumerate();
        Several::new(each.map(|(number, group)| (group.name.clone(), population((number, group)))), band, level)
    }

    fn facts_of_estimate(release: &Release<Self>, groups: &Self::Means) -> Vec<Fact> {
        let own = match (groups.all(), &Self::groups(release)[..]) {
            ([one], [released]) => of_one(one, released),
            (all, released) => of_all(all, released, groups.level()),
        };
        stated_by_default(release).into_iter().chain(own).collect()
    }
}

/// Of a release of one group.
fn of_one(one: &Named<PopulationMean>, released: &ReleasedGroup) -> Vec<Fact> {
    let known = format!("the {} is known of {} people", one.name(), released.records_in_words());
    let known = Fact::new("people", known.clone()).briefly(known);
    let mean = one.mean().map_or_else(|_| Vec::new(), Banded::facts);
    [known].into_iter().chain(mean).collect()
}

fn of_all(all: &[Named<PopulationMean>], released: &[ReleasedGroup], level: f64) -> Vec<Fact> {
    let percent = rounded(100.0 * level);
    let band = all.iter().find_map(|group| Some(group.estimate().ok()?.band.clone())).unwrap_or_default();
    let text = format!(
        "{percent}% simultaneous band `{}` around the posterior mean of each group, for one group at a time. {} {}",
        band.name(),
        band.promises(),
        band.does_not_promise()
    );
    let target = band.target();
    let brief = format!("{percent}% band for {target} of each group, for one group at a time{}", reach(all));
    let caption = match target {
        Target::PopulationMean => "the population means".to_owned(),
        other => format!("{other} of each group"),
    };
    let band = Fact::new("band", text).briefly(brief).captioned(format!("{percent}% bands for {caption}"));
    let method = "posterior mean of a Gaussian process for each group";
    let method = Fact::new("estimate", method).briefly(method);
    let each = all.iter().zip(released).map(|(group, released)| of_group(group, released));
    [method, band].into_iter().chain(sizes(released)).chain(each).chain(vanished(all)).collect()
}

/// How far the bands reach, from the narrowest to the widest.
fn reach(all: &[Named<PopulationMean>]) -> String {
    let halves = || all.iter().filter_map(|group| Some(group.estimate().ok()?.half_width()));
    let [least, most] = [halves().fold(f64::INFINITY, f64::min), halves().fold(0.0, f64::max)].map(rounded);
    match halves().count() {
        0 => String::new(),
        _ if least == most => format!("; it reaches {least} to each side on average"),
        _ => format!("; it reaches {least} to {most} to each side on average"),
    }
}

/// How many records the groups have, where that is private: public sizes stand beside the names.
fn sizes(released: &[ReleasedGroup]) -> Option<Fact> {
    let noisy = released.iter().filter(|group| group.records_sd > 0.0);
    let each: Vec<String> = noisy.map(|group| format!("{}: {}", group.name, group.number_in_words())).collect();
    let sd = rounded(released.first()?.records_sd);
    let text = format!("{} (noisy numbers, of standard deviation {sd})", each.join(", "));
    (!each.is_empty()).then(|| Fact::new("records", text.clone()).briefly(text))
}

/// Of whom nothing is said: no short summary leaves that out.
fn vanished(all: &[Named<PopulationMean>]) -> Option<Fact> {
    let names: Vec<&str> = all.iter().filter(|group| group.mean().is_err()).map(Named::name).collect();
    let text = match names[..] {
        [] => return None,
        [name] => format!("Nothing is said of {name}: noise hides how many there are, or its curves."),
        _ => format!("Nothing is said of {}: noise hides how many there are, or their curves.", names.join(", ")),
    };
    Some(Fact::new("NOTE", text))
}

fn of_group(group: &Named<PopulationMean>, released: &ReleasedGroup) -> Fact {
    let (name, size) = (group.name(), released.records_in_words());
    match group.mean() {
        Ok(mean) => {
            let (half, sampling) = (rounded(mean.estimate().half_width()), mean.population().sampling().in_words());
            let text = format!("{name}: {size} records; the band reaches {half} to each side on average. {sampling}");
            Fact::new("group", text)
        }
        Err(reason) => Fact::new("group", format!("{name}: {size} records; {reason}")),
    }
}

/// The estimates in a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupEstimates {
    level: f64,
    groups: Vec<GroupEstimate>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupEstimate {
    name: String,
    /// `null` where the noisy number of records says too little.
    mean: Option<EstimateDocument>,
}

impl StatedEstimates for GroupEstimates {
    /// Nothing where the noise hides every group.
    fn of(level: f64, means: Vec<Stated>) -> Option<Self> {
        let has_any = means.iter().any(|(_, mean)| mean.is_some());
        has_any.then(|| Self {
            level,
            groups: means.into_iter().map(|(name, mean)| GroupEstimate { name, mean }).collect(),
        })
    }

    fn stated(self) -> (f64, Vec<Stated>) {
        (self.level, self.groups.into_iter().map(|group| (group.name, group.mean)).collect())
    }
}
