#![allow(clippy::unwrap_used, reason = "tests")]

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

fn read(document: &Value) -> Result<SeriesRelease, serde_json::Error> {
    serde_json::from_value(document.clone())
}

#[test]
fn a_release_is_read_back_as_it_was_written() {
    for (terms, delta, neighbours, dimension) in [
        (SeriesTerms::Given(6), 0.0, SubstituteOne, 1),
        (SeriesTerms::Given(6), 1e-6, AddRemoveOne, 2),
        (SeriesTerms::Smoothness(1.5), 1e-6, SubstituteOne, 3),
        (SeriesTerms::ChosenUpTo(9), 0.0, AddRemoveOne, 1),
    ] {
        let release = released(terms, delta, neighbours, dimension);
        let text = serde_json::to_string(&release).unwrap();
        let back: SeriesRelease = serde_json::from_str(&text).unwrap();
        assert_eq!(back, release);
        assert_eq!(back.density(), release.density());
    }
}

#[test]
fn the_file_says_what_was_done_and_hides_a_private_number_of_records() {
    let release = released(SeriesTerms::ChosenUpTo(4), 0.0, SubstituteOne, 1);
    let document = serde_json::to_value(&release).unwrap();
    for (field, value) in [
        ("epsilon", json!(1.0)),
        ("delta", json!(0.0)),
        ("neighbours", json!("substitute")),
        ("records", json!(80)),
        ("bounds", json!([[-1.0, 2.0]])),
        ("mechanism", json!("series")),
        ("basis", json!("cosine")),
        ("terms", json!({ "chosen-up-to": 4 })),
        ("arithmetic", json!("exact")),
        ("private", json!(false)),
    ] {
        assert_eq!(document[field], value, "{field}");
    }
    assert!(document["software"].as_str().unwrap().starts_with("dpfda "));
    assert_eq!(document["lattice"]["noise"]["law"], "discrete-laplace");
    assert_eq!(release.arithmetic(), Arithmetic::Exact);
    let hidden = serde_json::to_value(released(SeriesTerms::Given(4), 1e-6, AddRemoveOne, 1)).unwrap();
    assert!(hidden.get("records").is_none() && hidden["lattice"]["count"].is_i64());
    assert_eq!(hidden["lattice"]["noise"]["law"], "rounded-normal");
    let mechanism = *release.mechanism();
    assert!(mechanism.release(&points(1), &mut SystemRandomness::new().unwrap()).unwrap().is_private());
}

#[test]
fn edited_files_are_refused() {
    let document = serde_json::to_value(released(SeriesTerms::Given(3), 0.0, SubstituteOne, 1)).unwrap();
    let edits: [(&str, Value, &str); 17] = [
        ("/schema", json!(2), "schema 2"),
        ("/software", json!("a\u{1b}[2J"), "software"),
        ("/epsilon", json!(0.5), "lattice.noise"),
        ("/epsilon", json!(-1.0), "epsilon"),
        ("/delta", json!(1e-3), "lattice.noise"),
        ("/neighbours", json!("add-remove"), "records"),
        ("/records", json!(0), "records"),
        ("/records", json!(81), "coefficients"),
        ("/terms", json!({ "given": 4 }), "coordinates"),
        ("/terms", json!({ "given": 0 }), "at least one term"),
        ("/terms_used", json!(2), "terms_used"),
        ("/arithmetic", json!("idealised"), "arithmetic"),
        ("/lattice/bits", json!(19), "lattice.bits"),
        ("/lattice/coordinates/1", json!(77), "coefficients"),
        ("/coefficients/0", json!(0.77), "coefficients"),
        ("/noise_scale", json!(0.001), "noise_scale"),
        ("/noise_sd", json!(0.001), "noise_sd"),
    ];
    for (pointer, value, message) in edits {
        let mut edited = document.clone();
        *edited.pointer_mut(pointer).unwrap() = value;
        let error = read(&edited).unwrap_err().to_string();
        assert!(error.contains(message), "{pointer}: {error}");
    }
    let mut more = document.clone();
    more["secret"] = json!(1);
    assert!(read(&more).is_err());
}

#[test]
fn fewer_terms_are_the_first_coefficients() {
    let release = released(SeriesTerms::Given(5), 0.0, SubstituteOne, 1);
    assert_eq!(release.density_with(2).coefficients(), &release.coefficients()[..2]);
    assert_eq!(release.density_with(99), release.density());
    assert_eq!(release.density_with(0).coefficients(), [0.0]);
    assert_eq!(release.terms(), 5);
}
