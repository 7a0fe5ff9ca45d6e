//! Records whose coordinates have public signs.

use rand::rngs::ChaCha20Rng;

use super::{Norm, Records};
use crate::body::lattice::LatticeVector;
use crate::body::{Body, EuclideanBall, Orthant};
use crate::budget::neighbours::NeighbouringRelation;

pub(super) fn orthants() -> Vec<Orthant> {
    [2, 9, 93, 700].map(of).into()
}

/// The orthant of so many coordinates of which every third is negative.
fn of(dimension: usize) -> Orthant {
    Orthant::new((0..dimension).map(|i| i % 3 == 1).collect()).unwrap()
}

impl Records for Orthant {
    /// On either side of 0: the body alone keeps them on their own.
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut LatticeVector) {
        EuclideanBall::new(self.dimension()).unwrap().difficult(generator, record);
    }

    /// Two records that share no coordinate; one added record has all of them.
    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [LatticeVector; 2] {
        let dimension = self.dimension();
        let parts = match (norm, relation) {
            (Norm::Sum, NeighbouringRelation::AddRemoveOne) => [0..dimension, 0..0],
            (Norm::Sum, NeighbouringRelation::SubstituteOne) => [0..dimension / 2, dimension / 2..dimension],
            (Norm::Euclidean, _) => [0..1, 1..2],
        };
        parts.map(|part| {
            let size = 1.0 / (part.len() as f64).sqrt();
            let sided = |i: usize| if i % 3 == 1 { -size } else { size };
            let z: Vec<f64> = (0..dimension).map(|i| if part.contains(&i) { sided(i) } else { 0.0 }).collect();
            let mut record = self.vector();
            record.encode(&z).unwrap();
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        vec![Self::new(vec![false; self.dimension()]).unwrap(), of(1), of(200)]
    }
}

#[test]
fn records_of_one_orthant_are_no_farther_apart_than_a_root_of_two_radii() {
    let substitute = NeighbouringRelation::SubstituteOne;
    let (orthant, ball) = (of(93), EuclideanBall::new(93).unwrap());
    let ratio = ball.l2_bound(substitute) / orthant.l2_bound(substitute);
    assert!((ratio - 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn a_sum_on_the_other_side_is_none_of_these_records() {
    let orthant = of(3);
    assert!(orthant.restored(&[5, -7, 2], 1).is_some());
    assert!(orthant.restored(&[5, 7, 2], 1).is_none() && orthant.restored(&[-5, -7, 2], 1).is_none());
    assert!(orthant.restored(&[5, -7], 1).is_none() && orthant.restored(&[1 << 23, 0, 0], 1).is_none());
}
