use super::*;
use crate::body::Body;
use crate::body::lattice::MAX_GROUPS;
use crate::budget::neighbours::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use crate::nested::{Bucketed, ClippedBall, GroupedBall, GroupedVector, Membership};
use crate::sum::exact_sum::ExactSum;

const PRIVATE: Membership = Membership::Private { most: 1 };

/// Some records of hostile parts in one group or in several, of 5.
fn records(seed: u64, body: &GroupedBall) -> Vec<GroupedVector> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let parts = hostile(seed, body.ball().record_dimension());
    let each = |z: &Vec<f64>| {
        let mut record = body.vector();
        for place in 0..generator.random_range(0..4) {
            let z = if place == 0 { z } else { &parts[generator.random_range(0..parts.len())] };
            record.part(generator.random_range(0..5)).encode(z).unwrap();
        }
        record
    };
    parts.iter().map(each).collect()
}

fn sum_of<'a>(body: &GroupedBall, records: impl IntoIterator<Item = &'a GroupedVector>) -> ExactSum<GroupedBall> {
    let mut sum = ExactSum::new(body.clone());
    records.into_iter().for_each(|record| sum.add(record).unwrap());
    sum
}

#[test]
fn units_and_bounds_are_those_of_the_proof_and_what_rounding_adds() {
    for (membership, products, relation, square, changed) in [
        (Membership::Public, Some(ProductsOf::First(4)), SubstituteOne, 4.0, 1.0),
        (Membership::Public, None, AddRemoveOne, 1.0, 1.0),
        (Membership::Public, Some(ProductsOf::First(4)), AddRemoveOne, 1.5, 1.0),
        (PRIVATE, Some(ProductsOf::First(4)), SubstituteOne, 4.0, 2.0),
        (PRIVATE, Some(ProductsOf::First(4)), AddRemoveOne, 1.75, 1.0),
        (PRIVATE, None, AddRemoveOne, 1.25, 1.0),
        (Membership::Private { most: 3 }, Some(ProductsOf::First(4)), SubstituteOne, 12.0, 3.0),
        (Membership::Private { most: 2 }, None, AddRemoveOne, 2.5, 2.0),
    ] {
        let bound = GroupedBall::new(3, 9, products, membership).unwrap().l2_bound(relation);
        let expected = f64::sqrt(square) * RADIUS as f64 + 513.0 * f64::sqrt(changed);
        assert!(bound >= expected && bound < expected * (1.0 + 1e-13), "{membership:?} {relation}: {bound} {expected}");
    }
    let body = GroupedBall::new(2, 9, Some(ProductsOf::First(4)), PRIVATE).unwrap();
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
fn counts_of_records_that_may_be_in_every_group_have_the_units_of_the_proof() {
    for groups in [1, 3] {
        for (products, relation, square) in [
            (None, SubstituteOne, 4.0 / 3.0),
            (Some(ProductsOf::First(4)), SubstituteOne, 8.0 / 5.0),
            (None, AddRemoveOne, 16.0),
            (Some(ProductsOf::First(4)), AddRemoveOne, 16.0),
        ] {
            let body = GroupedBall::new(groups, 9, products, Membership::Private { most: groups }).unwrap();
            let unit = body.blocks(relation).last().unwrap().unit;
            assert_eq!(body.count_steps(), 2 * RADIUS);
            assert!(unit * unit >= square && unit * unit < square * (1.0 + 1e-14), "{groups} {relation}: {unit}");
        }
    }
}

#[test]
fn the_sum_of_each_group_is_that_of_its_own_records_at_every_radius_in_any_order_and_parts() {
    for (dimension, products) in
        [(3, None), (9, Some(ProductsOf::First(4))), (9, Some(along(9, 4))), (130, Some(along(130, 3)))]
    {
        let body = GroupedBall::new(5, dimension, products, Membership::Private { most: 2 }).unwrap();
        let records = records(31, &body);
        // the definition: the first two groups of a record, each a ball of its own, and a bucket by the smaller radius number
        let mut expected: Vec<ExactSum<ClippedBall>> = (0..5).map(|_| ExactSum::new(body.ball().clone())).collect();
        let mut occupied = [0; Bucket::COUNT];
        for record in &records {
            let parts: Vec<(usize, &NestedRecord)> = record.memberships().take(2).collect();
            for (group, part) in &parts {
                expected[*group].add(part).unwrap();
            }
            if let Some(place) = parts.iter().map(|(_, part)| part.bucket().place()).min() {
                occupied[place] += 1;
            }
        }
        let mut forward = sum_of(&body, &records);
        let (one, other) = records.split_at(records.len() / 3);
        let mut joined = sum_of(&body, other.iter().rev());
        joined.merge(&sum_of(&body, one)).unwrap();
        assert_eq!(joined.reveal().reveal(), forward.reveal().reveal());
        assert_eq!((forward.occupied(), joined.occupied()), (vec![occupied], vec![occupied]));
        for radius in NestedRadius::all() {
            (forward, joined) = (forward.at(radius).unwrap(), joined.at(radius).unwrap());
            expected = expected.into_iter().map(|sum| sum.at(radius).unwrap()).collect();
            let of_group = |sum: &ExactSum<ClippedBall>| {
                let count = i128::from(sum.records()) * i128::from(RADIUS);
                sum.totals().reveal().iter().copied().chain([count]).collect::<Vec<i128>>()
            };
            let direct: Vec<i128> = expected.iter().flat_map(of_group).collect();
            assert_eq!(forward.totals().reveal(), &direct, "{radius:?}");
            assert_eq!(joined.totals().reveal(), &direct, "{radius:?}");
        }
    }
}

#[test]
fn groups_in_a_stated_ball_have_the_same_sums_and_buy_no_other() {
    let body = GroupedBall::new(5, 9, Some(along(9, 4)), Membership::Private { most: 3 }).unwrap();
    let any = sum_of(&body, &records(32, &body));
    let stated = sum_of(&body.stated(), &records(32, &body.stated()));
    assert_eq!(any.totals().reveal(), stated.totals().reveal());
    assert!(stated.at(NestedRadius::new(1).unwrap()).is_err());
}

#[test]
fn sums_of_groups_come_back_from_their_words_and_impossible_ones_do_not() {
    for membership in [Membership::Public, PRIVATE, Membership::Private { most: 3 }] {
        let body = GroupedBall::new(5, 4, Some(ProductsOf::First(3)), membership).unwrap();
        let records = records(33, &body);
        let sum = sum_of(&body, &records);
        let words = sum.reveal().reveal().clone();
        let number = records.len() as u64;
        let back = ExactSum::restored(body.clone(), &words, number).unwrap();
        assert_eq!(back.reveal().reveal(), &words);
        assert_eq!(back.totals().reveal(), sum.totals().reveal());
        let of_group = (words.len() - Bucket::COUNT) / 5;
        let refused = |place: usize, change: i128| {
            let mut words = words.clone();
            words[place] += change;
            ExactSum::restored(body.clone(), &words, number).is_err()
        };
        for group in 0..5 {
            assert!([1, -1, i128::from(number), -(1 << 70)].iter().all(|change| refused(group * of_group, *change)));
        }
        let places = words.len() - Bucket::COUNT..words.len();
        assert!(places.clone().all(|place| refused(place, -words[place] - 1) && refused(place, i128::from(number))));
        assert!(ExactSum::restored(body.clone(), &words[1..], number).is_err());
        assert!(ExactSum::restored(body.clone(), &[], number).is_err());
        assert!(ExactSum::restored(body.clone(), &words, 1).is_err());
    }
}

#[test]
fn a_record_counts_in_no_more_groups_than_it_may_and_once_in_the_counts_of_distances() {
    let body = GroupedBall::new(4, 2, None, Membership::Private { most: 2 }).unwrap();
    let mut record = body.vector();
    // a group that does not exist takes no place, and one that was named before no second one
    for (group, length) in [(7, 9.0), (3, 0.9), (3, 0.1), (0, 0.4), (1, 9.0)] {
        record.part(group).encode(&[length, 0.0]).unwrap();
    }
    let sum = sum_of(&body, [&record]);
    let counts: Vec<i128> = sum.totals().reveal().chunks(3).map(|group| group[2] / i128::from(RADIUS)).collect();
    assert_eq!(counts, [1, 0, 0, 1]);
    // the longest of the parts that count
    let longest = encoded(&[0.4, 0.0], Radii::Any).bucket();
    let occupied = GroupedBall::occupied(&{
        let mut sum = body.sum();
        body.add(&mut sum, &record);
        sum
    });
    assert_eq!((occupied[0][longest.place()], occupied[0].iter().sum::<u64>()), (1, 1));
    body.reset(&mut record);
    assert_eq!(record.part(2).bucket(), Bucket::INNERMOST, "nothing is left of the record before");
    assert_eq!(sum_of(&body, [&body.vector()]).occupied(), [[0; Bucket::COUNT]], "who is in no group is in no bucket");
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

#[test]
fn records_of_one_group_are_counted_in_it_apart_and_one_that_is_substituted_moves_two_counts() {
    for membership in [Membership::Public, Membership::Private { most: 1 }] {
        let body = GroupedBall::new(3, 2, None, membership).unwrap();
        assert_eq!(body.counted_groups(), 3);
        let record = |group: usize, length: f64| {
            let mut record = body.vector();
            record.part(group).encode(&[length, 0.0]).unwrap();
            record
        };
        let (stays, before, after) = (record(0, 0.9), record(2, 0.2), record(1, 0.05));
        let [one, other] = [&before, &after].map(|record| sum_of(&body, [&stays, record]).occupied());
        assert_eq!(one.iter().map(|group| group.iter().sum::<u64>()).collect::<Vec<_>>(), [1, 0, 1]);
        let moved = one.iter().flatten().zip(other.iter().flatten()).filter(|(one, other)| one != other);
        assert_eq!(moved.count(), 2);
    }
}
