//! The means of several groups as one statistic.

pub(crate) mod document;
pub(crate) mod private;

use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Mechanism, NoisyCenter, Purchases, ReadError, Statistic, demand, is_name};
use dpfda_privacy::{ClippedBall, Emphasis, GroupedBall, GroupedVector, LatticeError, Law, Membership, OneHot};
use dpfda_smoothing::{Ball, BallError, BoundedCurves, stated_name};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::coordinates::curve_room::CurveRoom;
use crate::mean::Mean;
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::Weighing;

/// Why there are no groups like these. Everything in it is public.
/// Rows and places are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GroupingError {
    #[error("a release of groups needs at least 2 groups, got {found}")]
    TooFewGroups { found: usize },
    #[error(
        "each group needs a name of its own, with 1 to 100 characters on one line, but group {place} in the list has none such"
    )]
    Name { place: usize },
    #[error(
        "group {place} in the list has a label that no cell of a table surely says: a word for a missing value, or a number from 2^53 on, of \
         which some readers of tables keep the first digits alone; put a letter into such labels, in the table as well"
    )]
    Unsure { place: usize },
    #[error("the sizes of groups belong in the plan where membership is public, one for each group, and nowhere else")]
    Sizes,
    #[error(
        "each group needs at least 2 records, but group {place} in the list has {found}: its mean would be a person's own curve"
    )]
    Size { place: usize, found: u64 },
    #[error(
        "the curves of groups lie in a stated ball, or one of a half norm, with isonormal noise, and second moments with the emphasis on the mean"
    )]
    Mean,
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// The sums of curves in a public ball, one for each group, in isonormal coordinates or in those of a half norm.
///
/// ```text
/// record in groups S:  for each g in S: (z_g, its products and energy, 1),    z_g the mean of the record's curves in g
/// ```
///
/// A radius that is bought is one for all groups: noisy counts of the distances of all records call for it, and a record counts once, by
/// its longest `z_g`. Each `z_g` is clipped at that radius by itself. So is a centre: it follows from the noisy mean of all records, of which
/// each counts once, by the mean of its curves in its groups.
///
/// Its plan is `{mean, names, sizes, membership}`: the sizes only where membership is public.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GroupsPlan", into = "GroupsPlan")]
pub struct Groups {
    plan: GroupsPlan,
    body: GroupedBall,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GroupsPlan {
    mean: Mean,
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sizes: Option<Vec<u64>>,
    membership: Membership,
}

impl Groups {
    /// Groups with public members: their names and sizes are public, and neighbours differ within one group.
    ///
    /// # Errors
    /// [`GroupingError`] for fewer than 2 groups or more than 64, a name that is none, a group of fewer than 2 records, and a mean
    /// that is not isonormal in a stated ball.
    pub fn public(mean: Mean, groups: Vec<(String, u64)>) -> Result<Self, GroupingError> {
        let (names, sizes) = groups.into_iter().unzip();
        GroupsPlan { mean, names, sizes: Some(sizes), membership: Membership::Public }.try_into()
    }

    /// Groups with private members: their names are public, and one record can be in at most `most` of them.
    ///
    /// A cell is in a group if both say the same, see [`Said`](dpfda_smoothing::Said): `01` and `1.0` are in the group `1`.
    pub fn private(mean: Mean, names: Vec<String>, most: usize) -> Result<Self, GroupingError> {
        let mut said = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let name = stated_name(name).ok_or(GroupingError::Unsure { place: place + 1 })?;
            if said.contains(&name) {
                return Err(GroupingError::Name { place: place + 1 });
            }
            said.push(name);
        }
        GroupsPlan { mean, names, sizes: None, membership: Membership::Private { most } }.try_into()
    }

    /// What is released of each group.
    pub fn mean(&self) -> &Mean {
        &self.plan.mean
    }

    /// The names of the groups.
    pub fn names(&self) -> &[String] {
        &self.plan.names
    }

    /// The public sizes of the groups; `None` where membership is private.
    pub fn sizes(&self) -> Option<&[u64]> {
        self.plan.sizes.as_deref()
    }

    /// Whether neighbours agree on the groups.
    pub fn membership(&self) -> Membership {
        self.plan.membership
    }

    /// The public ball that every curve is projected on.
    pub fn ball(&self) -> &Ball {
        self.plan.mean.ball()
    }

    /// The points the curves are seen at.
    pub fn grid(&self) -> &Grid {
        self.plan.mean.grid()
    }

    pub(crate) fn grouped_ball(&self) -> &GroupedBall {
        &self.body
    }

    fn membership_in_words(&self) -> String {
        let names = self.names().iter();
        if let Some(sizes) = self.sizes() {
            let each: Vec<String> = names.zip(sizes).map(|(name, size)| format!("{name} ({size})")).collect();
            format!(
                "{}; who is in which group is public, and so are the sizes. Neighbouring data sets differ within one group, so \
                     each group has the whole budget",
                each.join(", ")
            )
        } else {
            let each: Vec<&str> = names.map(String::as_str).collect();
            let most = match self.membership() {
                Membership::Private { most } if most > 1 => {
                    format!("at most {most} groups, the first in this order")
                }
                _ => "at most one group, the first in this order".to_owned(),
            };
            format!(
                "{}; who is in which group is private, and so are the sizes. A record counts in {most}; a record with another \
                     label or none counts in no group",
                each.join(", ")
            )
        }
    }
}

