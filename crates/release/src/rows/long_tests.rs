#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::{FingerprintKey, MechanismError, Payable};
use dpfda_privacy::{
    Body, Calibration, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, RunningSum, SeededRandomness,
};
use dpfda_smoothing::{Ball, Center};

use super::*;
use crate::purchase::bought::{BallShares, Bought};
use crate::purchase::in_ball::InBall;
use crate::rows::bin_sums::BinSums;
use crate::rows::private::PrivateRows;

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

/// A radius that is far too large, of which a smaller one is bought.
fn plan() -> PrivateRows {
    let ball = Ball::new(Center::Constant(0.5), 2.0).unwrap();
    let plan = PrivateRows::new(ball, (0.0, 1.0), PrivacyBudget::new(1.0, 0.1).unwrap());
    plan.buying(BallShares::new(None, Some(0.05)).unwrap())
}

/// Three values of each subject, at most 0.13 from the centre.
fn rows(plan: &PrivateRows, subjects: u32) -> LongRows {
    let mut rows = plan.rows().unwrap();
    for (visit, subject) in (0..3).flat_map(|visit| (0..subjects).map(move |subject| (visit, subject))) {
        let time = f64::from((subject * 37 + visit * 311) % 997) / 997.0;
        rows.push(&subject.to_le_bytes(), time, 0.5 + 0.1 * (6.0 * time).sin() + 0.03 * f64::from(subject).sin());
    }
    rows
}

fn released(plan: &PrivateRows) -> Release<Rows> {
    rows(plan, 500).release(&mut SeededRandomness::from_seed(8)).unwrap()
}

#[test]
fn a_radius_of_rows_that_is_stated_too_large_is_bought_smaller_and_the_noise_with_it() {
    for neighbours in RELATIONS {
        let bought = released(&plan().neighbours(neighbours));
        let stated = released(&plan().neighbours(neighbours).buying(BallShares::NONE));
        let (radius, answers) = (bought.statistic().ball().radius(), bought.statistic().bought().unwrap());
        assert_eq!(answers.stated_ball(), stated.statistic().ball());
        assert!((0.06..0.3).contains(&radius), "{radius}");
        assert!(Rows::sums(&bought).values_sd < 0.2 * Rows::sums(&stated).values_sd);
        // weights have no radius
        assert!(
            (Rows::sums(&bought).weights_sd / Rows::sums(&stated).weights_sd - 1.025_978_352_085_154_2).abs() < 1e-5
        );
        assert!(bought.facts().iter().any(|fact| fact.name == "found" && fact.text.contains("of at most 2")));
    }
}

#[test]
fn what_is_bought_and_the_sums_together_cost_the_budget_and_no_more() {
    let whole = GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(1.0, 0.1).unwrap()).unwrap();
    for neighbours in RELATIONS {
        for share in [0.05, 0.3] {
            let plan = plan().neighbours(neighbours).buying(BallShares::new(None, Some(share)).unwrap());
            let spent = released(&plan).privacy().unwrap();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{share} {}", spent.mu());
        }
    }
}

#[test]
fn rows_are_known_again_in_any_order_and_other_rows_are_not() {
    let fingerprint = |prepared: &PreparedRows<'_>| {
        let mut fingerprinter = FingerprintKey::from_bytes([5; 32]).begin(b"test");
        prepared.fingerprint(&mut fingerprinter);
        fingerprinter.finish()
    };
    let known = fingerprint(&rows(&plan(), 100).prepare().unwrap());
    let mut reversed = plan().rows().unwrap();
    for (visit, subject) in (0..3_u32).rev().flat_map(|visit| (0..100_u32).rev().map(move |subject| (visit, subject))) {
        let time = f64::from((subject * 37 + visit * 311) % 997) / 997.0;
        // other names of the same people are no other data
        let name = format!("person {subject}");
        reversed.push(name.as_bytes(), time, 0.5 + 0.1 * (6.0 * time).sin() + 0.03 * f64::from(subject).sin());
    }
    assert_eq!(fingerprint(&reversed.prepare().unwrap()), known);
    // nor are parts of them that travelled
    let mut halves = [plan().rows().unwrap(), plan().rows().unwrap()];
    for (subject, visit) in (0..100_u32).flat_map(|subject| (0..3_u32).map(move |visit| (subject, visit))) {
        let time = f64::from((subject * 37 + visit * 311) % 997) / 997.0;
        let value = 0.5 + 0.1 * (6.0 * time).sin() + 0.03 * f64::from(subject).sin();
        halves[usize::from(subject < 30)].push(&subject.to_le_bytes(), time, value);
    }
    let key = FingerprintKey::from_bytes([3; 32]);
    let [mut whole, other] = halves.map(|half| {
        let part = half.part(half.subjects.len().to_string().parse().unwrap(), Some(&key)).unwrap();
        Part::<Rows>::read(&part.reveal().into_revealed()).unwrap()
    });
    whole.merge(other).unwrap();
    let plan_of_parts = whole.plan().clone();
    assert_eq!(fingerprint(&whole.prepare(&plan_of_parts).unwrap()), known);
    reversed.push(b"person 7", 0.5, 0.5);
    assert_ne!(fingerprint(&reversed.prepare().unwrap()), known);
}

