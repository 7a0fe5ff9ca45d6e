#![allow(clippy::unwrap_used, reason = "tests")]

use dpfda_privacy::NeighbouringRelation::{AddRemoveOne, SubstituteOne};
use dpfda_privacy::{Law, MixingLaw, PrivacyUnit, SeededRandomness};
use serde_json::{Value, json};

use super::{Head, ReadError};
use crate::digest::Digest;
use crate::guarantee::Guarantee;
use crate::labels::Labels;
use crate::mechanism::Mechanism;
use crate::payable::Payable;
use crate::reference::LedgerReference;
use crate::release::Release;
use crate::terms::Terms;
use crate::toy::{Counts, RELATIONS, Vectors, budget, counts, vectors};

/// What follows from a release that nothing follows from.
const NOTHING: [f64; 0] = [];

fn seed() -> SeededRandomness {
    SeededRandomness::from_seed(2)
}

fn released(law: Law) -> Release<Vectors> {
    vectors(AddRemoveOne, law).prepare_all(&[[0.5, 0.1], [-0.3, 0.9]]).unwrap().draw_unrecorded(&mut seed())
}

fn counted() -> Release<Counts> {
    counts(SubstituteOne).prepare_all([0, 1, 1, 2]).unwrap().draw_unrecorded(&mut seed())
}

fn document<S: crate::Statistic>(release: &Release<S>) -> Value {
    serde_json::from_str(&release.to_json_with(&NOTHING, None::<&()>).unwrap()).unwrap()
}

fn read(document: &Value) -> Result<Release<Counts>, ReadError> {
    Release::from_json_with::<[f64; 0], ()>(&document.to_string()).map(|(release, _, _)| release)
}

#[test]
fn a_release_of_every_law_and_relation_reads_back_with_what_was_derived() {
    let mixing = MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap();
    let laws = [
        Law::GAUSSIAN,
        Law::DiscreteLaplace {},
        Law::KNorm {},
        Law::StudentT { degrees_of_freedom: 1.5 },
        Law::RandomScale { mixing },
    ];
    for neighbours in RELATIONS {
        for law in &laws {
            let prepared = vectors(neighbours, law.clone()).prepare_all(&[[0.5, 0.1], [-0.3, 0.9]]).unwrap();
            let reference = LedgerReference::new("a study", "v-1".parse().unwrap(), 3, Digest::of(b"entry")).unwrap();
            let labels = Labels::new(Some("place"), Some("value")).unwrap();
            let release = prepared.draw(Some(reference), &mut seed()).unwrap().labelled(labels);
            let json = release.to_json_with(&vec![1.5, 2.5], None::<&()>).unwrap();
            let (again, derived, _) = Release::<Vectors>::from_json_with::<Vec<f64>, ()>(&json).unwrap();
            assert_eq!((again, derived), (release, vec![1.5, 2.5]));
        }
    }
}

#[test]
fn the_fields_of_a_document_are_these_in_this_order() {
    let json = counted().to_json_with(&NOTHING, None::<&()>).unwrap();
    let places: Vec<usize> = ["schema", "kind", "software", "privacy", "statistic", "noise", "lattice", "labels"]
        .iter()
        .map(|field| json.find(&format!("\n  \"{field}\": ")).unwrap())
        .collect();
    assert!(places.is_sorted(), "{json}");
    let document = document(&counted());
    assert_eq!((&document["schema"], &document["kind"]), (&json!(3), &json!("counts")));
    assert_eq!(
        document["privacy"],
        json!({"epsilon": 1.0, "delta": 0.0, "neighbours": "substitute", "unit": "subject", "records": 4,
            "arithmetic": "exact", "private": false})
    );
    assert_eq!(document["noise"]["drawn"], json!({"discrete-laplace": {"numerator": 2, "denominator": 1}}));
    assert_eq!(document["lattice"].as_object().unwrap().len(), 1, "cells tell their count");
}

