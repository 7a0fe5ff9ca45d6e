//! `dpfda audit` from the outside.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::Place;
use serde_json::Value;

const CURVES: &str = "subject,t1,t2,t3\na,0.1,0.2,0.3\nb,0.4,0.5,0.6\nc,0.7,0.8,0.9\n";

const POINTS: &str = "x\n0.1\n0.2\n0.3\n0.4\n0.95\n";

#[test]
fn an_honest_mechanism_is_not_refuted() {
    let place = Place::new();
    let run = place.run("audit --mechanism perturbed --epsilon 1 --draws 20000");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Not refuted") && run.stdout.contains("corner to corner"), "{}", run.stdout);
    let again = place.run("audit --mechanism perturbed --epsilon 1 --draws 20000");
    assert_eq!(run.stdout, again.stdout, "an audit repeats");
}

#[test]
fn json_tells_the_same() {
    let run = Place::new().run("audit --mechanism functionals --epsilon 1 --neighbours add-remove --draws 1000 --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &report["refuted"], &report["draws"]), (0, &Value::from(false), &Value::from(1000)));
    assert!(report["pairs"].as_array().unwrap().len() >= 20);
}

#[test]
fn releases_of_every_kind_can_be_audited_and_show_nothing_of_their_data() {
    let place = Place::new();
    place.write("curves.csv", CURVES);
    place.write("points.csv", POINTS);
    let released = [
        place.release("curves.csv", "--values t* --out isonormal"),
        place.release("curves.csv", "--values t* --out cm --mechanism cameron-martin --penalty 0.01"),
        place.release("curves.csv", "--values t* --out ar --neighbours add-remove --subject subject"),
        place.run("density points.csv --columns x --bounds 0,1 --epsilon 1 --out perturbed"),
        place.run("density points.csv --columns x --bounds 0,1 --epsilon 1 --delta 1e-5 --out normal"),
        place.run("density points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism smoothed --out smoothed"),
        place.run("density points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism exponential --out exponential"),
        place.run("density points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism series --out series"),
    ];
    assert!(released.iter().all(|run| run.code == 0), "{:?}", released.map(|run| run.stderr));
    for kind in ["isonormal", "cm", "ar", "perturbed", "normal", "smoothed", "exponential", "series"] {
        let run = place.run(&format!("audit {kind}/release.json --draws 500"));
        assert_eq!(run.code, 0, "{kind}: {}", run.stderr);
        assert!(run.stdout.contains("Not refuted") && !run.stdout.contains("0.95"), "{kind}: {}", run.stdout);
    }
}

#[test]
fn what_is_no_release_or_no_setting_is_refused_without_a_word_of_its_content() {
    let place = Place::new();
    place.write("curves.csv", "subject\n4711\n");
    place.write("other.json", "{\"secret\": 4711}");
    for arguments in [
        "audit curves.csv",
        "audit other.json",
        "audit nothing.json",
        "audit",
        "audit --mechanism perturbed",
        "audit --mechanism nonsense --epsilon 1",
        "audit --mechanism isonormal --epsilon 1",
        "audit --mechanism smoothed --epsilon 1 --neighbours add-remove",
        "audit --mechanism perturbed --epsilon -1",
        "audit --mechanism perturbed --epsilon 1 --draws 0",
        "audit other.json --epsilon 1",
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments}: {}", run.stderr);
        assert!(run.stdout.is_empty() && !run.stderr.contains("4711"), "{arguments}: {}", run.stderr);
    }
}
