//! Clipped balls side by side, one for each group: a record lies in those of its groups.

use serde::{Deserialize, Serialize};

use super::basis::ProductsOf;
use super::body::{Bucketed, ClippedBall, ClippedMoments, ClippedSum, ROUNDING, SLACK};
use super::radius::{Bucket, NestedRadius, Radii};
use super::record::NestedRecord;
use crate::body::lattice::{LatticeError, MAX_GROUPS, RADIUS};
use crate::body::word::Word;
use crate::body::{Block, Body, Emphasis, RunningSum, root, sealed};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

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

/// For each group records clipped at one of the nested radii with their second moments, and how many records it has.
///
/// ```text
/// sum:  for each group g that of a ClippedBall over its records, in units of the radius;    R N_g, where membership is private;
///       2 R N_g, where a record may be in every group
/// ```
///
/// One radius is that of all groups. Public membership costs what one group costs: `2R` under substitute-one. Private membership of at
/// most `m` groups costs `2R sqrt(m)`, with the counts, the products and the energies at no extra cost, and what rounding the sums adds.
/// Where a record may be in every group, as in one group alone, it cannot move from one to another: the free counts are then more exact.
/// A record is in one bucket for all its groups, that of its longest part. The proof is `docs/proofs/groups.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupedBall {
    groups: usize,
    ball: ClippedBall,
    membership: Membership,
}

impl GroupedBall {
    /// So many groups of vectors in so many dimensions, with second moments of some coordinates and the emphasis on the mean, or without.
    ///
    /// # Errors
    /// [`LatticeError::Groups`] unless there are from 1 to 64 groups, [`LatticeError::Memberships`] unless a record can be in from 1
    /// to all of them, and what [`ClippedBall::new`] refuses.
    pub fn new(
        groups: usize,
        dimension: usize,
        products: Option<ProductsOf>,
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
        let moments = products.map(|of| ClippedMoments { emphasis: Emphasis::Mean, of });
        Ok(Self { groups, ball: ClippedBall::new(dimension, Radii::Any, moments)?, membership })
    }

    /// The same with sums for the stated radius alone.
    #[must_use]
    pub fn stated(&self) -> Self {
        Self { ball: self.ball.stated(), ..self.clone() }
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
    pub fn ball(&self) -> &ClippedBall {
        &self.ball
    }

    /// The number of coordinates of one group, with its count where that is one.
    pub fn length_of_group(&self) -> usize {
        self.ball.dimension() + usize::from(self.has_counts())
    }

    /// How many lattice steps one record adds to the count of its group: so many that no unit of the noise is below one.
    pub fn count_steps(&self) -> i64 {
        if self.may_be_in_all() { 2 * RADIUS } else { RADIUS }
    }

    fn has_counts(&self) -> bool {
        self.membership != Membership::Public
    }

    /// The number of groups whose records are counted apart by their distance: all, unless one record can be in several. Then one record
    /// moves the counts of one group alone, and all counts have the noise that those of one group have.
    pub fn counted_groups(&self) -> usize {
        if self.most() == 1 { self.groups } else { 1 }
    }

    /// The most groups of one record.
    pub(crate) fn most(&self) -> usize {
        match self.membership {
            Membership::Public => 1,
            Membership::Private { most } => most,
        }
    }

    /// Whether a record may be in every group: no group is one of a record that is substituted, and none of the record in its place.
    fn may_be_in_all(&self) -> bool {
        self.most() == self.groups
    }

    /// The most groups whose sums differ between neighbours.
    fn most_changed(&self, relation: NeighbouringRelation) -> usize {
        match (self.membership, relation) {
            (Membership::Private { most }, SubstituteOne) => (2 * most).min(self.groups),
            _ => self.most(),
        }
    }

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
        let unit = match (relation, self.ball.moments(), self.may_be_in_all()) {
            (SubstituteOne, None, false) => 1.0,
            (SubstituteOne, Some(_), false) => root(2.0),
            (SubstituteOne, None, true) => root(4.0 / 3.0),
            (SubstituteOne, Some(_), true) => root(1.6),
            (AddRemoveOne, _, false) => 2.0,
            (AddRemoveOne, _, true) => 4.0,
        };
        blocks.extend(self.has_counts().then_some(Block { length: 1, unit }));
        blocks
    }

