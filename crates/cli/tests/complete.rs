//! `dpfda complete`, and bands of people: what a release tells of one person.

use std::fmt::Write;

use serde_json::Value;

use crate::common::Place;

/// The value of a person who has so much of a level and of a slope.
fn value(level: f64, slope: f64, t: f64) -> f64 {
    0.5 + 0.1 * level + 0.1 * slope * (t - 0.5)
}

/// A release of curves that differ by a level and a slope, and the first half of another one.
fn place(more: &str) -> Place {
    let place = Place::new();
    let mut csv = "id".to_owned();
    (0..20).for_each(|j| write!(csv, ",v{j}").unwrap());
    for i in 0..2000_u32 {
        write!(csv, "\np{i}").unwrap();
        let (level, slope) = (f64::from(i * 7 % 101) / 50.0 - 1.0, f64::from(i * 13 % 89) / 44.0 - 1.0);
        (0..20).for_each(|j| write!(csv, ",{}", value(level, slope, f64::from(j) / 19.0)).unwrap());
    }
    place.write("curves.csv", &(csv + "\n"));
    let release = "release curves.csv --values v* --center 0.5 --radius 0.3 --epsilon 2 --delta 1e-3 --not-private --seed 1 --out r";
    place.run(&format!("{release} {more}")).succeeded();
    let known = (0..10).map(|j| f64::from(j) / 19.0).map(|t| format!("{t},{}\n", value(0.9, 0.4, t)));
    place.write("person.csv", &format!("t,value\n{}", known.collect::<String>()));
    place
}

#[test]
fn a_curve_is_completed_where_it_is_not_known_and_nothing_is_written() {
    let place = place("");
    let table = place.run("complete r/release.json person.csv").succeeded().stdout;
    let mut lines = table.lines();
    assert_eq!(lines.next().unwrap(), "t,value,sd,lower,upper");
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 10);
    for row in &rows {
        let truth = value(0.9, 0.4, row[0]);
        assert!((row[1] - truth).abs() < 0.05, "{row:?}");
        assert!(row[3] < truth && truth < row[4], "{row:?}");
    }
    let json: Value =
        serde_json::from_str(&place.run("complete r/release.json person.csv --json").succeeded().stdout).unwrap();
    assert_eq!(json["points"][0]["value"].as_f64().unwrap(), rows[0][1]);
    assert!(json["note"].as_str().unwrap().contains("as private as"), "{json}");
    let wide: Value =
        serde_json::from_str(&place.run("complete r person.csv --level 0.99 --json").succeeded().stdout).unwrap();
    assert!(wide["points"][9]["upper"].as_f64().unwrap() > rows[9][4]);
}

#[test]
fn what_cannot_be_completed_is_refused_without_a_value_of_the_person() {
    let place = place("");
    for (text, said) in [
        ("t,value\n0.1,0.777\n0.2,0.777\n", "at least 3 values"),
        ("t,value\n0.1,0.777\n0.2,0.777\n3.5,0.777\n", "point 3 of the curve lies outside the domain"),
        ("t,value\n0.1,0.777\n0.1,0.777\n0.5,0.777\n", "t,value"),
        ("a,b\n0.1,0.777\n", "t,value"),
    ] {
        place.write("person.csv", text);
        let run = place.run("complete r/release.json person.csv");
        assert!(!run.stderr.contains("0.777") && !run.stderr.contains("3.5"), "{}", run.stderr);
        run.refused(said);
    }
    place.run("complete r/release.json nothing.csv").refused("FILE.csv: cannot read");
}

#[test]
fn a_release_without_second_moments_has_no_bands_of_people_and_none_is_paid_for() {
    let place = place("--moments none");
    place.run("complete r/release.json person.csv").refused("second moments");
    place.run("smooth r/release.json --band prediction --out s").refused("second moments");
    place.run("evaluate r/release.json --at 0.5 --band tolerance").refused("second moments");
}

#[test]
fn bands_of_people_are_wider_than_that_of_the_mean_in_files_and_answers() {
    let place = place("");
    let half = |band: &str| {
        let answer = place.run(&format!("evaluate r/release.json --at 0.5 --band {band} --json")).succeeded().stdout;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let of = |name: &str| answer["points"][0][name].as_f64().unwrap();
        of("upper") - of("lower")
    };
    let [mean, prediction, tolerance] = ["population", "prediction", "tolerance"].map(half);
    assert!(3.0 * mean < prediction && prediction < 1.2 * tolerance, "{mean} {prediction} {tolerance}");
    let said = place.run("smooth r/release.json --band prediction --out s").succeeded().words();
    assert!(said.contains("the whole curve of a new person of the population with about"), "{said}");
    let figure = String::from_utf8(place.bytes("s/release.svg")).unwrap();
    let figure = figure.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(figure.contains("where a new person may lie"), "{figure}");
    assert!(figure.contains("band for the curve of a new person (approximate)"), "{figure}");
    // numbers alone come with what they assume
    let answer = place.run("evaluate r --at 0.5 --band tolerance").succeeded();
    assert!(answer.stderr.contains("a confidence of about 90%"), "{}", answer.stderr);
    let answer: Value =
        serde_json::from_str(&place.run("evaluate r --at 0.5 --band tolerance --json").succeeded().stdout).unwrap();
    assert!(answer["assumed"].as_str().unwrap().contains("if people are normal"), "{answer}");
    assert!(!place.run("evaluate r --at 0.5").succeeded().stderr.contains("NOTE"));
    place.run("evaluate r --integral all --band prediction").refused("they are of the mean");
    // values that nobody of the release can have
    place
        .run("release curves.csv --values v* --bounds 0,1 --epsilon 2 --delta 1e-3 --not-private --seed 1 --out b")
        .succeeded();
    place.write("percent.csv", "t,value\n0,50\n0.2,55\n0.4,52\n");
    let far = place.run("complete b percent.csv").succeeded().stderr;
    let far = far.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(far.contains("3 of the 3 known values lie outside the bounds of the release, 0 and 1"), "{far}");
    let document = place.json("s/release.json");
    assert_eq!(document["estimate"]["band"], "prediction");
    assert_eq!(document["estimate"]["target"], "new-person");
    assert!(place.run("show s/release.json").succeeded().words().contains("normal about their mean"));
}

#[test]
fn a_person_who_is_far_from_all_others_is_completed_with_a_note() {
    let place = place("");
    let usual = place.run("complete r/release.json person.csv").succeeded();
    let told = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told(&usual.stderr).contains("band is approximate"), "{}", usual.stderr);
    assert!(!usual.stderr.contains("unlike"), "{}", usual.stderr);
    place.write("person.csv", "t,value\n0,0.5\n0.2,5\n0.4,5\n");
    let far = place.run("complete r/release.json person.csv --level 0.9").succeeded();
    let words = told(&far.stderr);
    assert!(
        words.contains("2 of the 3 known values lie outside the 90% band for the curve of a new person"),
        "{words}"
    );
    let json = place.run("complete r/release.json person.csv --json").succeeded();
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(answer["outside"], 2);
}

#[test]
fn a_level_that_no_band_has_is_blamed_on_itself() {
    let place = place("");
    let refused = place.run("complete r/release.json person.csv --level .4");
    assert!(refused.stderr.starts_with("error: --level: ") && !refused.stderr.contains("FILE"), "{}", refused.stderr);
}
