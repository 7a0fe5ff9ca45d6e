//! `docs/release-format.md` and `docs/schema`: every document is what they say, and the lines in Python rebuild the posterior.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Place, SMALL, dti_like};
use jsonschema::{Registry, Validator};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).unwrap()).ok()
}

fn files(folder: &str) -> Vec<PathBuf> {
    fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The schemas, each under the name of its kind.
fn validators() -> Vec<(String, Validator)> {
    let schemas: Vec<Value> = files("docs/schema").iter().map(|path| json(path).unwrap()).collect();
    let id = |schema: &Value| schema["$id"].as_str().unwrap().to_owned();
    let mut registry = Registry::new();
    for schema in &schemas {
        registry = registry.add(id(schema), schema.clone()).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let validator = |schema: &Value| {
        let kind = id(schema).rsplit('/').next().unwrap().trim_end_matches(".json").to_owned();
        (kind, jsonschema::options().with_registry(&registry).build(schema).unwrap())
    };
    schemas.iter().filter(|schema| schema["properties"].is_object()).map(validator).collect()
}

/// The kind of a document that fits the schema of its kind; what is wrong otherwise.
fn kind_of(validators: &[(String, Validator)], document: &Value) -> Result<String, String> {
    let kind = document["kind"].as_str().ok_or("no kind")?;
    check(validators, kind, document)?;
    Ok(kind.to_owned())
}

/// Refuses a document that does not fit the schema of this name.
fn check(validators: &[(String, Validator)], kind: &str, document: &Value) -> Result<(), String> {
    let validator = validators.iter().find(|(name, _)| name == kind).ok_or_else(|| format!("no schema of {kind}"))?;
    let errors: Vec<String> =
        validator.1.iter_errors(document).map(|error| format!("{}: {error:.200}", error.instance_path())).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

#[test]
fn every_document_in_the_repository_fits_the_schema_of_its_kind() {
    let validators = validators();
    let mut kinds = Vec::new();
    for path in
        ["fuzz/corpus/release_json", "fuzz/corpus/density_json", "fuzz/corpus/path_json"].into_iter().flat_map(files)
    {
        let Some(document) = json(&path) else { continue };
        if document["kind"] == "kept-path" {
            // private to its owner
            continue;
        }
        kinds.push(kind_of(&validators, &document).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 8, "{kinds:?}");
}

#[test]
fn every_kind_that_the_command_writes_fits_its_schema() {
    let validators = validators();
    let place = Place::new();
    place.write("small.csv", SMALL);
    let row = |i: usize| format!("{},0.{},0.{},0.5\n", ["a", "b"][i % 2], 40 + i % 10, 50 + i % 7);
    let seen = |i: usize| format!("p{},{},0.{}\n", i % 90, i % 10, 30 + i % 40);
    place.write("long.csv", &format!("id,t,y\n{}", (0..400).map(seen).collect::<String>()));
    let visit = |i: usize| format!("p{},{},0.{},0.{}\n", i / 2, 1 + i % 2, 40 + i % 10, 50 + i % 7);
    place.write("visits.csv", &format!("id,round,v1,v2\n{}", (0..400).map(visit).collect::<String>()));
    place.write("many.csv", &format!("group,v1,v2,v3\n{}", (0..400).map(row).collect::<String>()));
    place
        .run("ledger create l --epsilon 20 --delta 1e-4 --unit curve --neighbours substitute --dataset growth")
        .succeeded();
    let whole = "--bounds 0,1 --epsilon 4 --delta 1e-5";
    let dti = format!("release {} --values cca_* --subject ID", dti_like());
    let commands = [
        ("mean", format!("{dti} {whole}")),
        ("mean", format!("{dti} {whole} --center-share 0.1 --moments covariance")),
        ("mean", format!("{dti} {whole} --neighbours add-remove --select sure")),
        ("mean", format!("{dti} {whole} --band honest --band-roughness 0.5 --radius-share none")),
        ("mean", format!("{dti} {whole} --roughness 0.15")),
        (
            "mean",
            "release small.csv --values v* --center 0.5 --radius 0.25 --epsilon 4 --delta 1e-5 --slope 2 --radius-share none".to_owned(),
        ),
        (
            "mean",
            "release small.csv --values v* --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-5 --classical --radius-share none --ledger l".to_owned(),
        ),
        (
            "mean",
            format!(
                "release many.csv --values v* {whole} --mechanism cameron-martin --radius-share none --kernel matern32"
            ),
        ),
        ("mean", format!("{dti} --bounds 0,1 --epsilon 4 --delta 0 --coordinates 9")),
        ("mean", format!("{dti} {whole} --grid 0,24 --periodic")),
        ("rows", format!("release long.csv --id id --time t --value y --domain 0,10 --periodic {whole}")),
        ("groups", format!("release many.csv --values v* --by group {whole}")),
        (
            "groups",
            format!("release many.csv --values v* --by group --private-labels a,b --neighbours add-remove {whole}"),
        ),
        ("change", format!("release visits.csv --values v* --subject id --change round=1,2 {whole}")),
        (
            "change",
            format!("release visits.csv --values v* --subject id --per round --neighbours add-remove {whole}"),
        ),
        ("regression", format!("release many.csv --values v1,v2 --on v3,group --covariate-bounds v3=0:1,group=a|b {whole}")),
        (
            "regression",
            format!("release many.csv --values v1,v2 --on group --covariate-bounds group=a|b --public-design {whole} --ledger l"),
        ),
        ("rows", format!("release long.csv --id id --time t --value y --domain 0,9 {whole}")),
        (
            "rows",
            format!("release long.csv --id id --time t --value y --domain 0,9 {whole} --bins 7 --neighbours add-remove"),
        ),
        ("surface", format!("release small.csv --values v* --subject id --surface 2,2 {whole}")),
        ("surface", format!("release small.csv --values v* --surface 2,2 {whole} --neighbours add-remove --band posterior")),
        ("rows", format!("release long.csv --id id --time t --value y --domain 0,9 {whole} --radius-share 0.1")),
        ("histogram", "release many.csv --columns v1 --bounds 0,1 --epsilon 1 --ledger l".to_owned()),
        (
            "histogram",
            "release many.csv --columns v1,v2 --bounds 0,1,0,1 --epsilon 1 --delta 1e-6 --neighbours add-remove"
                .to_owned(),
        ),
        (
            "centiles",
            "release many.csv --values v* --centiles 40,60 --bounds 0,1 --epsilon 8 --delta 1e-3".to_owned(),
        ),
        ("series", "release many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism series".to_owned()),
        (
            "smoothed-histogram",
            "release many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism smoothed".to_owned(),
        ),
        (
            "ks-exponential",
            "release many.csv --columns v1 --bounds 0,1 --epsilon 1 --mechanism exponential --cells 10 --draws 5"
                .to_owned(),
        ),
    ];
    for (number, (kind, command)) in commands.iter().enumerate() {
        place.run(&format!("{command} --out {number}")).succeeded();
        let found = kind_of(&validators, &place.json(&format!("{number}/release.json")));
        assert_eq!(found.as_deref(), Ok(*kind), "{command}");
    }
    for row in dpfda::kinds::KINDS {
        let is_written = commands.iter().any(|(kind, _)| row.kinds.contains(kind));
        assert_eq!(is_written, row.can(dpfda::kinds::Can::Command), "{}", row.title);
    }
    place.run("smooth 0/release.json --kernel gaussian --penalty 0.01 --out smoothed").succeeded();
    assert_eq!(kind_of(&validators, &place.json("smoothed/release.json")).unwrap(), "mean");
    // people so far apart that no noise hides their variance
    let far = |i: usize| format!("0.{0},0.{0},0.{0}\n", [1, 9][i % 2]);
    place.write("far.csv", &format!("v1,v2,v3\n{}", (0..400).map(far).collect::<String>()));
    place.run("release far.csv --values v* --bounds 0,1 --epsilon 8 --delta 1e-3 --out far").succeeded();
    place.run("components far/release.json --synthetic 2 --clip 0,1 --out components").succeeded();
    assert_eq!(kind_of(&validators, &place.json("components/components.json")).unwrap(), "components");
}

#[test]
fn every_plan_and_every_export_of_a_ledger_fits_its_schema() {
    let validators = validators();
    let place = Place::new();
    place.write("small.csv", SMALL);
    let whole = "small.csv --values v* --epsilon 1 --delta 1e-5";
    for (number, more) in [
        "--bounds 0,1 --subject id",
        "--bounds 0,1 --slope 2 --radius-share none --moments covariance",
        "--bounds 0,1 --roughness 0.1 --radius-share 0.1",
        "--bounds 0,1 --grid 0,24 --periodic",
        "--center 0.5 --radius 0.25 --classical --neighbours add-remove --radius-share none --moments none",
        "--bounds 0,1 --mechanism cameron-martin --kernel sobolev --penalty 0.01 --eta 2 --radius-share none",
    ]
    .iter()
    .enumerate()
    {
        place.run(&format!("release {whole} {more} --plan-only {number}.json")).succeeded();
        let plan = place.json(&format!("{number}.json"));
        assert_eq!(kind_of(&validators, &plan).as_deref(), Ok("planned-mean"), "{more}");
        assert!(kind_of(&validators, &with(&plan, "/view/unknown", 1.into())).is_err(), "{more}");
    }
    place.write("long.csv", "id,t,y\np1,1,0.4\np2,2,0.6\n");
    let long = "long.csv --id id --time t --value y --domain 0,24 --epsilon 1 --delta 1e-5";
    for (number, more) in [
        "--bounds 0,1",
        "--center 0.5 --radius 1 --bound 1.5 --radius-share 0.1 --periodic --bins 12",
        "--bounds 0,1 --classical --neighbours add-remove",
    ]
    .iter()
    .enumerate()
    {
        place.run(&format!("release {long} {more} --plan-only long{number}.json")).succeeded();
        let plan = place.json(&format!("long{number}.json"));
        assert_eq!(kind_of(&validators, &plan).as_deref(), Ok("planned-rows"), "{more}");
        assert!(kind_of(&validators, &with(&plan, "/mechanism/unknown", 1.into())).is_err(), "{more}");
    }
    let terms = "--epsilon 20 --delta 1e-3 --unit curve --neighbours substitute --dataset waves";
    place.run(&format!("ledger create l {terms} --groups women,men")).succeeded();
    let ball = "--bounds 0,1 --radius-share none --ledger l";
    place.run(&format!("release {whole} {ball} --part-of women --out mean")).succeeded();
    place.run("release small.csv --columns v1 --bounds 0,1 --epsilon 1 --ledger l --out density").succeeded();
    let export: Value = serde_json::from_str(&place.run("ledger export l").succeeded().stdout).unwrap();
    assert_eq!(export["entries"].as_array().unwrap().len(), 5);
    assert_eq!(check(&validators, "ledger-export", &export), Ok(()));
    for (pointer, value) in [
        ("/entries/1/event/request/guarantee/unit", Value::from("row")),
        ("/entries/1/event/request/spend/gaussian/mu-squared", Value::from("0.5")),
        ("/entries/2/event/stored/sha256", Value::from("f00")),
        ("/entries/0/event/terms/unknown", Value::from(1)),
    ] {
        assert!(check(&validators, "ledger-export", &with(&export, pointer, value)).is_err(), "{pointer}");
    }
}

/// The document with this value at a place, which may be new.
fn with(document: &Value, pointer: &str, value: Value) -> Value {
    let mut other = document.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    other.pointer_mut(parent).unwrap()[key] = value;
    other
}

/// A schema that allowed anything would fit every document.
#[test]
fn no_schema_fits_a_document_with_a_field_too_many_one_too_few_or_of_another_type() {
    let validators = validators();
    let path = root().join("fuzz/corpus/release_json/groups_public");
    let document = json(&path).unwrap();
    assert_eq!(kind_of(&validators, &document).unwrap(), "groups");
    let mut objects = 0;
    visit(&document, &mut Vec::new(), &mut |at: &[String]| {
        objects += 1;
        let pointer = at.iter().map(|key| format!("/{key}")).collect::<Vec<_>>().concat();
        let mut more = document.clone();
        more.pointer_mut(&pointer).unwrap()["unknown"] = 1.into();
        assert!(kind_of(&validators, &more).is_err(), "{pointer}");
    });
    assert!(objects >= 15, "{objects}");
    for field in ["schema", "kind", "software", "privacy", "statistic", "noise", "lattice", "labels", "derived"] {
        let mut fewer = document.clone();
        fewer.as_object_mut().unwrap().remove(field);
        assert!(kind_of(&validators, &fewer).is_err(), "{field}");
    }
    for (pointer, value) in [
        ("/schema", Value::from(2)),
        ("/privacy/epsilon", Value::from(-1.0)),
        ("/privacy/neighbours", Value::from("some")),
        ("/privacy/private", Value::from("yes")),
        ("/lattice/coordinates/0", Value::from(0.5)),
        ("/lattice/coordinates/0", Value::from("1e3")),
        ("/statistic/mean/grid/points", Value::from(Vec::<f64>::new())),
    ] {
        let mut other = document.clone();
        *other.pointer_mut(pointer).unwrap() = value.clone();
        assert!(kind_of(&validators, &other).is_err(), "{pointer}: {value}");
    }
}

/// Every object of a document, by the way to it.
fn visit(value: &Value, at: &mut Vec<String>, found: &mut impl FnMut(&[String])) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => {
            found(at);
            fields.iter().map(|(key, value)| (key.clone(), value)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => return,
    };
    for (key, child) in children {
        at.push(key);
        visit(child, at, found);
        at.pop();
    }
}

#[test]
fn the_pages_name_every_schema() {
    let page =
        ["docs/release-format.md", "docs/kinds.md"].map(|page| fs::read_to_string(root().join(page)).unwrap()).concat();
    for path in files("docs/schema") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(page.contains(&format!("(schema/{name})")), "{name}");
    }
}

/// A Python with numpy, where there is one.
fn python() -> Option<String> {
    let named = std::env::var("DPFDA_PYTHON").ok();
    let has_numpy = |python: &String| {
        Command::new(python).args(["-c", "import numpy"]).output().is_ok_and(|output| output.status.success())
    };
    named.into_iter().chain(["python3", "/usr/bin/python3"].map(str::to_owned)).find(has_numpy)
}

#[test]
fn the_lines_in_python_give_the_posterior_of_the_command() {
    let Some(python) = python() else {
        println!("skipped: no python3 with numpy; name one by DPFDA_PYTHON");
        return;
    };
    let page = fs::read_to_string(root().join("docs/release-format.md")).unwrap();
    let lines: Vec<&str> = page.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let place = Place::new();
    place.write("posterior.py", &lines.concat());
    let dti = format!("release {} --values cca_* --subject ID --epsilon 1 --delta 1e-5 --band posterior", dti_like());
    // with second moments in a bought ball, without, about a centre that is a curve, and on a circle
    place.write("center.csv", "t,value\n0,0.5\n0.5,0.45\n1,0.55\n");
    for (out, more) in [
        ("moments", "--bounds 0,1 --roughness 0"),
        ("plain", "--center 0.5 --radius 0.3 --radius-share none --moments none"),
        ("curve", "--center center.csv --radius 0.3 --radius-share none"),
        ("circle", "--bounds 0,1 --periodic --roughness 0"),
        ("circle-plain", "--center 0.5 --radius 0.3 --radius-share none --moments none --periodic"),
    ] {
        place.run(&format!("{dti} {more} --out {out}")).succeeded();
        let path = place.path(&format!("{out}/release.json"));
        let output = Command::new(&python).arg(place.path("posterior.py")).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let estimate = &json(&path).unwrap()["estimate"];
        for (mine, theirs) in [("mean", "values"), ("sd", "posterior_sd")] {
            let pairs = found[mine].as_array().unwrap().iter().zip(estimate[theirs].as_array().unwrap());
            let pairs: Vec<(f64, f64)> = pairs.map(|(a, b)| (a.as_f64().unwrap(), b.as_f64().unwrap())).collect();
            assert_eq!(pairs.len(), 93);
            assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-12), "{out}: {mine}");
        }
    }
}
