#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_mechanism::{Drawn, FingerprintKey, Payable, RestoreError};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, SeededRandomness};
use ndarray::Array2;
use serde_json::{Value, json};

use crate::{
    Bounds, CellDraws, Cells, DrawsMechanism, KsExponential, Points, PreparedDraws, SeriesExponential,
    SmoothedHistogram,
};

const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::SubstituteOne;

fn bounds() -> Bounds {
    Bounds::new(vec![(0.0, 2.0), (-1.0, 1.0)]).unwrap()
}

fn prepared_smoothed(shift: f64) -> PreparedDraws {
    let values = Array2::from_shape_fn((50, 2), |(i, axis)| i as f64 / 50.0 - axis as f64 + shift);
    let (points, cells) = (Points::new(values, bounds()).unwrap(), Cells::new(bounds(), 3).unwrap());
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    SmoothedHistogram::with_smallest_mixture(budget, SUBSTITUTE, 50, cells, 4).unwrap().prepare(&points).unwrap()
}

fn prepared_exponential(shift: f64) -> PreparedDraws {
    let bounds = Bounds::new(vec![(0.0, 1.0)]).unwrap();
    let points = Points::new(Array2::from_elem((20, 1), 0.4 + shift), bounds.clone()).unwrap();
    let budget = PrivacyBudget::new(1.0, 0.0).unwrap();
    let relation = NeighbouringRelation::AddRemoveOne;
    let mechanism = KsExponential::new(budget, relation, Cells::new(bounds, 8).unwrap(), 6).unwrap();
    mechanism.unit(PrivacyUnit::Subject).prepare(&points).unwrap()
}

fn prepared_series(shift: f64) -> PreparedDraws {
    let values = Array2::from_shape_fn((10, 2), |(i, axis)| i as f64 / 10.0 - axis as f64 + shift);
    let budget = PrivacyBudget::new(0.5, 0.0).unwrap();
    SeriesExponential::new(3, 4, 5, budget).unwrap().prepare(&Points::new(values, bounds()).unwrap()).unwrap()
}

const PREPARED: [fn(f64) -> PreparedDraws; 3] = [prepared_smoothed, prepared_exponential, prepared_series];

fn drawn(prepared: PreparedDraws) -> CellDraws {
    prepared.draw_unrecorded(&mut SeededRandomness::from_seed(1))
}

fn smoothed() -> CellDraws {
    drawn(prepared_smoothed(0.0))
}

fn document(release: &CellDraws) -> Value {
    serde_json::from_str(&release.to_json().unwrap()).unwrap()
}

#[test]
fn releases_are_read_back_as_they_were_written() {
    for (prepared, kind) in PREPARED.into_iter().zip(["smoothed-histogram", "ks-exponential", "series-exponential"]) {
        let release = drawn(prepared(0.0));
        assert_eq!(CellDraws::from_json(&release.to_json().unwrap()).unwrap(), release);
        assert_eq!(document(&release)["kind"], kind);
        assert!(release.facts().iter().any(|fact| fact.name == "mechanism"));
    }
    let written = document(&smoothed());
    let privacy = &written["privacy"];
    assert_eq!(privacy["neighbours"], "substitute");
    assert_eq!(
        (&privacy["records"], &privacy["private"], &privacy["arithmetic"]),
        (&json!(50), &json!(false), &json!("exact"))
    );
    assert_eq!(written["statistic"]["cells"], json!({ "bounds": [[0.0, 2.0], [-1.0, 1.0]], "per_axis": 3 }));
    let hidden = document(&drawn(prepared_exponential(0.0)));
    assert!(hidden["privacy"]["records"].is_null(), "private under add/remove");
    assert_eq!(hidden["privacy"]["unit"], "subject");
}

#[test]
fn what_is_stored_has_the_stated_length_and_restores_the_release() {
    for prepared in PREPARED {
        let release = drawn(prepared(0.0));
        let stored = release.stored();
        assert_eq!(stored.bytes.len() as u64, prepared(0.0).stored_len());
        assert_eq!(prepared(0.0).restore(stored.clone(), None).unwrap(), release);
        let mut short = stored.clone();
        short.bytes.pop();
        assert!(matches!(prepared(0.0).restore(short, None), Err(RestoreError::Length { .. })));
        let mut beyond = stored;
        beyond.bytes.fill(0xFF);
        assert_eq!(prepared(0.0).restore(beyond, None), Err(RestoreError::Integers));
    }
}

