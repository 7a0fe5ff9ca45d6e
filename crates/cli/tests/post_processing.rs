//! `dpfda smooth`, `evaluate` and `forecast --noise`: what costs no privacy.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Place, SMALL, dti_like};
use crate::refusals::assert_refused;
use serde_json::Value;

/// The rows of a table of an estimate.
fn rows(csv: &str) -> Vec<[f64; 6]> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("t,value,posterior_sd,noise_sd,lower,upper"));
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap();
    lines.map(row).collect()
}

fn released() -> Place {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --subject id --out out").succeeded();
    place
}

#[test]
fn the_whole_journey_release_smooth_evaluate() {
    let place = Place::new();
    place.release(&dti_like(), "--values cca_* --subject ID --out out").succeeded();
    let run = place.run("smooth out/release.json --kernel gaussian --penalty 0.05 --out smoother").succeeded();
    assert!(run.words().contains("cost no privacy"), "{}", run.stdout);
    assert_eq!(place.names(), ["out", "smoother"]);
    let (first, second) = (place.json("out/release.json"), place.json("smoother/release.json"));
    assert_eq!(first["lattice"], second["lattice"], "the same noisy numbers");
    assert_eq!(first["privacy"], second["privacy"]);
    assert_eq!(second["derived"]["smoother"]["kernel"]["family"], "gaussian");
    assert_ne!(first["estimate"]["values"], second["estimate"]["values"]);
    assert_eq!(first["estimate"]["band"], "population");
    let run = place.run("evaluate smoother/release.json --at 0,0.5,1").succeeded();
    let table = fs::read_to_string(place.path("smoother/release.csv")).unwrap();
    for (row, index) in rows(&run.stdout).into_iter().zip([0, 46, 92]) {
        for (a, b) in row.into_iter().zip(rows(&table)[index]) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn smoothing_with_nothing_changed_gives_the_release_itself() {
    let place = released();
    place.run("smooth out/release.json --out again").succeeded();
    for file in ["release.json", "release.csv", "release.svg", "release.png"] {
        assert_eq!(place.bytes(&format!("out/{file}")), place.bytes(&format!("again/{file}")), "{file}");
    }
}

#[test]
fn smoothing_keeps_what_is_not_given() {
    let place = released();
    let smoother = |arguments: &str, out: &str| {
        place.run(&format!("smooth out/release.json {arguments} --out {out}")).succeeded();
        place.json(&format!("{out}/release.json"))["derived"]["smoother"].clone()
    };
    let old = place.json("out/release.json")["derived"]["smoother"].clone();
    let other_range = smoother("--range 0.4", "a");
    let (new, kept) = (&other_range["kernel"], &old["kernel"]);
    assert_eq!((&new["family"], &new["nu"]), (&kept["family"], &kept["nu"]));
    assert_eq!(other_range["kernel"]["range"], 0.4);
    assert_eq!(other_range["penalty"], old["penalty"]);
    let other_kernel = smoother("--kernel exponential", "b");
    assert_eq!(other_kernel["kernel"]["range"], 0.5, "the default of the new kernel");
    let squared = smoother("--eta 2", "c");
    let (phi, expected) = (squared["penalty"].as_f64().unwrap(), old["penalty"].as_f64().unwrap().powi(2));
    assert!((phi / expected - 1.0).abs() < 1e-12, "the eigenvalue that is halved stays");
}

#[test]
fn a_release_may_be_smoothed_in_place_by_force() {
    let place = released();
    assert_eq!(place.run("smooth out/release.json --penalty 1 --out out").code, 2);
    place.run("smooth out/release.json --penalty 1 --out out --force").succeeded();
    assert_eq!(place.json("out/release.json")["derived"]["smoother"]["penalty"], 1.0);
    assert_eq!(place.names(), ["out", "small.csv"]);
}

#[test]
fn a_bad_smoother_is_refused_by_name() {
    let place = released();
    assert_refused(&place, include_str!("refusals/smooth.txt"));
}

#[test]
fn a_damaged_release_is_refused() {
    let place = released();
    let text = fs::read_to_string(place.path("out/release.json")).unwrap();
    place.write("edited.json", &text.replacen("\"epsilon\": 1.0", "\"epsilon\": 0.1", 1));
    place.write("extended.json", &text.replacen("\"schema\"", "\"surprise\": 1, \"schema\"", 1));
    place.write("cut.json", &text[..text.len() / 2]);
    for file in ["edited.json", "extended.json", "cut.json", "missing.json"] {
        for command in ["evaluate FILE --at 0", "smooth FILE --out new"] {
            let run = place.run(&command.replace("FILE", file));
            assert_eq!(run.code, 2, "{file}");
            assert!(run.stderr.contains("RELEASE.json") && run.stderr.contains(file), "{}", run.stderr);
        }
    }
    assert!(!place.path("new").exists());
}

#[test]
fn private_curves_given_as_a_release_are_not_quoted() {
    let place = Place::new();
    place.write("curves.csv", "0.7354219,0.5\n0.4,0.6\n");
    let run = place.run("evaluate curves.csv --at 0");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("curves.csv") && !run.text().contains("7354219"), "{}", run.text());
}

#[test]
fn a_wrong_json_document_is_never_quoted() {
    let place = released();
    let text = fs::read_to_string(place.path("out/release.json")).unwrap();
    let edited = |from: &str, to: &str| {
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text);
        edited
    };
    // at the end of a line: half a number may be no number at all
    let half = text[..text.len() / 2].rfind('\n').unwrap();
    let cases = [
        ("{\"7354219\": \"7354219\"}".to_owned(), "line 1, column "),
        ("{\"id\": \"x\", \"values\": [7354219]}".to_owned(), "not the fields of a release"),
        ("{\"a\": 7354219x}".to_owned(), "line 1, column "),
        (text[..half].to_owned(), "ends too early"),
        (edited("\"epsilon\": 1.0", "\"epsilon\": \"7354219\""), "a field has the wrong type"),
        (edited("\"substitute\"", "\"7354219\""), "a value that no release has"),
        (edited("\"software\"", "\"surprise\""), "unknown field `surprise`"),
        (edited("\"epsilon\": 1.0,", ""), "missing field `epsilon`"),
        (edited("\"epsilon\": 1.0", "\"epsilon\": 0.1"), "contradicts the rest"),
    ];
    for (document, words) in cases {
        place.write("wrong.json", &document);
        for command in ["evaluate wrong.json --at 0", "smooth wrong.json --out new"] {
            let run = place.run(command);
            assert_eq!(run.code, 2);
            assert!(run.stderr.contains(words), "`{words}` in {}", run.stderr);
            assert!(!run.text().contains("7354219"), "{}", run.text());
        }
    }
}

