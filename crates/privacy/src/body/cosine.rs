//! Records on a cosine basis: integers within a rounding of the basis's own values.

use std::sync::{Arc, OnceLock};

use super::{Body, sealed};
use crate::budget::neighbours::NeighbouringRelation;

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
/// The suprema are those of the basis itself ([`SeriesSensitivity`]); see `docs/proofs/series.md`. Each is searched for once,
/// when it is first asked for, and copies of the body share it.
#[derive(Debug, Clone)]
pub struct Cosine {
    basis: Arc<CosineBasis>,
    bounds: Arc<Bounds>,
}

/// By relation, substitute-one first.
#[derive(Debug, Default)]
struct Bounds {
    l1: [OnceLock<u64>; 2],
    l2: [OnceLock<f64>; 2],
}

/// The rounded values of a basis at one point.
#[derive(Clone)]
pub struct CosineVector {
    basis: Arc<CosineBasis>,
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

fn index(relation: NeighbouringRelation) -> usize {
    usize::from(relation == NeighbouringRelation::AddRemoveOne)
}

impl Cosine {
    /// The lattice has `2^20` steps to one.
    pub const STEPS: i64 = 1 << LATTICE_BITS;

    /// The body of this basis.
    pub fn new(basis: CosineBasis) -> Self {
        Self { basis: Arc::new(basis), bounds: Arc::default() }
    }

    /// The basis.
    pub fn basis(&self) -> &CosineBasis {
        &self.basis
    }
}

impl PartialEq for Cosine {
    fn eq(&self, other: &Self) -> bool {
        self.basis == other.basis
    }
}

impl sealed::Sealed for Cosine {}

impl Body for Cosine {
    type Word = i64;
    type Vector = CosineVector;
    type Sum = Vec<i64>;

    fn dimension(&self) -> usize {
        self.basis.terms()
    }

    fn vector(&self) -> CosineVector {
        CosineVector { basis: self.basis.clone(), coordinates: vec![0; self.basis.terms()] }
    }

    fn reset(&self, vector: &mut CosineVector) {
        vector.coordinates.fill(0);
    }

    fn sum(&self) -> Vec<i64> {
        vec![0; self.basis.terms()]
    }

    fn add(&self, totals: &mut Vec<i64>, vector: &CosineVector) {
        // a record on another basis has other bounds
        if vector.basis != self.basis {
            return;
        }
        // a coordinate is below 2^22 in size, and there are at most 2^40 records
        totals.iter_mut().zip(&vector.coordinates).for_each(|(total, k)| *total += k);
    }

    fn restored(&self, totals: &[i64], records: u64) -> Option<Vec<i64>> {
        // each coordinate of a record is below 2^22 in size
        let reach = u128::from(records) << 22;
        let is_possible =
            totals.len() == self.basis.terms() && totals.iter().all(|total| u128::from(total.unsigned_abs()) <= reach);
        is_possible.then(|| totals.to_vec())
    }

    fn count_weight(&self) -> Option<i64> {
        Some(Self::STEPS)
    }

    fn l1_bound(&self, relation: NeighbouringRelation) -> u64 {
        *self.bounds.l1[index(relation)].get_or_init(|| l1_steps(&self.basis, relation))
    }

    fn l2_bound(&self, relation: NeighbouringRelation) -> f64 {
        *self.bounds.l2[index(relation)].get_or_init(|| l2_steps(&self.basis, relation))
    }
}
