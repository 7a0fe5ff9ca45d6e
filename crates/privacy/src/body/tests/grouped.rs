//! Records clipped at one of the nested radii, in several groups.

use super::clipped::units;
use super::{Norm, Records};
use crate::body::Body;
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use crate::nested::{GroupedBall, GroupedVector, Membership, NestedRadius, ProductsOf};
use crate::sum::exact_sum::ExactSum;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

pub(super) fn balls() -> Vec<GroupedBall> {
    let memberships = [Membership::Public, Membership::Private { most: 1 }, Membership::Private { most: 3 }];
    let first = |coordinates| Some(ProductsOf::First(coordinates));
    let sizes = [
        (3, 1, None),
        (4, 93, None),
        (3, 2, first(2)),
        (7, 9, first(4)),
        (3, 60, first(20)),
        (3, 93, Some(units(93, 4))),
        (3, 140, Some(units(140, 4))),
        (1, 9, None),
        (1, 9, first(4)),
        (1, 140, Some(units(140, 4))),
    ];
    let of = |(groups, dimension, products): (usize, usize, Option<ProductsOf>)| {
        memberships.map(|membership| GroupedBall::new(groups, dimension, products.clone(), membership).ok())
    };
    // nobody is in more groups than there are
    sizes.into_iter().flat_map(of).flatten().collect()
}

/// The square of the joint norm of a difference for the units of `docs/proofs/groups.md`, as integers `(numerator, denominator)`.
fn exact_square(body: &GroupedBall, relation: NeighbouringRelation, difference: &[i128]) -> (i128, i128) {
    assert_eq!(body.blocks(relation).iter().map(|block| block.length).sum::<usize>(), difference.len());
    let ball = body.ball();
    let q = 1_i128 << 44;
    // weights of the mean, products, squares, energy and count; with R^2 = q, common / unit^2
    let in_all = body.membership() == (Membership::Private { most: body.groups() });
    let (weights, common) = match (ball.moments(), body.membership(), relation) {
        (None, Membership::Public, _) => ([1, 0, 0, 0, 0], 1),
        (None, _, SubstituteOne) if in_all => ([4, 0, 0, 0, 3], 4),
        (None, _, AddRemoveOne) if in_all => ([16, 0, 0, 0, 1], 16),
        (Some(_), _, SubstituteOne) if in_all => ([8 * q, 8, 4, 12, 5 * q], 8 * q),
        (Some(_), _, AddRemoveOne) if in_all => ([16 * q, 16, 8, 24, q], 16 * q),
        (None, _, SubstituteOne) => ([1, 0, 0, 0, 1], 1),
        (None, _, AddRemoveOne) => ([4, 0, 0, 0, 1], 4),
        (Some(_), Membership::Public, SubstituteOne) => ([4 * q, 4, 2, 9, 0], 4 * q),
        (Some(_), Membership::Public, AddRemoveOne) => ([2 * q, 2, 1, 3, 0], 2 * q),
        (Some(_), _, SubstituteOne) => ([2 * q, 2, 1, 3, q], 2 * q),
        (Some(_), _, AddRemoveOne) => ([4 * q, 4, 2, 6, q], 4 * q),
    };
    let k = ball.moments().map(|moments| moments.of.coordinates());
    let mut lengths = vec![ball.record_dimension()];
    lengths.extend(k.map(|k| [k * (k - 1) / 2, k, 1]).into_iter().flatten());
    let square = |group: &[i128]| -> i128 {
        let mut rest = group;
        let mut total = 0;
        for (length, weight) in lengths.iter().zip(weights) {
            let (mine, others) = rest.split_at(*length);
            total += weight * mine.iter().map(|d| d * d).sum::<i128>();
            rest = others;
        }
        total + weights[4] * rest.iter().map(|d| d * d).sum::<i128>()
    };
    (difference.chunks(body.length_of_group()).map(square).sum(), common)
}

impl Records for GroupedBall {
    fn difficult(&self, generator: &mut ChaCha20Rng, record: &mut GroupedVector) {
        // neighbours agree on a public group
        let (number, all) = match self.membership() {
            Membership::Public => (1, 1),
            Membership::Private { .. } => (generator.random_range(0..4), self.groups() + 2),
        };
        for _ in 0..number {
            let group = generator.random_range(0..all);
            self.ball().difficult(generator, record.part(group));
        }
    }

