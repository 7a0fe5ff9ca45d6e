//! Parts of a data set, encoded apart and joined.

use crate::common::{ball, budget, curves, encode};
use dpfda_mechanism::{FingerprintKey, Mechanism, Partial, PartialError};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness};
use dpfda_release::{CurveRecord, Mean, PrivateMean};
use dpfda_smoothing::CurveSet;
use ndarray::Axis;

const POINTS: usize = 12;

fn key() -> FingerprintKey {
    FingerprintKey::from_bytes([7; 32])
}

fn plan() -> Mechanism<Mean> {
    of_unit(PrivacyUnit::Subject)
}

fn of_unit(unit: PrivacyUnit) -> Mechanism<Mean> {
    PrivateMean::isonormal(ball(), budget())
        .buying(dpfda_release::BallShares::NONE)
        .mechanism(curves(1, POINTS).grid(), unit, None)
        .unwrap()
}

/// Curves of these subjects, one each, in this order: the curve of subject `i` is row `i` of a fixed table.
fn of_subjects(ids: &[usize]) -> CurveSet {
    let all = curves(40, POINTS);
    CurveSet::new(all.grid().clone(), all.values().select(Axis(0), ids)).unwrap().with_subjects(ids).unwrap()
}

fn part(id: &str, subjects: &[usize]) -> Partial<Mean> {
    encode(&plan(), id, &of_subjects(subjects), &key())
}

/// The release of a part, from a seed.
fn drawn(part: Partial<Mean>) -> dpfda_mechanism::Release<Mean> {
    plan().prepare(part).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(1))
}

/// Joins the other part to `mine`, which must be refused for this reason and leave both as they were.
fn refused(mine: &mut Partial<Mean>, other: Partial<Mean>) -> (PartialError, Partial<Mean>) {
    let refused = mine.merge(other).unwrap_err();
    (refused.reason, *refused.partial)
}

#[test]
fn people_whose_rows_are_split_over_five_blocks_are_refused_and_not_counted_five_times() {
    let (people, visits) = (400, 5);
    let rows = curves(people * visits, POINTS);
    // every block holds one curve of each person
    let ids: Vec<String> = (0..people).map(|person| format!("person {person}")).collect();
    let mechanism = plan();
    let block = |visit: usize| {
        let order: Vec<usize> = (visit * people..(visit + 1) * people).collect();
        let values = rows.values().select(Axis(0), &order);
        let curves = CurveSet::new(rows.grid().clone(), values).unwrap().with_subjects(&ids).unwrap();
        encode(&mechanism, &format!("block {visit}"), &curves, &key())
    };
    let mut joined = block(0);
    for visit in 1..visits {
        assert_eq!(refused(&mut joined, block(visit)).0, PartialError::SameSubject, "block {visit}");
    }
    assert_eq!(drawn(joined).public_records(), Some(400));

    // in parts that hold whole persons the same table has 400 subjects
    let ids: Vec<&String> = ids.iter().cycle().take(people * visits).collect();
    let half = |keep: &dyn Fn(usize) -> bool| {
        let order: Vec<usize> = (0..people * visits).filter(|row| keep(row % people)).collect();
        let ids: Vec<&String> = order.iter().map(|row| ids[*row]).collect();
        CurveSet::new(rows.grid().clone(), rows.values().select(Axis(0), &order)).unwrap().with_subjects(&ids).unwrap()
    };
    let mut joined = encode(&mechanism, "first", &half(&|person| person < 150), &key());
    joined.merge(encode(&mechanism, "second", &half(&|person| person >= 150), &key())).unwrap();
    assert_eq!(drawn(joined).public_records(), Some(400));
}

#[test]
fn the_same_part_twice_is_refused() {
    let mut joined = part("a", &[0, 1, 2]);
    joined.merge(part("b", &[3, 4])).unwrap();
    for (id, subjects) in [("a", [0, 1]), ("b", [3, 4]), ("b", [8, 9])] {
        let (reason, _) = refused(&mut joined, part(id, &subjects));
        assert_eq!(reason, PartialError::SamePart(id.parse().unwrap()));
    }
    // nor does it help to join it to another part first
    let mut other = part("c", &[5]);
    other.merge(part("a", &[6])).unwrap();
    assert_eq!(refused(&mut joined, other).0, PartialError::SamePart("a".parse().unwrap()));
    // parts of curves have no subjects: only their ids tell them apart
    let (mechanism, curves) = (of_unit(PrivacyUnit::Curve), curves(4, POINTS));
    let mut joined = encode(&mechanism, "a", &curves, &key());
    let again = joined.merge(encode(&mechanism, "a", &curves, &key())).unwrap_err();
    assert_eq!(again.reason, PartialError::SamePart("a".parse().unwrap()));
    joined.merge(encode(&mechanism, "b", &curves, &key())).unwrap();
    let drawn = mechanism.prepare(joined).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(1));
    assert_eq!(drawn.public_records(), Some(8));
}

