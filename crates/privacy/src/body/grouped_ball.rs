//! Balls side by side, one for each group: a record lies in those of its groups.

use serde::{Deserialize, Serialize};

use super::moment_ball::root;
use super::{Block, Body, Emphasis, MomentBall, MomentSum, Moments, RunningSum, sealed};
use crate::body::lattice::{LatticeError, LatticeVector, MAX_GROUPS, RADIUS, SQUARED_RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

#[cfg(test)]
#[path = "grouped_ball_tests.rs"]
pub(crate) mod tests;

/// Whether neighbouring data sets agree on the groups of their records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Membership {
    /// The group of every record is public: the record that differs is in the same group on both sides.
    Public,
    /// The groups of a record are as private as its values.
    Private {
        /// The most groups that one record can be in.
        most: usize,
    },
}

/// For each group a vector of norm at most `R = 2^22` with its second moments, and how many records it has.
///
/// ```text
/// sum:  for each group: k_i;  k_i k_j, i < j <= K;  k_i^2, i <= K;  R^2 - |k|^2;  R for the record, where membership is private
/// ```
///
/// Public membership costs what one group costs: `2R` under substitute-one. Private membership of at most `m` groups costs
/// `2R sqrt(m)`, with the counts, the products and the energies at no extra cost. The proof is `docs/proofs/groups.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupedBall {
    groups: usize,
    ball: MomentBall,
    membership: Membership,
}

impl GroupedBall {
    /// So many groups of vectors in so many dimensions, with second moments of the first coordinates, or without.
    ///
    /// # Errors
    /// [`LatticeError::Groups`] unless there are from 1 to 64 groups, [`LatticeError::Memberships`] unless a record can be in from 1
    /// to all of them, and what [`MomentBall::new`] refuses.
    pub fn new(
        groups: usize,
        dimension: usize,
        coordinates: Option<usize>,
        membership: Membership,
    ) -> Result<Self, LatticeError> {
        if !(1..=MAX_GROUPS).contains(&groups) {
            return Err(LatticeError::Groups { found: groups });
        }
        match membership {
            Membership::Private { most } if !(1..=groups).contains(&most) => {
                return Err(LatticeError::Memberships { found: most, groups });
            }
            _ => {}
        }
        let moments = coordinates.map(|coordinates| Moments { emphasis: Emphasis::Mean, coordinates });
        Ok(Self { groups, ball: MomentBall::new(dimension, moments)?, membership })
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Whether neighbours agree on the groups.
    pub fn membership(&self) -> Membership {
        self.membership
    }

    /// The body of one group.
    pub fn ball(&self) -> &MomentBall {
        &self.ball
    }

    /// The number of coordinates of one group, with its count where that is one.
    pub fn length_of_group(&self) -> usize {
        self.ball.dimension() + usize::from(self.has_counts())
    }

    /// How many lattice steps one record adds to the count of its group.
    pub fn count_steps() -> f64 {
        RADIUS as f64
    }

    fn has_counts(&self) -> bool {
        self.membership != Membership::Public
    }

    /// The most groups of one record.
    fn most(&self) -> usize {
        match self.membership {
            Membership::Public => 1,
            Membership::Private { most } => most,
        }
    }

    /// The blocks of one group.
    fn blocks_of_group(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let mut blocks = match (self.ball.moments(), self.membership, relation) {
            (None, ..) => vec![Block { length: self.ball.dimension(), unit: 1.0 }],
            (Some(_), Membership::Public, SubstituteOne) => self.ball.blocks(SubstituteOne),
            (Some(_), ..) => {
                let mut blocks = self.ball.blocks(AddRemoveOne);
                blocks.pop();
                blocks
            }
        };
        let unit = match (relation, self.ball.moments()) {
            (SubstituteOne, None) => 1.0,
            (SubstituteOne, Some(_)) => root(2.0),
            (AddRemoveOne, _) => 2.0,
        };
        blocks.extend(self.has_counts().then_some(Block { length: 1, unit }));
        blocks
    }
}

/// The root of a number of groups, rounded up; exact for a square.
fn root_of_groups(groups: usize) -> f64 {
    let root = (groups as f64).sqrt();
    if root.fract() == 0.0 { root } else { root.next_up() }
}

impl sealed::Sealed for GroupedBall {}

impl Body for GroupedBall {
    type Word = i128;
    type Vector = GroupedVector;
    type Sum = GroupedSum;

    fn dimension(&self) -> usize {
        self.groups * self.length_of_group()
    }

