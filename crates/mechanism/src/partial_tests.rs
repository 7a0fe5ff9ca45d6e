#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{PrivacyUnit, SeededRandomness};

use super::{Partial, Refused};
use crate::error::{MechanismError, PartialError};
use crate::fingerprint::FingerprintKey;
use crate::mechanism::Mechanism;
use crate::part_id::PartId;
use crate::payable::Payable;
use crate::toy::{Counts, counts, counts_of};

fn key() -> FingerprintKey {
    FingerprintKey::from_bytes([1; 32])
}

/// A part of subjects: the subject `i` is in cell `i mod 3`.
fn part(id: &str, subjects: &[u8]) -> Partial<Counts> {
    part_of(&counts(SubstituteOne), id, subjects, &key())
}

fn part_of(mechanism: &Mechanism<Counts>, id: &str, subjects: &[u8], key: &FingerprintKey) -> Partial<Counts> {
    let mut part = mechanism.partial(id.parse().unwrap());
    for subject in subjects {
        part.add_of(key, &[*subject], usize::from(subject % 3)).unwrap();
    }
    part
}

fn untagged(mechanism: &Mechanism<Counts>, id: &str, cells: &[usize]) -> Partial<Counts> {
    let mut part = mechanism.partial(id.parse().unwrap());
    for cell in cells {
        part.add(*cell).unwrap();
    }
    part
}

/// The fingerprint of the exact sum: the same for the same sum of as many records.
fn sum(part: Partial<Counts>) -> [u8; 32] {
    let mut fingerprinter = key().begin(b"test");
    counts(SubstituteOne).prepare(part).unwrap().fingerprint(&mut fingerprinter);
    fingerprinter.finish()
}

fn refused(mine: &mut Partial<Counts>, other: Partial<Counts>) -> PartialError {
    let Refused { reason, partial } = mine.merge(other).unwrap_err();
    assert!(*partial.records().reveal() <= 9, "the part came back");
    reason
}

#[test]
fn parts_join_in_any_order_and_grouping_to_the_whole() {
    let whole = sum(part("whole", &[0, 1, 2, 3, 4, 5, 6]));
    let parts = || [part("a", &[0, 4]), part("b", &[]), part("c", &[6, 2, 1]), part("d", &[5, 3])];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
        let mut parts = parts().map(Some);
        let mut joined = parts[order[0]].take().unwrap();
        for index in &order[1..] {
            joined.merge(parts[*index].take().unwrap()).unwrap();
        }
        assert_eq!(joined.parts().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(sum(joined), whole);
    }
    let [mut a, mut b, c, d] = parts();
    b.merge(d).unwrap();
    a.merge(c).unwrap();
    a.merge(b).unwrap();
    assert_eq!(sum(a), whole);
}

#[test]
fn a_subject_is_refused_the_second_time_and_nothing_is_added() {
    let mut mine = part("a", &[0, 1]);
    assert_eq!(mine.add_of(&key(), &[1], 2), Err(PartialError::SameSubject));
    assert_eq!(mine.add_of(&FingerprintKey::from_bytes([2; 32]), &[7], 2), Err(PartialError::OtherKey));
    assert_eq!(*mine.records().reveal(), 2);
    assert_eq!(refused(&mut mine, part("b", &[2, 1])), PartialError::SameSubject);
    // whom a refused part holds is not remembered, and whom a joined part holds is
    mine.merge(part("b", &[2])).unwrap();
    assert_eq!(refused(&mut mine, part("c", &[2])), PartialError::SameSubject);
    assert_eq!(mine.add_of(&key(), &[2], 2), Err(PartialError::SameSubject));
    assert_eq!(sum(mine), sum(part("whole", &[0, 1, 2])));
}

#[test]
fn parts_that_are_there_other_plans_and_other_keys_are_refused() {
    let mut mine = part("a", &[0, 1]);
    assert_eq!(refused(&mut mine, part("a", &[4])), PartialError::SamePart("a".parse().unwrap()));
    for plan in [counts(AddRemoveOne), counts_of(SubstituteOne, PrivacyUnit::Curve)] {
        let theirs = part_of(&plan, "b", &[4], &key());
        assert_eq!(theirs.plan(), plan.digest());
        assert_eq!(refused(&mut mine, theirs), PartialError::OtherPlan);
        let foreign = plan.prepare(part("a", &[4, 5])).unwrap_err();
        assert_eq!(foreign.reason, PartialError::OtherPlan);
        assert_eq!(sum(*foreign.partial), sum(part("a", &[4, 5])));
    }
    let theirs = part_of(&counts(SubstituteOne), "b", &[4], &FingerprintKey::from_bytes([2; 32]));
    assert_eq!(refused(&mut mine, theirs), PartialError::OtherKey);
    assert_eq!(sum(mine), sum(part("whole", &[0, 1])));
}

#[test]
fn records_without_a_subject_can_be_joined_only_where_a_record_is_no_subject() {
    let mechanism = counts(SubstituteOne);
    let mut mine = part("a", &[0, 1]);
    assert_eq!(refused(&mut mine, untagged(&mechanism, "b", &[2])), PartialError::Untagged);
    assert_eq!(refused(&mut untagged(&mechanism, "b", &[2]), part("c", &[4])), PartialError::Untagged);
    // one untagged record among tagged ones is enough
    let mut mixed = part("b", &[4]);
    mixed.add(2).unwrap();
    assert_eq!(refused(&mut mine, mixed), PartialError::Untagged);
    // alone it is released
    mechanism.prepare(untagged(&mechanism, "b", &[0, 1])).unwrap();
    let curves = counts_of(SubstituteOne, PrivacyUnit::Curve);
    let mut joined = untagged(&curves, "a", &[0, 1]);
    joined.merge(untagged(&curves, "b", &[1])).unwrap();
    let drawn = curves.prepare(joined).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(0));
    assert_eq!(drawn.public_records(), Some(3));
}

#[test]
fn too_few_records_are_given_back_and_say_so() {
    let refused = counts(SubstituteOne).prepare(part("a", &[0])).unwrap_err();
    let too_few = MechanismError::TooFewRecords { least: 2, found: 1 };
    assert_eq!(refused.reason, PartialError::Mechanism(too_few));
    assert_eq!(refused.to_string(), too_few.to_string());
    let mut again = *refused.partial;
    again.merge(part("b", &[1])).unwrap();
    assert_eq!(sum(again), sum(part("whole", &[0, 1])));
}

#[test]
fn nothing_of_a_part_is_printed() {
    let mut mine = part("a", &[0, 1]);
    let refused = mine.merge(part("b", &[1])).unwrap_err();
    let printed = format!("{mine:?} {refused:?} {:?}", counts(SubstituteOne).prepare(part("c", &[4, 5])).unwrap());
    assert_eq!(printed, "Partial(..) Refused { reason: SameSubject, .. } Prepared(..)");
}

#[test]
fn the_id_of_a_part_fits_on_a_line() {
    for bad in ["", "a\nb", "a\u{202e}b", &"x".repeat(101)] {
        assert!(bad.parse::<PartId>().is_err(), "{bad}");
    }
    assert_eq!("ward 7, 2025".parse::<PartId>().unwrap().to_string(), "ward 7, 2025");
}
