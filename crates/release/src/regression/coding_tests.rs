#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::{Grid, eigenpairs};
use dpfda_privacy::{Calibration, Emphasis, GaussianPrivacy, Moments, PrivacyBudget};
use dpfda_smoothing::Ball;

use super::*;
use crate::mean::{Mean, MeanMechanism};
use crate::regression::RegressionPlanError;

fn category(levels: usize) -> Covariate {
    Covariate::Category { name: format!("of {levels}"), levels: (0..levels).map(|level| level.to_string()).collect() }
}

fn number() -> Covariate {
    Covariate::Number { name: "number".to_owned(), lower: -1.0, upper: 1.0 }
}

fn regression(covariates: Vec<Covariate>) -> Regression {
    let mean =
        Mean::new(Ball::within(0.0, 1.0).unwrap(), Grid::uniform(0.0, 1.0, 4).unwrap(), &MeanMechanism::Isonormal);
    let moments = Moments { emphasis: Emphasis::Mean, coordinates: 2 };
    Regression::new(mean.unwrap().with_moments(Some(moments)).unwrap(), covariates, None).unwrap()
}

/// The same covariates, only standardised, as in the first documents.
fn without_coding(regression: &Regression) -> Regression {
    let mut plan = serde_json::to_value(regression).unwrap();
    plan.as_object_mut().unwrap().remove("coding");
    serde_json::from_value(plan).unwrap()
}

/// All combinations of these values of each covariate, standardised, with a 1 in front.
fn combinations(covariates: &[Covariate], values: &[&str]) -> Vec<Vec<f64>> {
    covariates.iter().fold(vec![vec![1.0]], |rows, covariate| {
        let cells: Vec<Vec<f64>> = match covariate {
            Covariate::Number { .. } => values.iter().map(|value| covariate.standardised(Some(value))).collect(),
            Covariate::Category { levels, .. } => {
                levels.iter().map(|level| covariate.standardised(Some(level))).collect()
            }
        };
        rows.iter().flat_map(|row| cells.iter().map(move |cell| [row.clone(), cell.clone()].concat())).collect()
    })
}

/// The second moments of coded covariates where all levels are as likely and numbers uniform: of these three values and weights, which
/// integrate polynomials up to degree 5, the root of 3/5 with 5/18 each and 0 with 8/18.
fn second_moments(regression: &Regression) -> Array2<f64> {
    let size = regression.coefficients();
    let (mut sum, mut total) = (Array2::<f64>::zeros((size, size)), 0.0);
    let is_middle = |x: &f64| x.abs() < 1e-12;
    for row in combinations(regression.covariates(), &["-0.7745966692414834", "0", "0.7745966692414834"]) {
        let mut first = 1;
        let mut weight = 1.0;
        for covariate in regression.covariates() {
            if matches!(covariate, Covariate::Number { .. }) {
                weight *= if is_middle(&row[first]) { 8.0 } else { 5.0 };
            }
            first += covariate.width();
        }
        let x = ndarray::Array1::from(regression.coded(&row)).insert_axis(ndarray::Axis(1));
        sum.scaled_add(weight, &x.dot(&x.t()));
        total += weight;
    }
    sum / total
}

/// How many such people make the smallest eigenvalue of their products the smallest that is not refused, at (1, 1e-5), for vectors whose
/// squared norm is at most `longest`, and the trace of the inverse of their second moments.
fn records_and_trace(regression: &Regression, longest: f64) -> (f64, f64) {
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let mu = GaussianPrivacy::calibrated(Calibration::Tight, &budget).unwrap().mu();
    let moments = eigenpairs(&(second_moments(regression) / longest)).unwrap().values;
    let smallest = moments.iter().copied().fold(f64::INFINITY, f64::min);
    let needed = 2.0 * (moments.len() as f64).sqrt() * 2.0 / mu;
    ((needed / smallest).ceil(), moments.mapv(f64::recip).sum())
}

