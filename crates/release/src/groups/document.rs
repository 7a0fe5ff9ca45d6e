//! What a release says about groups, and its document.

use dpfda_mechanism::{Documented, ReadError, Release, close, demand, rounded};
use dpfda_privacy::{Membership, NeighbouringRelation, Noise};
use dpfda_smoothing::Ball;
use ndarray::Array1;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::groups::{Grouped, Partition};
use crate::mean::check_bought;
use crate::mean::second_moments::SecondMoments;
use crate::purchase::in_ball::InBall;

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
    /// The standard deviation of each of these coordinates: that of the noise with what the rounding of records adds.
    pub sd: f64,
    /// The second moments, where they were released.
    pub second_moments: Option<SecondMoments>,
}

impl ReleasedGroup {
    /// The number of records in words: `188`, or `190 +- 6.1 (noisy)`.
    pub fn records_in_words(&self) -> String {
        match self.records_sd {
            0.0 => rounded(self.records),
            sd => format!("{}\u{a0}+-\u{a0}{sd:.1} (noisy)", self.number_in_words()),
        }
    }

    /// The number alone: `190`, or `at most 1` for a noisy number that was raised to 1.
    pub fn number_in_words(&self) -> String {
        let is_raised = self.records_sd > 0.0 && self.records <= 1.0;
        if is_raised { "at most\u{a0}1".to_owned() } else { rounded(self.records.round()) }
    }
}

/// The largest number of records that noise of this standard deviation hides: 10, or 4 standard deviations. Sums are divided by a larger
/// noisy number alone.
pub fn hidden_counts(count_sd: f64) -> f64 {
    (4.0 * count_sd).max(10.0)
}

impl<P: Partition> Grouped<P> {
    /// The standard deviation of the noise in the number of records of a group, where that is private.
    pub(crate) fn count_sd(&self, noise: &Noise) -> f64 {
        let before = if self.mean().moments().is_some() { 4 } else { 1 };
        noise.variance(before).sqrt() / self.grouped_ball().count_steps() as f64
    }

    /// The published means of groups, in the order of their names in the plan.
    pub fn groups(release: &Release<Self>) -> Vec<ReleasedGroup> {
        let statistic = release.statistic();
        let body = statistic.grouped_ball();
        let noise = release.noise();
        let parts = release.coordinates().chunks(body.length_of_group());
        let names = statistic.partition().names();
        let named = names.into_iter().enumerate().zip(parts);
        named
            .map(|((place, name), integers)| {
                let (records, records_sd) = match (statistic.sizes(), integers.last()) {
                    (Some(sizes), _) => (sizes[place] as f64, 0.0),
                    (None, Some(count)) => {
                        ((*count as f64 / body.count_steps() as f64).max(1.0), statistic.count_sd(noise))
                    }
                    (None, None) => (1.0, 0.0),
                };
                let whitened = statistic.mean().decoded(integers, records);
                let sd = statistic.mean().error_sd(records, noise.sd(), release.unit());
                let second_moments = SecondMoments::decoded(release, statistic.mean(), integers, records);
                ReleasedGroup { name: name.to_owned(), records, records_sd, whitened, sd, second_moments }
            })
            .collect()
    }
}

/// How many standard deviations may lie between a public number and what noisy counts say: normal noise goes farther with probability
/// below 1e-23.
const FARTHEST: f64 = 10.0;

impl<P: Partition> Grouped<P> {
    /// Whether so many records may be counted as the noisy counts of private labels say: each in no more groups than it may be in.
    fn may_count(release: &Release<Self>, records: u64) -> bool {
        let groups = Self::groups(release);
        let counted: f64 = groups.iter().map(|group| group.records).sum();
        let sd = groups.iter().map(|group| group.records_sd.powi(2)).sum::<f64>().sqrt();
        // a noisy count below 1 is taken for 1
        let noise = FARTHEST * sd + groups.len() as f64;
        let most = match release.statistic().membership() {
            Membership::Private { most } => most,
            Membership::Public => 1,
        };
        counted <= most as f64 * records as f64 + noise
    }
}

impl<P: Partition> Documented for Grouped<P> {
    type Derived = GroupsDerived;
    type Estimate = IgnoredAny;

    fn derived(release: &Release<Self>) -> GroupsDerived {
        GroupsDerived::of(release)
    }

    fn consistent(release: &Release<Self>, derived: &GroupsDerived) -> Result<(), ReadError> {
        Self::check_mechanism(release.mechanism())?;
        check_bought(release.statistic(), derived.ball.as_ref(), release.statistic().grid())?;
        if let Some(sizes) = release.statistic().sizes() {
            demand("statistic.membership", release.neighbours() == NeighbouringRelation::SubstituteOne)?;
            let total = sizes.iter().try_fold(0_u64, |total, size| total.checked_add(*size));
            demand("statistic.sizes", total == release.public_records())?;
        } else if let Some(records) = release.public_records() {
            demand("privacy.records", Self::may_count(release, records))?;
        }
        derived.check(release)
    }
}

/// The noisy means, for readers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupsDerived {
    /// Where the radius was bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<Ball>,
    groups: Vec<GroupDerived>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupDerived {
    name: String,
    records: f64,
    records_sd: f64,
    noise_scale: f64,
}

impl GroupsDerived {
    fn of<P: Partition>(release: &Release<Grouped<P>>) -> Self {
        let statistic = release.statistic();
        let ball = statistic.mean().bought().map(|_| statistic.ball().clone());
        let sd = statistic.mean().lattice_step() * release.noise().sd();
        let derived = |ReleasedGroup { name, records, records_sd, .. }: ReleasedGroup| GroupDerived {
            name,
            records,
            records_sd,
            noise_scale: sd / records,
        };
        Self { ball, groups: Grouped::groups(release).into_iter().map(derived).collect() }
    }

    fn check<P: Partition>(&self, release: &Release<Grouped<P>>) -> Result<(), ReadError> {
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
