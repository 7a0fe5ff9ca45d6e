//! Every document of this crate reads back, and is refused after an edit that contradicts the rest of it.

use std::fs;

use crate::common::{ball, budget, curves, smoother};
use dpfda_kernels::KernelName;
use dpfda_mechanism::{Digest, Labels, LedgerReference, Payable, ReadError, Release};
use dpfda_privacy::{Calibration, Law, MixingLaw, NeighbouringRelation, PrivacyBudget, SeededRandomness};
use dpfda_release::{
    Dispersion, Functionals, KeptPath, LinearFunctional, MeanRelease, MomentsChoice, PathRelease, PrivateFunctionals,
    PrivateMean, PrivatePath,
};
use dpfda_smoothing::PenalizedMean;
use serde_json::{Map, Value, json};

const RELATIONS: [NeighbouringRelation; 2] = [NeighbouringRelation::SubstituteOne, NeighbouringRelation::AddRemoveOne];

fn matern() -> PenalizedMean {
    smoother(KernelName::Matern(2.5), 0.25, 1e-2)
}

fn seed() -> SeededRandomness {
    SeededRandomness::from_seed(11)
}

fn asked() -> Vec<LinearFunctional> {
    let weight = vec![1.0; 7];
    vec![LinearFunctional::Evaluation { t: 3.0 }, LinearFunctional::Integral { weight }]
}

fn means() -> Vec<MeanRelease> {
    let settings = [
        PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE),
        PrivateMean::cameron_martin(ball(), budget()),
    ];
    let mut releases = Vec::new();
    for neighbours in RELATIONS {
        for settings in &settings {
            let settings = settings.clone().smoother(&matern()).neighbours(neighbours);
            releases.push(settings.release(&curves(100, 7), &mut seed()).unwrap());
        }
    }
    let classical = settings[0].clone().smoother(&matern()).calibration(Calibration::Classical);
    releases.push(classical.release(&curves(100, 7), &mut seed()).unwrap());
    let covariance =
        settings[0].clone().smoother(&matern()).neighbours(RELATIONS[1]).moments(MomentsChoice::Covariance);
    releases.push(covariance.release(&curves(100, 7), &mut seed()).unwrap());
    for neighbours in RELATIONS {
        let pure = PrivateMean::isonormal(ball(), PrivacyBudget::new(1.0, 0.0).unwrap()).neighbours(neighbours);
        releases.push(pure.coordinates(5).release(&curves(100, 7), &mut seed()).unwrap());
    }
    releases
}

fn functionals() -> Vec<Release<Functionals>> {
    let laws = [
        Law::DiscreteLaplace {},
        Law::KNorm {},
        Law::StudentT { degrees_of_freedom: 9.0 },
        // the variance of this one is infinite
        Law::StudentT { degrees_of_freedom: 1.5 },
    ];
    let mut releases = Vec::new();
    for law in laws {
        for (neighbours, dispersion) in RELATIONS.into_iter().zip([Dispersion::SmoothedWhite, Dispersion::Kernel]) {
            let settings = PrivateFunctionals::new(ball(), 1.0, matern()).unwrap().idealised_arithmetic();
            let settings = settings.noise(law.clone()).neighbours(neighbours).dispersion(dispersion);
            releases.push(settings.release(&curves(100, 7), &asked(), &mut seed()).unwrap());
        }
    }
    releases
}

fn paths() -> Vec<(PathRelease, KeptPath)> {
    let settings = PrivatePath::new(ball(), budget(), matern());
    let mixings = [
        None,
        Some(MixingLaw::student_t(5.0).unwrap()),
        Some(MixingLaw::gamma_root(2.0).unwrap()),
        Some(MixingLaw::log_normal(0.5).unwrap()),
        Some(MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)]).unwrap()),
    ];
    let mut paths = Vec::new();
    for mixing in mixings {
        for (neighbours, dispersion) in RELATIONS.into_iter().zip([Dispersion::SmoothedWhite, Dispersion::Kernel]) {
            let settings = settings.clone().neighbours(neighbours).dispersion(dispersion);
            let settings = mixing.clone().map_or(settings.clone(), |law| settings.mixing(law));
            paths.push(settings.release(&curves(100, 7), &asked(), &mut seed()).unwrap());
        }
    }
    paths
}

#[test]
fn every_mean_reads_back_as_it_was() {
    for release in means() {
        let json = release.to_json().unwrap();
        let read = MeanRelease::from_json(&json).unwrap();
        assert_eq!(read.to_json().unwrap(), json);
        assert_eq!(*read, *release);
        assert_eq!(read.function().values(), release.function().values());
    }
}

#[test]
fn functionals_of_every_law_read_back_as_they_were() {
    for release in functionals() {
        let json = release.to_json().unwrap();
        let read = Release::<Functionals>::from_json(&json).unwrap();
        assert_eq!(read, release);
        let numbers = |of| (Functionals::values(of), Functionals::noise_sd(of));
        assert_eq!(numbers(&read), numbers(&release));
        assert_eq!(read.to_json().unwrap(), json);
    }
}

