#![allow(clippy::unwrap_used, reason = "tests")]

use approx::assert_abs_diff_eq;
use dpfda_kernels::Grid;
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{Mean, PrivateMean};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::{Array2, Axis};
use rand::{SeedableRng, rngs::ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};

use super::completion::conditional;
use super::covariance::{Found, degrees_of_freedom, of_person};
use super::{largest, tolerance_scale};
use crate::band::Band;
use crate::error::AnalysisError;
use crate::estimated::Estimated;
use crate::golden::{self, matrix, numbers};

const POINTS: usize = 41;

#[test]
fn the_covariance_of_a_person_meets_the_golden_values() {
    let (input, output) = golden::of_people("covariance of a person");
    let (t, vectors, values) = (numbers(&input["t"]), matrix(&input["eigenvectors"]), numbers(&input["eigenvalues"]));
    let found: Vec<Found> = values
        .iter()
        .zip(vectors.columns())
        .map(|(variance, vector)| Found { variance: *variance, vector: vector.to_owned() })
        .collect();
    let n = t.len();
    let fill = Array2::from_shape_fn((n, n), |(i, j)| (-(t[i] - t[j]).abs() / 0.2_f64).exp() / n as f64);
    let rest = input["total"].as_f64().unwrap() - values.sum();
    let covariance = of_person(&found, rest, &fill) * n as f64;
    assert_abs_diff_eq!(covariance, matrix(&output["covariance"]), epsilon = 1e-10);
}

#[test]
fn degrees_of_freedom_and_the_scale_of_tolerance_meet_the_golden_values() {
    let (input, output) = golden::of_people("degrees of freedom");
    let number = |name: &str| input[name].as_f64().unwrap();
    let covariance = Array2::from_elem((1, 1), number("trace_of_square").sqrt());
    let freedom = degrees_of_freedom(number("total"), number("sd_total"), &covariance, number("records"));
    assert_abs_diff_eq!(freedom, output["nu"].as_f64().unwrap(), epsilon = 1e-9);
    let (input, output) = golden::of_people("tolerance factor");
    let scale = tolerance_scale(input["nu"].as_f64().unwrap());
    assert_abs_diff_eq!(scale, output["scale"].as_f64().unwrap(), epsilon = 1e-9);
}

#[test]
fn a_completed_curve_meets_the_golden_values() {
    let (input, output) = golden::of_people("completion");
    let (covariance, mean, seen) = (matrix(&input["covariance"]), numbers(&input["mean"]), numbers(&input["seen"]));
    let of_mean = Array2::eye(mean.len()) * input["variance_of_mean"].as_f64().unwrap();
    let found = conditional(&covariance, &of_mean, seen.len(), input["nugget"].as_f64().unwrap()).unwrap();
    let (first, last) = mean.view().split_at(Axis(0), seen.len());
    assert_abs_diff_eq!(&last + &found.slopes.dot(&(&seen - &first)), numbers(&output["mean"]), epsilon = 1e-9);
    assert_abs_diff_eq!(found.covariance.diag().mapv(f64::sqrt), numbers(&output["sd"]), epsilon = 1e-9);
}

/// Curves that differ by a level and by a slope.
fn curves(records: usize, seed: u64) -> Array2<f64> {
    let mut generator = ChaCha20Rng::seed_from_u64(seed);
    let mut values = Array2::zeros((records, POINTS));
    for mut row in values.rows_mut() {
        let [level, slope]: [f64; 2] = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
        for (k, value) in row.iter_mut().enumerate() {
            let t = k as f64 / (POINTS - 1) as f64;
            *value = 0.5 + 0.05 * (4.0 * t).sin() + 0.06 * level + 0.08 * slope * (t - 0.5);
        }
    }
    values
}

fn estimated(records: usize, relation: NeighbouringRelation) -> Estimated<Mean> {
    let curves = CurveSet::new(Grid::uniform(0.0, 1.0, POINTS).unwrap(), curves(records, 1)).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.3).unwrap();
    let plan = PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-3).unwrap()).neighbours(relation);
    let release = plan.release(&curves, &mut SeededRandomness::from_seed(3)).unwrap();
    Estimated::<Mean>::new(release, &Band::Posterior, 0.95).unwrap()
}

fn substitute(records: usize) -> Estimated<Mean> {
    estimated(records, NeighbouringRelation::SubstituteOne)
}

