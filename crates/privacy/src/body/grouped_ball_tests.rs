#![allow(clippy::unwrap_used, reason = "tests")]

use super::{GroupedBall, Membership};
use crate::body::lattice::{LatticeError, MAX_GROUPS, RADIUS, SQUARED_RADIUS};
use crate::body::moment_ball::tests::exact_joint_square as of_one_group;
use crate::body::{Body, RunningSum};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

const PRIVATE: Membership = Membership::Private { most: 1 };

/// The square of the joint norm of a difference and that of the bound, in the same units: `docs/proofs/groups.md` in integers.
pub(crate) fn exact_joint_square(
    body: &GroupedBall,
    relation: NeighbouringRelation,
    difference: &[i128],
) -> (i128, i128) {
    assert_eq!(body.blocks(relation).iter().map(|block| block.length).sum::<usize>(), difference.len());
    let groups = difference.chunks(body.length_of_group());
    let ball = body.ball();
    if let (Membership::Public, SubstituteOne) = (body.membership(), relation) {
        let (_, bound) = of_one_group(ball, SubstituteOne, &vec![0; ball.dimension()]);
        return (groups.map(|group| of_one_group(ball, SubstituteOne, group).0).sum(), bound);
    }
    let q = i128::from(SQUARED_RADIUS);
    let most = body.most() as i128;
    // weights of the mean, products, squares, energy and count; with R^2 = q, common / unit^2
    let (weights, bound) = match (ball.moments(), body.membership(), relation) {
        (None, Membership::Public, _) => ([1, 0, 0, 0, 0], q),
        (None, _, SubstituteOne) => ([1, 0, 0, 0, 1], 4 * q * most),
        (None, _, AddRemoveOne) => ([4, 0, 0, 0, 1], 5 * q * most),
        (Some(_), Membership::Public, _) => ([2 * q, 2, 1, 3, 0], 3 * q * q),
        (Some(_), _, SubstituteOne) => ([2 * q, 2, 1, 3, q], 8 * q * q * most),
        (Some(_), _, AddRemoveOne) => ([4 * q, 4, 2, 6, q], 7 * q * q * most),
    };
    let mut lengths = vec![ball.vector().coordinates().len()];
    lengths.extend(ball.moments().map(|moments| [moments.pairs(), moments.coordinates, 1]).into_iter().flatten());
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
    (groups.map(square).sum(), bound)
}

#[test]
fn units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more() {
    let radii = |body: &GroupedBall, relation| body.l2_bound(relation) / RADIUS as f64;
    for (membership, coordinates, relation, square) in [
        (Membership::Public, Some(4), SubstituteOne, 4.0),
        (Membership::Public, None, AddRemoveOne, 1.0),
        (Membership::Public, Some(4), AddRemoveOne, 1.5),
        (PRIVATE, Some(4), SubstituteOne, 4.0),
        (PRIVATE, Some(4), AddRemoveOne, 1.75),
        (PRIVATE, None, AddRemoveOne, 1.25),
        (Membership::Private { most: 3 }, Some(4), SubstituteOne, 12.0),
        (Membership::Private { most: 2 }, None, AddRemoveOne, 2.5),
    ] {
        let found = radii(&GroupedBall::new(3, 9, coordinates, membership).unwrap(), relation).powi(2);
        assert!((found / square - 1.0).abs() < 1e-14, "{membership:?} {relation}: {found}");
    }
    let body = GroupedBall::new(2, 9, Some(4), PRIVATE).unwrap();
    let per_radius = RADIUS as f64;
    for (relation, squares) in
        [(SubstituteOne, [1.0, 1.0, 2.0, 2.0 / 3.0, 2.0]), (AddRemoveOne, [1.0, 1.0, 2.0, 2.0 / 3.0, 4.0])]
    {
        let blocks = body.blocks(relation);
        assert_eq!(blocks.len(), 10);
        for (place, (block, square)) in blocks.iter().zip(squares.iter().cycle()).enumerate() {
            let unit = if (1..4).contains(&(place % 5)) { block.unit / per_radius } else { block.unit };
            assert!(unit * unit >= *square && unit * unit < square * (1.0 + 1e-14), "{place}: {unit}");
        }
    }
}

#[test]
fn a_record_counts_in_no_more_groups_than_it_may() {
    let body = GroupedBall::new(4, 2, None, Membership::Private { most: 2 }).unwrap();
    let mut record = body.vector();
    // a group that does not exist takes no place, and one that was named before no second one
    for group in [7, 3, 3, 0, 1] {
        record.part(group).encode(&[1.0, 0.0]).unwrap();
    }
    let mut sum = body.sum();
    body.add(&mut sum, &record);
    let counts: Vec<i128> = sum.exact().chunks(3).map(|group| group[2] / i128::from(RADIUS)).collect();
    assert_eq!(counts, [1, 0, 0, 1]);
    body.reset(&mut record);
    assert!(record.part(2).coordinates().iter().all(|k| *k == 0), "nothing is left of the record before");
}

#[test]
fn bodies_of_groups_that_do_not_exist_are_refused() {
    for found in [0, MAX_GROUPS + 1] {
        assert_eq!(GroupedBall::new(found, 3, None, Membership::Public), Err(LatticeError::Groups { found }));
    }
    for found in [0, 4] {
        let refused = GroupedBall::new(3, 3, None, Membership::Private { most: found });
        assert_eq!(refused, Err(LatticeError::Memberships { found, groups: 3 }));
    }
}
