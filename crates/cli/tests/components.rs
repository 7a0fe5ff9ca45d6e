//! `dpfda components`: what a release tells beyond its mean.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;
use serde_json::Value;

/// A file of curves that vary along two functions, or not at all, and its release.
fn place(size: f64, more: &str) -> Place {
    let place = Place::new();
    let mut csv = "id".to_owned();
    (0..20).for_each(|j| write!(csv, ",v{j}").unwrap());
    for i in 0..2000_u32 {
        write!(csv, "\np{i}").unwrap();
        let (a, b) = (f64::from(i * 7 % 101) / 50.0 - 1.0, f64::from(i * 13 % 89) / 44.0 - 1.0);
        for j in 0..20 {
            let t = f64::from(j) / 19.0;
            let value = 0.5 + size * (0.1 * a * (3.2 * t).cos() + 0.04 * b * (6.3 * t).cos()) + 0.02 * t;
            write!(csv, ",{value}").unwrap();
        }
    }
    place.write("curves.csv", &(csv + "\n"));
    let command = "release curves.csv --values v* --center 0.5 --radius 0.25 --not-private --seed 1 --out r";
    let budget = if more.contains("--epsilon") { "" } else { "--epsilon 2 --delta 1e-3" };
    place.run(&format!("{command} {budget} {more}")).succeeded();
    place
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn the_document_has_what_was_promised_and_is_what_is_printed() {
    let place = place(1.0, "--moments covariance");
    let printed = place.run("components r/release.json --out c --json").succeeded().stdout;
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document, place.json("c/components.json"));
    assert!(document["rank"].as_u64().unwrap() >= 2);
    assert!(document["total_variance"].as_f64().unwrap() > document["total_variance_sd"].as_f64().unwrap());
    let components = document["components"].as_array().unwrap();
    assert_eq!(components.len() as u64, document["rank"].as_u64().unwrap());
    for component in components {
        for field in ["eigenvalue", "eigenvalue_sd", "explained", "explained_sd"] {
            assert!(component[field].as_f64().unwrap() > 0.0, "{field}");
        }
        let [function, lower, upper] = ["function", "lower", "upper"].map(|field| numbers(&component[field]));
        assert!(function.len() == 20 && (0..20).all(|j| lower[j] <= function[j] && function[j] <= upper[j]));
    }
    let csv = String::from_utf8(place.bytes("c/components.csv")).unwrap();
    assert!(csv.starts_with("t,mean,v1,v1_lower,v1_upper,v2,") && csv.lines().count() == 21);
    for figure in ["scree", "modes", "covariance"] {
        assert!(place.bytes(&format!("c/{figure}.svg")).starts_with(b"<svg"), "{figure}");
        assert!(place.bytes(&format!("c/{figure}.png")).starts_with(b"\x89PNG"), "{figure}");
    }
}

