//! Records of covariates and curves.

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::clipped::units;
use super::{EuclideanBall, Norm, RELATIONS, Records, apart};
use crate::body::lattice::{LatticeError, LatticeVector, MAX_COVARIATES, RADIUS};
use crate::body::{Body, Emphasis};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::nested::{ClippedBall, ClippedMoments, Design, GramBall, GramVector, NestedRadius, ProductsOf, Radii};
use crate::sum::exact_sum::ExactSum;

fn gram_ball(covariates: usize, dimension: usize, of: ProductsOf, design: Design) -> GramBall {
    let moments = ClippedMoments { emphasis: Emphasis::Mean, of };
    GramBall::new(covariates, ClippedBall::new(dimension, Radii::Any, Some(moments)).unwrap(), design)
        .unwrap()
        .with_energy()
}

pub(super) fn balls() -> Vec<GramBall> {
    let first = ProductsOf::First;
    let sizes =
        [(1, 2, first(2)), (3, 9, first(4)), (20, 40, first(40)), (4, 93, units(93, 30)), (2, 140, units(140, 4))];
    let of = |(p, n, of): (usize, usize, ProductsOf)| {
        [Design::Private, Design::Public].map(|design| gram_ball(p, n, of.clone(), design))
    };
    sizes.into_iter().flat_map(of).collect()
}

/// The square of the joint norm of a difference, times `2 R^2`: the squared Frobenius norm of the difference of Gram matrices, of which
/// products are two entries, and three times the square of the difference of energies.
fn exact_square(body: &GramBall, difference: &[i128]) -> i128 {
    let mut rest = difference;
    let mut square = 0;
    for (length, weight) in body.lengths().into_iter().zip([1, 2, 2, 1, 2, 3]) {
        let (mine, others) = rest.split_at(length);
        rest = others;
        square += weight * mine.iter().map(|d| d * d).sum::<i128>();
    }
    assert!(rest.is_empty());
    square
}