#[test]
fn other_data_have_another_fingerprint_and_the_same_plan() {
    let key = FingerprintKey::from_bytes([7; 32]);
    for prepared in PREPARED {
        let fingerprint = |shift: f64| {
            let mut fingerprinter = key.begin(b"draws");
            prepared(shift).fingerprint(&mut fingerprinter);
            fingerprinter.finish()
        };
        assert_eq!(fingerprint(0.0), fingerprint(0.0));
        assert_ne!(fingerprint(0.0), fingerprint(0.5));
        assert_eq!(prepared(0.0).asked(), prepared(0.5).asked());
        assert_eq!(format!("{:?}", prepared(0.0)), "PreparedDraws(..)");
    }
    let plans: Vec<_> = PREPARED.map(|prepared| prepared(0.0).asked().plan).to_vec();
    assert!(plans[0] != plans[1] && plans[1] != plans[2] && plans[0] != plans[2]);
}

/// Why the release is refused after a change.
fn refusal(release: &CellDraws, pointer: &str, value: Value) -> String {
    let mut document = document(release);
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap()[key] = value;
    CellDraws::from_json(&document.to_string()).unwrap_err().to_string()
}

#[test]
fn edited_releases_are_refused() {
    let release = smoothed();
    for (pointer, value, reason) in [
        ("/schema", json!(1), "schema 1"),
        ("/kind", json!("ks-exponential"), "the field statistic"),
        ("/kind", json!("histogram"), "not of the kind"),
        ("/software", json!("a\nb"), "software"),
        ("/privacy/epsilon", json!(0.5), "statistic.mixture"),
        ("/privacy/epsilon", json!(0.0), "privacy.epsilon"),
        ("/privacy/delta", json!(0.1), "privacy.delta"),
        ("/privacy/arithmetic", json!("idealised"), "privacy.arithmetic"),
        ("/privacy/records", json!(40), "statistic.mixture"),
        ("/privacy/records", Value::Null, "privacy.records"),
        ("/privacy/records", json!(0), "privacy.records"),
        ("/privacy/neighbours", json!("add-remove"), "privacy.records"),
        ("/statistic/mixture", json!(0.1), "statistic.mixture"),
        ("/statistic/mixture", Value::Null, "the field statistic"),
        ("/statistic/terms", json!(3), "the field statistic"),
        ("/statistic/draws", json!(0), "statistic.draws"),
        ("/statistic/draws", json!(5), "statistic.mixture"),
        ("/statistic/draws", json!(3), "lattice.draws"),
        ("/lattice/draws", json!([]), "lattice.draws"),
        ("/lattice/draws", json!([0, 9, 1, 2]), "lattice.draws"),
        ("/lattice/draws", json!([0, 0, 1, 2, 3]), "lattice.draws"),
        ("/statistic/cells/per_axis", json!(0), "at least 1 cell"),
        ("/count_clamped", json!(3), "unknown field"),
        ("/statistic/note", json!(3), "unknown field"),
        ("/noise", json!({}), "expected unit"),
    ] {
        let found = refusal(&release, pointer, value);
        assert!(found.contains(reason), "{pointer}: {found}");
    }
    let release = drawn(prepared_exponential(0.0));
    assert!(refusal(&release, "/lattice/draws", json!([7, 6, 5, 4, 3, 2])).contains("lattice.draws"));
    assert!(refusal(&release, "/statistic/cells/bounds", json!([[0.0, 1.0], [0.0, 1.0]])).contains("statistic.cells"));
    let mut document = document(&release);
    document["kind"] = json!("smoothed-histogram");
    document["statistic"]["mixture"] = json!(0.5);
    assert!(CellDraws::from_json(&document.to_string()).unwrap_err().to_string().contains("privacy.neighbours"));
    let release = drawn(prepared_series(0.0));
    for (pointer, value, reason) in [
        ("/statistic/terms", json!(0), "statistic.terms"),
        ("/statistic/terms", json!(2000), "statistic.terms"),
        ("/privacy/epsilon", json!(5.0), "statistic.terms"),
        ("/privacy/records", json!(60), "statistic.terms"),
        ("/lattice/draws", json!([0, 1, 2, 3, 16]), "lattice.draws"),
    ] {
        let found = refusal(&release, pointer, value);
        assert!(found.contains(reason), "{pointer}: {found}");
    }
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
