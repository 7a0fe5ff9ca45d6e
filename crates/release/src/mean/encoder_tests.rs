#![allow(clippy::unwrap_used, reason = "tests")]

use std::num::NonZeroUsize;

use dpfda_kernels::Grid;
use dpfda_mechanism::{FingerprintKey, MechanismError, PartError, PartId, PartialError, Release};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CsvCurves, CurveLayout, CurveSet};
use ndarray::{Array2, Axis};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::EncodeError;
use crate::{BallShares, Mean, MeanEncoder, MomentsChoice, Part, Plan, PrivateMean, ReleaseError};

const POINTS: usize = 12;

fn grid() -> Grid {
    Grid::uniform(0.0, 1.0, POINTS).unwrap()
}

/// Curves inside and far outside the ball, with missing values, and one with values that overflow when they are squared.
fn values(curves: usize) -> Array2<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(5);
    let mut values = Array2::from_shape_fn((curves, POINTS), |_| generator.random_range(-1.0..1.0_f64));
    for mut curve in values.rows_mut() {
        let size = 8.0_f64.powf(generator.random_range(-2.0..1.5_f64));
        let shift: f64 = generator.random_range(-0.5..0.5);
        curve.mapv_inplace(|x| 0.5 + size * (0.2 * x + shift));
    }
    values[[3, 4]] = f64::NAN;
    values.row_mut(5).fill(f64::NAN);
    values[[7, 0]] = 1e200;
    values
}

fn settings() -> PrivateMean {
    let ball = Ball::new(Center::Constant(0.5), 1.0).unwrap();
    PrivateMean::isonormal(ball, PrivacyBudget::new(4.0, 1e-5).unwrap())
}

/// Settings of every kind that can be encoded in parts.
fn kinds() -> Vec<PrivateMean> {
    let bounded = PrivateMean::isonormal(Ball::within(-1.0, 2.0).unwrap(), PrivacyBudget::new(4.0, 1e-5).unwrap());
    vec![
        settings(),
        settings().buying(BallShares::NONE),
        settings().moments(MomentsChoice::None),
        settings().moments(MomentsChoice::Covariance).neighbours(NeighbouringRelation::AddRemoveOne),
        settings().slope(3.0),
        settings().roughness(0.15),
        bounded,
        PrivateMean::cameron_martin(
            Ball::new(Center::Constant(0.5), 1.0).unwrap(),
            PrivacyBudget::new(4.0, 1e-5).unwrap(),
        )
        .penalty(0.01),
    ]
}

fn plan(settings: &PrivateMean, unit: PrivacyUnit) -> Plan<Mean> {
    settings.plan(&grid(), unit).unwrap()
}

fn drawn(part: Part<Mean>) -> Release<Mean> {
    let plan = part.plan().clone();
    part.prepare(&plan).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(9))
}

fn in_memory(settings: &PrivateMean, curves: &CurveSet) -> Release<Mean> {
    settings.prepare(curves).unwrap().draw_unrecorded(&mut SeededRandomness::from_seed(9))
}

fn key() -> FingerprintKey {
    FingerprintKey::from_bytes([4; 32])
}

#[test]
fn a_release_from_a_stream_has_the_bits_of_one_from_memory() {
    let values = values(400);
    let curves = CurveSet::new(grid(), values.clone()).unwrap();
    for settings in kinds() {
        let mut encoder = plan(&settings, PrivacyUnit::Curve).encoder(PartId::whole(), None);
        encoder.push_rows(values.view()).unwrap();
        let (streamed, read) = (drawn(encoder.finish().unwrap()), in_memory(&settings, &curves));
        assert_eq!(streamed, read, "{settings:?}");
        for threads in [2, 3, 7] {
            let prepared = settings.prepare_on(&curves, curves.grid(), NonZeroUsize::new(threads)).unwrap();
            assert_eq!(prepared.draw_unrecorded(&mut SeededRandomness::from_seed(9)), read, "{threads} threads");
        }
    }
}

