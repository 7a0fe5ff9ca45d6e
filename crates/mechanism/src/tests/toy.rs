//! Statistics for the tests of this crate.
#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{
    Body, EuclideanBall, LatticeVector, Law, NeighbouringRelation, OneHot, OneHotVector, PrivacyBudget, PrivacyUnit,
};
use serde::{Deserialize, Serialize};

use crate::facts::Fact;
use crate::guarantee::Guarantee;
use crate::mechanism::Mechanism;
use crate::statistic::Statistic;
use crate::terms::Terms;

/// How many records are in each cell; a record is its cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CountsPlan", into = "CountsPlan")]
pub(crate) struct Counts {
    cells: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsPlan {
    cells: usize,
}

impl Counts {
    pub(crate) fn new(cells: usize) -> Self {
        CountsPlan { cells }.try_into().unwrap()
    }
}

impl TryFrom<CountsPlan> for Counts {
    type Error = &'static str;

    fn try_from(plan: CountsPlan) -> Result<Self, &'static str> {
        if plan.cells > 0 { Ok(Self { cells: plan.cells }) } else { Err("no cells") }
    }
}

impl From<Counts> for CountsPlan {
    fn from(counts: Counts) -> Self {
        Self { cells: counts.cells }
    }
}

impl Statistic for Counts {
    type Body = OneHot;
    type Record<'a> = usize;
    type Scratch = ();

    const KIND: &'static str = "counts";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, law: &Law) -> OneHot {
        let steps = if *law == (Law::DiscreteLaplace {}) { 1 } else { 1 << 20 };
        OneHot::new(self.cells, steps).unwrap()
    }

    fn scratch(&self) {}

    fn encode(&self, cell: usize, (): &mut (), vector: &mut OneHotVector) {
        vector.place(cell);
    }

    fn facts(&self) -> Vec<Fact> {
        vec![Fact::new("bound", format!("every record is in one of {} cells", self.cells))]
    }
}

/// The sum of vectors of norm at most 1; a record is its coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vectors {}

impl Statistic for Vectors {
    type Body = EuclideanBall;
    type Record<'a> = &'a [f64; 2];
    type Scratch = ();

    const KIND: &'static str = "vectors";
    const LEAST_RECORDS: u64 = 1;

    fn body(&self, _law: &Law) -> EuclideanBall {
        EuclideanBall::new(2).unwrap()
    }

    fn scratch(&self) {}

    fn encode(&self, record: &[f64; 2], (): &mut (), vector: &mut LatticeVector) {
        vector.encode(record).unwrap();
    }

    fn facts(&self) -> Vec<Fact> {
        vec![]
    }
}

pub(crate) fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

/// Exact pure noise for subjects.
pub(crate) fn counts(neighbours: NeighbouringRelation) -> Mechanism<Counts> {
    counts_of(neighbours, PrivacyUnit::Subject)
}

/// Exact pure noise.
pub(crate) fn counts_of(neighbours: NeighbouringRelation, unit: PrivacyUnit) -> Mechanism<Counts> {
    Mechanism::new(
        Counts::new(3),
        Terms::of(Guarantee::new(budget(1.0, 0.0), neighbours, unit), Law::DiscreteLaplace {}),
    )
    .unwrap()
}

/// Noise of this law for vectors.
pub(crate) fn vectors(neighbours: NeighbouringRelation, law: Law) -> Mechanism<Vectors> {
    let delta = if matches!(law, Law::Gaussian { .. } | Law::RandomScale { .. }) { 1e-5 } else { 0.0 };
    Mechanism::new(Vectors {}, Terms::of(Guarantee::new(budget(1.0, delta), neighbours, PrivacyUnit::Curve), law))
        .unwrap()
}

/// Both relations.
pub(crate) const RELATIONS: [NeighbouringRelation; 2] =
    [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

/// The number of integers that a mechanism releases.
pub(crate) fn words<S: Statistic>(mechanism: &Mechanism<S>) -> u64 {
    mechanism.body().noisy_dimension(mechanism.guarantee().neighbours()) as u64
}
