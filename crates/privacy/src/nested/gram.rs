//! Covariates and a curve side by side, with their products: what least squares needs.

use serde::{Deserialize, Serialize};

use super::body::{Bucketed, ClippedBall};
use super::gram_sums::GramSums;
use super::radius::{Bucket, NestedRadius, Radii};
use super::record::NestedRecord;
use crate::body::lattice::{LatticeError, LatticeVector, MAX_COVARIATES, RADIUS, SQUARED_RADIUS};
use crate::body::word::Word;
use crate::body::{Block, Body, RunningSum, root, sealed};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// More than `sqrt(20 2^18 + 2^19 + 2^9 + 3/2) / 2^22`: what rounding adds to the joint norm of sums for the most products that there can
/// be. Their units are at least `2^22`, and that of the energy is `sqrt(2/3) 2^22`.
const ROUNDING: f64 = 1.0 / 1024.0;

/// Whether neighbouring data sets agree on the covariates of their records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// The covariates of every record are public: the record that differs has the same ones on both sides.
    Public,
    /// The covariates of a record are as private as its curve.
    Private,
}

/// Pairs of integer vectors, `x` of covariates and `z` of a curve that is clipped at one of the nested radii, in units of this radius:
/// each of norm at most `R = 2^22`, by their products.
///
/// ```text
/// sum:  x_j^2;   x_j x_k, j < k;   x_j z_i;   (C'z)_l^2, l <= K;   (C'z)_l (C'z)_m, l < m <= K;   R^2 - |z|^2
/// ```
///
/// It is the Gram matrix of `(x, z)`, with the last two blocks along `K` public directions alone, and without the first two where the
/// covariates are public, and what is missing of the energy of the curve [where it is told](Self::with_energy). Its joint sensitivity is what the products `x_j z_i` cost without the rest: the proof is
/// `docs/proofs/regression.md`. The sums of records are exact, and those with curves are rounded once. The body is the same for every radius,
/// and so is its noise.
#[derive(Debug, Clone, PartialEq)]
pub struct GramBall {
    covariates: usize,
    curves: ClippedBall,
    design: Design,
    has_energy: bool,
}

impl GramBall {
    /// So many covariates, and curves in this ball, which says along which directions they are multiplied with each other.
    pub fn new(covariates: usize, curves: ClippedBall, design: Design) -> Result<Self, LatticeError> {
        if !(1..=MAX_COVARIATES).contains(&covariates) {
            return Err(LatticeError::Covariates { found: covariates });
        }
        if curves.moments().is_none() {
            return Err(LatticeError::Moments { found: 0, dimension: curves.record_dimension() });
        }
        Ok(Self { covariates, curves, design, has_energy: false })
    }

    /// The same with the missing energy of curves, which costs nothing beside private covariates; with public ones it is not told.
    #[must_use]
    pub fn with_energy(self) -> Self {
        Self { has_energy: self.design == Design::Private, ..self }
    }

    /// Whether the missing energy of curves is told.
    pub fn has_energy(&self) -> bool {
        self.has_energy
    }

    /// The same with sums for the stated radius alone.
    #[must_use]
    pub fn stated(&self) -> Self {
        Self { curves: self.curves.stated(), ..self.clone() }
    }

    /// The number of covariates.
    pub fn covariates(&self) -> usize {
        self.covariates
    }

    /// The number of coordinates of a curve.
    pub fn dimension_of_curve(&self) -> usize {
        self.curves.record_dimension()
    }

    /// The number of directions along which curves are multiplied with each other.
    pub fn directions(&self) -> usize {
        self.curves.moments().map_or(0, |moments| moments.of.coordinates())
    }

    /// Whether neighbours agree on the covariates.
    pub fn design(&self) -> Design {
        self.design
    }

    /// The lengths of the blocks: squares and products of covariates, products with the curve, squares and products of the curve, its missing
    /// energy.
    pub fn lengths(&self) -> [usize; 6] {
        let pairs = |of: usize| of * (of - 1) / 2;
        let (p, directions) = (self.covariates, self.directions());
        let of_design = match self.design {
            Design::Private => [p, pairs(p)],
            Design::Public => [0, 0],
        };
        let energy = usize::from(self.has_energy);
        [of_design[0], of_design[1], p * self.dimension_of_curve(), directions, pairs(directions), energy]
    }
}

impl sealed::Sealed for GramBall {}

impl Body for GramBall {
    type Word = i128;
    type Vector = GramVector;
    type Sum = GramSum;

    fn dimension(&self) -> usize {
        self.lengths().iter().sum()
    }

