//! Every field of a document of every kind, edited a little, is refused, or stands in a list of fields that nothing in the document can
//! check.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Place;
use dpfda::AnyRelease;
use dpfda::analysis::Estimated;
use dpfda::mechanism::ReadError;
use dpfda::prelude::*;
use dpfda::release::{Groups, LinearFunctional, Mean, PrivateFunctionals, PrivatePath, Regression, Rows, Surface};
use serde_json::Value;

/// Why fields are believed, as `docs/release-format.md` says: kinds, what their paths begin with, and the reason.
const BELIEVED: [(&[&str], &[&str], &str); 9] = [
    (
        &[""],
        &["/software", "/privacy/private", "/labels/", "/source/"],
        "words and the secrecy of the noise: nothing else depends on them",
    ),
    (
        &["groups: private", "histogram", "smoothed-histogram", "ks-exponential"],
        &["/privacy/records"],
        "no scale depends on the number of records",
    ),
    (
        &["ks-exponential", "smoothed-histogram"],
        &["/privacy/epsilon", "/lattice/draws/"],
        "draws of cells have no noise whose scale could be compared",
    ),
    (
        &["histogram", "series", "smoothed-histogram", "ks-exponential"],
        &["/statistic/cells/", "/statistic/bounds/"],
        "cells and bounds give the numbers their units",
    ),
    (
        &["groups", "histogram", "regression", "mean", "rows"],
        &["/lattice/coordinates/", "/lattice/radius/"],
        "noisy integers that no derived number shows, such as a negative count, or an answer that calls for the same radius",
    ),
    (
        &["regression"],
        &["/statistic/covariates/", "/statistic/design/"],
        "the rows of a public design, levels and bounds are the curator's word",
    ),
    (&["mean"], &["/derived/smoother/"], "a smoother that moves no value by a millionth of the largest"),
    (&["path"], &["/derived/", "/statistic/"], "only the kept path can tell whether numbers are its own"),
    (&["regression: private"], &["/statistic/mean/grid/"], "without an estimate no function has these points"),
];

/// Whether a field of a case stands in the list.
fn is_listed(case: &str, path: &str) -> bool {
    let has = |(kinds, begins, _): &(&[&str], &[&str], &str)| {
        kinds.iter().any(|kind| case.starts_with(kind)) && begins.iter().any(|begin| path.starts_with(begin))
    };
    BELIEVED.iter().any(has)
}

/// Reads a document with its estimate, by all checks that there are.
fn read(kind: &str, text: &str) -> Result<String, ReadError> {
    let written = |text: Result<String, serde_json::Error>| Ok(text.unwrap());
    match kind {
        "mean" => written(Estimated::<Mean>::from_json(text)?.to_json()),
        "groups" => written(Estimated::<Groups>::from_json(text)?.to_json()),
        "regression" if text.contains("\"estimate\"") => written(Estimated::<Regression>::from_json(text)?.to_json()),
        "rows" => written(Estimated::<Rows>::from_json(text)?.to_json()),
        "surface" => written(Estimated::<Surface>::from_json(text)?.to_json()),
        _ => AnyRelease::from_json(text).map(|_| String::new()),
    }
}

/// The documents, each under the name of a case.
fn documents() -> Vec<(&'static str, Value)> {
    let place = Place::new();
    let row = |i: usize| format!("{},0.{},0.{},0.5", ["a", "b"][i % 2], 40 + i % 10, 50 + i % 7);
    let seen = |i: usize| format!("p{},{},0.{}", i % 90, i % 10, 30 + i % 40);
    place.write("four.csv", "v1,v2,v3,v4\n0.1,0.2,0.3,0.4\n0.5,0.2,0.6,0.1\n0.3,0.2,0.3,0.9\n");
    place.write("many.csv", &format!("group,v1,v2,v3\n{}\n", (0..400).map(row).collect::<Vec<_>>().join("\n")));
    place.write("long.csv", &format!("id,t,y\n{}\n", (0..400).map(seen).collect::<Vec<_>>().join("\n")));
    let whole = "--bounds 0,1 --epsilon 4 --delta 1e-5";
    let mean = "release many.csv --values v*";
    let commands = [
        ("mean: stated", format!("{mean} {whole} --radius-share none")),
        (
            "mean: centre and radius stated",
            format!("{mean} --center 0.5 --radius 0.3 --epsilon 4 --delta 1e-5 --radius-share none"),
        ),
        ("mean: bought", format!("{mean} {whole} --center-share 0.1")),
        ("mean: private N", format!("{mean} {whole} --neighbours add-remove")),
        ("groups: public", format!("{mean} --by group {whole} --radius-share none")),
        ("groups: public, bought", format!("{mean} --by group {whole}")),
        ("groups: private", format!("{mean} --by group --private-labels a,b {whole}")),
        (
            "regression: private",
            format!("regress many.csv --values v1,v3 --on v2,group --covariate-bounds v2=0:1,group=a|b {whole}"),
        ),
        (
            "regression: public",
            format!("regress many.csv --values v1,v2 --on group --covariate-bounds group=a|b --public-design {whole}"),
        ),
        ("rows: stated", format!("release long.csv --id id --time t --value y --domain 0,9 --bins 4 {whole}")),
        (
            "rows: bought",
            format!("release long.csv --id id --time t --value y --domain 0,9 --bins 4 {whole} --radius-share 0.1"),
        ),
        ("surface", format!("release four.csv --values v* --surface 2,2 {whole}")),
        ("histogram", "density many.csv --columns v1 --bounds 0,1 --epsilon 1 --cells 4".to_owned()),
        ("series", "density many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism series".to_owned()),
        (
            "smoothed-histogram",
            "density many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism smoothed".to_owned(),
        ),
        (
            "ks-exponential",
            "density many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism exponential --cells 5 --draws 5"
                .to_owned(),
        ),
    ];
    let made = commands.into_iter().enumerate().map(|(number, (case, command))| {
        place.run(&format!("{command} --out {number}")).succeeded();
        (case, place.json(&format!("{number}/release.json")))
    });
    made.chain(of_paths()).collect()
}

