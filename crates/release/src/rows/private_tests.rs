#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_mechanism::{MechanismError, ReadError, Statistic};
use dpfda_privacy::{Body, NeighbouringRelation, PrivacyBudget, RunningSum, SeededRandomness};
use dpfda_smoothing::{BallError, Center};
use ndarray::Array1;
use serde::de::IgnoredAny;

use dpfda_mechanism::Release;

use super::*;
use crate::rows::bin_sums::BinSums;
use crate::rows::of_rows::{KeptRows, OfRows};
use crate::rows::rows_error::RowsError;

fn ball(radius: f64) -> Ball {
    Ball::new(Center::Constant(0.5), radius).unwrap()
}

fn plan() -> PrivateRows {
    PrivateRows::new(ball(0.25), (0.0, 1.0), PrivacyBudget::new(50.0, 0.5).unwrap())
}

/// The integers of one record: values, then weights.
fn encoded(plan: &PrivateRows, rows: &[(f64, f64)]) -> Vec<i64> {
    let mechanism = plan.mechanism().unwrap();
    let statistic = mechanism.statistic();
    let mut record = BinSums::new();
    let placed = rows.iter().filter_map(|(time, value)| statistic.place(*time, *value));
    placed.for_each(|(bin, value)| record.add(bin, value));
    let body = mechanism.body();
    let (mut vector, mut sum) = (body.vector(), body.sum());
    statistic.encode(&record, &mut statistic.scratch(), &mut vector);
    body.add(&mut sum, &vector);
    sum.exact()
}

#[test]
fn records_are_encoded_as_by_exact_rational_arithmetic() {
    // by another program: A_encoder: values and weights in steps of radius / 2^10
    for (rows, values, weights) in [
        (&[(0.05, 0.6), (0.1, 0.7), (0.5, 0.45), (0.99, 0.9)][..], [354, 0, -118, 0, 945], [295, 0, 295, 0, 295]),
        (&[(0.3, 2.0)], [0, 1024, 0, 0, 0], [0, 512, 0, 0, 0]),
        (&[(0.3, 0.5)], [0; 5], [0, 512, 0, 0, 0]),
        (&[], [0; 5], [0; 5]),
        (&[(1.0, 0.5), (0.0, 0.1), (0.2, 0.75)], [-868, 542, 0, 0, 0], [295, 295, 0, 0, 295]),
    ] {
        let found = encoded(&plan().bins(5), rows);
        for (found, golden) in found.iter().zip(values.into_iter().chain(weights)) {
            assert!((*found as f64 / 4096.0 - f64::from(golden)).abs() <= 1.001, "{rows:?}: {found} for {golden}");
        }
    }
}

#[test]
fn what_is_no_row_changes_nothing_and_repeated_times_are_averaged() {
    let rows = [(0.1, 0.4), (0.55, 0.6)];
    let expected = encoded(&plan(), &rows);
    for other in [(-0.1, 0.9), (1.01, 0.9), (f64::NAN, 0.9), (0.3, f64::NAN), (0.3, f64::INFINITY)] {
        assert_eq!(encoded(&plan(), &[rows[0], other, rows[1]]), expected, "{other:?}");
    }
    assert_eq!(encoded(&plan(), &[rows[0], (0.55, 0.5), (0.55, 0.7)]), expected);
}

#[test]
fn one_far_value_among_several_of_a_bin_counts_as_one_at_the_bound() {
    let far = encoded(&plan(), &[(0.3, 1e9), (0.3, 0.5), (0.3, 0.5), (0.3, 0.5)]);
    assert_eq!(far, encoded(&plan(), &[(0.3, 1.0), (0.3, 0.5), (0.3, 0.5), (0.3, 0.5)]));
    assert_ne!(far, encoded(&plan(), &[(0.3, 1.0)]));
}

#[test]
fn values_that_are_too_long_are_shortened_and_keep_their_shape() {
    // of radius 1 / 4: two bins at the bound, 1 / 2, and at half of it
    let found = encoded(&plan(), &[(0.1, 1.0), (0.6, 0.75)]);
    let (first, second) = (found[2] as f64, found[12] as f64);
    assert!((first / second - 2.0).abs() < 1e-5, "{first} {second}");
    assert!((first.hypot(second) / f64::from(1 << 22) - 1.0).abs() < 1e-5, "{first} {second}");
}