#[test]
fn the_words_say_what_was_found_and_what_the_numbers_are() {
    let place = place(1.0, "");
    let brief = place.run("components r/release.json --out brief").succeeded();
    assert!(brief.stdout.lines().count() <= 15 && brief.words().contains("can be told from the privacy noise"));
    let words = place.run("components r/release.json --out c --verbose").succeeded().words();
    for expected in [
        "the total variance of the curves is",
        "components can be told from the privacy noise",
        "sampling sd",
        "explained %",
        "approximate",
        "NOT PRIVATE. The noise came from a seed",
        "cost no privacy",
    ] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn a_rank_of_zero_is_an_answer_in_words_and_there_are_no_modes() {
    let place = place(0.0, "--epsilon 0.5 --delta 1e-5");
    let words = place.run("components r/release.json --out c").succeeded().words();
    assert!(words.contains("rank 0. No component can be told from the privacy noise"), "{words}");
    assert!(words.contains("--moments covariance"));
    let document = place.json("c/components.json");
    assert_eq!((document["rank"].as_u64(), document["components"].as_array().unwrap().len()), (Some(0), 0));
    assert!(document["note"].as_str().unwrap().contains("No component"));
    assert!(place.path("c/scree.png").exists() && !place.path("c/modes.png").exists());
    let run = place.run("components r --synthetic 10 --out s");
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(run.stderr.contains("cannot be told from the privacy noise") && !place.path("s").exists());
}

#[test]
fn a_new_curve_is_scored_on_the_terminal_and_in_no_file() {
    let place = place(1.0, "");
    place.run("components r/release.json --out c").succeeded();
    let document = place.json("c/components.json");
    let (grid, mean) = (numbers(&document["grid"]), numbers(&document["mean"]));
    let first = numbers(&document["components"][0]["function"]);
    let mut csv = "t,value\n".to_owned();
    for j in 0..20 {
        writeln!(csv, "{},{}", grid[j], mean[j] + 0.125 * first[j]).unwrap();
    }
    place.write("new.csv", &csv);
    let run = place.run("components r/release.json --out d --curve new.csv --json").succeeded();
    let scores = numbers(&serde_json::from_str::<Value>(&run.stdout).unwrap()["scores"]);
    assert!((scores[0] - 0.125).abs() < 1e-9 && scores[1..].iter().all(|score| score.abs() < 1e-9), "{scores:?}");
    assert!(place.json("d/components.json").get("scores").is_none());
    assert!(place.run("components r/release.json --out e --curve new.csv").succeeded().words().contains("1: 0.125"));
}

#[test]
fn synthetic_curves_are_a_file_that_a_release_can_be_made_of() {
    let place = place(1.0, "");
    let command = "components r --synthetic 500 --seed 7 --clip 0.3,0.7";
    let words = place.run(&format!("{command} --out s --verbose")).succeeded().words();
    for expected in ["500 curves at 20 points", "good for", "not for", "Gaussian", "cost no privacy"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    let printed = place.run(&format!("{command} --json --out t")).succeeded().stdout;
    assert_eq!(place.bytes("s/synthetic.csv"), place.bytes("t/synthetic.csv"));
    let answer: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(answer["synthetic"], serde_json::json!({ "curves": 500, "seed": 7, "clip": [0.3, 0.7] }));
    assert_eq!(answer, place.json("t/components.json"));
    assert!(place.bytes("s/synthetic.png").starts_with(b"\x89PNG"));
    let csv = String::from_utf8(place.bytes("s/synthetic.csv")).unwrap();
    assert!(csv.starts_with("id,t0,t0.05") && csv.lines().count() == 501);
    let values =
        csv.lines().skip(1).flat_map(|line| line.split(',').skip(1)).map(|value| value.parse::<f64>().unwrap());
    assert!(values.into_iter().all(|value| (0.3..=0.7).contains(&value)));
    let again = "release s/synthetic.csv --values t* --subject id --center 0.5 --radius 0.25 --epsilon 2 --delta 1e-3 --out again";
    place.run(again).succeeded();
    let [one, other] = ["one", "other"].map(|out| {
        place.run(&format!("components r --synthetic 3 --out {out}")).succeeded();
        place.bytes(&format!("{out}/synthetic.csv"))
    });
    assert_ne!(one, other, "without a seed every run draws anew");
}

#[test]
fn a_release_without_moments_is_refused_by_the_name_of_the_option() {
    let place = place(1.0, "--moments none");
    for command in ["components r/release.json --out c", "components r --synthetic 5 --out c"] {
        let run = place.run(command);
        assert_eq!(run.code, 2, "{}", run.text());
        assert!(run.stderr.contains("RELEASE.json") && run.stderr.contains("--moments covariance"), "{}", run.stderr);
    }
    assert!(!place.path("c").exists());
}

#[test]
fn bad_requests_are_refused_with_nothing_written() {
    let place = place(1.0, "");
    place.write("short.csv", "t,value\n0,1\n0.5,1\n");
    place.write("text.csv", "t,value\n0,secret\n1,2\n");
    assert_refused(&place, include_str!("refusals/components.txt"));
    place.run("components r/release.json --out c").succeeded();
    place.run("components r/release.json --out c --force").succeeded();
    assert_eq!(place.run("components r/release.json --out c").code, 2);
}
