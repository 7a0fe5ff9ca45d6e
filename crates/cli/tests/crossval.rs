//! `dpfda crossval`: for the curator alone, and marked so wherever it is seen.

use std::fs;

use crate::common::{Place, Run, SMALL, dti_like};
use crate::refusals::assert_refused;
use serde_json::Value;

const MARK: &str = "NOT PRIVATE - CURATOR ONLY";

fn crossval(place: &Place, more: &str) -> Run {
    place.run(&format!("crossval {} --values cca_* --subject ID --center 0.5 {more}", dti_like()))
}

fn json(place: &Place, more: &str) -> Value {
    serde_json::from_str(&crossval(place, &format!("--json {more}")).succeeded().stdout).unwrap()
}

#[test]
fn everything_is_marked_in_its_first_line_and_says_what_publishing_would_cost() {
    let place = Place::new();
    let run = crossval(&place, "--out out").succeeded();
    assert_eq!(run.stdout.lines().next(), Some(MARK));
    for said in ["spends privacy that nobody paid for", "dpfda smooth --select sure", "142 subjects", "10 folds"] {
        assert!(run.words().contains(said), "`{said}` in {}", run.stdout);
    }
    let csv = fs::read_to_string(place.path("out/scores.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(format!("# {MARK}").as_str()));
    assert_eq!(lines.next(), Some("kernel,range,penalty,eta,score"));
    assert!(fs::read_to_string(place.path("out/scores.svg")).unwrap().contains(MARK));
    assert!(
        place.bytes("out/scores.pdf").starts_with(b"%PDF") && place.bytes("out/scores.png").starts_with(b"\x89PNG")
    );
    let json = crossval(&place, "--json").succeeded().stdout;
    assert!(json.starts_with(&format!("{{\"private\":false,\"not_private\":\"{MARK}. ")), "{json}");
    assert!(json.contains("spends privacy that nobody paid for") && json.lines().count() == 1);
}

#[test]
fn the_best_is_the_row_of_least_score() {
    let place = Place::new();
    let answer = json(&place, "--epsilon 1 --delta 1e-5 --radius 0.25 --out out");
    let csv = fs::read_to_string(place.path("out/scores.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().skip(2).map(|line| line.split(',').collect()).collect();
    let score = |row: &[&str]| row[4].parse::<f64>().unwrap();
    let least = rows.iter().min_by(|a, b| score(a).total_cmp(&score(b))).unwrap();
    assert_eq!(answer["candidates"], rows.len());
    assert_eq!(answer["best"]["kernel"], least[0]);
    for (index, key) in ["range", "penalty", "eta", "score"].into_iter().enumerate() {
        assert_eq!(answer["best"][key].as_f64(), least[index + 1].parse().ok(), "{key}");
    }
    assert_eq!(answer["best_of_each_kernel"].as_array().unwrap().len(), 4);
}

#[test]
fn the_noise_of_a_release_raises_every_score() {
    let place = Place::new();
    let lists = "--kernel gaussian --range 0.05 --penalty 0.001";
    let score = |more: &str| json(&place, &format!("{lists} {more}"))["best"]["score"].as_f64().unwrap();
    let none = score("");
    let tight = score("--epsilon 1 --delta 1e-5 --radius 0.25");
    // what compares with papers stands in a study
    let of_study = |more: &str| {
        let said = "--values cca_* --subject ID --center 0.5 --epsilon 1 --delta 1e-5 --radius 0.25";
        let study = place.run(&format!("new --kind mean {said} {more}")).succeeded().stdout;
        place.write("study.toml", &study);
        let run = place.run(&format!("crossval study.toml {} --json {lists}", dti_like())).succeeded();
        serde_json::from_str::<Value>(&run.stdout).unwrap()["best"]["score"].as_f64().unwrap()
    };
    assert_eq!(of_study(""), tight);
    let [classical, own_kernel] = ["--classical", "--mechanism cameron-martin"].map(of_study);
    assert!(none < tight && tight < classical && tight < own_kernel, "{none} {tight} {classical} {own_kernel}");
}

#[test]
fn folds_are_of_records_and_follow_the_seed() {
    let place = Place::new();
    assert_eq!(json(&place, "--leave-one-out")["folds"], 142);
    let by_curve = place.run(&format!("crossval {} --values cca_* --center 0.5 --folds 5 --json", dti_like()));
    let by_curve: Value = serde_json::from_str(&by_curve.succeeded().stdout).unwrap();
    assert_eq!((&by_curve["records"], &by_curve["folds"]), (&382.into(), &5.into()));
    assert_eq!(json(&place, "--seed 1"), json(&place, "--seed 1"));
    assert_ne!(json(&place, "--seed 1")["best"]["score"], json(&place, "--seed 2")["best"]["score"]);
}

#[test]
fn repeated_kernels_are_tried_once() {
    let lists = "--kernel gaussian,exponential,gaussian --range 0.1 --penalty 0.01";
    let answer = json(&Place::new(), lists);
    let kernels: Vec<_> = answer["best_of_each_kernel"].as_array().unwrap().iter().map(|row| &row["kernel"]).collect();
    assert_eq!(kernels, ["gaussian", "exponential"]);
}

#[test]
fn the_noise_is_that_of_one_substituted_record() {
    let place = Place::new();
    let lists = "--kernel gaussian --range 0.05 --penalty 0.001,0.01";
    let noise = format!("{lists} --epsilon 1 --delta 1e-5 --radius 0.25");
    assert_eq!(json(&place, &noise)["neighbours"], "substitute");
    let run = crossval(&place, &noise).succeeded();
    assert!(run.words().contains("differing in one substituted subject"), "{}", run.stdout);
    assert!(json(&place, lists)["neighbours"].is_null());
}

#[test]
fn an_optimum_on_the_edge_is_named() {
    let place = Place::new();
    let run = crossval(&place, "--kernel gaussian --range 0.05,0.1 --penalty 0.5,1").succeeded();
    let said = "NOTE the best lies at the least range tried for its kernel and the least penalty tried";
    assert!(run.words().contains(said), "{}", run.stdout);
    let answer = json(&place, "--kernel gaussian --range 0.05,0.1 --penalty 0.5,1");
    assert_eq!(answer["edges"], serde_json::json!(["least-range", "least-penalty"]));
    let inside = json(&place, "");
    assert_eq!(inside["edges"], serde_json::json!([]));
}

#[test]
fn earlier_scores_are_replaced_by_force_and_a_release_is_not() {
    let place = Place::new();
    crossval(&place, "--out out").succeeded();
    assert_eq!(crossval(&place, "--out out").code, 2);
    crossval(&place, "--out out --force").succeeded();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out release").succeeded();
    let run = crossval(&place, "--out release --force");
    assert!(run.code == 2 && run.stderr.contains("not part of a cross-validation"), "{}", run.stderr);
    let run = place.release("small.csv", "--values v* --out out --force");
    assert!(run.code == 2 && run.stderr.contains("not part of a release"), "{}", run.stderr);
}

#[test]
fn bad_input_is_refused_by_name_and_nothing_of_the_file_is_shown() {
    let place = Place::new();
    place.write("curves.csv", "id,v1,v2,v3\na,0.7354219,0.52,0.63\nb,0.42,0.51,0.44\nc,0.38,0.49,0.7354219\n");
    assert_refused(&place, include_str!("refusals/crossval.txt"));
}