fn simulated(plan: &PrivateRows, subjects: u32) -> LongRows {
    let mut rows = plan.rows().unwrap();
    for visit in 0..4 {
        for subject in 0..subjects {
            let time = f64::from((subject * 37 + visit * 311) % 997) / 997.0;
            rows.push(subject.to_string().as_bytes(), time, 0.45 + 0.1 * time);
        }
    }
    rows
}

#[test]
fn the_ratio_of_the_sums_is_the_mean_where_people_were_measured() {
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let release = simulated(&plan().neighbours(neighbours), 20_000).release(&mut SeededRandomness::from_seed(1));
        let release = release.unwrap();
        let sums = Rows::sums(&release);
        let expected = Array1::from_shape_fn(20, |bin| -0.05 + 0.1 * (bin as f64 + 0.5) / 20.0);
        assert_abs_diff_eq!(&sums.values / &sums.weights, expected, epsilon = 3e-3);
        // 4 points of nearly 4 bins each: 1 / 2 in each of them
        assert!((sums.weights.sum() / 40_000.0 - 1.0).abs() < 0.05, "{}", sums.weights.sum());
        assert!((0..20).all(|bin| sums.is_supported(bin)));
    }
}

#[test]
fn the_sums_do_not_depend_on_the_order_of_rows_nor_on_their_parts() {
    let integers = |rows: &LongRows| rows.release(&mut SeededRandomness::from_seed(1)).unwrap().coordinates().to_vec();
    let expected = integers(&simulated(&plan(), 50));
    let mut reversed = plan().rows().unwrap();
    let mut parts = [plan().rows().unwrap(), plan().rows().unwrap()];
    for visit in (0..4_u32).rev() {
        for subject in (0..50_u32).rev() {
            let time = f64::from((subject * 37 + visit * 311) % 997) / 997.0;
            let row = (subject.to_string(), 0.45 + 0.1 * time);
            reversed.push(row.0.as_bytes(), time, row.1);
            parts[(visit % 2) as usize].push(row.0.as_bytes(), time, row.1);
        }
    }
    let [mut first, second] = parts;
    first.absorb(second);
    assert_eq!((integers(&reversed), integers(&first)), (expected.clone(), expected));
}

#[test]
fn every_subject_is_a_record_whatever_its_rows_hold() {
    let mut rows = plan().rows().unwrap();
    rows.push(b"one", 0.5, 0.5);
    assert!(matches!(rows.prepare(), Err(ReleaseError::Mechanism(MechanismError::TooFewRecords { found: 1, .. }))));
    rows.push(b"two", 7.0, f64::NAN);
    let release = rows.release(&mut SeededRandomness::from_seed(1)).unwrap();
    assert_eq!((release.public_records(), rows.seen().reveal().bins.len()), (Some(2), 2));
    let nobody = plan().neighbours(NeighbouringRelation::AddRemoveOne).rows().unwrap();
    assert_eq!(nobody.release(&mut SeededRandomness::from_seed(1)).unwrap().public_records(), None);
}

#[test]
fn a_release_reads_back_and_damaged_ones_do_not() {
    let release = simulated(&plan(), 30).release(&mut SeededRandomness::from_seed(1)).unwrap();
    let json = release.to_json().unwrap();
    assert_eq!(Release::<Rows>::from_json(&json).unwrap(), release);
    let (values_sd, k) = (Rows::sums(&release).values_sd, release.coordinates()[3].to_string());
    for (old, new) in [
        ("\"bins\": 20", "\"bins\": 19".to_owned()),
        ("\"bound\": 0.5", "\"bound\": 0.1".to_owned()),
        ("\"domain\": [", "\"domain\": [7.0, ".to_owned()),
        (&format!("\"values_sd\": {values_sd}"), format!("\"values_sd\": {}", values_sd / 2.0)),
        (&k, "7".to_owned()),
        ("\"supported\": [", "\"supported\": [true,".to_owned()),
    ] {
        assert!(json.contains(old), "{old}");
        assert!(Release::<Rows>::from_json(&json.replacen(old, &new, 1)).is_err(), "{old}");
    }
}

