#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use serde_json::Value;

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
fn a_number_of_records_that_is_far_from_the_noisy_counts_is_refused() {
    for delta in [0.0, 1e-5] {
        let json = release(delta, NeighbouringRelation::SubstituteOne).to_json().unwrap();
        let read = |records: &str| HistogramRelease::from_json(&json.replace("\"records\": 300", records));
        assert!(read("\"records\": 301").is_ok(), "{delta}");
        for far in ["\"records\": 2000", "\"records\": 1099511627776"] {
            let refused = read(far).unwrap_err();
            assert!(refused.to_string().contains("privacy.records"), "{delta} {far}: {refused}");
        }
    }
}