#[test]
fn people_at_any_corner_have_vectors_of_norm_one_and_others_no_longer_ones() {
    for covariates in [
        vec![category(2)],
        vec![category(6)],
        vec![number()],
        vec![category(3), category(4), number()],
        vec![number(), category(5), Covariate::Number { name: "wide".to_owned(), lower: -1.0, upper: 1.0 }],
    ] {
        let regression = regression(covariates);
        for row in combinations(regression.covariates(), &["-1", "1"]) {
            let x = regression.coded(&row);
            assert_abs_diff_eq!(x.iter().map(|x| x * x).sum::<f64>(), 1.0, epsilon = 1e-14);
        }
        let unknown = regression.covariates().iter().flat_map(|covariate| covariate.standardised(None));
        let x = regression.coded(&std::iter::once(1.0).chain(unknown).collect::<Vec<f64>>());
        let part = regression.coding().unwrap().parts[0];
        assert_abs_diff_eq!(x[0], part.sqrt(), epsilon = 1e-15);
        assert!(x[1..].iter().all(|x| x.abs() < 1e-15), "{x:?}");
    }
}

#[test]
fn the_levels_of_one_category_are_orthonormal_vectors() {
    for levels in [2, 3, 6, 10, 20] {
        let regression = regression(vec![category(levels)]);
        let rows: Vec<Vec<f64>> =
            combinations(regression.covariates(), &[]).iter().map(|row| regression.coded(row)).collect();
        let vectors = Array2::from_shape_fn((levels, levels), |(i, j)| rows[i][j]);
        assert_abs_diff_eq!(vectors.dot(&vectors.t()), Array2::eye(levels), epsilon = 1e-14);
    }
}

#[test]
fn the_coding_needs_the_records_and_has_the_trace_of_the_golden_table() {
    // computed by another program: records and trace of standardised covariates over the root of their number, and of the best coding
    let three = || vec![category(3), category(4)];
    for (covariates, standardised, best) in [
        (vec![category(2)], (43.0, 4.0), (43.0, 4.0)),
        (vec![category(3)], (233.0, 13.5), (78.0, 9.0)),
        (vec![category(6)], (6513.0, 216.0), (220.0, 36.0)),
        (vec![category(10)], (80_153.0, 1900.0), (472.0, 100.0)),
        (vec![number()], (127.0, 8.0), (100.0, 7.46)),
        (three(), (1718.0, 81.0), (220.0, 36.0)),
        ([three(), vec![number()]].concat(), (2165.0, 115.5), (529.0, 59.8)),
    ] {
        let coded = regression(covariates);
        let plain = without_coding(&coded);
        let longest = coded.coefficients() as f64;
        for (regression, longest, (records, trace)) in [(&plain, longest, standardised), (&coded, 1.0, best)] {
            let found = records_and_trace(regression, longest);
            assert_eq!(found.0, records);
            assert_abs_diff_eq!(found.1, trace, epsilon = 0.03);
            assert_abs_diff_eq!(regression.noise_trace(), found.1, epsilon = 1e-9 * found.1);
        }
    }
}

#[test]
fn no_other_parts_have_a_smaller_trace() {
    let covariates = [category(3), number(), category(4)];
    let best = Coding::best(&covariates);
    let least = best.trace(&covariates);
    assert_abs_diff_eq!(least, (6.0 + 3.0_f64.sqrt()).powi(2), epsilon = 1e-12);
    for one in 0..4 {
        for other in 0..4 {
            let mut moved = best.clone();
            moved.parts[one] += 0.01;
            moved.parts[other] -= 0.01;
            assert!(moved.fits(&covariates) && (one == other || moved.trace(&covariates) > least * 1.0001));
        }
    }
}

#[test]
fn a_plan_with_another_coding_reads_back_and_one_that_is_none_does_not() {
    let regression = regression(vec![category(3), number()]);
    let plan = serde_json::to_value(&regression).unwrap();
    assert_eq!(serde_json::from_value::<Regression>(plan.clone()).unwrap(), regression);
    let with = |parts: serde_json::Value| {
        let mut plan = plan.clone();
        plan["coding"] = parts;
        serde_json::from_value::<Regression>(plan).map_err(|error| error.to_string())
    };
    assert_eq!(with(serde_json::json!([0.25, 0.25, 0.5])).unwrap().coding().unwrap().parts, [0.25, 0.25, 0.5]);
    let why = RegressionPlanError::Coding.to_string();
    for parts in [
        serde_json::json!([0.25, 0.25, 0.500_001]),
        serde_json::json!([0.25, 0.25, 0.499_999]),
        serde_json::json!([0.0, 0.5, 0.5]),
        serde_json::json!([-0.5, 0.75, 0.75]),
        serde_json::json!([0.5, 0.5]),
        serde_json::json!([0.25, 0.25, 0.25, 0.25]),
        serde_json::json!([]),
    ] {
        let refused = with(parts.clone()).unwrap_err();
        assert!(refused.contains(&why), "{parts}: {refused}");
    }
}
