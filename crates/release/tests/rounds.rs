//! A centre that is bought from curves which are encoded twice.

use std::num::NonZeroUsize;

use crate::common::{ball, budget, curves};
use dpfda_kernels::Grid;
use dpfda_mechanism::{AgainError, FingerprintKey, PartError, PartId, Payable, Release, RestoreError, Stored};
use dpfda_privacy::{NeighbouringRelation, PrivacyUnit, SeededRandomness};
use dpfda_release::{BallShares, EncodeError, Mean, Part, Plan, PrivateMean, ReleaseError};
use dpfda_smoothing::CurveSet;
use ndarray::{Array2, ArrayView2};
use serde_json::Value;

const POINTS: usize = 12;
const CURVES: usize = 600;

fn settings(center: Option<f64>, radius: Option<f64>) -> PrivateMean {
    PrivateMean::isonormal(ball(), budget()).buying(BallShares::new(center, radius).unwrap())
}

fn seed() -> SeededRandomness {
    SeededRandomness::from_seed(5)
}

/// The subject of a row: some have one curve, some have many.
fn subject(row: usize) -> String {
    format!("person {}", row % 7 * (row % 90))
}

fn data(unit: PrivacyUnit) -> CurveSet {
    let all = curves(CURVES, POINTS);
    match unit {
        PrivacyUnit::Curve => all,
        PrivacyUnit::Subject => all.with_subjects(&(0..CURVES).map(subject).collect::<Vec<_>>()).unwrap(),
    }
}

/// The rows of a data set in an order, by as many encoders.
fn encoded(plan: &Plan<Mean>, curves: &CurveSet, order: &[usize], encoders: usize) -> Part<Mean> {
    let mut all: Vec<_> = (0..encoders).map(|_| plan.encoder(PartId::whole(), None)).collect();
    for (place, &row) in order.iter().enumerate() {
        let curve = curves.values().row(row).to_vec();
        let encoder = &mut all[place % encoders];
        match plan.unit() {
            PrivacyUnit::Curve => encoder.push(&curve).unwrap(),
            PrivacyUnit::Subject => encoder.push_of(subject(row).as_bytes(), &curve).unwrap(),
        }
    }
    let mut all = all.into_iter();
    let mut whole = all.next().unwrap();
    all.for_each(|encoder| whole.absorb(encoder).unwrap());
    whole.finish().unwrap()
}

fn forwards() -> Vec<usize> {
    (0..CURVES).collect()
}

#[test]
fn a_centre_from_curves_that_are_encoded_twice_has_the_bits_of_curves_in_memory() {
    let backwards: Vec<usize> = (0..CURVES).rev().collect();
    for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
        let curves = data(unit);
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            for (radius, slope) in [(None, None), (Some(0.05), None), (Some(0.05), Some(3.0))] {
                let settings = settings(Some(0.1), radius).neighbours(neighbours);
                let settings = slope.map_or(settings.clone(), |slope| settings.slope(slope));
                let in_memory = settings.prepare(&curves).unwrap().draw_unrecorded(&mut seed());
                let plan = settings.plan(curves.grid(), unit).unwrap();
                let again = |plan: &Plan<Mean>| Ok(encoded(plan, &curves, &backwards, 3));
                let prepared = encoded(&plan, &curves, &forwards(), 1).prepare_twice(&plan, again).unwrap();
                let twice = prepared.draw(None, &mut seed()).unwrap();
                assert!(twice.answers().center().is_some());
                assert_eq!(twice, in_memory, "{unit:?} {neighbours:?} {radius:?}");
            }
        }
    }
}

#[test]
fn answers_that_are_drawn_apart_are_those_that_are_drawn_at_once() {
    let curves = data(PrivacyUnit::Curve);
    let settings = settings(Some(0.1), Some(0.05));
    let plan = settings.plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let prepare = || {
        let again = |plan: &Plan<Mean>| Ok(encoded(plan, &curves, &forwards(), 1));
        encoded(&plan, &curves, &forwards(), 1).prepare_twice(&plan, again).unwrap()
    };
    let at_once = prepare().draw(None, &mut seed()).unwrap();
    let (mut apart, mut randomness) = (prepare(), seed());
    let length = apart.first_len().unwrap();
    let first = apart.draw_first(&mut randomness).unwrap();
    assert_eq!(first.bytes.len() as u64, length);
    apart.go_on(&first).unwrap();
    assert_eq!((apart.first_len(), apart.draw_first(&mut randomness)), (None, None), "drawn once");
    assert_eq!(apart.draw(None, &mut randomness).unwrap(), at_once);
    // after a stop: the first answer from the ledger, the rest from other noise
    let mut resumed = prepare();
    resumed.go_on(&first).unwrap();
    let resumed = resumed.draw(None, &mut SeededRandomness::from_seed(77)).unwrap();
    assert_eq!(resumed.answers().center(), at_once.answers().center());
    assert_ne!(resumed, at_once);
    let mut short = first.clone();
    short.bytes.pop();
    let refused = prepare().go_on(&short).unwrap_err();
    assert_eq!(refused, RestoreError::Length { expected: length, found: length - 1 }.into());
}

