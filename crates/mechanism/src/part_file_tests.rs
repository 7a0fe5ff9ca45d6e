#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::SubstituteOne;
use dpfda_privacy::{
    Body, ClippedBall, ClippedMoments, Emphasis, EuclideanBall, ExactSum, LatticeError, OneHot, ProductsOf, Radii,
};

use super::{PartError, PartFile};
use crate::error::PartialError;
use crate::fingerprint::FingerprintKey;
use crate::members::Members;
use crate::part_id::PartId;
use crate::partial::Partial;
use crate::payable::Payable;
use crate::toy::{Counts, counts};

fn part(id: &str, subjects: &[u8]) -> Partial<Counts> {
    let mut part = counts(SubstituteOne).partial(id.parse().unwrap());
    for subject in subjects {
        part.add_of(&FingerprintKey::from_bytes([1; 32]), &[*subject], usize::from(subject % 3)).unwrap();
    }
    part
}

fn bytes(part: &Partial<Counts>) -> Vec<u8> {
    part.reveal().reveal().clone()
}

fn fingerprint(part: Partial<Counts>) -> [u8; 32] {
    let mut fingerprinter = FingerprintKey::from_bytes([2; 32]).begin(b"test");
    counts(SubstituteOne).prepare(part).unwrap().fingerprint(&mut fingerprinter);
    fingerprinter.finish()
}

#[test]
fn a_part_that_travelled_is_the_part() {
    let there = bytes(&part("a", &[0, 4, 6]));
    let back = Partial::<Counts>::read(&there).unwrap();
    assert_eq!(bytes(&back), there);
    assert_eq!(fingerprint(back), fingerprint(part("a", &[0, 4, 6])));
}

#[test]
fn parts_that_travelled_join_as_others_do() {
    let read = |part: &Partial<Counts>| Partial::<Counts>::read(&bytes(part)).unwrap();
    let mut joined = read(&part("a", &[0, 4]));
    joined.merge(read(&part("b", &[1, 2]))).unwrap();
    let refused = |joined: &mut Partial<Counts>, other| joined.merge(other).unwrap_err().reason;
    assert_eq!(refused(&mut joined, read(&part("b", &[5]))), PartialError::SamePart("b".parse().unwrap()));
    assert_eq!(refused(&mut joined, read(&part("c", &[4]))), PartialError::SameSubject);
    assert_eq!(fingerprint(joined), fingerprint(part("whole", &[0, 1, 2, 4])));
}

#[test]
fn a_part_that_was_cut_or_changed_anywhere_is_refused() {
    let whole = bytes(&part("a", &[0, 4, 6]));
    for length in 0..whole.len() {
        let refused = Partial::<Counts>::read(&whole[..length]).unwrap_err();
        assert!(matches!(refused, PartError::NoPart | PartError::Damaged), "{length}: {refused}");
    }
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        assert!(Partial::<Counts>::read(&changed).is_err(), "{place}");
    }
    let longer = [&whole[..], b"\0"].concat();
    assert_eq!(Partial::<Counts>::read(&longer).unwrap_err(), PartError::Damaged);
    assert_eq!(PartFile::from_bytes(b"ID,fa_1\n").err(), Some(PartError::NoPart));
}

#[test]
fn a_part_without_a_plan_of_its_kind_is_refused() {
    let file = part("a", &[0]).to_file("{}".to_owned());
    let refused = Partial::<Counts>::read(file.to_bytes().reveal()).unwrap_err();
    assert!(matches!(refused, PartError::Plan { .. }), "{refused}");
}

#[test]
fn sums_that_no_records_have_are_refused() {
    let possible = |body: OneHot, totals: &[i64], records| ExactSum::restored(body, totals, records).is_ok();
    let cells = OneHot::new(3, 4).unwrap();
    assert!(possible(cells, &[4, 0, 8], 3));
    for (totals, records) in
        [(&[4, 0, 8][..], 2), (&[4, 0, 7], 3), (&[-4, 0, 8], 3), (&[4, 0], 1), (&[i64::MAX, 4, 4], 9)]
    {
        assert!(!possible(cells, totals, records), "{totals:?} {records}");
    }
    let ball = EuclideanBall::new(2).unwrap();
    let radius = 1_i64 << 22;
    assert!(ExactSum::restored(ball, &[2 * radius, 0], 2).is_ok());
    for totals in [[2 * radius, 1], [i64::MIN, 0], [i64::MAX, i64::MAX]] {
        assert_eq!(ExactSum::restored(ball, &totals, 2).err(), Some(LatticeError::Impossible), "{totals:?}");
    }
}

#[test]
fn sums_with_moments_travel_and_impossible_ones_are_refused() {
    let moments = ClippedMoments { emphasis: Emphasis::Mean, of: ProductsOf::First(2) };
    let body = ClippedBall::new(3, Radii::Any, Some(moments)).unwrap();
    let (mut sum, mut vector) = (ExactSum::new(body.clone()), body.vector());
    for z in [[0.5, -0.5, 0.1], [0.0, 0.9, 0.4], [1.0, 0.0, 0.0]] {
        vector.encode(&z).unwrap();
        sum.add(&vector).unwrap();
    }
    let exact = sum.reveal().reveal().clone();
    let restored = |totals: &[i128]| ExactSum::restored(body.clone(), totals, 3);
    assert_eq!(*restored(&exact).unwrap().reveal().reveal(), exact);
    // a count, an energy, a coordinate and products of the first bucket
    for (place, value) in [(0, 4), (1, -1), (2, 1 << 40), (5, -1), (6, 1 << 60), (7, 1 << 60)] {
        let mut changed = exact.clone();
        changed[place] = value;
        assert!(restored(&changed).is_err(), "{place}");
    }
    assert!(restored(&exact[1..]).is_err());
    let mut file = PartFile::new(String::new(), Members::of(PartId::whole()));
    file.push(&sum);
    let mut file = PartFile::from_bytes(file.to_bytes().reveal()).unwrap();
    assert_eq!(*file.take(body.clone()).unwrap().reveal().reveal(), exact);
    assert_eq!(file.take(body).err(), Some(PartError::OtherPlan));
}