impl Records for GramBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut GramVector) {
        let (design, longest) = (self.design(), covariates(self));
        let of_curve = ClippedBall::new(self.dimension_of_curve(), Radii::Any, None).unwrap();
        let (covariates, curve) = record.parts();
        of_curve.difficult(generator, curve);
        match design {
            Design::Private => {
                EuclideanBall::new(longest.coordinates().len()).unwrap().difficult(generator, covariates);
            }
            // neighbours agree on them
            Design::Public => covariates.clone_from(&longest),
        }
    }

    fn worst(&self, relation: NeighbouringRelation, _: Norm) -> [GramVector; 2] {
        // the same covariates, opposite curves
        let of_curve = ClippedBall::new(self.dimension_of_curve(), Radii::Any, None).unwrap();
        of_curve.worst(relation, Norm::Euclidean).map(|curve| {
            let mut record = self.vector();
            record.parts().0.clone_from(&covariates(self));
            record.parts().1.clone_from(&curve);
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        let of = |p, n, k| gram_ball(p, n, ProductsOf::First(k), self.design());
        match self.design() {
            Design::Private => vec![of(1, 2, 2), of(20, 90, 30)],
            Design::Public => vec![of(self.covariates(), 2, 2), of(self.covariates(), 90, 30)],
        }
    }

    /// All of the energy of a curve of zeros is missing.
    fn is_zero_of_nothing(&self) -> bool {
        !self.has_energy()
    }

    fn attains(&self, norm: Norm) -> bool {
        norm == Norm::Euclidean
    }

    /// Along a basis of length `1 - 2^-14`, and more for coordinates along it that are rounded in records.
    fn slack(&self) -> f64 {
        2e-4
    }

    fn is_within(&self, relation: NeighbouringRelation, difference: &[i128]) -> bool {
        self.part(relation, difference) <= 1.0
    }

    fn part(&self, relation: NeighbouringRelation, difference: &[i128]) -> f64 {
        let bound = self.l2_bound(relation) * RADIUS as f64;
        (exact_square(self, difference) as f64 / 2.0).sqrt() / bound
    }
}

/// Covariates that are as long as can be.
fn covariates(body: &GramBall) -> LatticeVector {
    let ball = EuclideanBall::new(body.covariates()).unwrap();
    let [longest, _] = ball.worst(SubstituteOne, Norm::Euclidean);
    longest
}

#[test]
fn at_every_radius_the_worst_neighbours_beside_others_are_as_far_apart_as_the_bound_and_no_farther() {
    let mut generator = ChaCha20Rng::seed_from_u64(22);
    for body in balls() {
        let mut others: Vec<GramVector> = Vec::new();
        for _ in 0..20 {
            let mut other = body.vector();
            body.difficult(&mut generator, &mut other);
            others.push(other);
        }
        for relation in RELATIONS {
            let [here, there] = body.worst(relation, Norm::Euclidean);
            let mut sums = [Some(&here), (relation == SubstituteOne).then_some(&there)].map(|one| {
                let mut sum = ExactSum::new(body.clone());
                one.into_iter().chain(&others).for_each(|record| sum.add(record).unwrap());
                sum
            });
            for radius in NestedRadius::all() {
                sums = sums.map(|sum| sum.at(radius).unwrap());
                let [a, b] = [0, 1].map(|place: usize| sums[place].totals().reveal().clone());
                let difference: Vec<i128> = a.iter().zip(b).map(|(a, b)| a - b).collect();
                let part = body.part(relation, &difference);
                assert!(part <= 1.0 && part > 1.0 - body.slack(), "{body:?} {relation} {radius:?}: {part}");
            }
        }
    }
}

#[test]
fn units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more() {
    for (design, relation, square) in [
        (Design::Private, SubstituteOne, 4.0),
        (Design::Private, AddRemoveOne, 2.0),
        (Design::Public, SubstituteOne, 4.0),
        (Design::Public, AddRemoveOne, 1.5),
    ] {
        let body = gram_ball(3, 9, ProductsOf::First(4), design);
        let radii = body.l2_bound(relation) / RADIUS as f64;
        assert!(radii * radii >= square && radii * radii < square * (1.0 + 1e-9), "{radii}");
        let along = gram_ball(3, 140, units(140, 40), design).l2_bound(relation) / RADIUS as f64;
        assert!(along > radii && along < radii * (1.0 + 4e-6), "{along}");
        let squares: &[f64] =
            if design == Design::Private { &[2.0, 1.0, 1.0, 2.0, 1.0, 2.0 / 3.0] } else { &[1.0, 2.0, 1.0] };
        assert_eq!(body.blocks(relation).len(), squares.len());
        for (block, square) in body.blocks(relation).iter().zip(squares) {
            let unit = block.unit / RADIUS as f64;
            assert!(unit * unit >= *square && unit * unit < *square * (1.0 + 1e-14), "{unit}");
        }
    }
    let one = gram_ball(1, 9, ProductsOf::First(4), Design::Private);
    assert_eq!(one.blocks(SubstituteOne).len(), 5, "one covariate has no products");
    let public = gram_ball(1, 9, ProductsOf::First(4), Design::Public);
    assert!(one.has_energy() && !public.has_energy(), "beside public covariates the energy would cost");
}

#[test]
fn pairs_with_other_covariates_are_no_farther_apart_than_those_with_opposite_curves() {
    let body = gram_ball(2, 2, ProductsOf::First(2), Design::Private);
    let record = |x: [f64; 2], z: [f64; 2]| {
        let mut record = body.vector();
        record.parts().0.encode(&x).unwrap();
        record.parts().1.encode(&z).unwrap();
        record
    };
    for x in [[0.0, 1.0], [-1.0, 0.0], [0.6, 0.8], [0.0, 0.0]] {
        for z in [[0.0, 1.0], [-1.0, 0.0], [0.0, 0.0], [f64::NAN, 7.0]] {
            let difference = apart(&body, SubstituteOne, &record([1.0, 0.0], [1.0, 0.0]), &record(x, z));
            assert!(body.is_within(SubstituteOne, &difference), "{x:?} {z:?}");
        }
    }
    let difference = apart(&body, SubstituteOne, &record([1.0, 0.0], [1.0, 0.0]), &record([0.0, 1.0], [0.0, 1.0]));
    assert!(body.part(SubstituteOne, &difference) > 1.0 - 1e-5, "orthogonal records are as far apart");
}

#[test]
fn bodies_of_regressions_that_do_not_exist_are_refused() {
    let curves = |moments| ClippedBall::new(9, Radii::Any, moments).unwrap();
    let of = ProductsOf::First(4);
    for found in [0, MAX_COVARIATES + 1] {
        let moments = ClippedMoments { emphasis: Emphasis::Mean, of: of.clone() };
        let refused = GramBall::new(found, curves(Some(moments)), Design::Private);
        assert_eq!(refused, Err(LatticeError::Covariates { found }));
    }
    let refused = GramBall::new(2, curves(None), Design::Private);
    assert_eq!(refused, Err(LatticeError::Moments { found: 0, dimension: 9 }));
}
