//! `dpfda release --surface`: one surface in each row.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fmt::Write;

use common::Place;

const ARGUMENTS: &str = "--values v* --subject id --surface 4,6 --surface-domain 0,3,0,10";
const PUBLIC: &str = "--center 0.5 --radius 0.25 --epsilon 1 --delta 1e-4";
const SEED: &str = "--not-private --seed 1";

fn truth(s: f64, t: f64) -> f64 {
    0.45 + 0.1 * t / 10.0 + 0.02 * s
}

/// Surfaces on 4 x 6 points of people.
fn table(people: u32) -> String {
    let names: Vec<String> = (0..24).map(|j| format!("v{j}")).collect();
    let mut csv = format!("id,{}\n", names.join(","));
    for person in 0..people {
        write!(csv, "p{person}").unwrap();
        for j in 0..24_u32 {
            let value =
                truth(f64::from(j / 6), 2.0 * f64::from(j % 6)) + f64::from((person * 7 + j) % 11) / 100.0 - 0.05;
            write!(csv, ",{value}").unwrap();
        }
        csv.push('\n');
    }
    csv
}

fn place() -> Place {
    let place = Place::new();
    place.write("maps.csv", &table(2000));
    place
}

#[test]
fn surfaces_are_released_shown_smoothed_reported_and_verified() {
    let place = place();
    let run = place.run(&format!("release maps.csv {ARGUMENTS} {PUBLIC} {SEED} --out out")).succeeded();
    let words = run.words();
    for said in [
        "Private mean surface",
        "surfaces on 4 values of s from 0 to 3 and 6 values of t from 0 to 10",
        "24 columns, v0 to v23; subjects by column id; each row a surface, its last axis fastest",
        "every surface is projected on the ball",
        "N = 2000",
        "simultaneous band `population`",
    ] {
        assert!(words.contains(said), "{said}: {}", run.stdout);
    }
    assert_eq!(place.json("out/release.json")["kind"], "surface");
    let csv = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    assert!(csv.starts_with("s,t,value,posterior_sd,noise_sd,lower,upper\n0.0,0.0,"), "{csv}");
    assert_eq!(csv.lines().count(), 25);
    for line in csv.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!((numbers[2] - truth(numbers[0], numbers[1])).abs() < 0.03 && numbers[5] < numbers[6], "{line}");
    }
    assert!(place.bytes("out/release.png").starts_with(b"\x89PNG"));
    assert!(place.bytes("out/release.pdf").starts_with(b"%PDF"));
    assert!(String::from_utf8(place.bytes("out/release.svg")).unwrap().contains("NOT PRIVATE"));
    let shown = place.run("show out/release.json").succeeded().words();
    assert!(shown.contains("Private mean surface") && shown.contains("a kernel for each axis"), "{shown}");
    place.run("smooth out/release.json --band posterior --level 0.8 --out inner").succeeded();
    assert_eq!(place.json("inner/release.json")["estimate"]["band"], "posterior");
    assert_eq!(place.json("inner/release.json")["lattice"], place.json("out/release.json")["lattice"]);
    for (arguments, said) in [
        ("smooth out/release.json --kernel gaussian --out other", "--kernel"),
        ("smooth out/release.json --band unsmoothed --out other", "--band"),
        ("evaluate out/release.json --at 0.5", "release.json"),
    ] {
        let refused = place.run(arguments);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{arguments}: {}", refused.stderr);
    }
    place.run("report out/release.json --out report.html").succeeded();
    let page = String::from_utf8(place.bytes("report.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains("heat map") && page.contains("slice at s = 2"),
        "no figure or slice"
    );
}

