//! The means of several groups as one statistic.

pub(crate) mod by_label;
pub(crate) mod document;
pub(crate) mod left_out;
pub(crate) mod private;

use std::fmt::Debug;

use by_label::ByLabel;
use dpfda_kernels::Grid;
use dpfda_mechanism::{Fact, Mechanism, NoisyCenter, Purchases, ReadError, Statistic, demand};
use dpfda_privacy::{ClippedBall, Emphasis, GroupedBall, GroupedVector, LatticeError, Law, Membership, OneHot};
use dpfda_smoothing::{Ball, BallError, BoundedCurves};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::change::ChangeOfError;
use crate::coordinates::curve_room::CurveRoom;
use crate::mean::Mean;
use crate::purchase::bought::{self, Bought};
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::purchase::radius_rule::Weighing;

/// Why there are no groups like these. Everything in it is public.
/// Rows and places are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
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
    Change(#[from] ChangeOfError),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
}

/// What tells the groups of a release apart.
pub trait Partition: Clone + PartialEq + Debug + Serialize + DeserializeOwned {
    /// What documents call such a release.
    const KIND: &'static str;

    /// The names of the groups.
    fn names(&self) -> Vec<&str>;

    /// Whether neighbours agree on the groups.
    fn membership(&self) -> Membership;

    /// The public sizes of the groups; `None` where membership is private.
    fn sizes(&self) -> Option<&[u64]> {
        None
    }

    /// What the curves of a group are: only means of the same are compared.
    fn quantity(&self) -> &'static str {
        "of curves"
    }

    /// Refuses groups that there cannot be.
    ///
    /// # Errors
    /// [`GroupingError`]
    fn check(&self) -> Result<(), GroupingError>;

    /// What the groups are, for whoever reads a release.
    fn facts(&self) -> Vec<Fact>;
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
/// Its plan is that of the mean, and what tells the groups apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GroupedPlan<P>", into = "GroupedPlan<P>", bound = "P: Partition")]
pub struct Grouped<P> {
    plan: GroupedPlan<P>,
    body: GroupedBall,
}

/// Groups of records by their labels.
pub type Groups = Grouped<ByLabel>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "P: Partition")]
struct GroupedPlan<P> {
    mean: Mean,
    #[serde(flatten)]
    partition: P,
}

impl<P: Partition> Grouped<P> {
    /// Groups that are told apart by this.
    ///
    /// # Errors
    /// [`GroupingError`] for groups that there cannot be, and a mean that is not isonormal in a stated ball.
    pub fn new(mean: Mean, partition: P) -> Result<Self, GroupingError> {
        GroupedPlan { mean, partition }.try_into()
    }

    /// What is released of each group.
    pub fn mean(&self) -> &Mean {
        &self.plan.mean
    }

    /// What tells the groups apart.
    pub fn partition(&self) -> &P {
        &self.plan.partition
    }

    /// The public sizes of the groups; `None` where membership is private.
    pub fn sizes(&self) -> Option<&[u64]> {
        self.partition().sizes()
    }

    /// Whether neighbours agree on the groups.
    pub fn membership(&self) -> Membership {
        self.partition().membership()
    }

    /// The most groups that one record counts in.
    pub fn most(&self) -> usize {
        match self.membership() {
            Membership::Public => 1,
            Membership::Private { most } => most,
        }
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
}

/// One record: which of its rows are in which group.
#[derive(Debug, Clone)]
pub struct GroupedRecord<'a> {
    pub(crate) curves: &'a BoundedCurves<'a>,
    /// In the order of the groups.
    pub(crate) parts: Vec<(usize, Vec<usize>)>,
}

impl<P: Partition> InBall for Grouped<P> {
    fn ball(&self) -> &Ball {
        self.ball()
    }

    fn bought(&self) -> Option<&Bought> {
        self.plan.mean.bought()
    }

    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError> {
        let mean = self.plan.mean.in_ball(ball, bought)?;
        Ok(Self { plan: GroupedPlan { mean, ..self.plan.clone() }, body: self.body.clone() })
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
        Weighing { noise: of_one.noise * self.most() as f64, ..of_one }
    }

    fn centered(&self, center: &NoisyCenter<'_>) -> Option<Ball> {
        self.plan.mean.centered(center)
    }

    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        demand("noise.law", matches!(mechanism.law(), Law::Gaussian { .. }))?;
        demand("statistic.mean.ball.bounds", mechanism.statistic().mean().is_of_its_bounds())
    }
}

impl<P: Partition> Statistic for Grouped<P> {
    type Body = GroupedBall;
    type Record<'a> = GroupedRecord<'a>;
    type Scratch = CurveRoom;

    const KIND: &'static str = P::KIND;
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
        facts.extend(self.partition().facts());
        facts
    }
}

impl<P> From<Grouped<P>> for GroupedPlan<P> {
    fn from(groups: Grouped<P>) -> Self {
        groups.plan
    }
}

impl<P: Partition> TryFrom<GroupedPlan<P>> for Grouped<P> {
    type Error = GroupingError;

    fn try_from(plan: GroupedPlan<P>) -> Result<Self, GroupingError> {
        let (mean, partition) = (&plan.mean, &plan.partition);
        let moments = mean.moments();
        let is_plain = mean.takes_other_statistics() && mean.bought().is_none();
        if !is_plain || moments.is_some_and(|moments| moments.emphasis != Emphasis::Mean) {
            return Err(GroupingError::Mean);
        }
        partition.check()?;
        let of_one = mean.body(&Law::GAUSSIAN);
        let products = of_one.moments().map(|moments| moments.of.clone());
        let groups = partition.names().len();
        let body = GroupedBall::new(groups, of_one.record_dimension(), products, partition.membership())?;
        Ok(Self { plan, body })
    }
}
