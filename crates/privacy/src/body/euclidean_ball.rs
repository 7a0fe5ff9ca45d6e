//! The ball: integer vectors of bounded Euclidean norm.

use super::{Body, is_within, sealed};
use crate::body::lattice::{COUNT_WEIGHT, LatticeError, LatticeVector, RADIUS};
use crate::budget::neighbours::NeighbouringRelation;

/// Vectors of Euclidean norm at most `2^22` lattice steps: curves projected on a public ball, in whitened coordinates.
///
/// ```text
/// substitute one:  |S - S'|_2 <= 2 R                             |S - S'|_1 <= 2 floor(sqrt(d) R)
/// add/remove one:  |(S, n) - (S', n')|_2 <= sqrt(R^2 + (R/2)^2)  |..|_1 <= floor(sqrt(d) R) + R/2
///                  max(|S - S'|_2, 2 |n - n'|) <= R
/// ```
///
/// The proof is `docs/proofs/exact-noise.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EuclideanBall {
    dimension: usize,
}

impl EuclideanBall {
    /// The ball in this many dimensions.
    pub fn new(dimension: usize) -> Result<Self, LatticeError> {
        LatticeVector::zero(dimension).map(|_| Self { dimension })
    }
}

impl sealed::Sealed for EuclideanBall {}

impl Body for EuclideanBall {
    type Word = i64;
    type Vector = LatticeVector;
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn vector(&self) -> LatticeVector {
        LatticeVector::zero(self.dimension).unwrap_or_else(|_| unreachable!("the constructor checked the dimension"))
    }

    fn reset(&self, vector: &mut LatticeVector) {
        vector.clear();
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; self.dimension]
    }

    fn add(&self, totals: &mut Vec<i64>, vector: &LatticeVector) {
        // a coordinate is at most 2^22 in size, and there are at most 2^40 records
        totals.iter_mut().zip(vector.coordinates()).for_each(|(total, k)| *total += k);
    }

    fn restored(&self, totals: &[i64], records: u64) -> Option<Vec<i64>> {
        let is_possible =
            totals.len() == self.dimension && is_within(totals.iter().copied().map(i128::from), RADIUS, records);
        is_possible.then(|| totals.to_vec())
    }

    fn count_weight(&self) -> Option<i64> {
        Some(COUNT_WEIGHT)
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        relation.lattice_l1_sensitivity(self.dimension)
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        relation.lattice_sensitivity()
    }

    fn cylinder_bound(&self, relation: NeighbouringRelation) -> Option<f64> {
        // the sum moves by at most R, and twice the count by R
        (relation == NeighbouringRelation::AddRemoveOne).then_some(RADIUS as f64)
    }
}