#[test]
fn a_ledger_pays_for_surfaces_and_gives_a_paid_release_back() {
    let place = place();
    place
        .run("ledger create book --dataset d --epsilon 3 --delta 1e-3 --neighbours substitute --unit subject")
        .succeeded();
    let command = format!("release maps.csv {ARGUMENTS} {PUBLIC} --ledger book --release-id maps --out");
    let run = place.run(&format!("{command} paid")).succeeded();
    assert!(run.stdout.contains("left"), "{}", run.stdout);
    place.run("ledger verify --ledger book paid/release.json").succeeded();
    place.run(&format!("{command} again")).succeeded();
    assert_eq!(place.json("paid/release.json")["lattice"], place.json("again/release.json")["lattice"]);
    // one integer more is found
    let text = String::from_utf8(place.bytes("paid/release.json")).unwrap();
    let mut document = place.json("paid/release.json");
    let first = document["lattice"]["coordinates"][0].as_i64().unwrap();
    document["lattice"]["coordinates"][0] = (first + 1).into();
    place.write("changed.json", &document.to_string());
    assert_ne!(text, document.to_string());
    let changed = place.run("ledger verify --ledger book changed.json");
    assert_ne!(changed.code, 0, "{}", changed.text());
}

#[test]
fn what_surfaces_do_not_have_is_refused_before_anything_is_written() {
    let place = place();
    place.write("center.csv", "t,value\n0,0.5\n1,0.5\n");
    let good = format!("{ARGUMENTS} {PUBLIC}");
    for (arguments, said) in [
        (good.replace("4,6", "4,7"), "each row has 24 values, but a surface on 4 x 7 points has 28"),
        (good.replace("4,6", "24"), "not the shape of a surface"),
        (good.replace("4,6", "24,1"), "not the shape of a surface"),
        (good.replace("4,6", "1000,1001"), "at most 262144 points"),
        (good.replace("0,3,0,10", "0,3"), "--surface-domain"),
        (good.replace("0,3,0,10", "3,0,0,10"), "--surface"),
        (good.replace("--center 0.5", "--center center.csv"), "the centre of surfaces is a number"),
        (format!("{good} --grid 0,1"), "cannot be used with"),
        (format!("{good} --radius-share 0.1"), "cannot be used with"),
        (format!("{good} --by id"), "cannot be used with"),
        (format!("{good} --private-labels a,b"), "cannot be used with"),
        (format!("{good} --groups-of-subject 2"), "cannot be used with"),
        (format!("{good} --gaps-kernel gaussian"), "cannot be used with"),
        (format!("{good} --moments mean"), "cannot be used with"),
        (format!("{good} --coordinates 5"), "cannot be used with"),
        (format!("{good} --band honest --band-roughness 1"), "cannot be used with"),
        (format!("{good} --band smoothed"), "a surface has the bands"),
        (good.replace("--delta 1e-4", "--delta 0"), "--delta"),
        (good.replace("--surface 4,6 ", ""), "--surface"),
    ] {
        let run = place.run(&format!("release maps.csv {arguments} --out never"));
        assert!(run.code == 2 && run.stderr.contains(said), "{arguments}: {said}: {}", run.stderr);
    }
    assert!(!place.names().contains(&"never".to_owned()));
    let long = place
        .run(&format!("release maps.csv --id id --time v0 --value v1 --domain 0,1 {PUBLIC} --surface 4,6 --out never"));
    assert!(long.code == 2 && long.stderr.contains("cannot be used with"), "{}", long.stderr);
}

#[test]
fn a_check_of_surfaces_tells_the_curator_what_would_be_read_and_writes_nothing() {
    let place = place();
    for command in ["check", "release --dry-run"] {
        let (command, flag) = command.split_once(' ').unwrap_or((command, ""));
        let report = place.run(&format!("{command} maps.csv {flag} {ARGUMENTS} {PUBLIC}")).succeeded().words();
        for said in ["NOT PRIVATE - CURATOR ONLY", "4 values of s", "2000 rows, 2000 records", "would spend"] {
            assert!(report.contains(said), "{said}: {report}");
        }
    }
    let refused = place.run(&format!("check maps.csv {ARGUMENTS} {PUBLIC} --figure look.svg"));
    assert!(refused.code == 2 && refused.stderr.contains("--figure"), "{}", refused.stderr);
    assert_eq!(place.names(), ["maps.csv"]);
}
