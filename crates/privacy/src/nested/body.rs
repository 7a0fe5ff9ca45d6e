//! The ball of records that are clipped at one of the nested radii, with second moments or without.

use super::basis::ProductsOf;
use super::radius::{NestedRadius, Radii};
use super::record::NestedRecord;
use super::sums::NestedSums;
use crate::body::{Block, Body, Emphasis, RunningSum, root, sealed};
use crate::lattice::{LatticeError, LatticeVector};
use crate::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// The most coordinates that products are released of.
const MOST_COORDINATES: usize = 1 << 10;

/// More than all roundings of the few products and roots of a bound together.
const SLACK: f64 = 1.0 + 1e-14;

/// Second moments of records, along which coordinates and with which emphasis.
#[derive(Debug, Clone, PartialEq)]
pub struct ClippedMoments {
    /// What the noise spares most.
    pub emphasis: Emphasis,
    /// Which products are formed.
    pub of: ProductsOf,
}

/// Records clipped at one of the nested radii: integer vectors of norm at most `R_j`, with second moments or without.
///
/// ```text
/// sum:  S_j in fine steps;    floor(SS_j / 4^c) above the diagonal, then on it;    floor((N R_j^2 - sum |enc_j|^2) / 4^c)
/// ```
///
/// Without moments the bounds are those of a ball of radius `R_j`. With them they are those of
/// [`MomentBall`](crate::MomentBall) for this radius, and what rounding down adds, a few parts in `10^12` (and for products of more
/// than 128 coordinates, of which each record is rounded, a few in `10^6`). The proof is `docs/proofs/one-pass.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct ClippedBall {
    dimension: usize,
    radii: Radii,
    radius: NestedRadius,
    moments: Option<ClippedMoments>,
}

impl ClippedBall {
    /// The ball of the stated radius in this many dimensions.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless there are from 1 to `2^18` dimensions, [`LatticeError::Moments`] unless moments are of
    /// from 2 to `2^10` coordinates, no more than the ball has, along a basis of as many.
    pub fn new(dimension: usize, radii: Radii, moments: Option<ClippedMoments>) -> Result<Self, LatticeError> {
        LatticeVector::zero(dimension)?;
        if let Some(ClippedMoments { of, .. }) = &moments {
            let found = of.coordinates();
            let fits = match of {
                ProductsOf::First(_) => true,
                ProductsOf::Along(basis) => basis.length() == dimension,
            };
            if !fits || !(2..=dimension.min(MOST_COORDINATES)).contains(&found) {
                return Err(LatticeError::Moments { found, dimension });
            }
        }
        Ok(Self { dimension, radii, radius: NestedRadius::STATED, moments })
    }

    /// The same records clipped at another radius; `None` where sums are kept for the stated one alone.
    #[must_use]
    pub fn at(&self, radius: NestedRadius) -> Option<Self> {
        self.radii.include(radius).then(|| Self { radius, ..self.clone() })
    }

    /// The radius.
    pub fn radius(&self) -> NestedRadius {
        self.radius
    }

    /// The second moments, where there are any.
    pub fn moments(&self) -> Option<&ClippedMoments> {
        self.moments.as_ref()
    }

    /// The number of coordinates of a record.
    pub fn record_dimension(&self) -> usize {
        self.dimension
    }

    fn sums(&self) -> NestedSums {
        NestedSums::new(self.dimension, self.radii, self.moments.as_ref().map(|moments| moments.of.clone()))
    }

    /// Products and squares of as many coordinates as are released, and the missing energy.
    fn lengths(&self) -> [usize; 3] {
        self.moments.as_ref().map_or([0; 3], |moments| {
            let k = moments.of.coordinates();
            [k * (k - 1) / 2, k, 1]
        })
    }

    /// `R'_j / 2^c`: the unit of a block in the theorems, in squared coarse steps, as a part of the joint norm in fine steps.
    fn unit_of_moments(&self) -> f64 {
        // 29 binary digits
        self.radius.coarse_steps() as f64 / f64::from(1_u32 << self.radius.coarse_bits())
    }

    /// What rounding adds to the joint norm of a difference, in fine steps: the floors of the sums, and in `records` records the
    /// rounding of coordinates along a basis.
    fn rounding(&self, relation: NeighbouringRelation, moments: &ClippedMoments) -> f64 {
        let units = units(moments.emphasis, relation).map(|unit| unit * self.unit_of_moments());
        let floors = self.lengths().iter().zip(units).map(|(length, unit)| *length as f64 / (unit * unit)).sum::<f64>();
        let of_records = moments.of.applied_first().map_or(0.0, |basis| {
            let records = if relation == SubstituteOne { 2.0 } else { 1.0 };
            // eta = sqrt(K) / (2 R'), a (2 + eta) eta radii a record; 1 / a is the unit of squares
            let eta = (basis.order() as f64).sqrt() / (2.0 * self.radius.coarse_steps() as f64);
            records * (2.0 + eta) * eta / squares_unit(moments.emphasis) * self.radius.steps() as f64
        });
        (floors.sqrt() + of_records) * SLACK
    }
}