/// One record: which of its rows are in which group.
#[derive(Debug, Clone)]
pub struct GroupedRecord<'a> {
    pub(crate) curves: &'a BoundedCurves<'a>,
    /// In the order of the groups.
    pub(crate) parts: Vec<(usize, Vec<usize>)>,
}

impl InBall for Groups {
    fn ball(&self) -> &Ball {
        self.ball()
    }

    fn bought(&self) -> Option<&Bought> {
        self.plan.mean.bought()
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        let mean = self.plan.mean.in_ball(ball, bought)?;
        Ok(Self { plan: GroupsPlan { mean, ..self.plan.clone() }, body: self.body.clone() })
    }

    /// Each group by itself, unless one record can be in several; how many records have one of the labels is private where membership is,
    /// whatever the relation.
    fn counted(&self, _records: Option<u64>) -> Vec<Option<u64>> {
        match self.sizes() {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None; self.body.counted_groups()],
        }
    }

    /// That of the mean of a group; membership of `m` groups has the noise of `m`.
    fn weighing(&self, is_public: bool) -> Weighing {
        let of_one = self.plan.mean.weighing(is_public);
        let most = match self.membership() {
            Membership::Public => 1,
            Membership::Private { most } => most,
        };
        Weighing { noise: of_one.noise * most as f64, ..of_one }
    }

    fn centered(&self, center: &NoisyCenter<'_>) -> Option<Ball> {
        self.plan.mean.centered(center)
    }

    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        demand("noise.law", matches!(mechanism.law(), Law::Gaussian { .. }))?;
        demand("statistic.mean.ball.bounds", mechanism.statistic().mean().is_of_its_bounds())
    }
}

impl Statistic for Groups {
    type Body = GroupedBall;
    type Record<'a> = GroupedRecord<'a>;
    type Scratch = CurveRoom;

    const KIND: &'static str = "groups";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> GroupedBall {
        self.body.clone()
    }

    fn stated_body(&self, _law: &Law) -> GroupedBall {
        self.body.stated()
    }

    fn scratch(&self) -> CurveRoom {
        CurveRoom::new(self.grid().len(), self.grid().len())
    }

    fn encode(&self, record: GroupedRecord<'_>, scratch: &mut CurveRoom, vector: &mut GroupedVector) {
        let coordinates = self.plan.mean.whitening().coordinates();
        for (group, rows) in &record.parts {
            scratch.encode_rows(record.curves, rows, &coordinates, vector.part(*group));
        }
    }

    fn center_body(&self) -> Option<ClippedBall> {
        self.plan.mean.center_body()
    }

    fn radius_body(&self) -> Option<OneHot> {
        Some(Norms::body(self.body.counted_groups()))
    }

    fn needs_radius(&self) -> bool {
        self.plan.mean.needs_radius()
    }

    fn under(&self, purchases: &Purchases<'_>) -> Self {
        bought::under(self, purchases)
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.plan.mean.facts();
        let groups = self.membership_in_words();
        facts.push(Fact::new("groups", groups).captioned(match self.sizes() {
            Some(_) => "labels of groups public",
            None => "labels of groups private",
        }));
        facts
    }
}

impl From<Groups> for GroupsPlan {
    fn from(groups: Groups) -> Self {
        groups.plan
    }
}

impl TryFrom<GroupsPlan> for Groups {
    type Error = GroupingError;

    fn try_from(plan: GroupsPlan) -> Result<Self, GroupingError> {
        let GroupsPlan { mean, names, sizes, membership } = &plan;
        let moments = mean.moments();
        let is_plain = mean.takes_other_statistics() && mean.bought().is_none();
        if !is_plain || moments.is_some_and(|moments| moments.emphasis != Emphasis::Mean) {
            return Err(GroupingError::Mean);
        }
        if names.len() < 2 {
            return Err(GroupingError::TooFewGroups { found: names.len() });
        }
        let of_one = mean.body(&Law::GAUSSIAN);
        let products = of_one.moments().map(|moments| moments.of.clone());
        let body = GroupedBall::new(names.len(), of_one.record_dimension(), products, *membership)?;
        if let Some(place) = (0..names.len()).find(|&i| !is_name(&names[i]) || names[..i].contains(&names[i])) {
            return Err(GroupingError::Name { place: place + 1 });
        }
        let expected = if *membership == Membership::Public { Some(names.len()) } else { None };
        if sizes.as_ref().map(Vec::len) != expected {
            return Err(GroupingError::Sizes);
        }
        let too_small = sizes.iter().flatten().zip(1..).find(|(size, _)| **size < 2);
        match too_small {
            Some((&found, place)) => Err(GroupingError::Size { place, found }),
            None => Ok(Self { plan, body }),
        }
    }
}
