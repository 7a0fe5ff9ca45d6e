//! The same noise gives the same release, bit for bit, whatever the order and partition of the records.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{ball, budget, curves, smoother};
use dpfda_kernels::KernelName;
use dpfda_privacy::{NeighbouringRelation, SeededRandomness, SystemRandomness};
use dpfda_release::{PrivateMean, ReleaseError};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Axis;
use rand::Rng;

fn settings() -> Vec<PrivateMean> {
    [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne]
        .into_iter()
        .flat_map(|neighbours| {
            let smoother = smoother(KernelName::Matern(1.5), 0.25, 1e-2);
            [PrivateMean::isonormal(ball(), budget()), PrivateMean::cameron_martin(ball(), budget())]
                .map(|settings| settings.smoother(&smoother).neighbours(neighbours))
        })
        .collect()
}

fn rows(curves: &CurveSet, order: &[usize], ids: &[usize]) -> CurveSet {
    let ids: Vec<usize> = order.iter().map(|&row| ids[row]).collect();
    let values = curves.values().select(Axis(0), order);
    CurveSet::new(curves.grid().clone(), values).unwrap().with_subjects(&ids).unwrap()
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
        let part = |keep: &dyn Fn(usize) -> bool| {
            let order: Vec<usize> = shuffled.iter().copied().filter(|&row| keep(ids[row])).collect();
            settings.encode(&rows(&all, &order, &ids)).unwrap()
        };
        let parts: [&dyn Fn(usize) -> bool; 3] = [&|id| id >= 15, &|id| id < 3, &|id| (3..15).contains(&id)];
        let mut joined = part(parts[0]);
        joined.merge(&part(parts[1])).unwrap();
        joined.merge(&part(parts[2])).unwrap();
        let joined = settings.perturb(joined, &mut SeededRandomness::from_seed(3)).unwrap();
        assert_eq!(whole, joined.to_json().unwrap());
    }
}

#[test]
fn parts_of_other_settings_are_refused() {
    let all = settings();
    let (isonormal, cameron_martin) = (&all[0], &all[1]);
    let mut part = isonormal.encode(&curves(5, 30)).unwrap();
    assert_eq!(part.merge(&cameron_martin.encode(&curves(5, 30)).unwrap()), Err(ReleaseError::PartsDiffer));
    assert_eq!(part.merge(&isonormal.encode(&curves(5, 31)).unwrap()), Err(ReleaseError::PartsDiffer));
    let refused = cameron_martin.perturb(part, &mut SeededRandomness::from_seed(0));
    assert_eq!(refused.unwrap_err(), ReleaseError::PartsDiffer);
}

#[test]
fn parts_bounded_by_another_ball_or_of_another_unit_are_refused() {
    let other = Ball::new(Center::Constant(0.5), 2.0 * ball().radius()).unwrap();
    let (mine, others) = (PrivateMean::isonormal(ball(), budget()), PrivateMean::isonormal(other, budget()));
    let curves = curves(5, 30);
    let mut part = mine.encode(&curves).unwrap();
    assert_eq!(part.merge(&others.encode(&curves).unwrap()), Err(ReleaseError::PartsDiffer));
    let of_subjects = curves.clone().with_subjects(&[0, 0, 1, 1, 2]).unwrap();
    assert_eq!(part.merge(&mine.encode(&of_subjects).unwrap()), Err(ReleaseError::PartsDiffer));
    let refused = others.perturb(part, &mut SeededRandomness::from_seed(0));
    assert_eq!(refused.unwrap_err(), ReleaseError::PartsDiffer);
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
                assert_eq!(outcome, Err(ReleaseError::TooFewRecords { found }));
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
    let settings = PrivateMean::isonormal(ball(), budget()).kernel(kernel);
    let mut randomness = SeededRandomness::from_seed(0);
    assert!(matches!(settings.release(&curves(5, 30), &mut randomness), Err(ReleaseError::Spectrum(_))));
    assert_eq!(randomness.next_u64(), SeededRandomness::from_seed(0).next_u64(), "no bit was taken");
}