/// `1 / a`, rounded down.
fn squares_unit(emphasis: Emphasis) -> f64 {
    match emphasis {
        Emphasis::Mean => 2.0_f64.sqrt().next_down(),
        Emphasis::Covariance => 0.2_f64.sqrt().next_down(),
    }
}

/// The units of products, squares and missing energy in the theorems, rounded up.
fn units(emphasis: Emphasis, relation: NeighbouringRelation) -> [f64; 3] {
    match (emphasis, relation) {
        (Emphasis::Mean, SubstituteOne) => [1.0, root(2.0), (2.0_f64 / 3.0).next_up()],
        (Emphasis::Mean, AddRemoveOne) => [1.0, root(2.0), root(2.0 / 3.0)],
        (Emphasis::Covariance, _) => [root(0.1), root(0.2), root(1.0 / 6.0)],
    }
}

impl sealed::Sealed for ClippedBall {}

impl Body for ClippedBall {
    type Word = i128;
    type Vector = NestedRecord;
    type Sum = ClippedSum;

    fn dimension(&self) -> usize {
        self.dimension + self.lengths().iter().sum::<usize>()
    }

    fn vector(&self) -> NestedRecord {
        NestedRecord::new(self.dimension, self.radii)
            .unwrap_or_else(|_| unreachable!("the constructor checked the dimension"))
    }

    fn reset(&self, vector: &mut NestedRecord) {
        vector.clear();
    }

    fn sum(&self) -> ClippedSum {
        ClippedSum { radius: self.radius, sums: self.sums() }
    }

    fn add(&self, sum: &mut ClippedSum, vector: &NestedRecord) {
        // a sum that is full takes no more: `ExactSum` counts and refuses before
        let _ = sum.sums.add(vector);
    }

    fn restored(&self, kept: &[i128], records: u64) -> Option<ClippedSum> {
        Some(ClippedSum { radius: self.radius, sums: self.sums().restored(kept, records)? })
    }

    /// Half a radius, as for every ball.
    fn count_weight(&self) -> Option<i64> {
        Some(self.radius.steps() / 2)
    }

    /// With moments it is no more than the sum of the bounds of the blocks: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let records = if relation == SubstituteOne { 2 } else { 1 };
        let squared = self.radius.steps().unsigned_abs();
        // at most 2^18 * 2^68
        let of_mean = (self.dimension as u128 * u128::from(squared) * u128::from(squared)).isqrt();
        let of_moments = self.moments.as_ref().map_or(0, |moments| {
            let [_, k, _] = self.lengths().map(|length| length as u64);
            // (K + 1) / 2 squared radii of products, with coordinates rounded along a basis less than twice as many; one of energy
            let each = self.radius.coarse_steps().unsigned_abs().pow(2);
            let rounded = if moments.of.applied_first().is_some() { 2 } else { 1 };
            records * (rounded * (k + 1) * (each / 2) + each) + self.lengths().iter().sum::<usize>() as u64
        });
        let count = if relation == AddRemoveOne { squared / 2 } else { 0 };
        records * u64::try_from(of_mean).unwrap_or(u64::MAX) + count + of_moments
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let emphasis = self.moments.as_ref().map(|moments| moments.emphasis);
        let radii = match (emphasis, relation) {
            (None | Some(Emphasis::Mean), SubstituteOne) => 2.0,
            (None, AddRemoveOne) => root(1.25),
            (Some(Emphasis::Mean), AddRemoveOne) => root(1.75),
            (Some(Emphasis::Covariance), SubstituteOne) => root(12.1),
            (Some(Emphasis::Covariance), AddRemoveOne) => 2.5,
        };
        let exact = radii * self.radius.steps() as f64;
        let Some(moments) = &self.moments else {
            return if relation == SubstituteOne { exact } else { exact.next_up() };
        };
        (exact.next_up() + self.rounding(relation, moments)).next_up()
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let Some(moments) = &self.moments else {
            return vec![Block { length: self.noisy_dimension(relation), unit: 1.0 }];
        };
        let unit = self.unit_of_moments();
        let of_moments = self.lengths().into_iter().zip(units(moments.emphasis, relation));
        let mut blocks = vec![Block { length: self.dimension, unit: 1.0 }];
        blocks.extend(of_moments.map(|(length, part)| Block { length, unit: (part * unit).next_up() }));
        blocks.extend((relation == AddRemoveOne).then_some(Block { length: 1, unit: 1.0 }));
        blocks
    }
}

/// The running sum of records in a [`ClippedBall`].
pub struct ClippedSum {
    radius: NestedRadius,
    sums: NestedSums,
}

impl ClippedSum {
    /// The same records clipped at another radius.
    pub(crate) fn at(self, radius: NestedRadius) -> Self {
        Self { radius, ..self }
    }

    /// The sums of all buckets.
    pub(crate) fn sums(&self) -> &NestedSums {
        &self.sums
    }
}

impl RunningSum<i128> for ClippedSum {
    fn merge(&mut self, other: &Self) {
        // `ExactSum` compares the bodies and counts the records before
        let _ = self.sums.merge(&other.sums);
    }

    fn exact(&self) -> Vec<i128> {
        self.sums.settled().clipped(self.radius)
    }

    fn kept(&self) -> Vec<i128> {
        self.sums.words()
    }
}
