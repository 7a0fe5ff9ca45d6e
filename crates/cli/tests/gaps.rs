//! `dpfda release --gaps`: what stands for a missing value of a curve.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;

const PUBLIC: &str =
    "--values v* --grid 0,10 --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-4 --not-private --seed 1";

/// Curves of people, a third of whom leave early.
fn place() -> Place {
    let mut csv = "id,v0,v1,v2,v3,v4,v5,v6,v7,v8,v9\n".to_owned();
    for person in 0..400 {
        write!(csv, "p{person}").unwrap();
        for point in 0..10 {
            if person % 3 == 0 && point > 5 {
                csv += ",";
            } else {
                write!(csv, ",{}", 0.4 + 0.02 * f64::from(point) + f64::from(person % 7) / 50.0).unwrap();
            }
        }
        csv += "\n";
    }
    let place = Place::new();
    place.write("gaps.csv", &csv);
    place
}

/// What a command prints, on one line.
fn told(place: &Place, command: &str) -> String {
    place.run(command).succeeded().stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_treatment_of_gaps_is_released_and_told() {
    let place = place();
    for (gaps, said) in [
        ("interpolate", "are filled within their curve"),
        ("gaussian-process", "are filled from a public process (matern32, range 0.3, noise 0.1)"),
        (
            "gaussian-process --gaps-kernel exponential --gaps-range 0.5 --gaps-noise 0.2",
            "(exponential, range 0.5, noise 0.2)",
        ),
        ("rows --bins 10", "count as not seen"),
        ("rows --radius-share 0.05 --subject id", "count as not seen"),
    ] {
        let out = gaps.replace(' ', "");
        let command = format!("gaps.csv {PUBLIC} --radius-share none --gaps {gaps}");
        let command =
            if gaps.contains("radius-share") { command.replacen("--radius-share none ", "", 1) } else { command };
        place.run(&format!("release {command} --out {out}")).succeeded();
        let shown = told(&place, &format!("show {out}/release.json"));
        assert!(shown.contains(said), "{gaps}: {shown}");
    }
    assert_eq!(place.json("interpolate/release.json")["kind"], "mean");
    assert_eq!(place.json("rows--bins10/release.json")["kind"], "rows");
    assert_eq!(place.json("rows--bins10/release.json")["statistic"]["domain"], serde_json::json!([0.0, 10.0]));
    assert_eq!(place.json("rows--bins10/release.json")["privacy"]["unit"], "curve");
}

#[test]
fn interpolation_is_what_happens_without_the_option() {
    let place = place();
    let integers = |out: &str, gaps: &str| {
        place.run(&format!("release gaps.csv {PUBLIC} --radius-share none {gaps} --out {out}")).succeeded();
        place.json(&format!("{out}/release.json"))["lattice"].clone()
    };
    let usual = integers("usual", "");
    assert_eq!(integers("line", "--gaps interpolate"), usual);
    assert_ne!(integers("process", "--gaps gaussian-process"), usual);
}

#[test]
fn what_belongs_to_another_treatment_is_refused_by_release_and_check() {
    let place = place();
    assert_refused(&place, include_str!("refusals/gaps.txt"));
}

#[test]
fn a_check_tells_what_would_be_read() {
    let place = place();
    let public = PUBLIC.replace(" --not-private --seed 1", "");
    let seen = told(&place, &format!("check gaps.csv {public} --gaps rows"));
    assert!(seen.contains("400 subjects") && seen.contains("count as not seen"), "{seen}");
    let filled = told(&place, &format!("check gaps.csv {public} --gaps gaussian-process"));
    assert!(filled.contains("from a public process"), "{filled}");
}

#[test]
fn a_centre_may_be_given_on_the_domain_of_the_curves_alone() {
    let place = place();
    place.write("center.csv", "t,value\n10,0.5\n20,0.5\n");
    let public = PUBLIC.replace("--grid 0,10", "--grid 10,20").replace("--center 0.5", "--center center.csv");
    place.run(&format!("release gaps.csv {public} --gaps rows --out out")).succeeded();
}