#[test]
fn so_has_one_of_subjects_however_their_curves_are_mixed() {
    let values = values(400);
    let ids: Vec<String> = (0..400).map(|row| format!("S{}", row * 7 % 130)).collect();
    let curves = CurveSet::new(grid(), values.clone()).unwrap().with_subjects(&ids).unwrap();
    let mut order: Vec<usize> = (0..400).collect();
    order.sort_by_key(|&row| (&ids[row], row));
    for settings in kinds() {
        let plan = plan(&settings, PrivacyUnit::Subject);
        let expected = in_memory(&settings, &curves);
        let mut mixed = plan.encoder(PartId::whole(), None);
        mixed.push_rows_of(&ids, values.view()).unwrap();
        assert_eq!(drawn(mixed.finish().unwrap()), expected, "{settings:?}");
        let mut sorted = plan.encoder(PartId::whole(), Some(key())).sorted();
        for &row in &order {
            sorted.push_of(ids[row].as_bytes(), values.row(row).as_slice().unwrap()).unwrap();
        }
        assert_eq!(drawn(sorted.finish().unwrap()), expected, "{settings:?}");
    }
}

#[test]
fn parts_that_were_joined_absorbed_or_travelled_have_the_bits_of_the_whole() {
    let values = values(400);
    for settings in kinds() {
        let plan = plan(&settings, PrivacyUnit::Curve);
        let encoded = |name: &str, rows: std::ops::Range<usize>| {
            let mut encoder = plan.encoder(name.parse().unwrap(), None);
            encoder.push_rows(values.slice_axis(Axis(0), rows.into())).unwrap();
            encoder
        };
        let whole = drawn(encoded("whole", 0..400).finish().unwrap());
        let mut first = encoded("a", 0..100);
        first.absorb(encoded("a", 100..150)).unwrap();
        let mut first = Part::read(first.finish().unwrap().reveal().reveal()).unwrap();
        first.merge(Part::read(encoded("b", 150..400).finish().unwrap().reveal().reveal()).unwrap()).unwrap();
        assert_eq!(first.parts(), ["a", "b"]);
        let refused = first.merge(encoded("b", 0..1).finish().unwrap()).unwrap_err();
        assert_eq!(refused.reason, ReleaseError::Partial(PartialError::SamePart("b".parse().unwrap())));
        assert_eq!(drawn(first), whole, "{settings:?}");
    }
}

