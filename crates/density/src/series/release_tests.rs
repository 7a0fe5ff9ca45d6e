#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::ReadError;
use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Arithmetic, NeighbouringRelation, PrivacyBudget, SeededRandomness, SystemRandomness};
use ndarray::Array2;
use serde_json::{Value, json};

use super::SeriesRelease;
use crate::bounds::Bounds;
use crate::points::Points;
use crate::series::{SeriesMechanism, SeriesTerms};

fn points(dimension: usize) -> Points {
    let values = Array2::from_shape_fn((80, dimension), |(i, axis)| (i as f64 * 0.618 * (axis + 1) as f64).fract());
    Points::new(values, Bounds::new(vec![(-1.0, 2.0); dimension]).unwrap()).unwrap()
}

fn released(terms: SeriesTerms, delta: f64, neighbours: NeighbouringRelation, dimension: usize) -> SeriesRelease {
    let mechanism = SeriesMechanism::new(terms, PrivacyBudget::new(1.0, delta).unwrap(), neighbours).unwrap();
    mechanism.release(&points(dimension), &mut SeededRandomness::from_seed(5)).unwrap()
}

fn read(document: &Value) -> Result<SeriesRelease, ReadError> {
    SeriesRelease::from_json(&document.to_string())
}

fn document(release: &SeriesRelease) -> Value {
    serde_json::from_str(&release.to_json().unwrap()).unwrap()
}

#[test]
fn the_file_says_what_was_done_and_hides_a_private_number_of_records() {
    let release = released(SeriesTerms::ChosenUpTo(4), 0.0, SubstituteOne, 1);
    let found = document(&release);
    for (pointer, value) in [
        ("/kind", json!("series")),
        ("/privacy/epsilon", json!(1.0)),
        ("/privacy/delta", json!(0.0)),
        ("/privacy/neighbours", json!("substitute")),
        ("/privacy/unit", json!("curve")),
        ("/privacy/records", json!(80)),
        ("/privacy/arithmetic", json!("exact")),
        ("/privacy/private", json!(false)),
        ("/statistic/bounds", json!([[-1.0, 2.0]])),
        ("/statistic/basis", json!({ "cosine": { "terms": 4 } })),
        ("/statistic/terms", json!({ "chosen-up-to": 4 })),
        ("/noise/law", json!({ "discrete-laplace": {} })),
    ] {
        assert_eq!(found.pointer(pointer), Some(&value), "{pointer}");
    }
    assert!(found["software"].as_str().unwrap().starts_with("dpfda "));
    assert_eq!(release.arithmetic(), Arithmetic::Exact);
    let hidden = document(&released(SeriesTerms::Given(4), 1e-6, AddRemoveOne, 1));
    assert!(hidden["privacy"]["records"].is_null() && hidden["lattice"]["count"].is_i64());
    assert_eq!(hidden["noise"]["law"], json!({ "gaussian": { "calibration": "tight" } }));
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    let mechanism = SeriesMechanism::new(SeriesTerms::Given(4), budget, SubstituteOne).unwrap();
    assert!(mechanism.release(&points(1), &mut SystemRandomness::new().unwrap()).unwrap().is_private());
}

/// Why a release is refused after an edit.
fn refusal(document: &Value, pointer: &str, value: Value) -> String {
    let mut edited = document.clone();
    *edited.pointer_mut(pointer).unwrap() = value;
    read(&edited).unwrap_err().to_string()
}

#[test]
fn a_number_of_terms_by_the_rate_must_be_that_of_the_public_number_of_records() {
    // 80^(1/4) = 2.99
    let found = document(&released(SeriesTerms::Smoothness(1.5), 1e-6, SubstituteOne, 1));
    assert_eq!(found["statistic"]["basis"]["cosine"]["terms"], 3);
    let error = refusal(&found, "/statistic/terms", json!({ "smoothness": 1.0 }));
    assert!(error.contains("statistic.basis"), "{error}");
    let error = refusal(&found, "/statistic/terms", json!({ "smoothness": 0.5 }));
    assert!(error.contains("gamma"), "{error}");
}

#[test]
fn fewer_terms_are_the_first_coefficients() {
    let release = released(SeriesTerms::Given(5), 0.0, SubstituteOne, 1);
    assert_eq!(release.density_with(2).coefficients(), &release.coefficients()[..2]);
    assert_eq!(release.density_with(99), release.density());
    assert_eq!(release.density_with(0).coefficients(), [0.0]);
    assert_eq!(release.terms(), 5);
}
