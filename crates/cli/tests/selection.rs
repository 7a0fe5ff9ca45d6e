//! The smoother chosen from the release itself: free, where it is asked for.

use std::fs;

use crate::common::{Place, SMALL, dti_like};
use crate::refusals::is_told;
use dpfda::kernels::{Kernel, KernelName};
use serde_json::Value;

/// The candidates of `selection.csv`: kernel, and range, penalty, eta, risk.
fn candidates(place: &Place, out: &str) -> Vec<(String, [f64; 4])> {
    let csv = fs::read_to_string(place.path(&format!("{out}/selection.csv"))).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("kernel,range,penalty,eta,risk"));
    let row = |line: &str| {
        let (kernel, numbers) = line.split_once(',').unwrap();
        let numbers: Vec<f64> = numbers.split(',').map(|cell| cell.parse().unwrap()).collect();
        (kernel.to_owned(), numbers.try_into().unwrap())
    };
    lines.map(row).collect()
}

fn seeded(place: &Place, seed: u32, more: &str) -> crate::common::Run {
    place.release("small.csv", &format!("--values v* --not-private --seed {seed} {more}")).succeeded()
}

/// The smoother of a document.
fn smoother(place: &Place, out: &str) -> Value {
    place.json(&format!("{out}/release.json"))["derived"]["smoother"].clone()
}

/// The name of its kernel.
fn kernel_of(smoother: &Value) -> String {
    let kernel: Kernel = serde_json::from_value(smoother["kernel"].clone()).unwrap();
    KernelName::of(&kernel).unwrap().0.to_string()
}

fn small() -> Place {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place
}

fn selects(place: &Place, out: &str) -> bool {
    let [csv, svg] = ["selection.csv", "selection.svg"].map(|file| place.path(&format!("{out}/{file}")).exists());
    assert_eq!(csv, svg);
    csv
}

#[test]
fn the_release_has_the_candidate_of_least_risk() {
    let place = Place::new();
    let run = place.release(&dti_like(), "--values cca_* --subject ID --select sure --out out").succeeded();
    let candidates = candidates(&place, "out");
    let (kernel, [range, penalty, eta, _]) = candidates.iter().min_by(|a, b| a.1[3].total_cmp(&b.1[3])).unwrap();
    let smoother = smoother(&place, "out");
    assert_eq!(kernel_of(&smoother), *kernel);
    assert_eq!(smoother["kernel"]["range"], *range);
    assert_eq!(smoother["penalty"], *penalty);
    assert_eq!(smoother["power"], *eta);
    let said = format!("the best of {} by Stein's unbiased risk estimate", candidates.len());
    assert!(run.words().contains(&said), "{}", run.stdout);
    let svg = fs::read_to_string(place.path("out/selection.svg")).unwrap();
    assert!(svg.contains("<svg") && !svg.contains("NOT PRIVATE"), "the choice is public");
}

#[test]
fn choosing_changes_nothing_about_the_noise() {
    let place = small();
    seeded(&place, 7, "--select sure --out sure");
    seeded(&place, 7, "--out unasked");
    seeded(&place, 7, "--select default --out default");
    assert_eq!(place.json("default/release.json")["lattice"], place.json("unasked/release.json")["lattice"]);
    let (sure, default) = (place.json("sure/release.json"), place.json("default/release.json"));
    for field in ["lattice", "privacy", "noise"] {
        assert_eq!(sure[field], default[field], "{field}");
    }
    assert!(selects(&place, "sure") && !selects(&place, "default") && !selects(&place, "unasked"));
    let default = smoother(&place, "default");
    assert_eq!(kernel_of(&default), "matern52");
    assert_eq!(default["kernel"]["range"], 0.25);
}

#[test]
fn a_file_gives_the_choice_that_the_release_would_have_had() {
    let place = small();
    seeded(&place, 7, "--select sure --out sure");
    seeded(&place, 7, "--select default --out default");
    let run = place.run("smooth default/release.json --select sure --out again").succeeded();
    assert!(run.words().contains("at no cost in privacy"), "{}", run.stdout);
    // another study was followed: one that did not choose
    let [sure, again] = ["sure", "again"].map(|out| place.json(&format!("{out}/release.json")));
    assert_ne!(sure["source"]["study"], again["source"]["study"]);
    for (field, value) in sure.as_object().unwrap() {
        assert!(field == "source" || *value == again[field], "{field}");
    }
    for file in ["release.csv", "release.svg", "selection.csv", "selection.svg", "neighbours.svg"] {
        assert_eq!(place.bytes(&format!("sure/{file}")), place.bytes(&format!("again/{file}")), "{file}");
    }
}

