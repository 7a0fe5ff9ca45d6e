#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Law, MixingLaw, SeededRandomness, SystemRandomness};

use super::Prepared;
use crate::digest::Digest;
use crate::fingerprint::FingerprintKey;
use crate::payable::{Drawn, Payable, RestoreError, Stored};
use crate::reference::LedgerReference;
use crate::toy::{Counts, RELATIONS, Vectors, counts, vectors, words};

fn seed() -> SeededRandomness {
    SeededRandomness::from_seed(9)
}

fn random_scale() -> Law {
    Law::RandomScale { mixing: MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap() }
}

fn prepared(law: &Law, neighbours: dpfda_privacy::NeighbouringRelation) -> Prepared<Vectors> {
    vectors(neighbours, law.clone()).prepare_all(&[[0.5, 0.1], [-0.3, 0.9]]).unwrap()
}

#[test]
fn what_was_drawn_is_restored_from_as_many_bytes_as_were_stated() {
    for neighbours in RELATIONS {
        for law in [Law::GAUSSIAN, Law::DiscreteLaplace {}, Law::KNorm {}, random_scale()] {
            let prepare = || prepared(&law, neighbours);
            let reference = LedgerReference::new("a study", "v-1".parse().unwrap(), 3, Digest::of(b"entry")).unwrap();
            let stated = prepare().stored_len();
            assert_eq!(stated, 8 + 8 * words(prepare().mechanism()));
            let drawn = prepare().draw(Some(reference.clone()), &mut seed()).unwrap();
            let stored = drawn.stored();
            assert_eq!(stored.bytes.len() as u64, stated);
            let restored = prepare().restore(stored.clone(), Some(reference)).unwrap();
            assert_eq!((&restored, restored.stored()), (&drawn, stored));
        }
    }
}

#[test]
fn bytes_that_no_draw_gives_are_refused() {
    let restore = |law: &Law, edit: &dyn Fn(&mut Stored)| {
        let mut stored = prepared(law, SubstituteOne).draw_unrecorded(&mut seed()).stored();
        edit(&mut stored);
        prepared(law, SubstituteOne).restore(stored, None).map(|_| ())
    };
    let scale = |scale: u64| move |stored: &mut Stored| stored.bytes[..8].copy_from_slice(&scale.to_le_bytes());
    for law in [Law::GAUSSIAN, random_scale()] {
        for (edit, found) in [(&|stored: &mut Stored| stored.bytes.clear()) as &dyn Fn(&mut Stored), &|stored| {
            stored.bytes.push(0);
        }]
        .into_iter()
        .zip([0, 25])
        {
            assert_eq!(restore(&law, edit), Err(RestoreError::Length { expected: 24, found }));
        }
        assert_eq!(restore(&law, &scale(u64::MAX)), Err(RestoreError::Integers));
    }
    // a scale where there is none to draw, and none where there is
    assert_eq!(restore(&Law::GAUSSIAN, &scale(5)), Err(RestoreError::Integers));
    assert_eq!(restore(&random_scale(), &scale(0)), Err(RestoreError::Integers));
    assert_eq!(restore(&Law::GAUSSIAN, &scale(0)), Ok(()));
}

#[test]
fn what_is_asked_is_public_and_the_fingerprint_is_of_the_exact_sum() {
    let of = |cells: &[usize]| counts(AddRemoveOne).prepare_all(cells.to_vec()).unwrap();
    let asked = of(&[0, 1]).asked();
    assert_eq!((asked.kind, asked.plan), ("counts", counts(AddRemoveOne).digest()));
    assert_eq!((asked.guarantee, &asked.spend), (*counts(AddRemoveOne).guarantee(), &counts(AddRemoveOne).spend()));
    let fingerprint = |prepared: &Prepared<Counts>| {
        let mut fingerprinter = FingerprintKey::from_bytes([1; 32]).begin(b"test");
        prepared.fingerprint(&mut fingerprinter);
        fingerprinter.finish()
    };
    let one = fingerprint(&of(&[0, 1, 1]));
    assert_eq!(one, fingerprint(&of(&[1, 0, 1])), "the order of the records does not matter");
    for other in [of(&[0, 1]), of(&[0, 0, 1]), of(&[0, 1, 1, 2]), of(&[])] {
        assert_eq!((other.asked(), other.stored_len()), (asked.clone(), of(&[]).stored_len()));
        assert_ne!(fingerprint(&other), one);
    }
}

#[test]
fn a_draw_from_a_seed_is_repeated_and_stamped_and_a_private_one_is_neither() {
    let seeded = || prepared(&Law::GAUSSIAN, SubstituteOne).draw_unrecorded(&mut seed());
    assert!(seeded() == seeded() && !seeded().is_private() && !seeded().stored().private);
    let secret = || prepared(&Law::GAUSSIAN, SubstituteOne).draw_unrecorded(&mut SystemRandomness::new().unwrap());
    assert!(secret() != secret() && secret().is_private());
    assert!(seeded().software().starts_with("dpfda "));
}

#[test]
fn a_random_scale_may_be_drawn_before_the_rest() {
    let mut randomness = seed();
    let first = prepared(&random_scale(), SubstituteOne).realised(&mut randomness);
    let in_two = first.draw_unrecorded(&mut randomness);
    assert!(in_two.noise().is_settled());
    assert_eq!(in_two, prepared(&random_scale(), SubstituteOne).draw_unrecorded(&mut seed()));
}