#[test]
fn rows_that_changed_between_the_rounds_are_refused_in_one_sentence() {
    for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
        let curves = data(unit);
        let plan = settings(Some(0.1), Some(0.05)).plan(curves.grid(), unit).unwrap();
        let mut values = curves.values().to_owned();
        values[[17, 3]] += 1e-9;
        let changed = CurveSet::new(curves.grid().clone(), values).unwrap();
        let doubled: Vec<usize> = forwards().into_iter().chain([4]).collect();
        let fewer = forwards()[1..].to_vec();
        let other: [(&CurveSet, &[usize]); 4] =
            [(&changed, &forwards()), (&curves, &doubled), (&curves, &fewer), (&curves, &[])];
        for (curves_then, order) in other {
            let again = |plan: &Plan<Mean>| Ok(encoded(plan, curves_then, order, 1));
            let prepared = encoded(&plan, &curves, &forwards(), 1).prepare_twice(&plan, again).unwrap();
            assert_eq!(prepared.draw(None, &mut seed()).unwrap_err(), AgainError::Changed);
        }
        let unread = |_: &Plan<Mean>| Err(AgainError::Unread { reason: EncodeError::Grid.to_string() });
        let prepared = encoded(&plan, &curves, &forwards(), 1).prepare_twice(&plan, unread).unwrap();
        let refused = prepared.draw(None, &mut seed()).unwrap_err();
        assert!(refused.to_string().ends_with("on another grid than the plan"), "{refused}");
    }
}

#[test]
fn a_second_round_by_another_plan_is_refused() {
    let curves = data(PrivacyUnit::Curve);
    let plan = settings(Some(0.1), None).plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    // the plan of the first round in place of the one that was given
    let again = |_: &Plan<Mean>| Ok(encoded(&plan, &curves, &forwards(), 1));
    let prepared = encoded(&plan, &curves, &forwards(), 1).prepare_twice(&plan, again).unwrap();
    assert_eq!(prepared.draw(None, &mut seed()).unwrap_err(), AgainError::OtherCenter);
}

/// The data in three parts that travelled, and were joined.
fn in_parts(plan: &Plan<Mean>, curves: &CurveSet) -> Part<Mean> {
    let key = (plan.unit() == PrivacyUnit::Subject).then(|| FingerprintKey::from_bytes([3; 32]));
    let mut parts = (0..3).map(|site| {
        let mut encoder = plan.encoder(format!("site {site}").parse().unwrap(), key.clone());
        for (row, curve) in curves.values().rows().into_iter().enumerate() {
            let (subject, curve) = (subject(row), curve.to_vec());
            match plan.unit() {
                PrivacyUnit::Curve if row % 3 == site => encoder.push(&curve).unwrap(),
                PrivacyUnit::Subject if subject.len() % 3 == site => {
                    encoder.push_of(subject.as_bytes(), &curve).unwrap();
                }
                _ => {}
            }
        }
        Part::read_by(plan, encoder.finish().unwrap().reveal().reveal()).unwrap()
    });
    let mut joined = parts.next().unwrap();
    parts.for_each(|part| joined.merge(part).unwrap());
    joined
}

/// The answer that buys a centre, and the second plan as it travels.
fn first_step(plan: &Plan<Mean>, curves: &CurveSet, answer: Option<&Stored>) -> (Stored, String) {
    let mut about = None;
    let mut prepared = in_parts(plan, curves)
        .prepare_twice(plan, |plan: &Plan<Mean>| {
            about = Some(serde_json::to_string_pretty(plan).unwrap());
            Err(AgainError::Awaited)
        })
        .unwrap();
    let answer = answer.cloned().unwrap_or_else(|| prepared.draw_first(&mut seed()).unwrap());
    assert_eq!(prepared.go_on(&answer).unwrap_err(), AgainError::Awaited);
    drop(prepared);
    (answer, about.unwrap())
}

