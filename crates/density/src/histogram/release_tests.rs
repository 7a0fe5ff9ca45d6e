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
    assert!(private["privacy"].get("records").is_none());
    assert_eq!(private["privacy"]["neighbours"], "add-remove");
    assert_eq!(private["mechanism"], "perturbed-histogram");
}

#[test]
fn tampering_with_one_field_is_found() {
    for (delta, law) in [(0.0, "rounded-normal"), (1e-5, "discrete-laplace")] {
        let document = document(&release(delta, NeighbouringRelation::SubstituteOne));
        let numerator = document["noise"]["scale_numerator"].as_u64().unwrap();
        for (path, value, said) in [
            ("/schema", json!(2), "schema 2 is not known"),
            ("/software", json!("a\u{1b}[2J"), "plain text"),
            ("/mechanism", json!("series"), "unknown variant"),
            ("/privacy/epsilon", json!(0.6), "privacy.epsilon"),
            ("/privacy/epsilon", json!(-1.0), "epsilon must be"),
            ("/privacy/delta", json!(1.0), "delta must be"),
            ("/privacy/neighbours", json!("add-remove"), "privacy.records"),
            ("/privacy/records", json!(1), "privacy.records"),
            ("/privacy/records", json!(null), "privacy.records"),
            ("/privacy/arithmetic", json!("idealised"), "privacy.arithmetic"),
            ("/bounds/0/1", json!(-1.0), "lower bound"),
            ("/cells_per_axis", json!(5), "25 cells"),
            ("/cells_per_axis", json!(100_000), "GiB"),
            ("/noise/law", json!(law), "privacy.epsilon"),
            ("/noise/steps_to_record", json!(7), "noise.steps_to_record"),
            ("/noise/scale_numerator", json!(numerator * 9 / 10), "privacy.epsilon"),
            ("/noise/scale_numerator", json!(0), "scale"),
            ("/noise/sd", json!(1.0), "noise.sd"),
            ("/noisy_counts/3", json!(1_i64 << 40), "density.probabilities"),
            ("/noisy_counts", json!([1]), "noisy counts"),
            ("/density/cells_per_axis", json!(4), "does not divide"),
            ("/density/cells_per_axis", json!(3), "density.probabilities"),
            ("/density/probabilities/0", json!(0.9), "density.probabilities"),
            ("/density/probabilities", json!([]), "density.probabilities"),
        ] {
            // a law on the other's lattice may also fall over its denominator
            let found = tampered(document.clone(), path, value);
            let denominator = path == "/noise/law" && found.contains("noise.scale_denominator");
            assert!(found.contains(said) || denominator, "{path}: {found}");
        }
    }
}

#[test]
fn fields_that_are_missing_or_unknown_are_refused() {
    let whole = document(&release(0.0, NeighbouringRelation::SubstituteOne));
    for field in whole.as_object().unwrap().keys() {
        let mut document = whole.clone();
        document.as_object_mut().unwrap().remove(field);
        assert!(HistogramRelease::from_json(&document.to_string()).is_err(), "{field}");
    }
    let mut document = whole;
    document["noise"]["mean"] = json!(0.0);
    assert!(HistogramRelease::from_json(&document.to_string()).unwrap_err().to_string().contains("unknown field"));
}
