//! `--periodic`: domains that close up, from the table to the figure.

use std::fmt::Write;

use crate::common::{Place, Run};
use serde_json::Value;

const PUBLIC: &str = "--center 0.5 --radius 0.25 --radius-share none --epsilon 4 --delta 1e-4";
const SEED: &str = "--not-private --seed 1";

/// Largest just before midnight.
fn truth(hour: f64) -> f64 {
    0.5 + 0.15 * (std::f64::consts::TAU * (hour + 1.0) / 24.0).cos()
}

/// Days of people, with a column for each of so many hours.
fn days(hours: u32, people: u32) -> String {
    let mut csv = "id".to_owned();
    (0..hours).for_each(|hour| write!(csv, ",h{hour}").unwrap());
    for person in 0..people {
        write!(csv, "\np{person}").unwrap();
        for hour in 0..hours {
            write!(csv, ",{}", truth(f64::from(hour)) + f64::from(person * 7 % 11) / 200.0 - 0.025).unwrap();
        }
    }
    csv + "\n"
}

fn place() -> Place {
    let place = Place::new();
    place.write("days.csv", &days(24, 400));
    place
}

fn release(place: &Place, options: &str) -> Run {
    place.run(&format!("release days.csv --values h* {PUBLIC} {SEED} {options}"))
}

