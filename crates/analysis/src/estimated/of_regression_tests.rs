#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{Covariate, PrivateRegression};
use dpfda_smoothing::{Ball, Center, CurveSet, TextColumn};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

use super::*;
use crate::defaults::DEFAULT_LEVEL;
use crate::difference::Difference;
use crate::estimate::Estimate;

const POINTS: usize = 25;
const STEEPNESS: f64 = 0.02;

/// The coefficient functions of status and visit, and the intercept.
fn truth(t: f64) -> [f64; 3] {
    [0.5 + 0.05 * (4.0 * t).sin(), -0.06 * (2.0 * t).cos(), STEEPNESS * t]
}

/// People of a status and visits from 1 to 5.
fn people(records: usize, seed: u64) -> (CurveSet, Vec<TextColumn>) {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let (mut status, mut visits) = (Vec::new(), Vec::new());
    let mut values = Array2::zeros((records, POINTS));
    for mut row in values.rows_mut() {
        let (is_case, visit) = (generator.random_range(0..3) == 0, generator.random_range(1..6_u8));
        let [level, slope]: [f64; 2] = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
        for (k, value) in row.iter_mut().enumerate() {
            let t = k as f64 / 24.0;
            let [intercept, of_case, of_visit] = truth(t);
            *value = intercept + if is_case { of_case } else { 0.0 } + of_visit * f64::from(visit);
            *value += 0.04 * level + 0.03 * slope * (t - 0.5);
        }
        status.push(Some(if is_case { "case" } else { "control" }.to_owned()));
        visits.push(Some(visit.to_string()));
    }
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), values).unwrap();
    (curves, vec![TextColumn::new(status), TextColumn::new(visits)])
}

fn plan((epsilon, delta): (f64, f64)) -> PrivateRegression {
    let levels = ["control", "case"].map(str::to_owned).into();
    let status = Covariate::Category { name: "status".to_owned(), levels };
    let visit = Covariate::Number { name: "visit".to_owned(), lower: 1.0, upper: 5.0 };
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    PrivateRegression::new(ball, PrivacyBudget::new(epsilon, delta).unwrap(), vec![status, visit])
}

fn estimated(plan: &PrivateRegression, records: usize, seed: u64) -> Estimated<Regression> {
    let (curves, columns) = people(records, seed);
    let release = plan.release(&curves, &columns, &mut SeededRandomness::from_seed(seed)).unwrap();
    Estimated::<Regression>::new(release, &Band::Population, DEFAULT_LEVEL).unwrap()
}

fn covers(estimate: &Estimate<f64>, truth: impl Fn(f64) -> f64) -> bool {
    let ends = estimate.lower.iter().zip(&estimate.upper);
    estimate.at.iter().zip(ends).all(|(t, (lower, upper))| (lower..=upper).contains(&&truth(*t)))
}

#[test]
fn bands_cover_the_coefficients_of_the_population() {
    const RUNS: u64 = 60;
    for plan in [
        plan((1.0, 1e-3)),
        plan((1.0, 1e-3)).public_design(),
        plan((1.0, 1e-3)).neighbours(NeighbouringRelation::AddRemoveOne),
    ] {
        let mut covered = [0; 3];
        for seed in 0..RUNS {
            let estimated = estimated(&plan, 3000, seed);
            for (place, (count, coefficient)) in covered.iter_mut().zip(estimated.means().all()).enumerate() {
                *count += u32::from(covers(coefficient.estimate().unwrap(), |t| truth(t)[place]));
            }
        }
        // 0.95 of 60 is 57; 51 or fewer have probability 0.8% at 0.95
        assert!(covered.iter().all(|count| *count >= 52), "{covered:?} of {RUNS}");
    }
}

#[test]
fn without_noise_the_coefficients_are_those_of_least_squares() {
    for plan in [plan((50.0, 0.5)), plan((50.0, 0.5)).public_design()] {
        let estimated = estimated(&plan, 20_000, 1);
        let names: Vec<&str> = estimated.means().all().iter().map(Named::name).collect();
        assert_eq!(names, ["intercept", "status=case", "visit"]);
        for (place, named) in estimated.means().all().iter().enumerate() {
            let (name, coefficient) = (named.name(), named.estimate().unwrap());
            // the error of least squares on 20,000 curves
            for (t, value) in coefficient.at.iter().zip(&coefficient.values) {
                assert!((value - truth(*t)[place]).abs() < 0.004, "{name} at {t}: {value}");
            }
        }
    }
}

