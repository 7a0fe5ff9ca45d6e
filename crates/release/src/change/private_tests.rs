#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::{BallShares, Statistic};
use dpfda_privacy::NeighbouringRelation::{self, AddRemoveOne, SubstituteOne};
use dpfda_privacy::{PrivacyBudget, SeededRandomness};
use dpfda_smoothing::Center;
use ndarray::Array2;

use super::*;
use crate::mean::private::PrivateMean;

const POINTS: usize = 9;

fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 1e-5).unwrap()
}

fn plan(relation: NeighbouringRelation) -> PrivateChange {
    let of = ChangeOf::Visits { column: "visit".to_owned(), from: "1".to_owned(), to: "2".to_owned() };
    PrivateChange::new(Ball::new(Center::Constant(0.0), 0.3).unwrap(), budget(), of).neighbours(relation)
}

/// People of whom the first ones come again, 0.1 lower.
fn people(records: usize, again: usize) -> (CurveSet, TextColumn) {
    let values = Array2::from_shape_fn((records + again, POINTS), |(row, k)| {
        let (person, is_later) = if row < records { (row, 0.0) } else { (row - records, 1.0) };
        0.5 + 0.02 * ((person * 5 + k) % 7) as f64 - is_later * (0.1 + 0.01 * (person % 3) as f64 - 0.01)
    });
    let owners: Vec<usize> = (0..records).chain(0..again).collect();
    let visits = (0..records + again).map(|row| Some(if row < records { "1" } else { "2" }.to_owned()));
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    (curves.with_subjects(&owners).unwrap(), TextColumn::new(visits.collect()))
}

#[test]
fn presence_and_second_moments_take_no_noise_from_the_change() {
    let plan = plan(SubstituteOne).buying(BallShares::NONE);
    let (curves, visits) = people(400, 300);
    let change = plan.prepare(&curves, &visits).unwrap();
    let alone = PrivateMean::isonormal(Ball::new(Center::Constant(0.0), 0.3).unwrap(), budget());
    let alone = alone.moments(MomentsChoice::None).buying(BallShares::NONE).prepare(&curves).unwrap();
    assert!(change.mechanism().statistic().mean().moments().is_some());
    // what rounding adds to both bounds is not the same
    let ratio = change.mechanism().noise().sd() / alone.mechanism().noise().sd();
    assert!((ratio - 1.0).abs() < 3e-4, "{ratio}");
    // 2 sqrt(2/5) / mu of people with second moments, 2 / (sqrt(3) mu) without
    let mu = plan.terms.gaussian().unwrap().mu();
    let sd = |change: &Mechanism<Change>| change.statistic().count_sd(change.noise()) * mu;
    assert!((sd(change.mechanism()) - 2.0 * 0.4_f64.sqrt()).abs() < 1e-3);
    let without = plan.moments(MomentsChoice::None).prepare(&curves, &visits).unwrap();
    assert!((sd(without.mechanism()) - 2.0 / 3.0_f64.sqrt()).abs() < 1e-3);
}

#[test]
fn a_release_tells_the_mean_change_of_those_who_have_one_and_their_number() {
    for relation in [SubstituteOne, AddRemoveOne] {
        let (curves, visits) = people(6000, 4000);
        let release = plan(relation).release(&curves, &visits, &mut SeededRandomness::from_seed(3)).unwrap();
        let change = Change::groups(&release).remove(0);
        assert!((change.records - 4000.0).abs() < 5.0 * change.records_sd && change.records_sd < 10.0);
        let mean = change.whitened.sum() / (POINTS as f64).sqrt();
        assert!((mean + 0.1).abs() < 0.01 || release.statistic().mean().map().is_some(), "{mean}");
        let again = Release::<Change>::from_json(&release.to_json().unwrap()).unwrap();
        assert_eq!((again.statistic(), Change::groups(&again)), (release.statistic(), Change::groups(&release)));
    }
}

#[test]
fn who_has_both_visits_changes_no_refusal_and_no_public_number() {
    for relation in [SubstituteOne, AddRemoveOne] {
        let public = |again: usize| {
            let (curves, visits) = people(300, again);
            let release = plan(relation).release(&curves, &visits, &mut SeededRandomness::from_seed(1)).unwrap();
            (release.plan(), release.public_records(), release.noise().clone(), release.mechanism().statistic().facts())
        };
        // nobody, one, and all of them
        assert!([1, 299, 300].into_iter().all(|again| public(again) == public(0)));
    }
}

#[test]
fn too_few_people_are_refused_by_public_numbers_and_under_add_remove_nobody_is() {
    let mechanism = plan(SubstituteOne).mechanism(&Grid::uniform(0.0, 1.0, POINTS).unwrap(), Some(5)).unwrap();
    let least = Change::least_records(&mechanism.of_records(5).unwrap()).unwrap();
    // 4 * 2 sqrt(2/5) / .2681
    assert_eq!(least, 19);
    for again in [0, 5, 18] {
        let (curves, visits) = people(18, again);
        let refused = plan(SubstituteOne).prepare(&curves, &visits).err();
        assert_eq!(refused, Some(ChangeError::TooFew { records: 18, least }));
        assert!(plan(AddRemoveOne).prepare(&curves, &visits).is_ok());
    }
    let (curves, visits) = people(19, 0);
    assert!(plan(SubstituteOne).prepare(&curves, &visits).is_ok());
    assert_eq!(Change::least_records(&plan(AddRemoveOne).mechanism(curves.grid(), None).unwrap()), None);
}

#[test]
fn curves_of_nobody_and_cells_of_other_curves_are_refused() {
    let (curves, visits) = people(300, 200);
    let cells = |number: usize| TextColumn::new(vec![None; number]);
    let refused = plan(SubstituteOne).prepare(&curves, &cells(499)).err();
    assert_eq!(refused, Some(ChangeError::Cells { curves: 500, cells: 499 }));
    let alone = CurveSet::new(curves.grid().clone(), curves.values().to_owned()).unwrap();
    assert_eq!(plan(SubstituteOne).prepare(&alone, &visits).err(), Some(ChangeError::NoSubjects));
    let refused = plan(SubstituteOne).moments(MomentsChoice::Covariance).prepare(&curves, &visits).err();
    assert_eq!(refused, Some(ChangeError::Groups(GroupsError::Emphasis)));
}