/// The documents that no command writes.
fn of_paths() -> Vec<(&'static str, Value)> {
    let curves = CurveSet::new(
        Grid::uniform(2.0, 7.0, 5).unwrap(),
        ndarray::Array2::from_shape_fn((100, 5), |(i, j)| ((i + j) % 9) as f64 / 9.0),
    )
    .unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.5).unwrap();
    let smoother = PenalizedMean::new(Kernel::from(Matern::new(2.5, 0.25).unwrap()), 0.01, 1.0).unwrap();
    let asked = [LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Evaluation { t: 5.0 }];
    let seed = || SeededRandomness::from_seed(1);
    let functionals = PrivateFunctionals::new(ball.clone(), 1.0, smoother.clone()).unwrap();
    let functionals = functionals.release(&curves, &asked, &mut seed()).unwrap();
    let budget = PrivacyBudget::new(1.0, 1e-5).unwrap();
    let path = PrivatePath::new(ball.clone(), budget, smoother.clone());
    let (public, _) = path.release(&curves, &asked, &mut seed()).unwrap();
    let private = path.neighbours(NeighbouringRelation::AddRemoveOne);
    let (private, _) = private.release(&curves, &asked, &mut seed()).unwrap();
    let document = |text: String| serde_json::from_str(&text).unwrap();
    vec![
        ("functionals", document(functionals.to_json().unwrap())),
        ("path: public N", document(public.to_json().unwrap())),
        ("path: private N", document(private.to_json().unwrap())),
    ]
}

/// The paths of all scalars; of a long list, the first, the middle and the last.
fn scalars(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                scalars(field, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            let places: BTreeSet<usize> =
                if items.len() < 6 { (0..items.len()).collect() } else { [0, items.len() / 2, items.len() - 1].into() };
            for place in places {
                scalars(&items[place], &format!("{path}/{place}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// Edits of a scalar that are small and still of its type.
fn edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(truth) => vec![(!truth).into()],
        Value::Number(number) if number.is_i64() || number.is_u64() => {
            let whole = number.as_i64().unwrap();
            let step = (whole.abs() / 50).max(1);
            vec![(whole + step).into(), (whole - step).into()]
        }
        Value::Number(number) => {
            let x = number.as_f64().unwrap();
            let step = if x == 0.0 { 0.01 } else { 0.01 * x };
            vec![(x + step).into(), (x - step).into()]
        }
        Value::String(text) => match text.parse::<i128>() {
            Ok(whole) => vec![(whole + (1 << 40)).to_string().into()],
            Err(_) => vec![format!("{text}x").into()],
        },
        _ => vec![0.5.into()],
    }
}

/// A path without the places in lists.
fn general(path: &str) -> String {
    path.split('/').map(|part| if part.parse::<usize>().is_ok() { "*" } else { part }).collect::<Vec<_>>().join("/")
}

#[test]
fn every_edited_field_of_every_kind_is_refused_or_stands_in_the_list_of_what_nothing_can_check() {
    let mut believed: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (case, document) in documents() {
        let kind = document["kind"].as_str().unwrap().to_owned();
        read(&kind, &document.to_string()).unwrap_or_else(|error| panic!("{case}: {error}"));
        let mut paths = Vec::new();
        scalars(&document, "", &mut paths);
        for path in paths {
            for edit in edits(document.pointer(&path).unwrap()) {
                let mut edited = document.clone();
                *edited.pointer_mut(&path).unwrap() = edit;
                if read(&kind, &edited.to_string()).is_ok() {
                    believed.entry(general(&path)).or_default().insert(case);
                }
            }
        }
    }
    let pairs = || believed.iter().flat_map(|(path, cases)| cases.iter().map(move |case| (path.as_str(), *case)));
    let unexpected: Vec<_> = pairs().filter(|(path, case)| !is_listed(case, path)).collect();
    assert!(unexpected.is_empty(), "believed without a reason: {unexpected:#?}");
    for (kinds, begins, reason) in &BELIEVED {
        for begin in *begins {
            let is_needed =
                pairs().any(|(path, case)| path.starts_with(begin) && kinds.iter().any(|kind| case.starts_with(kind)));
            assert!(is_needed, "{begin} is checked: {reason}");
        }
    }
}
