#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::{Calibration, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;

use super::*;
use crate::mean_release::MeanRelease;
use crate::private_mean::PrivateMean;
use crate::release_error::ReleaseError;

/// Curves that keep within about 0.1 of a wave, in a ball that is far too large.
fn curves(records: usize) -> CurveSet {
    let value = |(i, j): (usize, usize)| {
        let t = j as f64 / 29.0;
        2.0 + 0.3 * (6.0 * t).sin() + 0.1 * (i as f64 * 1.7 + 3.0 * t).sin()
    };
    CurveSet::new(Grid::uniform(0.0, 1.0, 30).unwrap(), Array2::from_shape_fn((records, 30), value)).unwrap()
}

fn budget() -> PrivacyBudget {
    PrivacyBudget::new(1.0, 0.1).unwrap()
}

fn plan(center: Option<f64>, radius: Option<f64>) -> PrivateMean {
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    PrivateMean::isonormal(ball, budget()).buying(BallShares::new(center, radius).unwrap())
}

fn release(plan: &PrivateMean) -> MeanRelease {
    plan.release(&curves(500), &mut SeededRandomness::from_seed(8)).unwrap()
}

#[test]
fn a_radius_that_is_stated_too_large_is_bought_smaller_and_the_noise_with_it() {
    let stated = release(&plan(None, None));
    for (center, radius) in [(None, Some(0.05)), (Some(0.1), Some(0.05))] {
        let bought = release(&plan(center, radius));
        let answers = bought.statistic().bought().unwrap();
        assert_eq!(answers.stated_ball(), stated.ball());
        assert_eq!(answers.shares(), BallShares::new(center, radius).unwrap());
        assert!(bought.ball().radius() < 0.25 * stated.ball().radius(), "{}", bought.ball().radius());
        assert!(bought.noise_scale() < 0.3 * stated.noise_scale());
        assert!(bought.facts().iter().any(|fact| fact.name == "bought" && fact.text.contains("of at most 2")));
    }
    let centered = release(&plan(Some(0.1), None));
    assert_eq!(centered.ball().radius(), stated.ball().radius());
    let center = centered.ball().center_at(centered.grid()).unwrap();
    let points = centered.grid().points();
    let wave = points.iter().map(|t| 2.0 + 0.3 * (6.0 * t).sin());
    let distance = center.iter().zip(wave).map(|(c, w)| (c - w).powi(2)).sum::<f64>() / 30.0;
    assert!(distance.sqrt() < 0.1, "{}", distance.sqrt());
}

#[test]
fn what_is_bought_and_the_mean_together_cost_the_budget_and_no_more() {
    let whole = GaussianPrivacy::calibrated(Calibration::Tight, &budget()).unwrap();
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        for (center, radius) in [(None, Some(0.05)), (Some(0.1), None), (Some(0.1), Some(0.3))] {
            let spent = release(&plan(center, radius).neighbours(neighbours)).privacy();
            assert!(spent <= whole && spent.mu() > whole.mu() * (1.0 - 1e-5), "{center:?} {radius:?} {}", spent.mu());
        }
    }
}

#[test]
fn a_bought_ball_survives_its_document_and_another_one_is_refused() {
    for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
        let release = release(&plan(Some(0.1), Some(0.05)).neighbours(neighbours));
        let json = release.to_json().unwrap();
        let again = MeanRelease::from_json(&json).unwrap();
        assert_eq!((again.spend(), again.plan(), again.stored()), (release.spend(), release.plan(), release.stored()));
        assert_eq!(again.statistic(), release.statistic());
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let refused = |pointer: &str, change: serde_json::Value| {
            let mut other = value.clone();
            *other.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = change;
            assert!(MeanRelease::from_json(&other.to_string()).is_err(), "{pointer}");
        };
        refused("/statistic/bought/ball/radius", 1.0.into());
        refused("/statistic/bought/radius/lattice/coordinates/0", (1_i64 << 50).into());
        refused("/statistic/bought/radius", serde_json::Value::Null);
        refused("/statistic/bought/center", serde_json::Value::Null);
        refused("/statistic/bought", serde_json::Value::Null);
        refused("/statistic/ball/radius", 0.5.into());
        refused("/statistic/bought/radius/privacy/epsilon", 2.0.into());
        refused("/statistic/bought/radius/noise/law/gaussian/share", 0.04.into());
        refused("/noise/law/gaussian/share", 0.9.into());
        let first: f64 = serde_json::from_value(value["statistic"]["ball"]["center"][3].clone()).unwrap();
        refused("/statistic/ball/center/3", (first + 0.01).into());
    }
}

#[test]
fn a_radius_is_not_bought_from_counts_that_the_noise_would_hide() {
    let few = plan(None, Some(0.05));
    let least = few.least_records_for_radius().unwrap().unwrap();
    assert_eq!(least, 35, "five standard deviations of a count at (1, 0.1)");
    let refused = few.release(&curves(34), &mut SeededRandomness::from_seed(1)).unwrap_err();
    assert_eq!(refused, ReleaseError::TooFewForRadius { least: 35, found: 34 });
    assert!(few.release(&curves(35), &mut SeededRandomness::from_seed(1)).is_ok());
    // a private number decides nothing
    let private = few.neighbours(NeighbouringRelation::AddRemoveOne);
    for records in [0, 1, 34] {
        assert!(private.release(&curves(records), &mut SeededRandomness::from_seed(1)).is_ok(), "{records}");
    }
}

#[test]
fn shares_are_below_one_half_and_the_smoothed_mechanism_buys_nothing() {
    for share in [0.0, 0.5, -0.1, f64::NAN, 1.0] {
        assert!(BallShares::new(Some(share), None).is_err() && BallShares::new(None, Some(share)).is_err(), "{share}");
    }
    let ball = Ball::new(Center::Constant(2.0), 2.0).unwrap();
    let smoothed = PrivateMean::cameron_martin(ball, budget());
    assert_eq!(smoothed.bought_shares(), Ok(BallShares::NONE));
    let refused = smoothed.buying(BallShares::default()).release(&curves(100), &mut SeededRandomness::from_seed(1));
    assert_eq!(refused.unwrap_err(), ReleaseError::BoughtSmoothed);
}

#[test]
fn a_bought_centre_lies_between_the_bounds_of_the_values() {
    let ball = Ball::within(1.0, 3.0).unwrap();
    let loud = PrivacyBudget::new(0.01, 1e-5).unwrap();
    let plan = PrivateMean::isonormal(ball, loud).buying(BallShares::new(Some(0.1), None).unwrap());
    for seed in 0..5 {
        let release = plan.release(&curves(20), &mut SeededRandomness::from_seed(seed)).unwrap();
        let center = release.ball().center_at(release.grid()).unwrap();
        assert!(center.iter().all(|c| (1.0..=3.0).contains(c)));
        assert_eq!(release.ball().bounds(), Some((1.0, 3.0)));
    }
}