fn second_step(first: Part<Mean>, again: Part<Mean>) -> Result<Release<Mean>, AgainError> {
    let (plan, mut again) = (first.plan().clone(), Some(again));
    first.prepare_twice(&plan, move |_| again.take().ok_or(AgainError::Awaited)).unwrap().draw(None, &mut seed())
}

#[test]
fn parts_that_are_encoded_in_two_steps_have_the_bits_of_curves_in_memory() {
    for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            for shares in [BallShares::new(Some(0.1), None).unwrap(), BallShares::new(Some(0.1), Some(0.05)).unwrap()] {
                let curves = data(unit);
                let settings =
                    PrivateMean::isonormal(ball(), budget()).neighbours(neighbours).buying(shares.if_enough());
                let plan = settings.plan(curves.grid(), unit).unwrap();
                let about: Plan<Mean> = serde_json::from_str(&first_step(&plan, &curves, None).1).unwrap();
                assert!(about.is_second() && *about.first() == plan && about != plan);
                let release = second_step(in_parts(&plan, &curves), in_parts(&about, &curves)).unwrap();
                let in_memory = settings.prepare(&curves).unwrap().draw_unrecorded(&mut seed());
                assert_eq!(release, in_memory, "{unit:?} {neighbours:?} {shares:?}");
                assert_eq!(plan.about_center_of(&release).unwrap(), about);
            }
        }
    }
}

#[test]
fn a_second_plan_depends_on_no_data_beyond_the_answer() {
    let curves = data(PrivacyUnit::Curve);
    let plan = settings(Some(0.1), Some(0.05)).plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let (answer, about) = first_step(&plan, &curves, None);
    let others = CurveSet::new(curves.grid().clone(), curves.values().mapv(|x| 1.0 - 3.0 * x)).unwrap();
    assert_eq!(first_step(&plan, &others, Some(&answer)).1, about);
    assert_ne!(first_step(&plan, &others, None).1, about);
}

#[test]
fn changed_parts_and_parts_about_another_centre_are_refused() {
    let curves = data(PrivacyUnit::Curve);
    let plan = settings(Some(0.1), Some(0.05)).plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let about = |curves: &CurveSet| serde_json::from_str(&first_step(&plan, curves, None).1).unwrap();
    let (about, mut values) = (about(&curves), curves.values().to_owned());
    values[[17, 3]] += 1e-9;
    let changed = CurveSet::new(curves.grid().clone(), values.clone()).unwrap();
    let refused = second_step(in_parts(&plan, &curves), in_parts(&about, &changed)).unwrap_err();
    assert_eq!(refused, AgainError::Changed);
    values.fill(0.1);
    let others = CurveSet::new(curves.grid().clone(), values).unwrap();
    let other: Plan<Mean> = serde_json::from_str(&first_step(&plan, &others, None).1).unwrap();
    let refused = second_step(in_parts(&plan, &curves), in_parts(&other, &curves)).unwrap_err();
    assert_eq!(refused, AgainError::OtherCenter);
    // a part of another centre is of another plan
    let part = in_parts(&other, &curves).reveal();
    assert_eq!(Part::read_by(&about, part.reveal()).unwrap_err(), PartError::OtherPlan);
    assert!(in_parts(&plan, &curves).merge(in_parts(&about, &curves)).is_err(), "of two steps");
}

#[test]
fn a_second_plan_that_no_centre_gives_is_refused() {
    let curves = data(PrivacyUnit::Curve);
    let plan = settings(Some(0.1), Some(0.05)).plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let about: Value = serde_json::from_str(&first_step(&plan, &curves, None).1).unwrap();
    let edits: [(&str, &str, Value); 5] = [
        ("/about/statistic/ball/radius", "about.statistic", 0.4.into()),
        ("/about/statistic/grid", "about.statistic", serde_json::to_value(data_grid()).unwrap()),
        ("/about/shares/radius", "about.shares", 0.06.into()),
        ("/about/privacy/epsilon", "about", 7.0.into()),
        ("/mechanism/shares/center", "about.shares", Value::Null),
    ];
    for (place, field, value) in edits {
        let mut edited = about.clone();
        *edited.pointer_mut(place).unwrap_or_else(|| panic!("{place} in {about}")) = value;
        let refused = serde_json::from_value::<Plan<Mean>>(edited).unwrap_err().to_string();
        assert!(refused.contains(&format!("`{field}`")) || refused.contains(field), "{place}: {refused}");
    }
}

/// Another grid of as many points.
fn data_grid() -> Grid {
    Grid::uniform(0.0, 2.0, POINTS).unwrap()
}

