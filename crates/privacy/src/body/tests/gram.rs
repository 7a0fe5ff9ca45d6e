//! Records of covariates and curves.

use rand::rngs::ChaCha20Rng;

use super::{Norm, Records};
use crate::body::gram_ball::tests::exact_joint_square;
use crate::body::lattice::LatticeVector;
use crate::body::{Body, Design, EuclideanBall, GramBall, GramVector};
use crate::budget::neighbours::NeighbouringRelation::{self, SubstituteOne};

impl Records for GramBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut GramVector) {
        let design = self.design();
        let longest = covariates(self);
        let (covariates, curve) = record.parts();
        let mut fill = |part: &mut LatticeVector| {
            EuclideanBall::new(part.coordinates().len()).unwrap().difficult(generator, part);
        };
        fill(curve);
        match design {
            Design::Private => fill(covariates),
            // neighbours agree on them
            Design::Public => covariates.clone_from(&longest),
        }
    }

    fn worst(&self, relation: NeighbouringRelation, _: Norm) -> [GramVector; 2] {
        // the same covariates, opposite curves
        let dimension = self.vector().parts().1.coordinates().len();
        EuclideanBall::new(dimension).unwrap().worst(relation, Norm::Euclidean).map(|curve| {
            let mut record = self.vector();
            record.parts().0.clone_from(&covariates(self));
            record.parts().1.clone_from(&curve);
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        match self.design() {
            Design::Private => [(1, 2, 2), (20, 90, 30)].map(|(p, n, k)| Self::new(p, n, k, Design::Private)),
            Design::Public => [(2, 2), (90, 30)].map(|(n, k)| Self::new(self.covariates(), n, k, Design::Public)),
        }
        .map(Result::unwrap)
        .into()
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

/// Covariates that are as long as can be.
fn covariates(body: &GramBall) -> LatticeVector {
    let ball = EuclideanBall::new(body.covariates()).unwrap();
    let [longest, _] = ball.worst(SubstituteOne, Norm::Euclidean);
    longest
}