    /// Totals of a group with its number of records in front.
    fn restored_group(&self, words: &[i128], records: u64) -> Option<ClippedSum> {
        let (of_group, words) = words.split_first()?;
        let of_group = u64::try_from(*of_group).ok().filter(|of_group| *of_group <= records)?;
        self.ball.restored(words, of_group)
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

    fn bytes_of_sums(&self) -> u64 {
        let buckets = (Bucket::COUNT * i128::BYTES) as u64;
        self.groups as u64 * (i128::BYTES as u64 + self.ball.bytes_of_sums()) + buckets
    }

    fn vector(&self) -> GroupedVector {
        GroupedVector { groups: Vec::new(), parts: Vec::new(), ball: self.ball.clone() }
    }

    fn reset(&self, vector: &mut GroupedVector) {
        vector.groups.clear();
    }

    fn sum(&self) -> GroupedSum {
        GroupedSum {
            groups: (0..self.groups).map(|_| self.ball.sum()).collect(),
            count_steps: self.has_counts().then(|| self.count_steps()),
            is_counted_apart: self.most() == 1,
            occupied: [0; Bucket::COUNT],
        }
    }

    fn add(&self, sum: &mut GroupedSum, vector: &GroupedVector) {
        // of a record of another body, the first groups that are groups here; no group is in a record twice
        let known = vector.memberships().filter(|(group, _)| *group < self.groups);
        let mut longest = None;
        for (group, part) in known.take(self.most()) {
            self.ball.add(&mut sum.groups[group], part);
            longest = longest.into_iter().chain([part.bucket()]).min();
        }
        if let Some(bucket) = longest {
            sum.occupied[bucket.place()] += 1;
        }
    }

    /// The sums of the groups, and the buckets of the records, of which each is that of a part.
    fn restored(&self, kept: &[i128], records: u64) -> Option<GroupedSum> {
        let (words, occupied) = kept.split_at_checked(kept.len().checked_sub(Bucket::COUNT)?)?;
        let length = words.len() / self.groups;
        if length * self.groups != words.len() || length == 0 {
            return None;
        }
        let groups = words.chunks_exact(length).map(|group| self.restored_group(group, records));
        let groups: Vec<ClippedSum> = groups.collect::<Option<_>>()?;
        let occupied: Vec<u64> = occupied.iter().map(|number| u64::try_from(*number).ok()).collect::<Option<_>>()?;
        let occupied: [u64; Bucket::COUNT] = occupied.try_into().ok()?;
        // at most 64 groups of 2^40 records
        let parts: u64 = groups.iter().map(ClippedSum::records).sum();
        let counted = occupied.iter().try_fold(0_u64, |sum, number| sum.checked_add(*number))?;
        let has_part = |place: usize| groups.iter().map(|group| group.occupied()[place]).sum::<u64>();
        let is_possible = counted <= records.min(parts)
            && parts <= counted * self.most() as u64
            && (0..Bucket::COUNT).all(|place| occupied[place] <= has_part(place));
        is_possible.then_some(GroupedSum {
            groups,
            count_steps: self.has_counts().then(|| self.count_steps()),
            is_counted_apart: self.most() == 1,
            occupied,
        })
    }

    /// The counts are coordinates of the groups.
    fn count_weight(&self) -> Option<i64> {
        None
    }

    /// No more than the sum of the bounds of the parts: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let of_group = self.ball.l1_bound(relation);
        match self.membership {
            Membership::Public => of_group,
            // two records in other groups each: the sums of twice as many are rounded
            Membership::Private { most } => {
                most as u64 * (of_group + Body::dimension(&self.ball) as u64 + 2 * self.count_steps().unsigned_abs())
            }
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
        let of_parts = root_of_groups(self.most()) * (radii * RADIUS as f64 + self.ball.rounding_of_records(relation));
        (of_parts + root_of_groups(self.most_changed(relation)) * ROUNDING) * SLACK
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let of_group = self.blocks_of_group(relation);
        (0..self.groups).flat_map(|_| of_group.iter().copied()).collect()
    }
}

impl Bucketed for GroupedBall {
    fn radii(&self) -> Radii {
        self.ball.radii()
    }

    fn at(sum: GroupedSum, radius: NestedRadius) -> GroupedSum {
        GroupedSum { groups: sum.groups.into_iter().map(|group| ClippedBall::at(group, radius)).collect(), ..sum }
    }

    /// Of each group; where a record can be in several, all together, each record in the bucket of its longest part.
    fn occupied(sum: &GroupedSum) -> Vec<[u64; Bucket::COUNT]> {
        if sum.is_counted_apart { sum.groups.iter().map(ClippedSum::occupied).collect() } else { vec![sum.occupied] }
    }
}

/// One record: a vector for each of its groups. It is private data.
pub struct GroupedVector {
    groups: Vec<usize>,
    parts: Vec<NestedRecord>,
    ball: ClippedBall,
}

impl GroupedVector {
    /// The vector of the record in one more group, for a statistic to write: at the centre at first, or as it is where the record is in
    /// the group already.
    pub fn part(&mut self, group: usize) -> &mut NestedRecord {
        let place = self.groups.iter().position(|known| *known == group).unwrap_or(self.groups.len());
        if place == self.groups.len() {
            self.groups.push(group);
            match self.parts.get_mut(place) {
                Some(part) => part.clear(),
                None => self.parts.push(self.ball.vector()),
            }
        }
        &mut self.parts[place]
    }

    /// The groups that were named, each with its vector.
    pub(super) fn memberships(&self) -> impl Iterator<Item = (usize, &NestedRecord)> {
        self.groups.iter().copied().zip(&self.parts)
    }
}

/// The running sum of records in a [`GroupedBall`].
pub struct GroupedSum {
    groups: Vec<ClippedSum>,
    count_steps: Option<i64>,
    is_counted_apart: bool,
    /// The numbers of records by the bucket of their longest part.
    occupied: [u64; Bucket::COUNT],
}

impl RunningSum<i128> for GroupedSum {
    fn merge(&mut self, other: &Self) {
        self.groups.iter_mut().zip(&other.groups).for_each(|(mine, theirs)| mine.merge(theirs));
        self.occupied.iter_mut().zip(other.occupied).for_each(|(mine, theirs)| *mine += theirs);
    }

    fn exact(&self) -> Vec<i128> {
        let count = |group: &ClippedSum| self.count_steps.map(|steps| i128::from(group.records()) * i128::from(steps));
        self.groups.iter().flat_map(|group| group.exact().into_iter().chain(count(group))).collect()
    }

    /// For each group its number of records and the sums of its buckets, and then the buckets of the records.
    fn kept(&self) -> Vec<i128> {
        let group = |group: &ClippedSum| std::iter::once(i128::from(group.records())).chain(group.kept());
        self.groups.iter().flat_map(group).chain(self.occupied.map(i128::from)).collect()
    }
}