#[test]
fn another_plan_another_key_and_subjects_without_a_key_are_refused_with_their_reasons() {
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE);
    let grid = curves(1, POINTS).grid().clone();
    let more = PrivacyBudget::new(2.0, 1e-5).unwrap();
    let others = [
        PrivateMean::isonormal(ball(), more).buying(dpfda_release::BallShares::NONE),
        settings.clone().neighbours(NeighbouringRelation::AddRemoveOne),
        settings.clone().calibration(dpfda_privacy::Calibration::Classical),
        PrivateMean::cameron_martin(ball(), budget()).penalty(0.1),
    ];
    let mut mine = part("a", &[0, 1, 2]);
    for other in others {
        let mechanism = other.mechanism(&grid, PrivacyUnit::Subject, None).unwrap();
        let theirs = encode(&mechanism, "b", &of_subjects(&[3, 4]), &key());
        assert_eq!(refused(&mut mine, theirs).0, PartialError::OtherPlan);
    }
    let theirs = encode(&plan(), "b", &of_subjects(&[3, 4]), &FingerprintKey::from_bytes([8; 32]));
    assert_eq!(refused(&mut mine, theirs).0, PartialError::OtherKey);
    assert_eq!(refused(&mut mine, untagged("b", &[3, 4])).0, PartialError::Untagged);
    assert_eq!(refused(&mut untagged("b", &[3, 4]), mine).0, PartialError::Untagged);
}

/// A part whose records were added without their subjects.
fn untagged(id: &str, subjects: &[usize]) -> Partial<Mean> {
    let (ball, curves) = (ball(), of_subjects(subjects));
    let mut part = plan().partial(id.parse().unwrap());
    CurveRecord::all(&ball.bound(&curves).unwrap()).for_each(|record| part.add(record).unwrap());
    part
}

#[test]
fn every_refusal_gives_the_part_back_and_leaves_both_as_they_were() {
    let other_plan = || {
        let settings = PrivateMean::isonormal(ball(), PrivacyBudget::new(2.0, 1e-5).unwrap())
            .buying(dpfda_release::BallShares::NONE);
        let mechanism = settings.mechanism(curves(1, POINTS).grid(), PrivacyUnit::Subject, None).unwrap();
        (encode(&mechanism, "b", &of_subjects(&[3, 4]), &key()), mechanism)
    };
    let other_key = || encode(&plan(), "b", &of_subjects(&[3, 4]), &FingerprintKey::from_bytes([8; 32]));
    let mut mine = part("a", &[0, 1, 2]);
    let draw = |mechanism: &Mechanism<Mean>, part| {
        mechanism.prepare(part).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(1))
    };
    for make in [
        &(|| (part("a", &[3, 4]), plan())) as &dyn Fn() -> (Partial<Mean>, Mechanism<Mean>),
        &|| (part("b", &[2, 3]), plan()),
        &|| (untagged("b", &[3, 4]), plan()),
        &|| (other_key(), plan()),
        &other_plan,
    ] {
        let (theirs, mechanism) = make();
        let (_, back) = refused(&mut mine, theirs);
        assert_eq!(draw(&mechanism, back), draw(&mechanism, make().0));
    }
    // the part itself takes what fits it still, and nothing of what was refused is in it
    mine.merge(part("b", &[2 + 1, 4])).unwrap();
    assert_eq!(drawn(mine), drawn(part("whole", &[0, 1, 2, 3, 4])));
}

#[test]
fn a_refused_part_is_not_lost_when_it_is_prepared() {
    let one = part("a", &[0]);
    let refused = plan().prepare(one).unwrap_err();
    assert!(refused.to_string().contains("at least 2 records"), "{refused}");
    let mut one = *refused.partial;
    one.merge(part("b", &[1])).unwrap();
    assert_eq!(drawn(one), drawn(part("whole", &[0, 1])));
    let more =
        PrivateMean::isonormal(ball(), PrivacyBudget::new(2.0, 1e-5).unwrap()).buying(dpfda_release::BallShares::NONE);
    let other = more.mechanism(curves(1, POINTS).grid(), PrivacyUnit::Subject, None).unwrap();
    let refused = other.prepare(part("a", &[0, 1])).unwrap_err();
    assert_eq!(refused.reason, PartialError::OtherPlan);
    assert_eq!(drawn(*refused.partial), drawn(part("a", &[0, 1])));
}

#[test]
fn tags_and_key_are_in_no_document_and_nothing_of_a_part_is_printed() {
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE);
    let document = |key: [u8; 32]| {
        let key = FingerprintKey::from_bytes(key);
        let mut joined = encode(&plan(), "a", &of_subjects(&[0, 1, 2]), &key);
        joined.merge(encode(&plan(), "b", &of_subjects(&[3, 4]), &key)).unwrap();
        let plan = serde_json::to_string(&plan()).unwrap();
        assert_eq!(format!("{joined:?}"), "Partial(..)");
        let viewer = settings.viewer(curves(1, POINTS).grid()).unwrap();
        viewer.view(drawn(joined)).unwrap().to_json().unwrap() + &plan
    };
    // a document that says nothing of the key is the same for every key, and for none
    let whole = settings.release(&of_subjects(&[0, 1, 2, 3, 4]), &mut SeededRandomness::from_seed(1)).unwrap();
    let plan = serde_json::to_string(&plan()).unwrap();
    assert_eq!(document([7; 32]), document([8; 32]));
    assert_eq!(document([7; 32]), whole.to_json().unwrap() + &plan);
}
