//! `dpfda-reproduce density`: the simulation of Wasserman and Zhou, without data.

use std::fs;

use crate::common::Place;
use serde_json::Value;

#[test]
#[ignore = "half a minute long: four panels twice"]
fn the_four_panels_are_written_without_data_and_follow_the_seed() {
    let place = Place::new();
    let run = place.run("density --out a").succeeded();
    assert!(run.words().contains("a holds the four panels as mise.svg and mise.png"), "{}", run.stdout);
    let mut names: Vec<String> =
        fs::read_dir(place.path("a")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["mise.csv", "mise.png", "mise.svg"]);
    let svg = fs::read_to_string(place.path("a/mise.svg")).unwrap();
    for said in ["n = 100, α = 0.1", "n = 100, α = 0.01", "n = 1000, α = 0.1", "n = 1000, α = 0.01", "exact histogram"]
    {
        assert!(svg.contains(said), "{said}");
    }
    place.run("density --out b --seed 0").succeeded();
    place.run("density --out c --seed 1").succeeded();
    let bytes = |out: &str| ["mise.csv", "mise.svg", "mise.png"].map(|name| place.bytes(&format!("{out}/{name}")));
    assert!(bytes("a") == bytes("b") && bytes("a") != bytes("c"));
    let refused = place.run("density --out a");
    assert!(refused.code == 2 && refused.stderr.contains("--force"), "{}", refused.stderr);
    place.run("density --out a --force").succeeded();
}

#[test]
fn noise_costs_more_than_it_does_without_and_the_json_names_the_least() {
    let place = Place::new();
    let run = place.run("density --json --out out").succeeded();
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let csv = fs::read_to_string(place.path("out/mise.csv")).unwrap();
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(csv.lines().next(), Some("n,alpha,cells,exact,perturbed,standard_error"));
    assert_eq!(rows.len(), 4 * 50);
    let least = |rows: &[Vec<f64>], column: usize| rows.iter().map(|row| row[column]).fold(f64::INFINITY, f64::min);
    for (panel, rows) in answer["density"].as_array().unwrap().iter().zip(rows.chunks(50)) {
        assert!(rows.iter().all(|row| row[0] == panel["n"] && row[1] == panel["alpha"]));
        assert!(rows[1..].iter().all(|row| row[4] > row[3]), "{panel}");
        assert!(panel["exact"] == least(rows, 3) && panel["perturbed"] == least(rows, 4), "{panel}");
    }
}

#[test]
fn data_are_refused_where_none_are_used_and_demanded_elsewhere() {
    let place = Place::new();
    place.write("points.csv", "cca_1,cca_2\n0.1,0.2\n");
    for (arguments, words) in [
        ("density --out out --data points.csv", "--data: density simulates its own points"),
        ("density", "--out was not given"),
        ("table1", "--data <FILE>"),
        ("all --out out", "--data <FILE>"),
        ("density --out out --seed -1", "--seed"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments}: {}", run.text());
        assert!(run.stderr.contains(words), "`{words}` in {}", run.stderr);
    }
    assert_eq!(place.names(), ["points.csv"]);
}
