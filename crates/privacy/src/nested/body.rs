//! The ball of records that are clipped at one of the nested radii, with second moments or without.

use super::basis::ProductsOf;
use super::radius::{Bucket, NestedRadius, Radii};
use super::record::NestedRecord;
use super::sums::NestedSums;
use crate::body::lattice::{COUNT_WEIGHT, LatticeError, LatticeVector, RADIUS, SQUARED_RADIUS};
use crate::body::word::Word;
use crate::body::{Block, Body, Emphasis, RunningSum, root, sealed};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// The most coordinates that products are released of.
const MOST_COORDINATES: usize = 1 << 10;

/// `sqrt(2^18) = 512` for the sums of any number of coordinates, and more than enough for those of moments, whose units are above `2^20`:
/// the noise is the same on all grids.
pub(super) const ROUNDING: f64 = 513.0;

/// More than all roundings of the few products and roots of a bound together.
pub(super) const SLACK: f64 = 1.0 + 1e-14;

/// A body whose sums are kept in buckets, so that those of the records clipped at any radius follow from them.
pub trait Bucketed: Body {
    /// Which radii sums are kept for.
    fn radii(&self) -> Radii;

    /// The same records clipped at another radius, of those that sums are kept for.
    fn at(sum: Self::Sum, radius: NestedRadius) -> Self::Sum;

    /// The numbers of records in the buckets from the outside to the centre, for each group that is counted apart: each record is in one
    /// bucket of one group, or in none. Private.
    fn occupied(sum: &Self::Sum) -> Vec<[u64; Bucket::COUNT]>;
}

/// Second moments of records, along which coordinates and with which emphasis.
#[derive(Debug, Clone, PartialEq)]
pub struct ClippedMoments {
    /// What the noise spares most.
    pub emphasis: Emphasis,
    /// Which products are formed.
    pub of: ProductsOf,
}

/// Records clipped at one of the nested radii, in units of this radius: integer vectors of norm at most `R = 2^22`, with second moments
/// or without.
///
/// ```text
/// sum:  S_j / d_j;    SS_j / d_j^2 above the diagonal, then on it;    (N R_j^2 - sum |enc_j|^2) / d_j^2;    all rounded
/// ```
///
/// The sums of records are exact, and rounded once. The body is the same for every radius, and so is its noise. The bounds are those of
/// `docs/proofs/moments.md`, and what rounding adds: 6 parts in `10^5`. The proof is `docs/proofs/one-pass.md`.
///
/// Sources: Dwork, Talwar, Thakurta and Zhang (2014, *Analyze Gauss*) for normal noise on second moments; Kalinin, Upadhyay and Lampert
/// (2025, arXiv:2502.06597) for a joint sensitivity that leaves the noise of the mean as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ClippedBall {
    dimension: usize,
    radii: Radii,
    moments: Option<ClippedMoments>,
}

impl ClippedBall {
    /// The ball in this many dimensions.
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
        Ok(Self { dimension, radii, moments })
    }

    /// The same with sums for the stated radius alone.
    #[must_use]
    pub fn stated(&self) -> Self {
        Self { radii: Radii::Stated, ..self.clone() }
    }

    /// The second moments, where there are any.
    pub fn moments(&self) -> Option<&ClippedMoments> {
        self.moments.as_ref()
    }

    /// The number of coordinates of a record.
    pub fn record_dimension(&self) -> usize {
        self.dimension
    }

    /// How many times as large the noise of the mean is as it would be without second moments: 1 where they are free.
    pub fn price(&self, relation: NeighbouringRelation) -> f64 {
        self.l2_bound(relation) / Self { moments: None, ..self.clone() }.l2_bound(relation)
    }

    pub(super) fn sums(&self) -> NestedSums {
        NestedSums::new(self.dimension, self.radii, self.moments.as_ref().map(|moments| moments.of.clone()))
    }

    /// Products and squares of as many coordinates as are released, and the missing energy.
    fn lengths(&self) -> [usize; 3] {
        self.moments.as_ref().map_or([0; 3], |moments| {
            let k = moments.of.coordinates();
            [k * (k - 1) / 2, k, 1]
        })
    }

    /// What rounding coordinates along a basis in the records that differ adds to the joint norm of a difference, beside the rounding of
    /// the sums.
    pub(super) fn rounding_of_records(&self, relation: NeighbouringRelation) -> f64 {
        let projected = self.moments.as_ref().and_then(|moments| Some((moments, moments.of.applied_first()?)));
        projected.map_or(0.0, |(moments, basis)| {
            let records = if relation == SubstituteOne { 2.0 } else { 1.0 };
            // eta = sqrt(K) / R radii a record; 1 / a is the unit of squares
            let root = (basis.order() as f64).sqrt();
            records * (2.0 + root / RADIUS as f64) * root / squares_unit(moments.emphasis) * SLACK
        })
    }
}