#[test]
fn a_smoother_that_keeps_almost_nothing_is_called_that() {
    let place = Place::new();
    // the kernel decides what a penalty keeps, and a chosen one depends on the noise
    place.release(&dti_like(), "--values cca_* --subject ID --select default --out out").succeeded();
    let said = |penalty: &str, what: &str| {
        let run = place.run(&format!("smooth out/release.json --penalty {penalty} --out a --force")).succeeded();
        let words = run.words();
        words.contains(what) && words.contains("noise_sd does not include this shrinkage")
    };
    let (nothing, little) = ("little more than the centre", "mostly the public centre");
    assert!(said("100", nothing) && !said("100", little));
    assert!(said("2", little) && !said("2", nothing));
    assert!(!said("0.01", nothing) && !said("0.01", little));
}

#[test]
fn calibration_answers_in_words_and_in_json() {
    let place = Place::new();
    let arguments = "forecast --noise gaussian --epsilon 1 --delta 1e-5 --sensitivity 2";
    let words = place.run(arguments).succeeded().stdout;
    let json = place.run(&format!("{arguments} --json")).succeeded().stdout;
    let answer: Value = serde_json::from_str(&json).unwrap();
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 6);
    assert_eq!(answer["family"], "gaussian");
    assert_eq!(answer["epsilon"], 1.0);
    assert_eq!(answer["delta"], 1e-5);
    assert_eq!(answer["sensitivity"], 2.0);
    let scale = answer["scale"].as_f64().unwrap();
    assert!((scale / 2.0 - 3.730_631_634_815_94).abs() < 1e-8, "Balle and Wang's scale: {scale}");
    assert_eq!(answer["variance"], scale * scale);
    assert!(words.contains(&scale.to_string()), "{words}");
}

#[test]
fn every_family_is_calibrated_and_the_best_has_the_least_variance() {
    let place = Place::new();
    let answer = |arguments: &str| -> Value {
        let run = place.run(&format!("forecast --noise {arguments} --sensitivity 3 --json")).succeeded();
        serde_json::from_str(&run.stdout).unwrap()
    };
    let scale = |arguments: &str| answer(arguments)["scale"].as_f64().unwrap() / 3.0;
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-8;
    // Theorems 3 and 4 of Vinterbo, and the golden value of shape 1.5
    assert_eq!(scale("laplace --epsilon 0.5 --delta 0"), 2.0);
    assert!(close(scale("laplace --epsilon 0.5 --delta 0.1"), 1.0 / (0.5 - 2.0 * 0.9_f64.ln())));
    assert!(close(scale("logistic --epsilon 0.5 --delta 0"), 2.0));
    let theorem_4 = (0.25_f64.exp() + (0.1 * (0.5_f64.exp() - 0.9)).sqrt()) / 0.9;
    assert!(close(scale("logistic --epsilon 0.5 --delta 0.1"), 1.0 / (2.0 * theorem_4.ln())));
    assert!(close(scale("subbotin:1.5 --epsilon 1 --delta 1e-5"), 2.203_784_400_512_23));
    let gaussian = scale("gaussian --epsilon 1 --delta 1e-5");
    assert!(close(scale("subbotin:2 --epsilon 1 --delta 1e-5"), gaussian));

    for budget in ["--epsilon 1 --delta 0", "--epsilon 1 --delta 1e-5", "--epsilon 0.1 --delta 0.1"] {
        let best = answer(&format!("best {budget}"));
        let candidates = best["candidates"].as_array().unwrap();
        let least = candidates.iter().map(|c| c["variance"].as_f64().unwrap()).fold(f64::INFINITY, f64::min);
        assert_eq!(best["variance"].as_f64().unwrap(), least);
        let family = best["family"].as_str().unwrap();
        assert!(candidates.iter().any(|c| c["family"] == family));
        let alone = answer(&format!("{family} {budget}"));
        assert!(close(alone["scale"].as_f64().unwrap(), best["scale"].as_f64().unwrap()));
    }
    let words = place.run("forecast --noise best --epsilon 0.1 --delta 0.1").succeeded().stdout;
    assert!(words.starts_with("Subbotin noise of scale ") && words.contains("gaussian"), "{words}");
}

#[test]
fn noise_that_cannot_be_calibrated_is_refused_with_the_theorems_condition() {
    let place = Place::new();
    assert_refused(&place, include_str!("refusals/noise.txt"));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let place = released();
    let points = (0..4000).map(|i| (f64::from(i) / 4000.0).to_string()).collect::<Vec<_>>().join(",");
    let mut child = Command::new(env!("CARGO_BIN_EXE_dpfda"))
        .args(["evaluate", "out/release.json", "--at", &points])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
