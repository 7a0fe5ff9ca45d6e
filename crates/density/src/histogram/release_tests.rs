#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use serde_json::{Value, json};

use crate::bounds::Bounds;
use crate::cells::Cells;
use crate::histogram::{HistogramRelease, PerturbedHistogram};
use crate::points::Points;

fn release(delta: f64, neighbours: NeighbouringRelation) -> HistogramRelease {
    let bounds = Bounds::new(vec![(0.0, 1.0), (-1.0, 3.0)]).unwrap();
    let values = Array2::from_shape_fn((300, 2), |(row, axis)| ((row * (axis + 2)) % 13) as f64 / 13.0);
    let settings =
        PerturbedHistogram::new(Cells::new(bounds.clone(), 6).unwrap(), PrivacyBudget::new(0.7, delta).unwrap());
    let points = Points::new(values, bounds).unwrap();
    settings.neighbours(neighbours).release(&points, &mut SeededRandomness::from_seed(4)).unwrap()
}

fn document(release: &HistogramRelease) -> Value {
    serde_json::from_str(&release.to_json().unwrap()).unwrap()
}

/// What is said of the document after one field is set.
fn tampered(mut document: Value, path: &str, value: Value) -> String {
    *document.pointer_mut(path).unwrap() = value;
    HistogramRelease::from_json(&document.to_string()).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_back_the_same_merged_or_not() {
    for delta in [0.0, 1e-5] {
        for neighbours in [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne] {
            let release = release(delta, neighbours);
            for shown in [release.merged(3).unwrap(), release.merged_by_risk(), release] {
                assert_eq!(HistogramRelease::from_json(&shown.to_json().unwrap()).unwrap(), shown);
            }
        }
    }
}

#[test]
fn the_number_of_records_is_written_only_where_it_is_public() {
    let public = document(&release(0.0, NeighbouringRelation::SubstituteOne));
    assert_eq!(public["privacy"]["records"], 300);
    let private = document(&release(0.0, NeighbouringRelation::AddRemoveOne));
    assert!(private["privacy"]["records"].is_null());
    assert_eq!(private["privacy"]["neighbours"], "add-remove");
    assert_eq!(private["kind"], "histogram");
}

#[test]
fn tampering_with_one_field_is_found() {
    let laplace = |numerator| json!({ "discrete-laplace": { "numerator": numerator, "denominator": 1 } });
    let normal = json!({ "gaussian": { "blocks": [{ "length": 36, "unit": 1.0, "scale": 6_000_000 }] } });
    let (pure, gaussian) = (json!({ "discrete-laplace": {} }), json!({ "gaussian": { "calibration": "tight" } }));
    for (delta, scale_at, other_law, other_noise, of_other_cells) in [
        (0.0, "/noise/drawn/discrete-laplace/numerator", gaussian, normal, "lattice.coordinates"),
        (1e-5, "/noise/drawn/gaussian/blocks/0/scale", pure, laplace(9), "noise.drawn"),
    ] {
        let document = document(&release(delta, NeighbouringRelation::SubstituteOne));
        let scale = document.pointer(scale_at).unwrap().as_u64().unwrap();
        for (path, value, said) in [
            ("/schema", json!(1), "schema 1 is not known"),
            ("/kind", json!("series"), "not of the kind histogram"),
            ("/software", json!("a\u{1b}[2J"), "the field software"),
            ("/privacy/epsilon", json!(0.6), "noise.drawn"),
            ("/privacy/epsilon", json!(-1.0), "privacy.epsilon"),
            ("/privacy/delta", json!(1.0), "privacy.epsilon"),
            ("/privacy/neighbours", json!("add-remove"), "privacy.records"),
            ("/privacy/records", json!(1), "privacy.records"),
            ("/privacy/records", json!(null), "privacy.records"),
            ("/privacy/arithmetic", json!("idealised"), "privacy.arithmetic"),
            ("/statistic/cells/bounds/0/1", json!(-1.0), "lower bound"),
            ("/statistic/cells/per_axis", json!(5), of_other_cells),
            ("/statistic/cells/per_axis", json!(100_000), "GiB"),
            ("/noise/law", other_law, "privacy.epsilon"),
            ("/noise/drawn", other_noise, "noise.drawn"),
            (scale_at, json!(scale * 9 / 10), "noise.drawn"),
            (scale_at, json!(0), "scale"),
            ("/lattice/coordinates/3", json!(1_i64 << 40), "derived.probabilities"),
            ("/lattice/coordinates", json!([1]), "lattice.coordinates"),
            ("/lattice/coordinates/0", json!(0.5), "integer"),
            ("/derived/steps_to_record", json!(7), "derived.steps_to_record"),
            ("/derived/noise_sd", json!(1.0), "derived.noise_sd"),
            ("/derived/cells_per_axis", json!(4), "derived.cells_per_axis"),
            ("/derived/cells_per_axis", json!(3), "derived.probabilities"),
            ("/derived/probabilities/0", json!(0.9), "derived.probabilities"),
            ("/derived/probabilities", json!([]), "derived.probabilities"),
        ] {
            let found = tampered(document.clone(), path, value);
            assert!(found.contains(said), "{path}: {found}");
        }
    }
}

#[test]
fn fields_that_are_missing_or_unknown_are_refused() {
    let whole = document(&release(0.0, NeighbouringRelation::SubstituteOne));
    // names of axes may be left out
    for field in whole.as_object().unwrap().keys().filter(|field| *field != "labels") {
        let mut document = whole.clone();
        document.as_object_mut().unwrap().remove(field);
        assert!(HistogramRelease::from_json(&document.to_string()).is_err(), "{field}");
    }
    let mut document = whole;
    document["derived"]["mean"] = json!(0.0);
    assert!(HistogramRelease::from_json(&document.to_string()).unwrap_err().to_string().contains("unknown field"));
}