    fn bytes_of_sums(&self) -> u64 {
        let (p, radii) = (self.covariates, self.radii());
        let design = if self.design == Design::Private { p * (p + 1) / 2 } else { 0 };
        let sides = radii.own().count() + radii.directed().count();
        let beside = design + sides * p * self.dimension_of_curve();
        self.curves.bytes_of_sums() + (beside * i128::BYTES) as u64
    }

    fn vector(&self) -> GramVector {
        let covariates = LatticeVector::zero(self.covariates);
        let covariates =
            covariates.unwrap_or_else(|_| unreachable!("the constructor checked the number of covariates"));
        GramVector { covariates, curve: self.curves.vector() }
    }

    fn reset(&self, vector: &mut GramVector) {
        vector.covariates.clear();
        vector.curve.clear();
    }

    fn sum(&self) -> GramSum {
        let has_design = self.design == Design::Private;
        let sums = GramSums::new(self.covariates, has_design, self.has_energy, self.curves.sums());
        GramSum { radius: NestedRadius::STATED, sums }
    }

    fn add(&self, sum: &mut GramSum, vector: &GramVector) {
        // of more covariates, what is left of them when they are cut off; of fewer, the rest is 0
        let covariates = vector.covariates.coordinates();
        let x: Vec<f64> = (0..self.covariates).map(|j| covariates.get(j).map_or(0.0, |x| *x as f64)).collect();
        sum.sums.add(&x, &vector.curve);
    }

    fn restored(&self, kept: &[i128], records: u64) -> Option<GramSum> {
        let GramSum { radius, sums } = self.sum();
        Some(GramSum { radius, sums: sums.restored(kept, records)? })
    }

    /// The first covariate may be 1 for everybody: its square is the count.
    fn count_weight(&self) -> Option<i64> {
        None
    }

    /// No more than the sum of the bounds of the blocks: no law with this norm is meant for them.
    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        let (p, n, directions) = (self.covariates as u64, self.dimension_of_curve() as u64, self.directions() as u64);
        // |x|_1 |z|_1 <= sqrt(p n) R^2,  R^2 of energy,  sum_{j <= k} |x_j x_k| <= (p + 1) R^2 / 2,  less than twice as many of directions rounded in records
        let record = ((p * n).isqrt() + 2) * SQUARED_RADIUS + (p + 1 + 2 * (directions + 1)) * (SQUARED_RADIUS / 2);
        let records = if relation == SubstituteOne { 2 } else { 1 };
        // every product is rounded
        records * record + Body::dimension(self) as u64
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        let radii = match (relation, self.design) {
            (SubstituteOne, _) => 2.0,
            (AddRemoveOne, Design::Private) => root(2.0),
            (AddRemoveOne, Design::Public) => root(1.5),
        };
        (radii * RADIUS as f64 + ROUNDING + self.curves.rounding_of_records(relation)).next_up()
    }

    fn blocks(&self, _: NeighbouringRelation) -> Vec<Block> {
        let (square, product, energy) = (root(2.0) * RADIUS as f64, RADIUS as f64, root(2.0 / 3.0) * RADIUS as f64);
        let units = [square, product, product, square, product, energy];
        let blocks = self.lengths().into_iter().zip(units).map(|(length, unit)| Block { length, unit });
        blocks.filter(|block| block.length > 0).collect()
    }
}

impl Bucketed for GramBall {
    fn radii(&self) -> Radii {
        self.curves.radii()
    }

    fn at(sum: GramSum, radius: NestedRadius) -> GramSum {
        GramSum { radius, ..sum }
    }

    fn occupied(sum: &GramSum) -> Vec<[u64; Bucket::COUNT]> {
        vec![sum.sums.occupied()]
    }
}

/// The running sum of records in a [`GramBall`].
pub struct GramSum {
    radius: NestedRadius,
    sums: GramSums,
}

impl RunningSum<i128> for GramSum {
    fn merge(&mut self, other: &Self) {
        self.sums.merge(&other.sums);
    }

    fn exact(&self) -> Vec<i128> {
        self.sums.clipped(self.radius)
    }

    fn kept(&self) -> Vec<i128> {
        self.sums.words()
    }
}

/// One record: its covariates and its curve. It is private data.
pub struct GramVector {
    covariates: LatticeVector,
    curve: NestedRecord,
}

impl GramVector {
    /// The covariates and the curve, for a statistic to write.
    pub fn parts(&mut self) -> (&mut LatticeVector, &mut NestedRecord) {
        (&mut self.covariates, &mut self.curve)
    }
}
