//! `dpfda-reproduce`: the published tables and figures, run again.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::common::{Place, dti_like};
use serde_json::{Value, json};

const MARK: &str = "NOT PRIVATE - CURATOR ONLY";

/// Thirty curves of a little wave at twelve points, one with a missing value.
fn waves() -> String {
    let names: Vec<String> = (0..12).map(|point| format!("cca_{point}")).collect();
    let mut csv = names.join(",") + "\n";
    for curve in 0..30 {
        let value = |point: i32| {
            let (t, shift) = (f64::from(point) / 11.0, f64::from(curve % 7) / 50.0);
            0.5 + shift + 0.1 * (6.0 * t + f64::from(curve)).sin()
        };
        let cells: Vec<String> = (0..12).map(|point| value(point).to_string()).collect();
        let row = if curve == 4 { cells[1..].join(",") + "," } else { cells.join(",") };
        writeln!(csv, "{row}").unwrap();
    }
    csv
}

fn small() -> Place {
    let place = Place::new();
    place.write("waves.csv", &waves());
    place
}

/// The real curves, where they are.
fn scans() -> Option<String> {
    let Some(folder) = std::env::var_os("DPFDA_DATA") else {
        let note = "SKIPPED: a test on real curves; set DPFDA_DATA to the folder of dti_cca.csv (see data/README.md)\n";
        io::stderr().write_all(note.as_bytes()).unwrap();
        return None;
    };
    Some(Path::new(&folder).join("dti_cca.csv").to_str().unwrap().to_owned())
}

