//! The part of a ball that lies in one orthant: integer vectors whose coordinates have public signs.

use super::moments::root;
use super::{Body, is_within, sealed};
use crate::body::lattice::{COUNT_WEIGHT, LatticeError, LatticeVector, RADIUS, SQUARED_RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// Vectors of Euclidean norm at most `2^22` lattice steps whose coordinates have public signs: `s_i k_i >= 0`.
///
/// ```text
/// substitute one:  |S - S'|_2 <= sqrt(2) R                       |S - S'|_1 <= floor(sqrt(a) R) + floor(sqrt(d - a) R),  a = floor(d / 2)
/// add/remove one:  |(S, n) - (S', n')|_2 <= sqrt(R^2 + (R/2)^2)  |..|_1 <= floor(sqrt(d) R) + R/2
/// ```
///
/// Two vectors of one orthant have no negative inner product, so that `|k - l|^2 <= |k|^2 + |l|^2`: a factor `sqrt(2)` less than in the
/// whole ball. The bounds are attained by vectors with no coordinate in common. The proof is `docs/proofs/centiles.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orthant {
    /// Whether each coordinate is at most 0.
    is_negative: Vec<bool>,
}

impl Orthant {
    /// The orthant in which these coordinates are at most 0, and the others at least 0.
    ///
    /// # Errors
    /// [`LatticeError::Dimension`] unless there are from 1 to `2^18` coordinates.
    pub fn new(is_negative: Vec<bool>) -> Result<Self, LatticeError> {
        LatticeVector::zero(is_negative.len()).map(|_| Self { is_negative })
    }

    /// Whether a coordinate is at most 0; `false` beyond the last.
    pub fn is_negative(&self, coordinate: usize) -> bool {
        self.is_negative.get(coordinate).copied().unwrap_or_default()
    }

    /// A coordinate on its side of 0: what lies on the other side is 0.
    fn on_side(is_negative: bool, k: i64) -> i64 {
        if is_negative { k.min(0) } else { k.max(0) }
    }

    /// How far two vectors are apart in the sum of absolute values: they share no coordinate, each has about half of them.
    fn apart(&self) -> u64 {
        let half = self.is_negative.len() / 2;
        let longest = |coordinates: usize| (coordinates as u64 * SQUARED_RADIUS).isqrt();
        longest(half) + longest(self.is_negative.len() - half)
    }
}

impl sealed::Sealed for Orthant {}

impl Body for Orthant {
    type Word = i64;
    type Vector = LatticeVector;
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        self.is_negative.len()
    }

    fn vector(&self) -> LatticeVector {
        LatticeVector::zero(self.dimension()).unwrap_or_else(|_| unreachable!("the constructor checked the dimension"))
    }

    fn reset(&self, vector: &mut LatticeVector) {
        vector.clear();
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; self.dimension()]
    }

    /// Setting a coordinate to 0 makes no vector longer.
    fn add(&self, totals: &mut Vec<i64>, vector: &LatticeVector) {
        // a coordinate is at most 2^22 in size, and there are at most 2^40 records
        for ((total, k), is_negative) in totals.iter_mut().zip(vector.coordinates()).zip(&self.is_negative) {
            *total += Self::on_side(*is_negative, *k);
        }
    }

    fn restored(&self, totals: &[i64], records: u64) -> Option<Vec<i64>> {
        let is_possible = totals.len() == self.dimension()
            && totals.iter().zip(&self.is_negative).all(|(total, side)| Self::on_side(*side, *total) == *total)
            && is_within(totals.iter().copied().map(i128::from), RADIUS, records);
        is_possible.then(|| totals.to_vec())
    }

    fn count_weight(&self) -> Option<i64> {
        Some(COUNT_WEIGHT)
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        match relation {
            SubstituteOne => self.apart(),
            AddRemoveOne => relation.lattice_l1_sensitivity(self.dimension()),
        }
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        match relation {
            SubstituteOne => root(2.0 * SQUARED_RADIUS as f64),
            AddRemoveOne => relation.lattice_sensitivity(),
        }
    }
}