#[test]
fn every_path_and_every_kept_path_read_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (release, kept)) in paths().into_iter().enumerate() {
        let read = PathRelease::from_json(&release.to_json().unwrap()).unwrap();
        assert_eq!(read, release);
        let file = folder.path().join(number.to_string());
        kept.write(&file).unwrap();
        let again = KeptPath::read(&file).unwrap();
        assert_eq!((again.id(), again.release()), (kept.id(), kept.release()));
        assert_eq!(again.extend(&read, &asked()).unwrap(), release);
    }
}

#[test]
fn labels_and_the_place_in_a_ledger_read_back() {
    let settings = PrivateMean::isonormal(ball(), budget()).buying(dpfda_release::BallShares::NONE).smoother(&matern());
    let reference = LedgerReference::new("a study", "mean-1".parse().unwrap(), 3, Digest::of(b"an entry")).unwrap();
    let labels = Labels::new(Some("position"), None).unwrap();
    let drawn = settings.prepare(&curves(100, 7)).unwrap().draw(Some(reference.clone()), &mut seed()).unwrap();
    let release = settings.viewer(curves(1, 7).grid()).unwrap().view(drawn.labelled(labels.clone())).unwrap();
    let read = MeanRelease::from_json(&release.to_json().unwrap()).unwrap();
    assert_eq!((read.ledger(), read.labels()), (Some(&reference), &labels));
}

#[test]
fn schema_1_and_other_kinds_are_called_what_they_are() {
    let json = means()[0].to_json().unwrap();
    let of_schema = |schema: u32| json.replace("\"schema\": 3", &format!("\"schema\": {schema}"));
    for schema in [1, 2, 4] {
        let refused = MeanRelease::from_json(&of_schema(schema)).unwrap_err();
        assert!(matches!(refused, ReadError::Schema { found } if found == schema));
        assert_eq!(refused.to_string(), format!("schema {schema} is not known; this version reads schema 3"));
    }
    // the schema is read first: a document of schema 1 has other fields
    let old = r#"{"schema": 1, "mechanism": "isonormal", "privacy": {"epsilon": 1.0}}"#;
    assert!(matches!(MeanRelease::from_json(old), Err(ReadError::Schema { found: 1 })));
    let refused = Release::<Functionals>::from_json(&json).unwrap_err();
    assert!(matches!(refused, ReadError::Kind { expected: "functionals" }));
    assert!(PathRelease::from_json(&json).is_err());
    for no_document in ["", "[]", "{}", "{\"schema\": 3}", "{\"schema\": \"3\", \"kind\": \"mean\"}"] {
        assert!(matches!(MeanRelease::from_json(no_document), Err(ReadError::Json(_))), "{no_document}");
    }
}

/// Every text that stands for a choice in some document.
const WORDS: [&str; 24] = [
    "substitute",
    "add-remove",
    "subject",
    "curve",
    "exact",
    "idealised",
    "tight",
    "classical",
    "isonormal",
    "cameron-martin",
    "smoothed-white",
    "kernel",
    "trapezoid",
    "equal",
    "mean",
    "functionals",
    "path",
    "kept-path",
    "matern",
    "gaussian",
    "exponential",
    "12345678901234567890",
    "dpfda 0.1.0",
    "00000000000000000000000000000000",
];

/// The pointers of all values in a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{name}"), found)),
        _ => {}
    }
}

/// What an editor may make of one value; what says the same is no edit.
fn edits(value: &Value) -> Vec<Value> {
    let mut edits = any_edits(value);
    edits.retain(|edited| !same(edited, value));
    edits
}

/// Whether two values are the same, up to the rounding of numbers and to fields that are null.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let covers = |a: &Map<String, Value>, b: &Map<String, Value>| {
                b.iter().all(|(name, field)| same(a.get(name).unwrap_or(&Value::Null), field))
            };
            covers(a, b) && covers(b, a)
        }
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs(),
            _ => a == b,
        },
    }
}

fn any_edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(1), json!(true)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => match number.as_i64() {
            // one more is one more record, point, dimension or version
            Some(k) if k.abs() < 1000 => vec![json!(k + 1), json!(k - 1), json!(null)],
            Some(k) => vec![json!(k + k / 50), json!(k - k / 50), json!(1), json!(k as f64 + 0.5)],
            None => {
                let x = number.as_f64().unwrap();
                vec![json!(x * 1.01 + 1e-3), json!(x * 0.5), json!(-x - 1.0), json!(null)]
            }
        },
        Value::String(_) => WORDS.iter().map(|word| json!(word)).collect(),
        Value::Array(items) => {
            let backwards: Vec<Value> = items.iter().rev().cloned().collect();
            let shorter = items[..items.len().saturating_sub(1)].to_vec();
            let longer: Vec<Value> = items.iter().chain(items.last()).cloned().collect();
            [backwards, shorter, longer].map(Value::Array).into()
        }
        Value::Object(fields) => {
            let without = fields.keys().map(|name| {
                let mut fewer = fields.clone();
                fewer.remove(name);
                fewer
            });
            let mut more = fields.clone();
            more.insert("extra".to_owned(), json!(1));
            without.chain([more]).map(Value::Object).collect()
        }
    }
}