#[test]
fn a_subject_may_be_in_two_encoders_of_a_part_and_not_in_two_parts() {
    let values = values(400);
    let plan = plan(&settings(), PrivacyUnit::Subject);
    let encoded = |name: &str, ids: &[&str], from: usize| {
        let mut encoder = plan.encoder(name.parse().unwrap(), Some(key()));
        for (index, id) in ids.iter().enumerate() {
            encoder.push_of(id.as_bytes(), values.row(from + index).as_slice().unwrap()).unwrap();
        }
        encoder
    };
    let mut joined = encoded("a", &["x", "y"], 0);
    joined.absorb(encoded("a", &["y", "z"], 2)).unwrap();
    assert_eq!(*joined.similar_ids().reveal(), 0);
    let together = encoded("a", &["x", "y", "y", "z"], 0);
    let bytes = |encoder: MeanEncoder| encoder.finish().unwrap().reveal().reveal().clone();
    let joined = bytes(joined);
    assert_eq!(joined, bytes(together));
    let mut part = Part::read(&joined).unwrap();
    let refused = part.merge(encoded("b", &["z"], 9).finish().unwrap()).unwrap_err();
    assert_eq!(refused.reason, ReleaseError::Partial(PartialError::SameSubject));
    part.merge(*refused.part).unwrap_err();
    part.merge(encoded("b", &["w"], 9).finish().unwrap()).unwrap();
    let untagged = {
        let mut encoder = plan.encoder("c".parse().unwrap(), None);
        encoder.push_of(b"v", values.row(1).as_slice().unwrap()).unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!(part.merge(untagged).unwrap_err().reason, ReleaseError::Partial(PartialError::Untagged));
}

#[test]
fn a_subject_who_comes_again_among_sorted_curves_is_refused() {
    let mut encoder = plan(&settings(), PrivacyUnit::Subject).encoder(PartId::whole(), Some(key())).sorted();
    let curve = [0.5; POINTS];
    encoder.push_of(b"a", &curve).unwrap();
    encoder.push_of(b"a", &curve).unwrap();
    encoder.push_of(b"b", &curve).unwrap();
    let again = encoder.push_of(b"a", &curve).and_then(|()| Ok(encoder.finish().map(drop)?));
    assert_eq!(again, Err(EncodeError::Partial(PartialError::SameSubject)));
}

#[test]
fn tables_give_the_bits_of_rows() {
    let mut values = values(300);
    // about the largest that a table may hold
    values[[7, 0]] = 9e99;
    let plan = plan(&settings().buying(BallShares::NONE), PrivacyUnit::Curve);
    let bytes = |encoder: MeanEncoder| encoder.finish().unwrap().reveal().reveal().clone();
    let new = || plan.encoder(PartId::whole(), None);
    let mut by_rows = new();
    by_rows.push_rows(values.view()).unwrap();
    let expected = bytes(by_rows);
    let turned = values.t().as_standard_layout().into_owned();
    let mut strided = new();
    strided.push_rows(turned.t()).unwrap();
    assert_eq!(bytes(strided), expected);
    let header = (0..POINTS).map(|i| format!("x{i}")).collect::<Vec<_>>().join(",");
    let rows = values.rows().into_iter().map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
    let text = format!("{header}\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let mut from_table = new();
    let layout = CurveLayout::new("x*").unwrap();
    from_table.read(&mut CsvCurves::new(text.as_bytes(), &layout).unwrap()).unwrap();
    assert_eq!(bytes(from_table), expected);
}

#[test]
fn the_default_release_has_the_same_integers_from_an_array_a_table_and_three_parts() {
    // more curves than products are added up in doubles, along a basis and with a radius that is bought
    const LONG: usize = 93;
    let grid = Grid::uniform(0.0, 1.0, LONG).unwrap();
    let mut generator = ChaCha20Rng::seed_from_u64(11);
    let values = Array2::from_shape_fn((3000, LONG), |(i, _)| {
        0.5 + 0.3 * (i % 7) as f64 / 7.0 * generator.random_range(-1.0..1.0_f64)
    });
    let plan = settings().plan(&grid, PrivacyUnit::Curve).unwrap();
    let from_memory = in_memory(&settings(), &CurveSet::new(grid, values.clone()).unwrap());
    assert!(from_memory.statistic().moments().is_some() && from_memory.statistic().bought().unwrap().mu().is_some());
    let header = (0..LONG).map(|i| format!("x{i}")).collect::<Vec<_>>().join(",");
    let rows = values.rows().into_iter().map(|row| row.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
    let text = format!("{header}\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let mut from_table = plan.encoder(PartId::whole(), None);
    from_table.read(&mut CsvCurves::new(text.as_bytes(), &CurveLayout::new("x*").unwrap()).unwrap()).unwrap();
    assert_eq!(drawn(from_table.finish().unwrap()), from_memory);
    let part = |name: &str, rows: std::ops::Range<usize>| {
        let mut encoder = plan.encoder(name.parse().unwrap(), None);
        encoder.push_rows(values.slice_axis(Axis(0), rows.into())).unwrap();
        Part::read(encoder.finish().unwrap().reveal().reveal()).unwrap()
    };
    let mut parts = part("c", 1700..3000);
    parts.merge(part("a", 0..1)).unwrap();
    parts.merge(part("b", 1..1700)).unwrap();
    assert_eq!(drawn(parts), from_memory);
}

#[test]
fn what_does_not_belong_is_refused_without_its_values() {
    let plan_of_curves = plan(&settings(), PrivacyUnit::Curve);
    let mut encoder = plan_of_curves.encoder(PartId::whole(), None);
    assert_eq!(encoder.push(&[0.5; 3]), Err(EncodeError::Points { points: POINTS, found: 3 }));
    let mut curve = [0.5; POINTS];
    encoder.push(&curve).unwrap();
    curve[3] = f64::INFINITY;
    assert_eq!(encoder.push(&curve), Err(EncodeError::Infinite { row: 1 }));
    assert_eq!(encoder.push_of(b"CANARY", &[0.5; POINTS]), Err(EncodeError::Subject { needed: false }));
    let mut of_subjects = plan(&settings(), PrivacyUnit::Subject).encoder(PartId::whole(), None);
    assert_eq!(of_subjects.push(&[0.5; POINTS]), Err(EncodeError::Subject { needed: true }));
    let text = "a,b\n1,2\n";
    let layout = CurveLayout::new("*").unwrap();
    let other_grid = encoder.read(&mut CsvCurves::new(text.as_bytes(), &layout).unwrap());
    assert_eq!(other_grid, Err(EncodeError::Grid));
}

#[test]
fn a_plan_reads_back_and_refuses_what_needs_the_number_of_curves() {
    let planned = plan(&settings().slope(3.0), PrivacyUnit::Subject);
    let text = serde_json::to_string(&planned).unwrap();
    let read: Plan<Mean> = serde_json::from_str(&text).unwrap();
    assert_eq!((&read, read.digest()), (&planned, planned.digest()));
    assert_ne!(read.digest(), plan(&settings(), PrivacyUnit::Subject).digest());
    let refused = |settings: PrivateMean| settings.plan(&grid(), PrivacyUnit::Curve).unwrap_err();
    let smooth_first = PrivateMean::cameron_martin(settings().ball().clone(), PrivacyBudget::new(1.0, 1e-5).unwrap());
    assert_eq!(refused(smooth_first), ReleaseError::PenaltyNeeded);
    for (from, to) in [("\"schema\":3", "\"schema\":9"), ("planned-mean", "mean"), ("\"radius\":", "\"radius\":-")] {
        assert!(serde_json::from_str::<Plan<Mean>>(&text.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn a_part_of_another_plan_is_refused_when_it_is_joined_and_when_it_is_read() {
    let part = |settings: &PrivateMean, name: &str| {
        let mut encoder = plan(settings, PrivacyUnit::Curve).encoder(name.parse().unwrap(), None);
        encoder.push_rows(values(50).view()).unwrap();
        encoder.finish().unwrap()
    };
    let mut mine = part(&settings(), "a");
    let refused = mine.merge(part(&settings().slope(3.0), "b")).unwrap_err();
    assert_eq!(refused.reason, ReleaseError::Partial(PartialError::OtherPlan));
    let whole = mine.reveal().reveal().clone();
    for length in 0..whole.len().min(2000) {
        assert!(Part::<Mean>::read(&whole[..length]).is_err(), "{length}");
    }
    assert_eq!(Part::<Mean>::read(&whole[..whole.len() - 1]).unwrap_err(), PartError::Damaged);
}

#[test]
fn too_few_records_are_refused_and_the_part_comes_back() {
    let asked = settings().buying(BallShares::new(None, Some(0.05)).unwrap());
    for settings in [asked, settings()] {
        let plan = plan(&settings, PrivacyUnit::Curve);
        let mut encoder = plan.encoder(PartId::whole(), None);
        encoder.push(&[0.5; POINTS]).unwrap();
        let refused = encoder.finish().unwrap().prepare(&plan).unwrap_err();
        // one person has no mean, whatever it is bought with
        let expected = MechanismError::TooFewRecords { least: 2, found: 1 };
        assert_eq!(refused.reason, ReleaseError::Mechanism(expected));
        assert_eq!(refused.part.parts(), ["whole"]);
    }
}

#[test]
fn a_subject_has_another_tag_under_every_plan() {
    let values = values(8);
    let plans = [settings(), settings().slope(3.0)].map(|settings| plan(&settings, PrivacyUnit::Subject));
    let tag = |key: &FingerprintKey| {
        let mut tag = key.begin(b"subject");
        tag.add(b"x");
        tag.finish()[..16].to_vec()
    };
    for plan in &plans {
        let mut encoder = plan.encoder(PartId::whole(), Some(key()));
        encoder.push_of(b"x", values.row(0).as_slice().unwrap()).unwrap();
        let bytes = encoder.finish().unwrap().reveal().reveal().clone();
        let holds = |tag: Vec<u8>| bytes.windows(16).any(|window| window == tag);
        assert!(!holds(tag(&key())));
        for other in &plans {
            assert_eq!(holds(tag(&key().under(&other.digest()))), other == plan);
        }
    }
}