#[test]
fn a_prediction_band_holds_new_people_and_a_tolerance_band_is_wider() {
    let release = substitute(2000);
    let prediction = release.with_band(&Band::Prediction, 0.95).unwrap();
    let (lower, upper) = (&prediction.estimate().lower, &prediction.estimate().upper);
    let people = curves(4000, 2);
    let is_held = |curve: ndarray::ArrayView1<'_, f64>| {
        curve.iter().zip(lower.iter().zip(upper)).all(|(x, (lower, upper))| lower <= x && x <= upper)
    };
    let held = people.rows().into_iter().filter(|curve| is_held(*curve)).count();
    assert!((0.93..=0.999).contains(&(held as f64 / 4000.0)), "{held}");
    let tolerance = release.with_band(&Band::Tolerance, 0.95).unwrap();
    assert!(tolerance.estimate().half_width() > prediction.estimate().half_width());
    let mean = release.with_band(&Band::Population, 0.95).unwrap();
    assert!(prediction.estimate().half_width() > 2.0 * mean.estimate().half_width());
}

#[test]
fn a_document_with_a_band_of_people_reads_back_and_says_what_is_assumed() {
    for band in [Band::Prediction, Band::Tolerance] {
        let estimated = substitute(2000).with_band(&band, 0.9).unwrap();
        let again = Estimated::<Mean>::from_json(&estimated.to_json().unwrap()).unwrap();
        assert_eq!(again.estimate(), estimated.estimate());
        let facts: String = estimated.facts().into_iter().map(|fact| fact.text).collect();
        assert!(facts.contains("assumed") && facts.contains("approximate"), "{facts}");
    }
}

#[test]
fn the_second_half_of_a_curve_follows_from_the_first() {
    let release = substitute(2000);
    let (points, person) = (release.grid().points().to_owned(), curves(1, 7).row(0).to_owned());
    let seen = 20;
    let (known, rest) = (person.as_slice().unwrap(), &person.as_slice().unwrap()[seen..]);
    let found = release.population().complete(&points.as_slice().unwrap()[..seen], &known[..seen], 0.95).unwrap();
    assert_eq!(found.at, points.as_slice().unwrap()[seen..]);
    let square = |a: &[f64]| a.iter().zip(rest).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let mean = release.posterior().values().to_vec();
    assert!(square(found.values.as_slice().unwrap()) < 0.25 * square(&mean[seen..]));
    assert!(rest.iter().zip(found.lower.iter().zip(&found.upper)).all(|(x, (low, high))| low <= x && x <= high));
}

#[test]
fn what_a_curve_cannot_be_completed_from_is_refused_without_its_values() {
    let release = substitute(2000);
    let refused = |points: &[f64], values: &[f64]| release.population().complete(points, values, 0.95).unwrap_err();
    assert_eq!(refused(&[0.1, 0.2], &[0.5, 0.5]), AnalysisError::FewSeen { found: 2 });
    let outside = refused(&[0.1, 0.2, 1.5], &[0.5; 3]);
    assert_eq!(outside, AnalysisError::SeenOutside { place: 3, lower: 0.0, upper: 1.0 });
    assert!(!outside.to_string().contains("1.5"), "{outside}");
    assert_eq!(refused(&[0.1, 0.2, 0.2], &[0.5; 3]), AnalysisError::SeenOrder);
    assert_eq!(refused(&[0.1, 0.2, 0.3], &[0.5, f64::NAN, 0.5]), AnalysisError::SeenValue { place: 2 });
    let all = release.grid().points().to_vec();
    assert_eq!(refused(&all, &vec![0.5; all.len()]), AnalysisError::SeenAll);
}

#[test]
fn a_release_that_does_not_tell_people_apart_has_no_band_of_people() {
    let without = estimated(2000, NeighbouringRelation::AddRemoveOne).with_band(&Band::Tolerance, 0.95);
    assert!(matches!(without, Err(AnalysisError::NoMoments)));
    let few = substitute(20).with_band(&Band::Prediction, 0.95);
    assert!(matches!(few, Err(AnalysisError::PersonHidden { .. })), "{few:?}");
}

#[test]
fn students_law_makes_a_band_wider_and_sidak_bounds_one_of_few_points() {
    let covariance = Array2::eye(5);
    let (normal, _) = largest::critical_value(&covariance, None, 0.95).unwrap();
    let (student, _) = largest::critical_value(&covariance, Some(8.0), 0.95).unwrap();
    assert!(student > 1.1 * normal);
    // 5 independent normal numbers: Sidak's value is the quantile itself
    assert!((1.06 * 2.568..1.06 * 2.70).contains(&normal), "{normal}");
}