#[test]
fn the_head_is_read_first_and_tells_schema_and_kind() {
    let head = Head::read(r#"{"schema": 3, "kind": "mean", "whatever": [1, 2]}"#).unwrap();
    assert_eq!((head.schema, head.kind.as_str()), (3, "mean"));
    // nothing else is looked at in a document of another schema, which may have no kind
    for (json, found) in [
        (r#"{"schema": 1, "mechanism": "isonormal"}"#, 1),
        (r#"{"schema": 4, "kind": 7}"#, 4),
        (r#"{"schema": 2, "kind": "mean"}"#, 2),
    ] {
        let refused = Head::read(json).unwrap_err();
        assert!(matches!(refused, ReadError::Schema { found: schema } if schema == found), "{refused}");
        assert_eq!(refused.to_string(), format!("schema {found} is not known; this version reads schema 3"));
    }
    for json in ["", "7", "[]", "{}", r#"{"kind": "mean"}"#, r#"{"schema": 3}"#, r#"{"schema": -2, "kind": "mean"}"#] {
        assert!(matches!(Head::read(json), Err(ReadError::Json(_))), "{json}");
    }
    let json = released(Law::GAUSSIAN).to_json_with(&NOTHING, None::<&()>).unwrap();
    let refused = Release::<Counts>::from_json_with::<[f64; 0], ()>(&json).unwrap_err();
    assert!(matches!(refused, ReadError::Kind { expected: "counts" }));
}

#[test]
fn integers_beyond_two_to_the_53rd_are_strings_and_come_back_to_the_last_digit() {
    // so little epsilon needs noise of 2e16 steps
    let guarantee = Guarantee::new(budget(1e-16, 0.0), SubstituteOne, PrivacyUnit::Curve);
    let mechanism = Mechanism::new(Counts::new(40), Terms::of(guarantee, Law::DiscreteLaplace {})).unwrap();
    let release = mechanism.prepare_all(vec![0; 7]).unwrap().draw_unrecorded(&mut seed());
    let document = document(&release);
    let coordinates = document["lattice"]["coordinates"].as_array().unwrap();
    let mut strings = 0;
    for (written, exact) in coordinates.iter().zip(release.coordinates()) {
        if exact.unsigned_abs() > 1 << 53 {
            assert_eq!(written.as_str().unwrap(), exact.to_string());
            strings += 1;
        } else {
            assert_eq!(written.as_i64(), Some(*exact));
        }
    }
    assert!(strings > 5 && release.coordinates().iter().any(|k| k % 2 != 0), "some are no doubles");
    assert!(document["noise"]["drawn"]["discrete-laplace"]["numerator"].is_string());
    assert_eq!(read(&document).unwrap(), release);
}

#[test]
fn contradictions_are_called_by_their_field() {
    let refused = |pointer: &str, value: Value| {
        let mut document = document(&counted());
        *document.pointer_mut(pointer).unwrap() = value;
        match read(&document).unwrap_err() {
            ReadError::Contradiction { field } => field.to_owned(),
            other => other.to_string(),
        }
    };
    let laplace = "/noise/drawn/discrete-laplace/numerator";
    for (pointer, value, field) in [
        ("/software", json!("dpfda\u{1b}[2J"), "software"),
        ("/software", json!(""), "software"),
        ("/privacy/epsilon", json!(0.5), "noise.drawn"),
        ("/privacy/epsilon", json!(2.0), "noise.drawn"),
        ("/privacy/epsilon", json!(-1.0), "privacy.epsilon"),
        ("/privacy/epsilon", json!(0.0), "privacy.epsilon"),
        ("/privacy/delta", json!(1e-5), "privacy.epsilon"),
        ("/privacy/records", json!(null), "privacy.records"),
        ("/privacy/records", json!(1), "privacy.records"),
        ("/privacy/records", json!((1_u64 << 40) + 1), "privacy.records"),
        ("/privacy/neighbours", json!("add-remove"), "privacy.records"),
        ("/privacy/arithmetic", json!("idealised"), "privacy.arithmetic"),
        ("/statistic/cells", json!(4), "lattice.coordinates"),
        ("/noise/law", json!({"k-norm": {}}), "noise.drawn"),
        (laplace, json!(1), "noise.drawn"),
        (laplace, json!(3), "noise.drawn"),
        ("/lattice/coordinates", json!([1, 2]), "lattice.coordinates"),
        ("/lattice/coordinates", json!([1, 2, 3, 4]), "lattice.coordinates"),
        ("/lattice/coordinates/0", json!("99999999999999999999"), "lattice"),
        ("/lattice", json!({"coordinates": [1, 2, 3], "count": 4}), "lattice.count"),
    ] {
        assert_eq!(refused(pointer, value.clone()), field, "{pointer} {value}");
    }
    let mut without_noise = document(&counted());
    without_noise.as_object_mut().unwrap().remove("noise");
    assert!(matches!(read(&without_noise), Err(ReadError::Contradiction { field: "noise" })));
}

#[test]
fn a_release_without_its_count_or_its_drawn_scale_is_refused() {
    let vectors =
        |document: &Value| Release::<Vectors>::from_json_with::<[f64; 0], ()>(&document.to_string()).map(|_| ());
    let mut uncounted = document(&released(Law::GAUSSIAN));
    vectors(&uncounted).unwrap();
    uncounted["lattice"].as_object_mut().unwrap().remove("count");
    assert!(matches!(vectors(&uncounted), Err(ReadError::Contradiction { field: "lattice.count" })));
    let mixing = MixingLaw::finite(&[(0.5, 0.5), (8.0, 0.5)]).unwrap();
    let mut undrawn = document(&released(Law::RandomScale { mixing }));
    vectors(&undrawn).unwrap();
    undrawn["noise"]["drawn"]["random-scale"]["drawn"] = json!(null);
    assert!(matches!(vectors(&undrawn), Err(ReadError::Contradiction { field: "noise.drawn" })));
}

#[test]
fn unknown_fields_and_missing_ones_are_refused() {
    for pointer in ["", "/privacy", "/statistic", "/noise", "/noise/law/discrete-laplace", "/lattice", "/labels"] {
        let mut edited = document(&counted());
        edited.pointer_mut(pointer).unwrap()["extra"] = json!(1);
        assert!(matches!(read(&edited), Err(ReadError::Json(_))), "{pointer}");
    }
    for field in ["software", "privacy", "statistic", "lattice"] {
        let mut edited = document(&counted());
        edited.as_object_mut().unwrap().remove(field);
        assert!(matches!(read(&edited), Err(ReadError::Json(_))), "{field}");
    }
    let mut unlabelled = document(&counted());
    unlabelled.as_object_mut().unwrap().remove("labels");
    assert_eq!(read(&unlabelled).unwrap(), counted());
    for bad in [json!({"argument": "a\nb"}), json!({"value": ""}), json!({"argument": 7})] {
        let mut edited = document(&counted());
        edited["labels"] = bad;
        assert!(matches!(read(&edited), Err(ReadError::Json(_))));
    }
}

#[test]
fn numbers_agree_up_to_a_millionth_of_their_size() {
    assert!(super::close(1.0, 1.0 + 9e-7, 1.0) && !super::close(1.0, 1.0 + 2e-6, 1.0));
    assert!(super::close(0.0, 5e-5, 100.0) && !super::close(f64::NAN, 1.0, 1.0));
    assert!(super::demand("a", true).is_ok());
    assert!(matches!(super::demand("a", false), Err(ReadError::Contradiction { field: "a" })));
}
