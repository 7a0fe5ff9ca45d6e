//! `dpfda release` of long tables: one row for each value, subjects seen at other times each.

use std::fmt::Write;

use crate::common::Place;
use crate::refusals::assert_refused;

const COLUMNS: &str = "--id id --time day --value y";
const PUBLIC: &str = "--domain 0,10 --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-4";
const SEED: &str = "--not-private --seed 1";

fn truth(day: f64) -> f64 {
    0.45 + 0.1 * (day / 10.0)
}

/// Rows of people in an order in which nobody's rows follow one another.
fn table(people: u32) -> String {
    let mut csv = "id,day,y,note\n".to_owned();
    for visit in 0..4 {
        for person in 0..people {
            let day = f64::from((person * 37 + visit * 311) % 997) / 99.7;
            writeln!(csv, "p{person},{day},{},x", truth(day) + f64::from(person * 7 % 11) / 100.0 - 0.05).unwrap();
        }
    }
    csv
}

fn place() -> Place {
    let place = Place::new();
    place.write("long.csv", &table(3000));
    place
}

#[test]
fn a_long_table_is_released_shown_evaluated_smoothed_compared_and_reported() {
    let place = place();
    let run = place.run(&format!("release long.csv {COLUMNS} {PUBLIC} {SEED} --out out")).succeeded();
    for said in ["irregular curves", "a long table, one row for each value: 2 columns, day to y", "20 bins", "N = 3000"]
    {
        assert!(run.stdout.contains(said), "{said}: {}", run.stdout);
    }
    assert_eq!(place.json("out/release.json")["kind"], "rows");
    let csv = String::from_utf8(place.bytes("out/release.csv")).unwrap();
    assert!(csv.starts_with("t,value,posterior_sd,noise_sd,lower,upper\n0.0,") && csv.lines().count() == 102, "{csv}");
    for line in csv.lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!((numbers[1] - truth(numbers[0])).abs() < 0.03 && numbers[4] < numbers[5], "{line}");
    }
    assert!(place.bytes("out/release.png").starts_with(b"\x89PNG"));
    let figure = String::from_utf8(place.bytes("out/release.svg")).unwrap();
    assert!(figure.contains("NOT PRIVATE") && !figure.contains("too few people"), "enough people everywhere");
    let edited = String::from_utf8(place.bytes("out/release.json")).unwrap();
    let (head, supported) = edited.split_once("\"supported\": [").unwrap();
    place.write("edited.json", &format!("{head}\"supported\": [{}", supported.replacen("true", "false", 1)));
    for command in ["show edited.json", "smooth edited.json --band noise --out edited"] {
        let refused = place.run(command);
        assert!(refused.code == 2 && refused.stderr.contains("derived.supported"), "{command}: {}", refused.text());
    }
    let shown = place.run("show out/release.json").succeeded().stdout;
    assert!(shown.contains("irregular curves") && shown.contains("simultaneous band `population`"), "{shown}");
    let values = place.run("evaluate out/release.json --at 2.5,7").succeeded().stdout;
    assert_eq!(values.lines().count(), 3, "{values}");
    let slope = place.run("evaluate out/release.json --derivative 5 --integral all").succeeded().stdout;
    assert!(slope.contains("slope") && slope.contains("integral"), "{slope}");
    place.run("smooth out/release.json --band posterior --level 0.8 --out inner").succeeded();
    assert_eq!(place.json("inner/release.json")["estimate"]["band"], "posterior");
    let refused = place.run("smooth out/release.json --kernel gaussian --out other");
    assert!(refused.code == 2 && refused.stderr.contains("--kernel"), "{}", refused.stderr);
    place.write("others.csv", &table(2500));
    place.run(&format!("release others.csv {COLUMNS} {PUBLIC} --not-private --seed 2 --out others")).succeeded();
    let compared = place.run("compare out/release.json others/release.json").succeeded().stdout;
    assert!(compared.contains("difference") || compared.contains("A minus B"), "{compared}");
    place.run("report out/release.json --out report.html").succeeded();
    let page = String::from_utf8(place.bytes("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("The domain, the bins and the bound"), "no figure or statement");
}

#[test]
fn a_ledger_pays_and_the_order_of_rows_and_files_changes_nothing() {
    let place = place();
    place
        .run("ledger create book --dataset d --epsilon 3 --delta 1e-3 --neighbours substitute --unit subject")
        .succeeded();
    let run = place.run(&format!("release long.csv {COLUMNS} {PUBLIC} --ledger book --out paid")).succeeded();
    assert!(run.stdout.contains("left"), "{}", run.stdout);
    place.run("ledger verify --ledger book paid/release.json").succeeded();
    let csv = table(3000);
    let mut lines: Vec<&str> = csv.lines().collect();
    let header = lines.remove(0);
    lines.reverse();
    let (one, other) = lines.split_at(lines.len() / 3);
    for (name, rows) in [("site-a.csv", one), ("site-b.csv", other)] {
        place.write(name, &format!("{header}\n{}\n", rows.join("\n")));
    }
    for (data, out) in [("long.csv", "whole"), ("site-*.csv", "files")] {
        place.run(&format!("release {data} {COLUMNS} {PUBLIC} {SEED} --out {out}")).succeeded();
    }
    let [whole, files] = ["whole", "files"].map(|out| place.json(&format!("{out}/release.json")));
    assert_eq!(whole["lattice"], files["lattice"]);
}

#[test]
fn a_radius_that_is_bought_is_paid_for_and_told() {
    let place = place();
    place
        .run("ledger create book --dataset d --epsilon 3 --delta 1e-3 --neighbours substitute --unit subject")
        .succeeded();
    let public = PUBLIC.replace("--radius 0.25", "--radius 4 --radius-share 0.05");
    let run = place.run(&format!("release long.csv {COLUMNS} {public} --ledger book --out paid")).succeeded();
    let told = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("found radius 0."), "{told}");
    place.run("ledger verify --ledger book paid/release.json").succeeded();
    let document = place.json("paid/release.json");
    let radius = document["derived"]["ball"]["radius"].as_f64().unwrap();
    assert!(radius < 1.0 && document["statistic"]["ball"]["radius"] == 4.0, "{radius}");
    place.run("report paid/release.json --out report.html").succeeded();
    let page = String::from_utf8(place.bytes("report.html")).unwrap();
    assert!(page.contains("of at most 4)"), "the stated ball is not in the report");
    let checked = place.run(&format!("check long.csv {COLUMNS} {public}")).succeeded().stdout;
    assert!(checked.contains("3000 subjects"), "{checked}");
}

