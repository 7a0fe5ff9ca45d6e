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

fn read(document: &Value) -> Result<MeanRelease, String> {
    MeanRelease::from_json(&document.to_string()).map_err(|error| error.to_string())
}

#[test]
fn a_release_reads_back_as_the_same_document() {
    for release in releases() {
        let json = release.to_json().unwrap();
        assert_eq!(MeanRelease::from_json(&json).unwrap().to_json().unwrap(), json);
    }
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

#[test]
fn unknown_and_missing_fields_are_refused() {
    for pointer in ["", "/privacy", "/statistic", "/noise", "/derived", "/derived/smoother", "/lattice", "/labels"] {
        let mut document = document(&releases()[0]);
        document.pointer_mut(pointer).unwrap()["extra"] = json!(1);
        assert!(read(&document).unwrap_err().contains("unknown field"), "{pointer}/extra");
    }
    let mut document = document(&releases()[0]);
    document["statistic"].as_object_mut().unwrap().remove("ball");
    assert!(read(&document).unwrap_err().contains("missing field"));
}

#[test]
fn edited_numbers_are_noticed() {
    let edits = [
        ("/schema", json!(1)),
        ("/schema", json!(2)),
        ("/kind", json!("histogram")),
        ("/software", json!("dpfda\u{1b}[2J")),
        ("/privacy/epsilon", json!(0.5)),
        ("/privacy/delta", json!(1e-7)),
        ("/derived/mu", json!(0.1)),
        ("/privacy/records", json!(31)),
        ("/privacy/records", json!(30.5)),
        ("/privacy/records", json!(1)),
        ("/privacy/records", json!(null)),
        ("/derived/units", json!(31)),
        ("/derived/units", json!(30.5)),
        ("/privacy/neighbours", json!("add-remove")),
        ("/statistic/ball/radius", json!(0.3)),
        ("/statistic/ball/radius", json!(-0.25)),
        ("/statistic/ball/center", json!(0.6)),
        ("/statistic/mechanism", json!("cameron-martin")),
        ("/derived/smoother/penalty", json!(0.0)),
        ("/derived/smoother/penalty", json!(0.5)),
        ("/derived/smoother/power", json!(0.5)),
        ("/derived/smoother/kernel/range", json!(-1.0)),
        ("/derived/smoother/kernel", json!("cubic")),
        ("/statistic/rank", json!(14)),
        ("/noise/law", json!({"gaussian": {"calibration": "classical"}})),
        ("/noise/law", json!({"discrete-laplace": {}})),
        ("/noise/drawn/gaussian/blocks/0/scale", json!(0)),
        ("/noise/drawn/gaussian/blocks/0/scale", json!(1000)),
        ("/privacy/arithmetic", json!("idealised")),
        ("/lattice/coordinates/3", json!(1_i64 << 40)),
        ("/lattice/coordinates", json!([1, 2, 3])),
        ("/statistic/grid/points/3", json!(0.0)),
        ("/derived/values/3", json!(0.9)),
        ("/derived/noise_sd/3", json!(0.9)),
        ("/derived/noise_scale", json!(0.9)),
    ];
    for (pointer, value) in edits {
        let mut document = document(&releases()[0]);
        *document.pointer_mut(pointer).unwrap() = value.clone();
        assert!(read(&document).is_err(), "{pointer} = {value} was accepted");
    }
}
