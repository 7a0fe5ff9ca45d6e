//! The same noise gives the same release, bit for bit, whatever the order and partition of the records.

use crate::common::{ball, budget, curves, encode, smoother};
use dpfda_kernels::KernelName;
use dpfda_mechanism::{FingerprintKey, Mechanism, MechanismError, Partial, PartialError};
use dpfda_privacy::{NeighbouringRelation, PrivacyUnit, SeededRandomness, SystemRandomness};
use dpfda_release::{Mean, PrivateMean, ReleaseError};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Axis;
use rand::Rng;

fn settings() -> Vec<PrivateMean> {
    [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne]
        .into_iter()
        .flat_map(|neighbours| {
            let smoother = smoother(KernelName::Matern(1.5), 0.25, 1e-2);
            [
                PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE),
                PrivateMean::cameron_martin(ball(), budget()),
            ]
            .map(|settings| settings.smoother(&smoother).neighbours(neighbours))
        })
        .collect()
}

fn rows(curves: &CurveSet, order: &[usize], ids: &[usize]) -> CurveSet {
    let ids: Vec<usize> = order.iter().map(|&row| ids[row]).collect();
    let values = curves.values().select(Axis(0), order);
    CurveSet::new(curves.grid().clone(), values).unwrap().with_subjects(&ids).unwrap()
}

/// The plan of a release of 20 subjects' curves.
fn plan(settings: &PrivateMean, curves: &CurveSet) -> Mechanism<Mean> {
    settings.mechanism(curves.grid(), curves.unit(), None).unwrap()
}

/// One part of the curves.
fn part(mechanism: &Mechanism<Mean>, id: &str, curves: &CurveSet) -> Partial<Mean> {
    encode(mechanism, id, curves, &FingerprintKey::from_bytes([3; 32]))
}

#[test]
fn order_and_partition_of_the_records_do_not_change_a_bit() {
    let all = curves(60, 30);
    let ids: Vec<usize> = (0..60).map(|row| row * 7 % 20).collect();
    let forwards: Vec<usize> = (0..60).collect();
    let shuffled: Vec<usize> = (0..60).map(|row| row * 37 % 60).collect();
    for settings in settings() {
        let release = |curves: &CurveSet| settings.release(curves, &mut SeededRandomness::from_seed(3)).unwrap();
        let whole = release(&rows(&all, &forwards, &ids)).to_json().unwrap();
        assert_eq!(whole, release(&rows(&all, &shuffled, &ids)).to_json().unwrap());

        // Parts hold whole subjects.
        let mechanism = settings.mechanism(all.grid(), PrivacyUnit::Subject, Some(20)).unwrap();
        let part = |name: &str, keep: &dyn Fn(usize) -> bool| {
            let order: Vec<usize> = shuffled.iter().copied().filter(|&row| keep(ids[row])).collect();
            part(&mechanism, name, &rows(&all, &order, &ids))
        };
        let mut joined = part("a", &|id| id >= 15);
        joined.merge(part("b", &|id| id < 3)).unwrap();
        joined.merge(part("c", &|id| (3..15).contains(&id))).unwrap();
        let prepared = mechanism.prepare(joined).unwrap();
        let joined = prepared.draw_unrecorded(&mut SeededRandomness::from_seed(3));
        let joined = settings.viewer(all.grid()).unwrap().view(joined).unwrap();
        assert_eq!(whole, joined.to_json().unwrap());
    }
}

#[test]
fn parts_of_other_settings_are_refused() {
    let all = settings();
    let data = curves(5, 30);
    let (isonormal, cameron_martin) = (plan(&all[0], &data), plan(&all[1], &data));
    let other_points = curves(5, 31);
    let mut mine = part(&isonormal, "a", &data);
    for (mechanism, curves) in [(&cameron_martin, &data), (&plan(&all[0], &other_points), &other_points)] {
        let refused = mine.merge(part(mechanism, "b", curves)).unwrap_err();
        assert_eq!(refused.reason, PartialError::OtherPlan);
    }
    assert_eq!(cameron_martin.prepare(mine).unwrap_err().reason, PartialError::OtherPlan);
}

#[test]
fn parts_bounded_by_another_ball_or_of_another_unit_are_refused() {
    let other = Ball::new(Center::Constant(0.5), 2.0 * ball().radius()).unwrap();
    let (mine, others) = (
        PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE),
        PrivateMean::isonormal(other, budget()).buying(dpfda_release::BallShares::NONE),
    );
    let curves = curves(5, 30);
    let of_subjects = curves.clone().with_subjects(&[0, 0, 1, 1, 2]).unwrap();
    let mut part_of_mine = part(&plan(&mine, &curves), "a", &curves);
    for (settings, curves) in [(&others, &curves), (&mine, &of_subjects)] {
        let refused = part_of_mine.merge(part(&plan(settings, curves), "b", curves)).unwrap_err();
        assert_eq!(refused.reason, PartialError::OtherPlan);
    }
    assert_eq!(plan(&others, &curves).prepare(part_of_mine).unwrap_err().reason, PartialError::OtherPlan);
}

#[test]
fn private_noise_differs_from_run_to_run_and_says_that_it_is_private() {
    let settings = &settings()[0];
    let draw = || settings.release(&curves(5, 30), &mut SystemRandomness::new().unwrap()).unwrap();
    let (first, second) = (draw(), draw());
    assert_ne!(first.coordinates(), second.coordinates());
    assert!(first.is_private());
    let seeded = settings.release(&curves(5, 30), &mut SeededRandomness::from_seed(0)).unwrap();
    assert!(!seeded.is_private());
}

#[test]
fn one_record_is_refused_only_where_its_number_is_public() {
    for settings in settings() {
        for found in [0, 1] {
            let few = rows(&curves(2, 30), &(0..found).collect::<Vec<_>>(), &[0, 1]);
            let outcome = settings.release(&few, &mut SeededRandomness::from_seed(0)).map(|release| release.units());
            // refusing under add/remove would tell one data set from its neighbour
            if settings.clone().neighbours(NeighbouringRelation::SubstituteOne) == settings {
                let too_few = MechanismError::TooFewRecords { least: 2, found: found as u64 };
                assert_eq!(outcome, Err(ReleaseError::Mechanism(too_few)));
            } else {
                assert!(outcome.is_ok());
            }
        }
    }
}

#[test]
fn a_default_penalty_is_refused_where_the_number_of_records_is_private() {
    let settings = PrivateMean::cameron_martin(ball(), budget());
    let release = |neighbours| {
        settings.clone().neighbours(neighbours).release(&curves(5, 30), &mut SeededRandomness::from_seed(0)).map(|_| ())
    };
    assert_eq!(release(NeighbouringRelation::AddRemoveOne), Err(ReleaseError::PenaltyNeeded));
    assert_eq!(release(NeighbouringRelation::SubstituteOne), Ok(()));
}

#[test]
fn a_kernel_without_a_spectrum_is_refused_before_any_noise_is_drawn() {
    let kernel = dpfda_kernels::Sobolev::new(1e308).unwrap();
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE).kernel(kernel);
    let mut randomness = SeededRandomness::from_seed(0);
    assert!(matches!(settings.release(&curves(5, 30), &mut randomness), Err(ReleaseError::Spectrum(_))));
    assert_eq!(randomness.next_u64(), SeededRandomness::from_seed(0).next_u64(), "no bit was taken");
}