#[test]
fn a_radius_of_rows_is_not_bought_from_counts_that_the_noise_would_hide() {
    assert_eq!(plan().least_records_for_radius().unwrap(), Some(35));
    let refused = rows(&plan(), 34).prepare().unwrap_err();
    assert_eq!(refused, ReleaseError::Mechanism(MechanismError::TooFewForRadius { least: 35, found: 34 }));
    assert!(rows(&plan(), 35).prepare().is_ok());
    // a private number decides nothing
    for subjects in [0, 1, 34] {
        assert!(rows(&plan().neighbours(NeighbouringRelation::AddRemoveOne), subjects).prepare().is_ok());
    }
}

#[test]
fn a_centre_is_not_bought_of_rows() {
    let shares = BallShares::new(Some(0.1), Some(0.05)).unwrap();
    assert_eq!(plan().buying(shares).rows().unwrap_err(), ReleaseError::CenterNeedsCurves);
}

#[test]
fn the_mean_of_a_bin_is_clipped_at_as_many_bought_radii_as_a_row_at_stated_ones() {
    let mechanism = plan().mechanism().unwrap();
    let stated = mechanism.statistic();
    let answers = Bought::of(stated.ball().clone(), BallShares::default());
    let bought = stated.in_ball(Ball::new(Center::Constant(0.5), 0.25).unwrap(), Some(answers)).unwrap();
    let mut record = BinSums::new();
    for bin in 0..16 {
        let value = match bin {
            3 => 9.0,
            5 => 0.6,
            _ => 0.5,
        };
        let (bin, part) = stated.place((f64::from(bin) + 0.5) / 20.0, value).unwrap();
        record.add(bin, part);
    }
    let encoded = |statistic: &Rows| {
        let body = *mechanism.body();
        let (mut vector, mut sum) = (body.vector(), body.sum());
        statistic.encode(&record, &mut statistic.scratch(), &mut vector);
        body.add(&mut sum, &vector);
        sum.exact()
    };
    // 1 / 4 of 2 radii, of 2^22 steps each, in the stated ball and in the bought one; weights are rounded down to their steps, and one
    // step of a weight allows 4 of a value
    for (statistic, radius) in [(stated, 2.0), (&bought, 0.25)] {
        let encoded = encoded(statistic);
        assert!((encoded[3] - (1 << 21)).abs() <= 4, "{}", encoded[3]);
        // the vector is no longer than the ball: nothing is scaled for what was clipped already
        let beside = 0.1 / radius / 4.0 * f64::from(1 << 22);
        assert!((encoded[5] as f64 - beside).abs() <= 2.0, "{} {beside}", encoded[5]);
    }
}

#[test]
fn values_beyond_bounds_are_clamped_also_where_the_radius_is_bought() {
    let within = Ball::within(0.0, 1.0).unwrap();
    let plan = PrivateRows::new(within, (0.0, 1.0), PrivacyBudget::new(1.0, 0.1).unwrap());
    let plan = plan.buying(BallShares::new(None, Some(0.05)).unwrap());
    let mechanism = plan.mechanism().unwrap();
    assert_eq!(mechanism.statistic().bound(), 1.0);
    assert_eq!(mechanism.statistic().place(0.5, 1.7), mechanism.statistic().place(0.5, 1.0));
    let mut rows = plan.rows().unwrap();
    for value in [0.2, 1.0, 1.1, -3.0] {
        rows.push(b"one", 0.5, value);
    }
    assert_eq!(rows.seen().reveal().clamped, 2);
}

#[test]
fn more_than_a_tenth_of_rows_that_count_as_none_is_told() {
    let seen = |rows, outside, missing| SeenRows { rows, outside, missing, ..SeenRows::default() };
    for (few, many) in [(seen(100, 4, 6), seen(100, 5, 6)), (seen(0, 0, 0), seen(1, 0, 1))] {
        assert_eq!(few.many_unused(), None);
        assert_eq!(many.many_unused(), Some((many.outside + many.missing) as f64 / many.rows as f64));
    }
}
