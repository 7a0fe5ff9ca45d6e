#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Design, GramBall};
use crate::body::Body;
use crate::body::lattice::{LatticeError, MAX_COVARIATES, RADIUS, SQUARED_RADIUS};
use crate::budget::neighbours::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};

/// The square of the joint norm of a difference and that of the bound, times `2 R^2`: the squared Frobenius norm of the difference of
/// Gram matrices, of which products are two entries.
pub(crate) fn exact_joint_square(body: &GramBall, relation: NeighbouringRelation, difference: &[i128]) -> (i128, i128) {
    let mut rest = difference;
    let mut square = 0;
    for (length, weight) in body.lengths().into_iter().zip([1, 2, 2, 1, 2]) {
        let (mine, others) = rest.split_at(length);
        rest = others;
        square += weight * mine.iter().map(|d| d * d).sum::<i128>();
    }
    assert!(rest.is_empty());
    let q = i128::from(SQUARED_RADIUS);
    let bound = match (relation, body.design) {
        (SubstituteOne, _) => 8,
        (AddRemoveOne, Design::Private) => 4,
        (AddRemoveOne, Design::Public) => 3,
    };
    (square, bound * q * q)
}

#[test]
fn units_and_bounds_are_those_of_the_proof_rounded_up_and_hardly_more() {
    for (design, relation, square) in [
        (Design::Private, SubstituteOne, 4.0),
        (Design::Private, AddRemoveOne, 2.0),
        (Design::Public, SubstituteOne, 4.0),
        (Design::Public, AddRemoveOne, 1.5),
    ] {
        let body = GramBall::new(3, 9, 4, design).unwrap();
        let radii = body.l2_bound(relation) / RADIUS as f64;
        assert!(radii * radii >= square && radii * radii < square * (1.0 + 1e-14), "{radii}");
        let squares: &[f64] = if design == Design::Private { &[2.0, 1.0, 1.0, 2.0, 1.0] } else { &[1.0, 2.0, 1.0] };
        assert_eq!(body.blocks(relation).len(), squares.len());
        for (block, square) in body.blocks(relation).iter().zip(squares) {
            let unit = block.unit / RADIUS as f64;
            assert!(unit * unit >= *square && unit * unit < *square * (1.0 + 1e-14), "{unit}");
        }
    }
    assert_eq!(
        GramBall::new(1, 9, 4, Design::Private).unwrap().blocks(SubstituteOne).len(),
        4,
        "one covariate has no products"
    );
}

#[test]
fn bodies_of_regressions_that_do_not_exist_are_refused() {
    for found in [0, MAX_COVARIATES + 1] {
        assert_eq!(GramBall::new(found, 9, 4, Design::Private), Err(LatticeError::Covariates { found }));
    }
    assert_eq!(GramBall::new(2, 3, 4, Design::Private), Err(LatticeError::Moments { found: 4, dimension: 3 }));
    assert_eq!(GramBall::new(2, 0, 2, Design::Private), Err(LatticeError::Dimension { found: 0 }));
}

#[test]
fn totals_come_back_from_a_part_and_impossible_ones_do_not() {
    for design in [Design::Private, Design::Public] {
        let body = GramBall::new(2, 3, 2, design).unwrap();
        let mut record = body.vector();
        let (covariates, curve) = record.parts();
        covariates.encode(&[0.6, -0.8]).unwrap();
        curve.encode(&[0.1, 0.2, -0.3]).unwrap();
        let mut sum = body.sum();
        body.add(&mut sum, &record);
        assert_eq!(body.restored(&sum, 1).unwrap(), sum);
        assert!(body.restored(&sum[1..], 1).is_none(), "one total short");
        assert!(body.restored(&sum, 0).is_none(), "totals of no records");
        let square = body.lengths()[..3].iter().sum::<usize>();
        sum[square] = -1;
        assert!(body.restored(&sum, 1).is_none(), "a negative square");
    }
}
