#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_kernels::{Gaussian, Grid, Kernel, Matern};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_smoothing::{Ball, Center, CurveSet};
use ndarray::Array2;
use serde_json::{Value, json};

use super::MeanRelease;
use crate::mean::private::PrivateMean;

fn curves() -> CurveSet {
    let values = Array2::from_shape_fn((30, 15), |(i, j)| 0.4 + 0.005 * i as f64 + 0.01 * j as f64);
    CurveSet::new(Grid::uniform(0.0, 2.0, 15).unwrap(), values).unwrap()
}

fn releases() -> Vec<MeanRelease> {
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let composite = Kernel::from(Gaussian::new(0.05).unwrap()) * Matern::new(1.7, 0.3).unwrap().into()
        + Kernel::from(Matern::new(2.5, 0.4).unwrap()).scaled(0.5).unwrap();
    let isonormal = PrivateMean::isonormal(ball.clone(), budget).buying(crate::BallShares::NONE);
    let settings = [
        isonormal.clone(),
        isonormal.clone().kernel(composite),
        isonormal.neighbours(NeighbouringRelation::AddRemoveOne),
        PrivateMean::cameron_martin(ball, budget).kernel(Matern::new(3.7, 0.3).unwrap()).power(1.5),
    ];
    settings.map(|s| s.release(&curves(), &mut SeededRandomness::from_seed(6)).unwrap()).into()
}

fn document(release: &MeanRelease) -> Value {
    serde_json::from_str(&release.to_json().unwrap()).unwrap()
}

#[test]
fn a_resmoothed_release_reads_back_too() {
    for release in releases() {
        let smoother = release.smoother().clone();
        for other in releases() {
            let again = other.smoothed(&smoother).unwrap().to_json().unwrap();
            assert_eq!(MeanRelease::from_json(&again).unwrap().to_json().unwrap(), again);
        }
    }
}

#[test]
fn the_document_has_the_fields_that_readers_look_for() {
    let document = document(&releases()[0]);
    assert_eq!((&document["schema"], &document["kind"]), (&json!(3), &json!("mean")));
    for field in ["epsilon", "delta", "neighbours", "unit", "records", "arithmetic", "private"] {
        assert!(!document["privacy"][field].is_null(), "privacy.{field}");
    }
    assert_eq!(document["statistic"]["ball"], json!({"center": 0.5, "radius": 0.25}));
    assert_eq!(document["statistic"]["mechanism"], "isonormal");
    assert_eq!(document["noise"]["law"], json!({"gaussian": {"calibration": "tight"}}));
    let smoother = &document["derived"]["smoother"];
    assert_eq!(smoother["kernel"], json!({"family": "matern", "nu": 2.5, "range": 0.25}));
    for field in ["penalty", "power"] {
        assert!(smoother[field].is_number(), "smoother.{field}");
    }
    for field in ["mu", "units", "sensitivity", "noise_scale"] {
        assert!(document["derived"][field].is_number(), "derived.{field}");
    }
    for field in ["/statistic/grid/points", "/derived/values", "/derived/noise_sd"] {
        assert_eq!(document.pointer(field).unwrap().as_array().unwrap().len(), 15, "{field}");
    }
}