#[test]
fn a_bin_that_says_next_to_nothing_may_not_be_called_well_supported_nor_the_other_way_round() {
    // nobody was measured in the second half
    let mut rows = plan().rows().unwrap();
    for subject in 0..30_u32 {
        (0..10).for_each(|visit| rows.push(&subject.to_le_bytes(), 0.05 * f64::from(visit) + 0.02, 0.5));
    }
    let release = rows.release(&mut SeededRandomness::from_seed(1)).unwrap();
    let json = release.to_json().unwrap();
    let supported = |place: usize, told: bool| {
        let (head, list) = json.split_once("\"supported\": [").unwrap();
        let (list, tail) = list.split_once(']').unwrap();
        let mut list: Vec<String> = list.split(',').map(|word| word.trim().to_owned()).collect();
        list[place] = told.to_string();
        Release::<Rows>::from_json(&format!("{head}\"supported\": [{}]{tail}", list.join(", ")))
    };
    for bin in 0..20 {
        let is_supported = bin < 10;
        assert_eq!(Rows::sums(&release).is_supported(bin), is_supported, "{bin}");
        assert!(supported(bin, is_supported).is_ok());
        let refused = supported(bin, !is_supported).unwrap_err();
        assert!(matches!(refused, ReadError::Contradiction { field: "derived.supported" }), "{bin}: {refused}");
    }
}

#[test]
fn plans_that_cannot_be_are_refused_without_data() {
    let refused = |plan: PrivateRows| plan.mechanism().unwrap_err();
    for found in [0, 1, 10_001, usize::MAX] {
        assert_eq!(refused(plan().bins(found)), ReleaseError::Rows(RowsError::Bins { found }));
    }
    for bound in [0.2, 0.0, -1.0, 257.0, f64::INFINITY] {
        let expected = RowsError::Bound { bound, radius: 0.25 };
        assert_eq!(refused(plan().bound(bound)), ReleaseError::Rows(expected));
    }
    assert!(matches!(refused(plan().bound(f64::NAN)), ReleaseError::Rows(RowsError::Bound { .. })));
    for domain in [(1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let plan = PrivateRows::new(ball(0.25), domain, PrivacyBudget::new(1.0, 0.1).unwrap());
        assert!(matches!(refused(plan), ReleaseError::Rows(RowsError::Domain(_))), "{domain:?}");
    }
    let curve = Ball::new(Center::Curve(Array1::zeros(20)), 0.25).unwrap();
    let plan = PrivateRows::new(curve, (0.0, 1.0), PrivacyBudget::new(1.0, 0.1).unwrap());
    assert_eq!(refused(plan), ReleaseError::Ball(BallError::CenterLength { points: 101, found: 20 }));
}

#[test]
fn values_between_bounds_cost_nothing_for_their_weights() {
    let noise = |plan: PrivateRows| plan.mechanism().unwrap().noise().scale();
    let within = Ball::within(0.0, 0.5).unwrap();
    let bounded = PrivateRows::new(within, (0.0, 1.0), PrivacyBudget::new(1.0, 0.1).unwrap());
    let stated = PrivateRows::new(ball(0.25), (0.0, 1.0), PrivacyBudget::new(1.0, 0.1).unwrap());
    assert_abs_diff_eq!(noise(stated) / noise(bounded), 2.091_650_066_335_189 / 2.0, epsilon = 1e-6);
}

#[test]
fn at_large_units_the_sds_of_rows_are_what_the_rounding_of_records_adds() {
    let json = simulated(&plan(), 30).release(&mut SeededRandomness::from_seed(1)).unwrap().to_json().unwrap();
    let large = json.replace("\"records\": 30", "\"records\": 1099511627776");
    let (release, ..) = Release::<Rows>::from_json_with::<IgnoredAny, IgnoredAny>(&large).unwrap();
    let (sums, records) = (Rows::sums(&release), 1_099_511_627_776.0);
    let ((of_values, of_weights), body) = (release.statistic().steps(), release.mechanism().body());
    let (in_values, in_weights) = body.rounding_of_record();
    for ratio in
        [sums.values_sd / (records * in_values * of_values), sums.weights_sd / (records * in_weights * of_weights)]
    {
        assert!((1.0 - 1e-12..1.01).contains(&ratio), "{ratio}");
    }
}
