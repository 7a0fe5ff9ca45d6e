//! Records of weights and weighted values.

use rand::RngExt;
use rand::rngs::ChaCha20Rng;

use super::{Norm, Records};
use crate::body::lattice::RADIUS;
use crate::body::weighted_ball::tests::exact_joint_square;
use crate::body::{Body, EuclideanBall, WeightedBall, WeightedVector};
use crate::budget::neighbours::NeighbouringRelation;

impl Records for WeightedBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut WeightedVector) {
        let ball = EuclideanBall::new(self.bins()).unwrap();
        let (values, weights) = record.parts();
        ball.difficult(generator, values);
        ball.difficult(generator, weights);
        // nothing but weights that are not negative, and values as large as they allow
        if generator.random_range(0..2) == 0 {
            let positive: Vec<f64> = weights.coordinates().iter().map(|k| k.abs() as f64 / RADIUS as f64).collect();
            weights.encode(&positive).unwrap();
            values
                .encode(&positive.iter().map(|x| if generator.random() { *x } else { -x }).collect::<Vec<_>>())
                .unwrap();
        }
    }

    /// Opposite values where both records have as little weight as they allow, and the rest of the weights apart.
    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [WeightedVector; 2] {
        let bound = RADIUS as f64 / self.bound() as f64;
        let shared = if relation == NeighbouringRelation::AddRemoveOne { 1.0 } else { bound };
        let rest = (1.0 - shared * shared).max(0.0).sqrt();
        [0, 1].map(|which| {
            let mut record = self.vector();
            let mut at = [vec![0.0; self.bins()], vec![0.0; self.bins()]];
            at[0][0] = if which == 0 { 1.0 } else { -1.0 };
            at[1][0] = shared;
            if rest > 0.0 {
                at[1][1 + which] = rest;
            }
            if norm == Norm::Sum {
                at = at.map(|part| part.iter().map(|x| if *x < 0.0 { -1e300 } else { 1e300 }).collect());
            }
            let (values, weights) = record.parts();
            values.encode(&at[0]).unwrap();
            weights.encode(&at[1]).unwrap();
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        [(3, RADIUS), (200, 3 * RADIUS)].map(|(bins, bound)| Self::new(bins, bound).unwrap()).into()
    }

    fn attains(&self, norm: Norm) -> bool {
        norm == Norm::Euclidean
    }

    fn is_within(&self, relation: NeighbouringRelation, difference: &[i128]) -> bool {
        let (square, bound) = exact_joint_square(self, relation, difference);
        square <= bound
    }

    fn part(&self, relation: NeighbouringRelation, difference: &[i128]) -> f64 {
        let (square, bound) = exact_joint_square(self, relation, difference);
        (square as f64 / bound as f64).sqrt()
    }
}
