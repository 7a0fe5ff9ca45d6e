//! Records on a cosine basis: integers within a rounding of the basis's own values.

use super::{Body, sealed};
use crate::neighbours::NeighbouringRelation;

mod basis;
mod encoding;
mod sensitivity;

pub use basis::{BasisError, CosineBasis};
pub use sensitivity::SeriesSensitivity;

use encoding::{LATTICE_BITS, encode};
use sensitivity::{l1_steps, l2_steps};

/// Values of a cosine basis at a point, in steps of `2^-20`: the sums of an orthogonal series.
///
/// ```text
/// substitute one:  sup_{x,y} |psi(x) - psi(y)|, in l1 or l2, and twice the rounding of each coordinate
/// add/remove one:  sup_x |(psi(x), 1)|, and the rounding; the 1 is the constant term, which counts the records
/// ```
///
/// The suprema are those of the basis itself ([`SeriesSensitivity`]); see `docs/proofs/series.md`. They are searched for once,
/// in the constructor.
#[derive(Debug, Clone, PartialEq)]
pub struct Cosine {
    basis: CosineBasis,
    /// By relation, substitute-one first.
    l1: [u64; 2],
    l2: [f64; 2],
}

/// The rounded values of a basis at one point.
#[derive(Clone)]
pub struct CosineVector {
    basis: CosineBasis,
    coordinates: Vec<i64>,
}

impl CosineVector {
    /// The values at the place of the public grid that is nearest to `unit_point` in the unit cube, in integers alone.
    ///
    /// Whatever `unit_point` holds, the result is within a rounding of the basis's values at some point: what is not a number
    /// or missing is the middle of its axis.
    pub fn encode(&mut self, unit_point: &[f64]) {
        encode(&self.basis, unit_point, &mut self.coordinates);
    }

    /// The values, in steps of `2^-20`.
    pub fn coordinates(&self) -> &[i64] {
        &self.coordinates
    }
}

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn index(relation: NeighbouringRelation) -> usize {
    usize::from(relation == NeighbouringRelation::AddRemoveOne)
}

impl Cosine {
    /// The lattice has `2^20` steps to one.
    pub const STEPS: i64 = 1 << LATTICE_BITS;

    /// The body of this basis.
    pub fn new(basis: CosineBasis) -> Self {
        let (l1, l2) = (RELATIONS.map(|relation| l1_steps(&basis, relation)), RELATIONS.map(|r| l2_steps(&basis, r)));
        Self { basis, l1, l2 }
    }

    /// The basis.
    pub fn basis(&self) -> &CosineBasis {
        &self.basis
    }
}

impl sealed::Sealed for Cosine {}

impl Body for Cosine {
    type Word = i64;
    type Vector = CosineVector;

    fn dimension(&self) -> usize {
        self.basis.terms()
    }

    fn vector(&self) -> CosineVector {
        CosineVector { basis: self.basis.clone(), coordinates: vec![0; self.basis.terms()] }
    }

    fn reset(&self, vector: &mut CosineVector) {
        vector.coordinates.fill(0);
    }

    fn add(&self, totals: &mut [i64], vector: &CosineVector) {
        // a coordinate is below 2^22 in size, and there are at most 2^40 records
        totals.iter_mut().zip(&vector.coordinates).for_each(|(total, k)| *total += k);
    }

    fn count_weight(&self) -> Option<i64> {
        Some(Self::STEPS)
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        self.l1[index(relation)]
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        self.l2[index(relation)]
    }
}