/// The edits of a document that a reader accepts, each with its place.
fn accepted(json: &str, accepts: impl Fn(&str) -> bool) -> Vec<String> {
    assert!(accepts(json));
    let document: Value = serde_json::from_str(json).unwrap();
    let mut pointers = Vec::new();
    places(&document, "", &mut pointers);
    let mut found = Vec::new();
    for pointer in pointers {
        for edit in edits(document.pointer(&pointer).unwrap()) {
            let mut edited = document.clone();
            *edited.pointer_mut(&pointer).unwrap() = edit.clone();
            if accepts(&edited.to_string()) {
                found.push(format!("{pointer} = {edit}"));
            }
        }
    }
    found
}

/// Fails for accepted edits other than those of these places.
fn only(found: &[String], allowed: &[&str]) {
    let is_allowed = |edit: &String| allowed.iter().any(|place| edit.starts_with(&format!("{place} = ")));
    let others: Vec<_> = found.iter().filter(|edit| !is_allowed(edit)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// What a document says that nothing else in it depends on; the labels may be left out.
const TAKEN_AT_THEIR_WORD: [&str; 3] = ["/software", "/privacy/unit", "/privacy/private"];

/// Edits of the whole that leave out what may be left out.
fn without_labels(found: Vec<String>, json: &str) -> Vec<String> {
    let mut document: Value = serde_json::from_str(json).unwrap();
    document.as_object_mut().unwrap().remove("labels");
    let allowed = format!(" = {document}");
    found.into_iter().filter(|edit| *edit != allowed).collect()
}

#[test]
fn an_edit_of_a_mean_that_contradicts_the_rest_is_refused() {
    for release in means() {
        let json = release.to_json().unwrap();
        let found = accepted(&json, |json| MeanRelease::from_json(json).is_ok());
        only(&without_labels(found, &json), &TAKEN_AT_THEIR_WORD);
    }
}

#[test]
fn an_edit_of_functionals_that_contradicts_the_rest_is_refused() {
    for release in functionals() {
        let json = release.to_json().unwrap();
        let found = accepted(&json, |json| Release::<Functionals>::from_json(json).is_ok());
        let mut allowed = TAKEN_AT_THEIR_WORD.to_vec();
        // without a standard deviation, the answers alone tell that a point moved, and some hardly depend on it
        let inner = ["/statistic/grid/points/4", "/statistic/grid/points/5"];
        allowed.extend(inner.into_iter().filter(|_| Functionals::noise_sd(&release)[0].is_infinite()));
        only(&without_labels(found, &json), &allowed);
    }
}

/// Its numbers are taken at their word until they are extended: an extension would publish them as true.
#[test]
fn an_edit_of_a_path_is_refused_by_the_kept_path() {
    for (release, kept) in paths() {
        let more = [LinearFunctional::Evaluation { t: 4.0 }];
        let extends = |json: &str| PathRelease::from_json(json).is_ok_and(|read| kept.extend(&read, &more).is_ok());
        let json = release.to_json().unwrap();
        only(&without_labels(accepted(&json, extends), &json), &["/software"]);
    }
}

#[cfg(unix)]
#[test]
fn an_edit_of_a_kept_path_is_refused_or_extends_no_release() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let read_edited = |json: &str| {
        // written over, so that the file keeps its mode
        fs::write(&file, json).unwrap();
        KeptPath::read(&file)
    };
    // calibrating the other random scales takes too long for so many edits
    for (release, kept) in paths().iter().filter(|(release, _)| is_quick(release.law())) {
        let _ = fs::remove_file(&file);
        kept.write(&file).unwrap();
        let json = fs::read_to_string(&file).unwrap();
        let more = [LinearFunctional::Evaluation { t: 4.0 }];
        let extends = |json: &str| read_edited(json).is_ok_and(|read| read.extend(release, &more).is_ok());
        let found = accepted(&json, extends);
        only(&without_labels(found, &json), &["/software", "/derived/warning"]);
    }
}

fn is_quick(law: &Law) -> bool {
    let finite = MixingLaw::finite(&[(0.7, 0.5), (2.0, 0.5)]).unwrap();
    matches!(law, Law::Gaussian { .. }) || *law == Law::RandomScale { mixing: finite }
}

#[test]
fn a_plan_reads_back_and_keeps_its_digest() {
    let mechanisms: Vec<_> = means().iter().map(|release| release.mechanism().clone()).collect();
    for mechanism in &mechanisms {
        let json = serde_json::to_string(mechanism).unwrap();
        let read: dpfda_mechanism::Mechanism<dpfda_release::Mean> = serde_json::from_str(&json).unwrap();
        assert_eq!((&read, read.digest(), read.noise()), (mechanism, mechanism.digest(), mechanism.noise()));
    }
    for (i, mechanism) in mechanisms.iter().enumerate() {
        assert!(mechanisms[..i].iter().all(|other| other.digest() != mechanism.digest()));
    }
}
