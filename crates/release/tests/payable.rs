//! Releases as a ledger keeps them: noisy integers at fixed width, from which the release is made again.

use crate::common::{ball, budget, curves, smoother};
use dpfda_kernels::KernelName;
use dpfda_mechanism::{Digest, Drawn, LedgerReference, Payable, RestoreError, Stored};
use dpfda_privacy::{Law, MixingLaw, NeighbouringRelation, SeededRandomness};
use dpfda_release::{KeptPath, LinearFunctional, PrivateFunctionals, PrivateMean, PrivatePath};
use dpfda_smoothing::PenalizedMean;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn matern() -> PenalizedMean {
    smoother(KernelName::Matern(2.5), 0.25, 1e-2)
}

fn reference() -> LedgerReference {
    LedgerReference::new("a study", "mean-1".parse().unwrap(), 3, Digest::of(b"an entry")).unwrap()
}

/// Draws what is prepared, restores it from what is stored and checks that both are the same, in as many bytes as were stated
/// beforehand; then that other bytes are refused.
fn round_trip<P: Payable>(prepare: impl Fn() -> P, same: impl Fn(&P::Drawn, &P::Drawn) -> bool) {
    for ledger in [None, Some(reference())] {
        let stated = prepare().stored_len();
        let drawn = prepare().draw(ledger.clone(), &mut SeededRandomness::from_seed(5)).unwrap();
        let stored = drawn.stored();
        assert_eq!(stored.bytes.len() as u64, stated);
        assert!(!stored.private, "a seed was used");
        let restored = prepare().restore(stored.clone(), ledger.clone()).unwrap();
        assert!(same(&drawn, &restored));
        assert_eq!(restored.stored(), stored);

        let refused =
            |bytes: Vec<u8>| prepare().restore(Stored { bytes, ..stored.clone() }, ledger.clone()).err().unwrap();
        for bytes in [vec![], stored.bytes[1..].to_vec(), [&stored.bytes[..], &[0]].concat()] {
            let found = bytes.len() as u64;
            assert_eq!(refused(bytes), RestoreError::Length { expected: stated, found });
        }
    }
}

#[test]
fn a_mean_is_restored_from_its_integers() {
    for neighbours in RELATIONS {
        for settings in [
            PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE),
            PrivateMean::cameron_martin(ball(), budget()),
        ] {
            let settings = settings.smoother(&matern()).neighbours(neighbours);
            let people = curves(6, 9);
            round_trip(|| settings.prepare(&people).unwrap(), |a, b| a == b);
            // a drawn scale, where the law has none
            let prepare = || settings.prepare(&people).unwrap();
            let mut stored = prepare().draw_unrecorded(&mut SeededRandomness::from_seed(5)).stored();
            stored.bytes[0] = 1;
            assert_eq!(prepare().restore(stored, None), Err(RestoreError::Integers));
        }
    }
}

#[test]
fn functionals_are_restored_from_their_integers() {
    let asked = [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Derivative { t: 4.0 }];
    for neighbours in RELATIONS {
        for law in [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 1.5 }] {
            let settings = PrivateFunctionals::new(ball(), 1.0, matern()).unwrap().idealised_arithmetic();
            let settings = settings.noise(law).neighbours(neighbours);
            round_trip(|| settings.prepare(&curves(6, 9), &asked).unwrap(), |a, b| a == b);
        }
    }
}

fn same_path(a: &KeptPath, b: &KeptPath) -> bool {
    a.id() == b.id() && a.release() == b.release()
}

#[test]
fn a_path_is_restored_with_its_id_and_the_random_scale_that_it_drew() {
    for neighbours in RELATIONS {
        let gaussian = PrivatePath::new(ball(), budget(), matern()).neighbours(neighbours);
        round_trip(|| gaussian.prepare(&curves(6, 9)).unwrap(), same_path);
        let settings = gaussian.mixing(MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap());
        let prepare = || settings.prepare(&curves(6, 9)).unwrap();
        round_trip(prepare, same_path);
        let drawn = prepare().draw(None, &mut SeededRandomness::from_seed(5)).unwrap();
        let stored = drawn.stored();
        let restored = prepare().restore(stored.clone(), None).unwrap();
        assert!(restored.release().noise().drawn().is_some());
        let at = [LinearFunctional::Evaluation { t: 3.0 }];
        assert_eq!(restored.publish(&at).unwrap(), drawn.publish(&at).unwrap());
        // 16 bytes of the id, then 8 of the scale: without a scale it is no draw
        for scale in [0, u64::MAX] {
            let mut edited = stored.clone();
            edited.bytes[16..24].copy_from_slice(&scale.to_le_bytes());
            assert_eq!(prepare().restore(edited, None).map(|_| ()), Err(RestoreError::Integers));
        }
    }
}

#[test]
fn what_is_asked_and_the_length_depend_on_no_data() {
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE);
    let (one, other) = (curves(6, 9), curves(7, 9));
    let moved = dpfda_smoothing::CurveSet::new(one.grid().clone(), one.values().mapv(|x| 1.0 - x)).unwrap();
    for neighbours in RELATIONS {
        let settings = settings.clone().neighbours(neighbours);
        let prepared = [&one, &moved, &other].map(|curves| settings.prepare(curves).unwrap());
        for each in &prepared {
            assert_eq!((each.asked(), each.stored_len()), (prepared[0].asked(), prepared[0].stored_len()));
        }
    }
}