#[test]
fn a_release_goes_back_to_the_default_smoother() {
    let place = small();
    seeded(&place, 7, "--select sure --out sure");
    seeded(&place, 7, "--select default --out default");
    place.run("smooth sure/release.json --select default --out back").succeeded();
    assert_eq!(smoother(&place, "back")["kernel"], smoother(&place, "default")["kernel"]);
    let penalty = |out: &str| smoother(&place, out)["penalty"].as_f64().unwrap();
    assert!((penalty("back") / penalty("default") - 1.0).abs() < 1e-5);
}

#[test]
fn a_smoother_that_is_named_is_used() {
    let place = small();
    for (index, given) in ["--kernel gaussian", "--range 0.4", "--penalty 0.01", "--eta 2"].into_iter().enumerate() {
        let out = index.to_string();
        let run = place.release("small.csv", &format!("--values v* {given} --out {out}")).succeeded();
        assert!(!selects(&place, &out) && !run.stdout.contains("Stein"), "{}", run.stdout);
    }
}

#[test]
fn cameron_martin_noise_leaves_nothing_to_choose() {
    let place = small();
    let run = place.release("small.csv", "--values v* --mechanism cameron-martin --out out").succeeded();
    assert!(!selects(&place, "out") && !run.stdout.contains("Stein"));
    let explained = ["--select", "isonormal release with a delta above 0 and without", "sized for a smoother"];
    for refused in [
        place.release("small.csv", "--values v* --mechanism cameron-martin --select sure --out new"),
        place.run("smooth out/release.json --select sure --out new"),
    ] {
        assert_eq!(refused.code, 2);
        assert!(explained.iter().all(|words| is_told(&refused, words)), "{}", refused.stderr);
        assert_eq!(place.names(), ["out", "small.csv"]);
    }
}

#[test]
fn a_smoother_is_chosen_or_named_but_not_both() {
    let place = small();
    seeded(&place, 7, "--out out");
    for given in ["--kernel gaussian", "--range 0.4", "--penalty 0.01", "--eta 2"] {
        for refused in [
            place.release("small.csv", &format!("--values v* --select sure {given} --out new")),
            place.run(&format!("smooth out/release.json --select sure {given} --out new")),
        ] {
            let (name, _) = given.split_once(' ').unwrap();
            assert_eq!(refused.code, 2);
            let name = name.trim_start_matches('-');
            assert!(refused.stderr.contains("select sure") && refused.stderr.contains(name), "{}", refused.stderr);
            assert_eq!(place.names(), ["out", "small.csv"]);
        }
    }
    let unknown = place.run("smooth out/release.json --select best --out new");
    assert!(unknown.code == 2 && unknown.stderr.contains("sure, default"), "{}", unknown.stderr);
}

#[test]
fn an_optimum_on_the_edge_of_the_candidates_is_reported() {
    let place = small();
    let mut reported = 0;
    for seed in 0..8 {
        let out = seed.to_string();
        let run = seeded(&place, seed, &format!("--select sure --out {out}"));
        let smoother = smoother(&place, &out);
        let chosen = kernel_of(&smoother);
        let of_kernel: Vec<_> = candidates(&place, &out).into_iter().filter(|(kernel, _)| *kernel == chosen).collect();
        for (key, column, value) in [("range", 0, &smoother["kernel"]["range"]), ("penalty", 1, &smoother["penalty"])] {
            let values = of_kernel.iter().map(|(_, row)| row[column]);
            let (least, largest) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
            for (end, name) in [(least, "least"), (largest, "largest")] {
                let said = run.words().contains(&format!("the {name} {key} tried"));
                assert_eq!(said, *value == end, "{} {}", run.stdout, smoother);
                reported += usize::from(said);
            }
        }
    }
    assert!(reported > 0, "the second kernel has two ranges, both on the edge");
}

#[test]
fn an_earlier_choice_does_not_outlive_its_release() {
    let place = small();
    seeded(&place, 7, "--select sure --out out");
    assert!(selects(&place, "out"));
    place.run("smooth out/release.json --penalty 1 --out out --force").succeeded();
    assert!(!selects(&place, "out"));
}
