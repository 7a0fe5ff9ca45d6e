//! `dpfda audit` from the outside.

use crate::common::Place;
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
        place.run("release points.csv --columns x --bounds 0,1 --epsilon 1 --out perturbed"),
        place.run("release points.csv --columns x --bounds 0,1 --epsilon 1 --delta 1e-5 --out normal"),
        place.run("release points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism smoothed --out smoothed"),
        place.run("release points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism exponential --out exponential"),
        place.run("release points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism series --out series"),
    ];
    assert!(released.iter().all(|run| run.code == 0), "{:?}", released.map(|run| run.stderr));
    for (kind, in_place) in [
        ("isonormal", "instead of its 3 points, with the file's noise scale, radius, relation and centre"),
        ("cm", "instead of its 3 points, with the file's noise scale, radius, relation, smoother and centre"),
        ("ar", "instead of its 3 points, with the file's noise scale"),
        ("perturbed", "in 2 cells of one axis instead of its"),
        ("normal", "in 2 cells of one axis instead of its"),
        ("smoothed", "2 draws of 2 cells, from 4 synthetic records, instead of its"),
        ("exponential", "1 draw of 2 cells, from 4 synthetic records, instead of its"),
        ("series", "on one axis, with the file's noise scale"),
    ] {
        let run = place.run(&format!("audit {kind}/release.json --draws 500"));
        assert_eq!(run.code, 0, "{kind}: {}", run.stderr);
        assert!(run.stdout.contains("Not refuted") && !run.stdout.contains("0.95"), "{kind}: {}", run.stdout);
        assert!(run.stdout.contains(in_place), "{kind}: {}", run.stdout);
    }
}

#[test]
fn a_series_on_two_axes_is_said_to_be_audited_on_one_without_its_noise() {
    let place = Place::new();
    place.write("points.csv", "x,y\n0.1,0.2\n0.3,0.4\n0.5,0.6\n");
    let released =
        place.run("release points.csv --columns x,y --bounds 0,1,0,1 --epsilon 1 --mechanism series --out series");
    assert_eq!(released.code, 0, "{}", released.stderr);
    let run = place.run("audit series/release.json --draws 500 --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let words = report["in_place_of_the_file"].as_str().unwrap();
    assert!(words.contains("on one axis instead of its 2") && words.contains("NOT its noise"), "{words}");
    assert_eq!(report["refuted"], false);
}

#[test]
fn releases_that_a_ledger_paid_for_are_audited_and_their_entry_is_named() {
    let place = Place::new();
    place.write("points.csv", POINTS);
    let create = "ledger create book --epsilon 9 --delta 0 --unit curve --neighbours substitute --dataset survey";
    let created = place.run(create);
    assert_eq!(created.code, 0, "{}", created.stderr);
    for mechanism in ["perturbed", "smoothed", "exponential", "series"] {
        let density = format!("release points.csv --columns x --bounds 0,1 --epsilon 1 --mechanism {mechanism}");
        let released = place.run(&format!("{density} --ledger book --release-id {mechanism} --out {mechanism}"));
        assert_eq!(released.code, 0, "{}", released.stderr);
        let run = place.run(&format!("audit {mechanism}/release.json --draws 500"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("of the ledger of \"survey\"; no ledger was looked at"), "{}", run.stdout);
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

#[test]
fn a_release_that_bought_its_ball_is_audited_with_all_its_steps() {
    let place = Place::new();
    let curves = (0..150).map(|i| format!("s{i},0.4,0.5,0.6")).collect::<Vec<_>>().join("\n");
    place.write("curves.csv", &format!("subject,t1,t2,t3\n{curves}\n"));
    let release = "release curves.csv --values t* --bounds 0,1 --epsilon 1 --delta 1e-5";
    // no pair is worst for the counts and for the second moments at once
    for (more, what, least) in [
        ("--out radius", "a bought radius of at least 1000", 0.99),
        ("--out both --center-share 0.1", "a bought centre and radius of at least 1000", 0.99),
        ("--out dear --moments covariance --radius-share 0.2", "a bought radius of at least 1000", 0.85),
        ("--out ar --neighbours add-remove", "a bought radius of at least 1000", 0.99),
    ] {
        let released = place.run(&format!("{release} {more}"));
        assert_eq!(released.code, 0, "{}", released.stderr);
        let file = more.split(' ').nth(1).unwrap();
        let run = place.run(&format!("audit {file}/release.json --draws 40 --json"));
        assert_eq!(run.code, 0, "{more}: {}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(report["in_place_of_the_file"].as_str().unwrap().contains(what), "{report}");
        assert_eq!(report["refuted"], false);
        let parts = report["pairs"].as_array().unwrap().iter().filter_map(|pair| pair["exact_part"].as_f64());
        let most = parts.fold(0.0, f64::max);
        // the steps of the file together cost what it states
        assert!(most > least && most <= 1.0 + 1e-9, "{more}: {most}");
    }
}