/// `1 / a`, rounded down.
fn squares_unit(emphasis: Emphasis) -> f64 {
    match emphasis {
        Emphasis::Mean => 2.0_f64.sqrt().next_down(),
        Emphasis::Covariance => 0.2_f64.sqrt().next_down(),
    }
}

/// The units of products, squares and missing energy, rounded up: those of the theorems, in steps.
fn units(emphasis: Emphasis, relation: NeighbouringRelation) -> [f64; 3] {
    let of_theorems = match (emphasis, relation) {
        (Emphasis::Mean, SubstituteOne) => [1.0, root(2.0), (2.0_f64 / 3.0).next_up()],
        (Emphasis::Mean, AddRemoveOne) => [1.0, root(2.0), root(2.0 / 3.0)],
        (Emphasis::Covariance, _) => [root(0.1), root(0.2), root(1.0 / 6.0)],
    };
    // a power of two: exact
    of_theorems.map(|unit| unit * RADIUS as f64)
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

    fn bytes_of_sums(&self) -> u64 {
        (self.sums().number_of_words() * i128::BYTES) as u64
    }

    fn sum(&self) -> ClippedSum {
        ClippedSum { radius: NestedRadius::STATED, sums: self.sums() }
    }

    fn add(&self, sum: &mut ClippedSum, vector: &NestedRecord) {
        // a sum that is full takes no more: `ExactSum` counts and refuses before
        let _ = sum.sums.add(vector);
    }

    fn restored(&self, kept: &[i128], records: u64) -> Option<ClippedSum> {
        Some(ClippedSum { radius: NestedRadius::STATED, sums: self.sums().restored(kept, records)? })
    }

    fn count_weight(&self) -> Option<i64> {
        Some(COUNT_WEIGHT)
    }

    /// With moments it is no more than the sum of the bounds of the blocks: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let of_moments = self.moments.as_ref().map_or(0, |moments| {
            // (K + 1) / 2 squared radii of products, less than twice as many of coordinates rounded along a basis; one of energy
            let rounded = if moments.of.applied_first().is_some() { 2 } else { 1 };
            let each = rounded * (moments.of.coordinates() as u64 + 1) * (SQUARED_RADIUS / 2) + SQUARED_RADIUS;
            if relation == SubstituteOne { 2 * each } else { each }
        });
        // every coordinate is rounded
        relation.lattice_l1_sensitivity(self.dimension) + of_moments + Body::dimension(self) as u64
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let radii = match (self.moments.as_ref().map(|moments| moments.emphasis), relation) {
            (None | Some(Emphasis::Mean), SubstituteOne) => 2.0,
            (None, AddRemoveOne) => root(1.25),
            (Some(Emphasis::Mean), AddRemoveOne) => root(1.75),
            (Some(Emphasis::Covariance), SubstituteOne) => root(12.1),
            (Some(Emphasis::Covariance), AddRemoveOne) => 2.5,
        };
        (radii * RADIUS as f64 + (ROUNDING + self.rounding_of_records(relation))).next_up()
    }

    fn cylinder_bound(&self, relation: NeighbouringRelation) -> Option<f64> {
        let is_of_sums = self.moments.is_none() && relation == AddRemoveOne;
        // the sum moves by at most R and what rounding it adds, and twice the count by R
        is_of_sums.then_some(RADIUS as f64 + ROUNDING)
    }

    fn blocks(&self, relation: NeighbouringRelation) -> Vec<Block> {
        let Some(moments) = &self.moments else {
            return vec![Block { length: self.noisy_dimension(relation), unit: 1.0 }];
        };
        let of_moments = self.lengths().into_iter().zip(units(moments.emphasis, relation));
        let mut blocks = vec![Block { length: self.dimension, unit: 1.0 }];
        blocks.extend(of_moments.map(|(length, unit)| Block { length, unit }));
        blocks.extend((relation == AddRemoveOne).then_some(Block { length: 1, unit: 1.0 }));
        blocks
    }
}

/// The running sum of records in a [`ClippedBall`].
pub struct ClippedSum {
    radius: NestedRadius,
    sums: NestedSums,
}

impl Bucketed for ClippedBall {
    fn radii(&self) -> Radii {
        self.radii
    }

    fn at(sum: ClippedSum, radius: NestedRadius) -> ClippedSum {
        ClippedSum { radius, ..sum }
    }

    fn occupied(sum: &ClippedSum) -> Vec<[u64; Bucket::COUNT]> {
        vec![sum.sums.occupied()]
    }
}

impl ClippedSum {
    pub(super) fn records(&self) -> u64 {
        self.sums.records()
    }

    pub(super) fn occupied(&self) -> [u64; Bucket::COUNT] {
        self.sums.occupied()
    }

    pub(crate) fn add_directions(&mut self, of: &Self) {
        self.sums.add_directions(&of.sums);
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