fn answer(place: &Place, arguments: &[&str]) -> Value {
    let run = place.run_with(arguments).succeeded();
    assert!(run.stderr.contains(MARK), "the keys of the JSON are fixed, so the mark is beside it: {}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn rows(rows: &[(&str, f64, f64)]) -> Value {
    rows.iter().map(|(kernel, phi, rho)| json!({"kernel": kernel, "phi": phi, "rho": rho})).collect()
}

#[test]
fn both_published_tables_come_out_of_the_real_curves() {
    let Some(data) = scans() else { return };
    let place = Place::new();
    let table_1 = rows(&[
        ("exponential", 1e-4, 0.25),
        ("exponential", 1e-3, 0.2),
        ("exponential", 1e-2, 0.3),
        ("exponential", 3e-2, 0.8),
        ("matern32", 1e-4, 0.1),
        ("matern32", 1e-3, 0.15),
        ("matern32", 1e-2, 0.15),
        ("matern32", 3e-2, 0.3),
        ("gaussian", 1e-4, 0.01),
        ("gaussian", 1e-3, 0.01),
        ("gaussian", 1e-2, 0.03),
        ("gaussian", 3e-2, 0.05),
    ]);
    let table_2 = rows(&[("gaussian", 0.005, 0.03), ("matern32", 0.005, 0.25), ("exponential", 0.01, 0.466_667)]);
    assert_eq!(answer(&place, &["table1", "--data", &data, "--json"]), json!({"table1": table_1}));
    assert_eq!(
        answer(&place, &["table2", "--data", &data, "--json"]),
        json!({"table2": table_2, "convention": "paper"})
    );
    let text = place.run_with(&["table2", "--data", &data]).succeeded();
    assert!(text.stdout.contains("3 of 3 entries are as published."), "{}", text.stdout);
    assert!(text.words().contains("no single way of dealing folds gives both tables"), "{}", text.stdout);
    assert!(!text.stdout.contains("edge: "), "{}", text.stdout);
    assert!(text.words().contains("gaussian 0.005 0.03 1.785 0.431 3.147"), "what it was worth: {}", text.stdout);
}

#[test]
fn with_correct_noise_the_real_curves_have_other_optima() {
    let Some(data) = scans() else { return };
    let correct = rows(&[("gaussian", 0.01, 0.04), ("matern32", 0.01, 0.2), ("exponential", 0.01, 0.288_889)]);
    assert_eq!(
        answer(&Place::new(), &["table2", "--data", &data, "--convention", "correct", "--json"]),
        json!({"table2": correct, "convention": "correct"})
    );
}

#[test]
fn other_curves_have_tables_of_the_same_form() {
    let place = Place::new();
    let answer = answer(&place, &["table1", "--data", &dti_like(), "--values", "cca_*", "--json"]);
    let rows = answer["table1"].as_array().unwrap();
    assert_eq!((answer.as_object().unwrap().len(), rows.len()), (1, 12));
    for row in rows {
        let row = row.as_object().unwrap();
        assert!(row.len() == 3 && row["phi"].as_f64().unwrap() > 0.0 && row["rho"].as_f64().unwrap() > 0.0);
    }
    let run = place.run_with(&["table1", "--data", &dti_like(), "--out", "out"]).succeeded();
    assert_eq!(run.stdout.lines().next(), Some(MARK));
    assert!(run.words().contains("of 382 curves have no missing value"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("differs").count(), 12 - agreeing(&run.stdout), "{}", run.stdout);
    assert!(fs::read_to_string(place.path("out/table1.svg")).unwrap().contains(MARK));
}

/// How many entries the text says are as published.
fn agreeing(text: &str) -> usize {
    let line = text.lines().find(|line| line.contains("entries are as published")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn an_optimum_on_the_edge_of_the_published_grid_is_marked() {
    let place = small();
    for table in ["table1", "table2"] {
        let run = place.run(&format!("{table} --data waves.csv")).succeeded();
        assert!(run.words().contains("-range") && run.words().contains("a wider search might find another"), "{table}");
        assert_eq!(table == "table2", run.stdout.contains("-penalty"), "Table 1 fixes the penalty: {}", run.stdout);
    }
}

#[test]
#[ignore = "half a minute long: the whole reproduction"]
fn all_of_it_is_written_at_once() {
    let place = small();
    place.write("wa\u{1b}ves.csv", &waves());
    let run = place.run("all --data wa\u{1b}ves.csv --out out").succeeded();
    assert_eq!(run.stdout.lines().next(), Some(MARK));
    let mut names: Vec<String> = (1..=12).map(|number| format!("figure-{number:02}.svg")).collect();
    names.extend(["reproduction.md", "table1.svg", "table2.svg"].map(str::to_owned));
    let mut found: Vec<String> = fs::read_dir(place.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, names);
    let page = fs::read_to_string(place.path("out/reproduction.md")).unwrap();
    for said in [
        "NOT PRIVATE - CURATOR ONLY unless the data are public already",
        ", edge: ",
        "| figure | panel | package | ours | centre alone |",
        "this project chose: the mean functions of Figure 10",
        "`wa\\u{1b}ves.csv`, 30 curves at 12 points, of which 29 without a missing value",
        "## Table 1",
        "## Table 2",
        "trapezoid weights",
        "What privacy the published settings really had",
        "| 12 (data): Exponential kernel (C4), cross-validation |",
    ] {
        assert!(page.contains(said), "`{said}` in {page}");
    }
    assert!(!page.contains(place.path("").to_str().unwrap()), "no paths of this machine");
    assert!(!page.contains('\u{1b}') && !run.stdout.contains('\u{1b}'), "a file's name does not steer a terminal");
    for number in 1..=12 {
        let svg = fs::read_to_string(place.path(&format!("out/figure-{number:02}.svg"))).unwrap();
        let of_data = [2, 3, 11, 12].contains(&number);
        assert!(svg.contains(&format!("Figure {number}: ")) && svg.contains(MARK) == of_data, "{number}");
        assert!(svg.contains("(not private as stated)") != of_data, "{number}");
        assert!(svg.contains("As published") == of_data && svg.contains("This project"), "{number}");
    }
    let again = place.run("figures --data waves.csv --out out");
    assert!(again.code == 2 && again.stderr.contains("--force"), "{}", again.stderr);
}

#[test]
fn figures_are_files_named_in_json_and_follow_the_seed() {
    let place = small();
    let figures = |seed: &str, out: &str| {
        let arguments = ["figures", "--data", "waves.csv", "--json", "--seed", seed, "--out", out];
        answer(&place, &arguments)["figures"].as_array().unwrap().len()
    };
    assert_eq!([figures("1", "a"), figures("1", "b"), figures("2", "c")], [12; 3]);
    for figure in ["figure-01.svg", "figure-02.svg"] {
        let bytes = |out: &str| place.bytes(&format!("{out}/{figure}"));
        assert!(bytes("a") == bytes("b") && bytes("a") != bytes("c"), "{figure}");
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let place = small();
    place.write("few.csv", "cca_1,cca_2\n0.7354219,0.5\n0.4,0.6\n0.3,\n");
    place.write("text.csv", "cca_1,cca_2\n0.7354219,x7354219\n");
    place.write("zero.csv", &format!("cca_1,cca_2\n{}", "0,0\n".repeat(12)));
    let cases = [
        (
            "table1 --data few.csv",
            "--data (`few.csv`): too few curves have no missing value; ten folds need at least 10",
        ),
        ("table2 --data few.csv", "--data (`few.csv`): too few curves have no missing value"),
        ("table1 --data waves.csv --convention correct", "Table 1 has no noise, so there is nothing to correct"),
        ("table1 --data text.csv", "--data (`text.csv`): "),
        ("table1 --data missing.csv", "--data: cannot read `missing.csv`"),
        ("table1 --data waves.csv --values rcst_*", "--values"),
        ("table1", "--data <FILE>"),
        ("figures --data waves.csv", "--out was not given"),
        ("all --data waves.csv", "--out was not given"),
        ("table3 --data waves.csv", "table1, table2, figures, all"),
        ("table2 --data waves.csv --convention right", "paper, correct"),
        ("table2 --data waves.csv --seed -1", "--seed"),
        ("table2 --data zero.csv --convention correct", "--data: the curves are all zero"),
    ];
    let before = place.names();
    for (arguments, words) in cases {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments}: {}", run.text());
        assert!(run.stderr.contains(words), "`{words}` in {}", run.stderr);
        assert!(run.stdout.is_empty() && !run.text().contains("7354219"), "{}", run.text());
        assert_eq!(place.names(), before);
    }
}

/// The reader is that of `dpfda`, whose tests have more such files.
#[test]
fn no_refusal_shows_what_a_private_file_holds() {
    const CANARY: [&str; 3] = ["7354219", "7354.219", "Zqx-Canary"];
    for file in [
        "id,v1,v2,v3\n@,#,0.5,0.6\nb,0.4,#,0.5\nc,0.3,0.4,-#\n",
        "@,#,0.5,0.6\nb,0.4,#,0.5\n",
        "id,v1,v2,v3\n@,#,0.5,0.6,#\n",
        "id,v1,v2,v3\n\"@\n#\",#,0.5,0.6\nb,#,1,2\n",
        "id,v1,v2,v3\nb,#,1,2\n\"@,#,0.5,0.6\n",
        "id,v1,v2,v3\n@,#mm,0.5,0.6\n",
        "id,v1,v2,v3\n@,#e999,0.5,0.6\nb,1,2,3\n",
        "id,v1,v2,v3\n@\0,#\0,0.5,0.6\n",
        "id;v1;v2;v3\n@;#;0.5;0.6\n",
        "id,v1,v1,v2\n@,#,0.5,0.6\n",
        "id,#,#,v1\n@,#,0.5,x#\n",
    ] {
        let place = Place::new();
        place.write("in.csv", &file.replace('#', CANARY[1]).replace('@', CANARY[2]));
        let run = place.run("table1 --data in.csv --values v*");
        assert_eq!(run.code, 2, "{file}: {}", run.text());
        assert!(CANARY.iter().all(|part| !run.text().contains(part)), "{file}: {}", run.text());
    }
}
