#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, SeededRandomness};
use ndarray::Array2;
use serde_json::{Value, json};

use crate::{Bounds, CellDraws, Cells, DrawsMechanism, KsExponential, Points, SmoothedHistogram};

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::SubstituteOne;

fn bounds() -> Bounds {
    Bounds::new(vec![(0.0, 2.0), (-1.0, 1.0)]).unwrap()
}

fn smoothed() -> CellDraws {
    let values = Array2::from_shape_fn((50, 2), |(i, axis)| i as f64 / 50.0 - axis as f64);
    let (points, cells) = (Points::new(values, bounds()).unwrap(), Cells::new(bounds(), 3).unwrap());
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    let mechanism = SmoothedHistogram::with_smallest_mixture(budget, SUBSTITUTE, 50, cells, 4).unwrap();
    mechanism.release(&points, &mut SeededRandomness::from_seed(1)).unwrap()
}

fn exponential() -> CellDraws {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    let points = Points::new(Array2::from_elem((20, 1), 0.4), bounds.clone()).unwrap();
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    let relation = NeighbouringRelation::AddRemoveOne;
    let mechanism = KsExponential::new(budget, relation, Cells::new(bounds, 8).unwrap(), 6).unwrap();
    mechanism.release(&points, &mut SeededRandomness::from_seed(2)).unwrap()
}

#[test]
fn releases_are_read_back_as_they_were_written() {
    for release in [smoothed(), exponential()] {
        let text = serde_json::to_string_pretty(&release).unwrap();
        assert_eq!(serde_json::from_str::<CellDraws>(&text).unwrap(), release);
    }
    let written = serde_json::to_value(smoothed()).unwrap();
    assert_eq!(written["neighbours"], "substitute");
    assert_eq!(written["mechanism"]["name"], "smoothed-histogram");
    assert_eq!(
        (&written["records"], &written["private"], &written["arithmetic"]),
        (&json!(50), &json!(false), &json!("exact"))
    );
    assert_eq!((&written["bounds"], &written["cells_per_axis"]), (&json!([[0.0, 2.0], [-1.0, 1.0]]), &json!(3)));
    assert!(serde_json::to_value(exponential()).unwrap().get("records").is_none(), "private under add/remove");
}

/// Why the release is refused after a change.
fn refusal(release: &CellDraws, pointer: &str, value: Value) -> String {
    let mut document = serde_json::to_value(release).unwrap();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = if parent.is_empty() { &mut document } else { document.pointer_mut(parent).unwrap() };
    parent[key] = value;
    serde_json::from_value::<CellDraws>(document).unwrap_err().to_string()
}

#[test]
fn edited_releases_are_refused() {
    let release = smoothed();
    for (pointer, value, reason) in [
        ("/schema", json!(2), "schema 2"),
        ("/software", json!("a\nb"), "software"),
        ("/epsilon", json!(0.5), "mechanism.mixture"),
        ("/epsilon", json!(0.0), "epsilon"),
        ("/delta", json!(0.1), "delta"),
        ("/arithmetic", json!("idealised"), "arithmetic"),
        ("/records", json!(40), "mechanism.mixture"),
        ("/records", Value::Null, "records"),
        ("/records", json!(0), "records"),
        ("/neighbours", json!("add-remove"), "records"),
        ("/mechanism/mixture", json!(0.1), "mechanism.mixture"),
        ("/mechanism", json!({ "name": "ks-exponential" }), "bounds"),
        ("/draws", json!([]), "from 1 to"),
        ("/draws", json!([0, 9, 1, 2]), "draw 1 (counted from 0) names cell 9, but there are 9"),
        ("/draws", json!([0, 0, 1, 2, 3]), "mechanism.mixture"),
        ("/cells_per_axis", json!(0), "at least 1 cell"),
        ("/count_clamped", json!(3), "unknown field"),
        ("/mechanism/note", json!(3), "unknown field"),
    ] {
        let found = refusal(&release, pointer, value);
        assert!(found.contains(reason), "{pointer}: {found}");
    }
    let release = exponential();
    assert!(refusal(&release, "/draws", json!([3, 1])).contains("draws"));
    assert!(
        refusal(&release, "/mechanism", json!({ "name": "smoothed-histogram", "mixture": 0.5 })).contains("neighbours")
    );
}

#[test]
fn the_empirical_density_is_the_share_of_draws_and_points_lie_in_their_cells() {
    let release = smoothed();
    let density = release.empirical();
    for cell in 0..9 {
        let share = release.draws().iter().filter(|drawn| **drawn == cell).count() as f64 / 4.0;
        assert_eq!(density.probabilities()[cell], share);
    }
    let points = release.points(&mut SeededRandomness::from_seed(3));
    for (point, &cell) in points.rows().into_iter().zip(release.draws()) {
        let (lower, upper) = (release.cells().lower_corner(cell), release.cells().upper_corner(cell));
        assert!((0..2).all(|axis| lower[axis] <= point[axis] && point[axis] <= upper[axis]));
    }
    assert!(matches!(release.mechanism(), DrawsMechanism::SmoothedHistogram { mixture } if mixture > 0.0));
}