    fn vector(&self) -> GroupedVector {
        GroupedVector { groups: Vec::new(), parts: Vec::new(), dimension: self.ball.vector().coordinates().len() }
    }

    fn reset(&self, vector: &mut GroupedVector) {
        vector.groups.clear();
    }

    fn sum(&self) -> GroupedSum {
        GroupedSum {
            sums: (0..self.groups).map(|_| self.ball.sum()).collect(),
            counts: vec![0; if self.has_counts() { self.groups } else { 0 }],
        }
    }

    fn add(&self, sum: &mut GroupedSum, vector: &GroupedVector) {
        // of a record of another body, the first groups that are groups here; no group is in a record twice
        let known = vector.groups.iter().zip(&vector.parts).filter(|(group, _)| **group < self.groups);
        for (group, part) in known.take(self.most()) {
            self.ball.add(&mut sum.sums[*group], part);
            if let Some(count) = sum.counts.get_mut(*group) {
                *count += i128::from(RADIUS);
            }
        }
    }

    /// Each group has its part; a public group does not tell its number of records, so that of all bounds it.
    fn restored(&self, totals: &[i128], records: u64) -> Option<GroupedSum> {
        if totals.len() != self.dimension() {
            return None;
        }
        let mut restored = GroupedSum { sums: Vec::new(), counts: Vec::new() };
        for group in totals.chunks_exact(self.length_of_group()) {
            let (sum, count) = group.split_at(self.ball.dimension());
            restored.sums.push(self.ball.restored(sum, records)?);
            let is_possible = |count: &i128| (0..=i128::from(records) * i128::from(RADIUS)).contains(count);
            restored.counts.extend(count.iter().copied().filter(is_possible));
        }
        let expected = if self.has_counts() { self.groups } else { 0 };
        (restored.counts.len() == expected).then_some(restored)
    }

    /// The counts are coordinates of the groups.
    fn count_weight(&self) -> Option<i64> {
        None
    }

    /// No more than the sum of the bounds of the parts: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let energy = if self.ball.moments().is_some() { SQUARED_RADIUS } else { 0 };
        let of_group = self.ball.l1_bound(relation);
        match self.membership {
            Membership::Public => of_group,
            Membership::Private { most } => most as u64 * (of_group + energy + 2 * RADIUS.unsigned_abs()),
        }
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let has_moments = self.ball.moments().is_some();
        let radii = match (self.membership, relation) {
            (_, SubstituteOne) => 2.0,
            (Membership::Public, AddRemoveOne) => {
                if has_moments {
                    root(1.5)
                } else {
                    1.0
                }
            }
            (Membership::Private { .. }, AddRemoveOne) => root(if has_moments { 1.75 } else { 1.25 }),
        };
        let groups = root_of_groups(self.most());
        let joint = if groups == 1.0 { radii } else { (radii * groups).next_up() };
        joint * RADIUS as f64
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let of_group = self.blocks_of_group(relation);
        (0..self.groups).flat_map(|_| of_group.iter().copied()).collect()
    }
}

/// One record: a vector for each of its groups. It is private data.
pub struct GroupedVector {
    groups: Vec<usize>,
    parts: Vec<LatticeVector>,
    dimension: usize,
}

impl GroupedVector {
    /// The vector of the record in one more group, for a statistic to write: zero at first, or as it is where the record is in the group
    /// already.
    pub fn part(&mut self, group: usize) -> &mut LatticeVector {
        let place = self.groups.iter().position(|known| *known == group).unwrap_or(self.groups.len());
        if place == self.groups.len() {
            self.groups.push(group);
            match self.parts.get_mut(place) {
                Some(part) => part.clear(),
                None => self.parts.push(
                    LatticeVector::zero(self.dimension).unwrap_or_else(|_| unreachable!("the body has this dimension")),
                ),
            }
        }
        &mut self.parts[place]
    }
}

/// The running sum of records in a [`GroupedBall`].
pub struct GroupedSum {
    sums: Vec<MomentSum>,
    counts: Vec<i128>,
}

impl RunningSum<i128> for GroupedSum {
    fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(mine, theirs)| mine.merge(theirs));
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, theirs)| *mine += theirs);
    }

    fn exact(&self) -> Vec<i128> {
        let of_group = |(group, sum): (usize, &MomentSum)| {
            let count = self.counts.get(group).copied();
            sum.exact().into_iter().chain(count)
        };
        self.sums.iter().enumerate().flat_map(of_group).collect()
    }
}