#[test]
fn a_plan_is_prepared_for_as_many_rounds_as_it_has() {
    let curves = data(PrivacyUnit::Curve);
    let plan = |center| settings(center, None).plan(curves.grid(), PrivacyUnit::Curve).unwrap();
    let refused = encoded(&plan(Some(0.1)), &curves, &forwards(), 1).prepare(&plan(Some(0.1))).unwrap_err();
    assert_eq!(refused.reason, ReleaseError::CenterNeedsSteps);
    let never = |_: &Plan<Mean>| Err(AgainError::Changed);
    let refused = encoded(&plan(None), &curves, &forwards(), 1).prepare_twice(&plan(None), never).unwrap_err();
    assert_eq!(refused.reason, ReleaseError::BuysNoCenter);
    let refused = encoded(&plan(Some(0.1)), &curves, &[1], 1).prepare_twice(&plan(Some(0.1)), never).unwrap_err();
    assert!(matches!(refused.reason, ReleaseError::Mechanism(_)), "{}", refused.reason);
    assert_eq!(refused.part.parts(), ["whole"]);
}

/// By what a ledger knows the data again.
fn fingerprint(payable: &impl Payable) -> [u8; 32] {
    let mut fingerprinter = FingerprintKey::from_bytes([5; 32]).begin(b"one");
    payable.fingerprint(&mut fingerprinter);
    fingerprinter.finish()
}

/// The rows of an array that is not copied, and the bits and the fingerprint of what is bought from them.
fn of_array(plan: &Plan<Mean>, values: ArrayView2<'_, f64>, threads: usize) -> (Release<Mean>, [u8; 32]) {
    let ids: Vec<String> = (0..CURVES).map(subject).collect();
    let ids = (plan.unit() == PrivacyUnit::Subject).then_some(ids.as_slice());
    let threads = NonZeroUsize::new(threads).unwrap();
    let encode = |plan: &Plan<Mean>| Ok(plan.encode_rows(&values, ids, PartId::whole(), None, threads)?);
    let prepared = encode(plan).unwrap().prepare_twice(plan, encode).unwrap();
    let known = fingerprint(&prepared);
    (prepared.draw(None, &mut seed()).unwrap(), known)
}

#[test]
fn rows_have_the_same_bits_and_are_known_again_by_whichever_door_they_come() {
    for unit in [PrivacyUnit::Curve, PrivacyUnit::Subject] {
        let curves = data(unit);
        let settings = settings(Some(0.1), Some(0.05));
        let plan = settings.plan(curves.grid(), unit).unwrap();
        let in_memory = settings.prepare(&curves).unwrap();
        let known = fingerprint(&in_memory);
        let drawn = in_memory.draw_unrecorded(&mut seed());
        let mut values = curves.values().to_owned();
        for threads in [1, 3] {
            assert_eq!(of_array(&plan, values.view(), threads), (drawn.clone(), known), "{unit:?}");
        }
        assert_eq!(of_array(&plan, values.t().as_standard_layout().t(), 2), (drawn, known), "by column {unit:?}");
        let backwards: Vec<usize> = (0..CURVES).rev().collect();
        let streamed = encoded(&plan, &curves, &backwards, 3).prepare_twice(&plan, |_| Err(AgainError::Changed));
        assert_eq!(fingerprint(&streamed.unwrap()), known, "{unit:?}");
        values[[17, 3]] += 1e-9;
        assert_ne!(of_array(&plan, values.view(), 1).1, known, "{unit:?}");
    }
}

#[test]
fn rows_that_cannot_be_encoded_are_refused_by_their_place_in_the_table() {
    let plan = settings(Some(0.1), None).plan(data(PrivacyUnit::Curve).grid(), PrivacyUnit::Curve).unwrap();
    let rows = 1 << 16;
    let mut values = Array2::from_elem((rows, POINTS), 0.5);
    let refused = |values: &Array2<f64>, ids: Option<&[String]>| {
        let threads = NonZeroUsize::new(4).unwrap();
        plan.encode_rows(&values.view(), ids, PartId::whole(), None, threads).unwrap_err()
    };
    values[[rows - 3, 2]] = f64::INFINITY;
    assert_eq!(refused(&values, None), EncodeError::Infinite { row: rows as u64 - 3 });
    assert_eq!(refused(&values, Some(&[])), EncodeError::Subjects { curves: rows, ids: 0 });
    assert_eq!(refused(&Array2::zeros((3, 5)), None), EncodeError::Points { points: POINTS, found: 5 });
}