/// What was refused, on one line.
fn refusal(run: &Run) -> String {
    run.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of a table without its header.
fn table(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn a_day_is_released_evaluated_drawn_smoothed_and_shown_with_both_ends_equal() {
    let place = place();
    let run = release(&place, "--grid 0,24 --periodic --out day").succeeded();
    assert!(run.words().contains("one period [0, 24) that closes up (24 points)"), "{}", run.words());
    let document = place.json("day/release.json");
    assert_eq!(document["statistic"]["grid"]["closes_at"], 24.0);
    assert_eq!(document["statistic"]["grid"]["points"][23], 23.0);
    let rows = table(&place.run("evaluate day/release.json --at 0,23.5,24").succeeded().stdout);
    assert!(rows[0][1..].iter().zip(&rows[2][1..]).all(|(a, b)| (a - b).abs() < 1e-9), "{rows:?}");
    assert!((rows[1][1] - truth(23.5)).abs() < 0.02, "{rows:?}");
    let features = place.run("evaluate day/release.json --derivative 0,24 --integral all --maximum --json").succeeded();
    let features: Value = serde_json::from_str(&features.stdout).unwrap();
    let slope = |place: usize| features["derivative"][place]["value"].as_f64().unwrap();
    assert!((slope(0) - slope(1)).abs() < 1e-9);
    assert!((features["integral"]["value"].as_f64().unwrap() - 12.0).abs() < 0.3, "{features}");
    assert!(features["derivative"][0]["from"].as_f64() > features["derivative"][0]["to"].as_f64(), "{features}");
    assert!(place.bytes("day/release.png").starts_with(b"\x89PNG"));
    place.run("smooth day/release.json --kernel matern52 --range 0.2 --out smooth").succeeded();
    let rows = table(&place.run("evaluate smooth/release.json --at 0,24").succeeded().stdout);
    assert!(rows[0][1..].iter().zip(&rows[1][1..]).all(|(a, b)| (a - b).abs() < 1e-9), "{rows:?}");
    let refused = place.run("smooth day/release.json --kernel sobolev --out none");
    assert_eq!(refused.code, 2, "{}", refused.text());
    let said = refusal(&refused);
    assert!(said.contains("--kernel") && said.contains("closes up"), "{said}");
    place.run("show day/release.json").succeeded();
    place.run("report day/release.json --out day.html").succeeded();
}

#[test]
fn names_and_points_of_a_day_give_the_same_release_as_its_two_ends() {
    let place = place();
    let points: Vec<String> = (0..24).map(|hour| hour.to_string()).collect();
    let grids = ["0,24".to_owned(), "names".to_owned(), points.join(","), "uniform:0,24".to_owned()];
    let documents = grids.map(|grid| {
        let out = format!("out{}", grid.len());
        release(&place, &format!("--grid {grid} --periodic --out {out}")).succeeded();
        let mut document = place.json(&format!("{out}/release.json"));
        document["source"] = Value::Null;
        document
    });
    assert!(documents.iter().all(|document| *document == documents[0]));
}

#[test]
fn a_dry_run_shows_where_the_domain_closes_up() {
    let place = place();
    let run = release(&place, "--grid names --periodic --dry-run").succeeded();
    assert!(run.words().contains("the domain closes up at 24"), "{}", run.words());
    let open = release(&place, "--grid names --dry-run").succeeded();
    assert!(!open.words().contains("closes up"), "{}", open.words());
}

#[test]
fn what_has_no_meaning_on_a_circle_is_refused_with_a_reason() {
    let place = place();
    place.write("days.csv", &days(25, 400));
    let repeated = release(&place, "--grid 0,24 --periodic --out none");
    assert_eq!(repeated.code, 2, "{}", repeated.text());
    for said in ["--grid", "24", "leave the last point out"] {
        assert!(refusal(&repeated).contains(said), "{said}: {}", repeated.stderr);
    }
    let named = release(&place, "--grid names --periodic --out none");
    assert!(named.code == 2 && refusal(&named).contains("leave the last point out"), "{}", named.text());
    place.write("work.csv", "id,8:00,9:00,10:00,11:00\na,0.5,0.5,0.5,0.5\nb,0.5,0.5,0.5,0.5\n");
    let work = place.run(&format!("release work.csv --values *:00 --grid names --periodic {PUBLIC} {SEED} --out none"));
    assert!(work.code == 2 && refusal(&work).contains("would close up after 4"), "{}", work.text());
    place.write("days.csv", &days(24, 400));
    for (options, said) in [
        ("--grid 0,24 --periodic --slope 1", "--periodic: a bound on slopes is not there"),
        ("--grid 0,24 --periodic --kernel sobolev", "closes up"),
        ("--grid 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,24 --periodic", "equally spaced"),
    ] {
        let refused = release(&place, &format!("{options} --out none"));
        assert_eq!(refused.code, 2, "{options}: {}", refused.text());
        assert!(refusal(&refused).contains(said), "{options}: {}", refused.stderr);
    }
    assert!(!place.path("none").exists());
}

#[test]
fn parts_of_a_day_are_joined_on_the_circle_of_their_plan() {
    let place = place();
    let plan = "release days.csv --values h* --center 0.5 --radius 0.25 --radius-share none --epsilon 4 --delta 1e-4 --grid 0,24 --periodic";
    place.run(&format!("{plan} --plan-only plan.json")).succeeded();
    assert_eq!(place.json("plan.json")["mechanism"]["statistic"]["grid"]["closes_at"], 24.0);
    let table = days(24, 400);
    let (header, rows) = table.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    for (name, rows) in [("a", &rows[..150]), ("b", &rows[150..])] {
        place.write(&format!("{name}.csv"), &format!("{header}\n{}\n", rows.join("\n")));
        place.run(&format!("part {name}.csv --values h* --plan plan.json --part {name} --out {name}.part")).succeeded();
    }
    place.run(&format!("merge a.part b.part --plan plan.json {SEED} --out joined")).succeeded();
    release(&place, "--grid 0,24 --periodic --out whole").succeeded();
    let (joined, whole) = (place.json("joined/release.json"), place.json("whole/release.json"));
    assert_eq!(joined["statistic"], whole["statistic"]);
    assert_eq!(joined["lattice"], whole["lattice"]);
}

#[test]
fn a_long_table_closes_up_at_the_ends_of_its_domain() {
    let place = Place::new();
    let mut csv = "id,hour,y\n".to_owned();
    for row in 0..8000_u32 {
        let hour = f64::from(row * 37 % 2400) / 100.0;
        writeln!(csv, "p{},{hour},{}", row % 2000, truth(hour)).unwrap();
    }
    place.write("long.csv", &csv);
    let long = "release long.csv --id id --time hour --value y --domain 0,24 --center 0.5 --radius 0.25 --epsilon 4 --delta 1e-4";
    let run = place.run(&format!("{long} --periodic {SEED} --out day")).succeeded();
    assert!(run.words().contains("20 bins of one period [0, 24) that closes up"), "{}", run.words());
    assert_eq!(place.json("day/release.json")["statistic"]["periodic"], true);
    let rows = table(&place.run("evaluate day/release.json --at 0,24").succeeded().stdout);
    assert!(rows[0][1..].iter().zip(&rows[1][1..]).all(|(a, b)| (a - b).abs() < 1e-9), "{rows:?}");
    place.run(&format!("{long} {SEED} --out open")).succeeded();
    assert!(place.json("open/release.json")["statistic"].get("periodic").is_none());
    let refused = place.run("compare day/release.json open/release.json");
    assert_ne!(refused.code, 0, "{}", refused.text());
}

#[test]
fn a_plan_says_that_the_domain_closes_up() {
    let place = Place::new();
    let error = |more: &str| {
        let run = place
            .run(&format!("forecast --radius 0.5 --epsilon 1 --delta 1e-5 --records 500 --json {more}"))
            .succeeded();
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        (answer["periodic"].as_bool().unwrap(), answer["expected"][0]["error"].as_f64().unwrap())
    };
    let (closed, open) = (error("--periodic"), error(""));
    assert!(closed.0 && !open.0 && closed.1 != open.1, "{closed:?} {open:?}");
}