#[test]
fn a_prediction_is_the_mean_of_people_with_these_covariates() {
    let estimated = estimated(&plan((4.0, 1e-3)), 5000, 2);
    let prediction = estimated.predict(&["case", "3"]).unwrap();
    let prediction = prediction.estimate();
    let there = |t: f64| {
        let [intercept, of_case, of_visit] = truth(t);
        intercept + of_case + 3.0 * of_visit
    };
    assert!(covers(prediction, there));
    let width: f64 = prediction.upper.iter().zip(&prediction.lower).map(|(u, l)| u - l).sum::<f64>() / 25.0;
    assert!(width < 0.1, "{width}");
    assert_eq!(estimated.predict(&["case", "6"]).unwrap_err(), AnalysisError::Covariate { place: 2 });
    assert_eq!(estimated.predict(&["other", "3"]).unwrap_err(), AnalysisError::Covariate { place: 1 });
    assert!(matches!(estimated.predict(&["case"]), Err(AnalysisError::Length { expected: 2, found: 1, .. })));
}

#[test]
fn a_design_that_the_noise_hides_is_refused_with_the_number_that_would_do() {
    // noise makes half of the designs look as if they had a direction in each coefficient
    for seed in 0..8 {
        let hidden = estimated(&plan((1.0, 1e-5)), 60, seed);
        let refused = hidden.hidden().unwrap();
        assert!(matches!(refused, AnalysisError::DesignTooWeak { records, .. } if records == 60.0), "{refused}");
    }
    // curves with one status have no coefficient for it
    let (curves, mut columns) = people(4000, 1);
    columns[0] = TextColumn::new(vec![Some("case".to_owned()); 4000]);
    let release = plan((1.0, 1e-3)).release(&curves, &columns, &mut SeededRandomness::from_seed(1)).unwrap();
    let refused = Estimated::<Regression>::new(release, &Band::Population, DEFAULT_LEVEL).unwrap().hidden().unwrap();
    assert!(
        matches!(refused, AnalysisError::DesignTooWeak { .. }) && refused.to_string().contains("records"),
        "{refused}"
    );
}

#[test]
fn intervals_cover_the_area_of_a_coefficient() {
    const RUNS: u64 = 40;
    let mut areas = 0;
    for seed in 0..RUNS {
        let estimated = estimated(&plan((1.0, 1e-3)), 3000, 500 + seed);
        let case = estimated.means().get("status=case").unwrap().mean().unwrap();
        let area = case.features().unwrap().integral(0.0, 1.0).unwrap();
        areas += u32::from((area.lower..=area.upper).contains(&(-0.03 * 2.0_f64.sin())));
    }
    // 33 or fewer of 40 have probability 0.003% at 0.95
    assert!(areas >= 34, "{areas} of {RUNS}");
}

#[test]
fn coefficients_of_one_release_share_their_noise_and_are_no_two_sides_of_a_difference() {
    let (one, other) = (estimated(&plan((4.0, 1e-3)), 3000, 1), estimated(&plan((4.0, 1e-3)), 3000, 2));
    let of = |estimated: &Estimated<Regression>, name: &str| {
        estimated.means().get(name).unwrap().population().unwrap().clone()
    };
    let refused = Difference::new(&of(&one, "intercept"), &of(&one, "visit"), 0.95).map(drop).unwrap_err();
    assert_eq!(refused, AnalysisError::SameRelease);
    let read = Estimated::<Regression>::from_json(&one.to_json().unwrap()).unwrap();
    assert!(
        Difference::new(&of(&one, "intercept"), &of(&read, "visit"), 0.95).is_err(),
        "read again, it is the same release"
    );
    let (first, second) = (of(&one, "visit"), of(&other, "visit"));
    let difference = Difference::new(&first, &second, 0.95).unwrap();
    assert!(difference.where_it_is_not_zero().is_empty());
}
