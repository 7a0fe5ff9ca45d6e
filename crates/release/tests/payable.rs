//! What a ledger keeps of a path, and what no data decide, beside the laws of all kinds in `tests/kinds.rs`.

use crate::common::{ball, budget, curves, smoother};
use dpfda_kernels::KernelName;
use dpfda_mechanism::{Drawn, Payable, RestoreError};
use dpfda_privacy::{MixingLaw, NeighbouringRelation, SeededRandomness};
use dpfda_release::{LinearFunctional, PrivateMean, PrivatePath};
use dpfda_smoothing::PenalizedMean;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn matern() -> PenalizedMean {
    smoother(KernelName::Matern(2.5), 0.25, 1e-2)
}

#[test]
fn a_path_is_restored_with_its_id_and_the_random_scale_that_it_drew() {
    for neighbours in RELATIONS {
        let gaussian = PrivatePath::new(ball(), budget(), matern()).neighbours(neighbours);
        let settings = gaussian.mixing(MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap());
        let prepare = || settings.prepare(&curves(6, 9)).unwrap();
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