#[test]
fn what_is_wrong_with_a_long_table_is_said_without_a_value_of_it() {
    let place = place();
    assert_refused(&place, include_str!("refusals/long.txt"));
}

#[test]
fn rows_that_say_nothing_are_released_and_the_release_says_so() {
    let place = Place::new();
    for (name, rows) in [
        ("same-time", "a,5,0.5\nb,5,0.4\nc,5,0.6\n"),
        ("outside", "a,50,0.5\nb,60,0.4\n"),
        ("missing", "a,,0.5\nb,NA,0.4\nb,3,NA\n"),
        ("twice", "a,1,0.5\na,1,0.5\nb,1,0.5\n"),
    ] {
        place.write("few.csv", &format!("id,day,y\n{rows}"));
        let run = place.run(&format!("release few.csv {COLUMNS} {PUBLIC} {SEED} --out {name}")).succeeded();
        assert!(run.stdout.contains("The noisy count of people from"), "{name}: {}", run.stdout);
        let figure = String::from_utf8(place.bytes(&format!("{name}/release.svg"))).unwrap();
        assert!(figure.contains("count of people not told from noise"), "{name}");
        assert_eq!(run.stderr.contains("NOTE, not for publication"), name == "outside" || name == "missing", "{name}");
    }
}

#[test]
fn a_check_tells_the_curator_what_would_be_read_and_writes_nothing() {
    let place = place();
    for command in ["check", "release --dry-run"] {
        let (command, flag) = command.split_once(' ').unwrap_or((command, ""));
        let run = place
            .run(&format!("{command} long.csv {flag} {COLUMNS} --domain 0,5 --bounds 0,1 --epsilon 1 --delta 1e-4"));
        let report = run.succeeded().stdout;
        for said in
            ["NOT PRIVATE - CURATOR ONLY", "12000 rows of 3000 subjects", "rows outside the domain", "would spend"]
        {
            assert!(report.contains(said), "{said}: {report}");
        }
    }
    let public = "--domain 0,5 --bounds 0,1 --epsilon 1 --delta 1e-4 --json";
    let [checked, dry] = ["check long.csv", "release --dry-run long.csv"].map(|command| {
        let answer = place.run(&format!("{command} {COLUMNS} {public}")).succeeded().stdout;
        serde_json::from_str::<serde_json::Value>(&answer).unwrap()
    });
    assert_eq!(checked, dry);
    place.write("wide.csv", "a,b\n0.1,0.2\n0.2,0.1\n0.3,0.4\n");
    let wide =
        place.run("check wide.csv --values a,b --bounds 0,1 --radius-share none --epsilon 1 --delta 1e-4 --json");
    let wide: serde_json::Value = serde_json::from_str(&wide.succeeded().stdout).unwrap();
    let keys = |answer: &serde_json::Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&checked), keys(&wide));
    assert!(checked["warning"] == wide["warning"] && checked["closing"] == wide["closing"], "{checked}");
    let named = |answer: &serde_json::Value, name: &str| {
        let facts = answer["facts"].as_array().unwrap().iter();
        facts.filter(|fact| fact["name"] == name).map(|fact| fact["text"].to_string()).collect::<Vec<_>>()
    };
    for name in ["grid", "rows", "missing", "values", "cost"] {
        assert!(named(&checked, name).len() == 1 && named(&wide, name).len() == 1, "{name}: {checked} {wide}");
    }
    assert!(named(&checked, "rows")[0].contains("12000 rows of 3000 subjects"), "{checked}");
    let seen = place.run("check wide.csv --values a,b --gaps rows --bounds 0,1 --epsilon 1 --delta 1e-4 --json");
    let seen: serde_json::Value = serde_json::from_str(&seen.succeeded().stdout).unwrap();
    assert_eq!(keys(&seen), keys(&wide));
    let refused = place.run(&format!("check long.csv {COLUMNS} {PUBLIC} --figure look.svg"));
    assert!(refused.code == 2 && refused.stderr.contains("--figure"), "{}", refused.stderr);
}