    fn worst(&self, relation: NeighbouringRelation, norm: Norm) -> [GroupedVector; 2] {
        // opposite in the same groups
        let pair = self.ball().worst(relation, norm);
        pair.map(|part| {
            let mut record = self.vector();
            (0..self.most()).for_each(|group| record.part(group).clone_from(&part));
            record
        })
    }

    fn others(&self) -> Vec<Self> {
        let all = |most| match self.membership() {
            Membership::Public => Membership::Public,
            Membership::Private { .. } => Membership::Private { most },
        };
        vec![Self::new(5, 3, Some(ProductsOf::First(2)), all(5)).unwrap(), Self::new(1, 200, None, all(1)).unwrap()]
    }

    fn attains(&self, norm: Norm) -> bool {
        norm == Norm::Euclidean && self.ball().attains(norm)
    }

    /// Sums are rounded, of all groups that differ.
    fn slack(&self) -> f64 {
        3e-4
    }

    fn is_zero_of_nothing(&self) -> bool {
        true
    }

    fn is_within(&self, relation: NeighbouringRelation, difference: &[i128]) -> bool {
        self.part(relation, difference) <= 1.0
    }

    fn part(&self, relation: NeighbouringRelation, difference: &[i128]) -> f64 {
        let (square, common) = exact_square(self, relation, difference);
        (square as f64 / common as f64).sqrt() / self.l2_bound(relation)
    }
}

#[test]
fn sums_of_groups_move_by_no_more_than_their_bound_at_every_radius() {
    let mut generator = ChaCha20Rng::seed_from_u64(22);
    for body in balls() {
        let apart = body.worst(SubstituteOne, Norm::Euclidean);
        // in groups of its own each, where that is private: both sums of every group differ
        let mut moved = body.vector();
        let groups =
            if body.membership() == Membership::Public { 0..1 } else { body.groups() - body.most()..body.groups() };
        groups.for_each(|group| body.ball().difficult(&mut generator, moved.part(group)));
        let [here, there] = apart;
        let mut sums = [here, there, moved].map(|one| {
            let mut sum = ExactSum::new(body.clone());
            sum.add(&one).unwrap();
            sum
        });
        let mut record = body.vector();
        for _ in 0..20 {
            body.reset(&mut record);
            body.difficult(&mut generator, &mut record);
            for sum in &mut sums {
                sum.add(&record).unwrap();
            }
        }
        for radius in NestedRadius::all() {
            sums = sums.map(|sum| sum.at(radius).unwrap());
            let totals = [0, 1, 2].map(|place: usize| sums[place].totals().reveal().clone());
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let difference: Vec<i128> = totals[a].iter().zip(&totals[b]).map(|(a, b)| a - b).collect();
                assert!(body.is_within(SubstituteOne, &difference), "{body:?} {radius:?}");
                let is_attained = body.part(SubstituteOne, &difference) > 1.0 - 4e-4;
                assert!((a, b) != (0, 1) || is_attained || body.ball().moments().is_some());
            }
        }
    }
}

#[test]
fn a_record_that_is_there_and_one_that_is_not_are_as_far_apart_as_opposite_ones_where_a_record_may_be_in_every_group() {
    for body in balls().into_iter().filter(|body| body.membership() == (Membership::Private { most: body.groups() })) {
        let [present, opposite] = body.worst(SubstituteOne, Norm::Euclidean);
        let part = |records: [&GroupedVector; 2]| {
            let [one, other] = records.map(|record| {
                let mut sum = ExactSum::new(body.clone());
                sum.add(record).unwrap();
                sum.totals().reveal().clone()
            });
            let difference: Vec<i128> = one.iter().zip(&other).map(|(a, b)| a - b).collect();
            body.part(SubstituteOne, &difference)
        };
        let (there, apart) = (part([&present, &body.vector()]), part([&present, &opposite]));
        assert!(there <= 1.0 && apart <= 1.0, "{body:?}: {there} {apart}");
        // a long vector of which products are taken is as far from nothing as the count allows
        assert!(there > 0.93 && apart > 1.0 - 4e-4, "{body:?}: {there} {apart}");
    }
}
