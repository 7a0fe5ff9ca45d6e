//! Mistakes that once spent a budget: refused or told before anything is paid.

use std::fmt::Write;

use crate::common::{Place, Run};

const BUDGET: &str = "--epsilon 1 --delta 1e-4";

/// What is released of the rows of [`rows`], whatever the kind.
const KINDS: [&str; 6] = [
    "--values v*",
    "--values v* --by sex",
    "--values v* --gaps rows",
    "--values v* --surface 2,2",
    "--values v* --on sex --covariate-bounds sex=F|M",
    "--columns v1",
];

fn place() -> Place {
    let place = Place::new();
    let account = "--epsilon 9 --delta 0.01 --neighbours substitute --unit curve --dataset people";
    place.run(&format!("ledger create l {account}")).succeeded();
    place
}

/// 500 rows of four values each, with the sex written as one letter; `scale` is the unit of the values.
fn rows(scale: f64, names: &str) -> String {
    let mut csv = format!("sex,{names}\n");
    for row in 0..500_u32 {
        let value = |point: u32| scale * (0.3 + f64::from((row * 7 + point * 5) % 13) / 60.0);
        let cells: Vec<String> = (0..4).map(|point| value(point).to_string()).collect();
        writeln!(csv, "{},{}", ["F", "M"][row as usize % 2], cells.join(",")).unwrap();
    }
    csv
}

/// Runs a command, after which the ledger is what it was.
fn unpaid(place: &Place, command: &str) -> Run {
    let entries = || place.run("ledger export l").succeeded().stdout;
    let before = entries();
    let run = place.run(command);
    assert_eq!(entries(), before, "{command}");
    assert!(!place.names().contains(&"out".to_owned()), "{command}");
    run
}

fn refused(place: &Place, command: &str, words: &[&str]) {
    let run = unpaid(place, &format!("{command} --ledger l --out out"));
    assert_eq!(run.code, 2, "{}", run.text());
    for word in words {
        assert!(run.stderr.contains(word), "{command}: `{word}` in {}", run.stderr);
    }
}

#[test]
fn dates_whose_day_and_month_cannot_be_told_apart_are_no_grid() {
    let place = place();
    for names in ["1/5/24,1/6/24,1/7/24,1/8/24", "1/1/2024,2/1/2024,3/1/2024,4/1/2024"] {
        place.write("dates.csv", &rows(1.0, names));
        let values = format!("--values {names} --bounds 0,1 {BUDGET}");
        for grid in ["", "--grid names", "--grid 0,10"] {
            refused(&place, &format!("release dates.csv {values} {grid}"), &["--grid", "2024-01-05", "uniform"]);
        }
        place.run(&format!("check dates.csv {values} --grid uniform")).succeeded();
    }
}

#[test]
fn a_level_that_no_cell_has_is_told_before_the_regression() {
    let place = place();
    place.write("curves.csv", &rows(1.0, "v1,v2,v3,v4"));
    let study = |levels: &str| {
        let options =
            format!("--kind regression --values v* --bounds 0,1 --on sex --covariate-bounds sex={levels} {BUDGET}");
        place.write("study.toml", &place.run(&format!("new {options}")).succeeded().stdout);
    };
    study("Female|Male");
    for command in ["check study.toml curves.csv", "release study.toml curves.csv --dry-run"] {
        let told = unpaid(&place, &format!("{command} --ledger l")).succeeded().words();
        assert!(
            told.contains("500 of 500 cells with none of its levels") && told.contains("no cell has Female, Male"),
            "{told}"
        );
    }
    study("F|M");
    let told = unpaid(&place, "check study.toml curves.csv --ledger l").succeeded().words();
    assert!(told.contains("0 of 500 cells with none of its levels") && !told.contains("no cell has"), "{told}");
}

#[test]
fn a_missing_column_of_covariates_is_blamed_on_them() {
    let place = place();
    place.write("curves.csv", &rows(1.0, "v1,v2,v3,v4"));
    let command =
        format!("release curves.csv --values v* --bounds 0,1 --on gender --covariate-bounds gender=F|M {BUDGET}");
    refused(&place, &command, &["--on", "`gender`", "5 columns"]);
}

#[test]
fn values_in_other_units_and_a_weak_delta_are_told_before_they_are_paid_for() {
    let place = place();
    place.write("percent.csv", &rows(100.0, "v1,v2,v3,v4"));
    let told = unpaid(&place, &format!("check percent.csv --values v* --bounds 0,1 {BUDGET} --ledger l")).succeeded();
    assert!(told.words().contains("2000 of 2000 values lie outside the bounds"), "{}", told.stdout);
    let told = unpaid(&place, "check percent.csv --values v* --bounds 0,100 --epsilon 1 --delta 0.01 --ledger l");
    assert!(told.words().contains("above 1/N") && !told.words().contains("lie outside"), "{}", told.text());
    let told = place.run(&format!("check percent.csv --values v* --bounds 0,100 {BUDGET}")).succeeded();
    assert!(!told.words().contains("above 1/N"), "{}", told.stdout);
}

/// The ledger refuses after the curator was told: nothing is spent, and the warning is there.
fn told_then_refused(place: &Place, command: &str, word: &str) {
    let run = unpaid(place, &format!("{command} --ledger l --out out"));
    assert!(run.code == 2 && run.stderr.contains("--ledger"), "{}", run.text());
    let words = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("NOTE, not for publication") && words.contains(word), "{}", run.stderr);
}

#[test]
fn a_release_tells_a_weak_delta_before_it_pays() {
    let place = place();
    place.write("curves.csv", &rows(1.0, "v1,v2,v3,v4"));
    for kind in KINDS {
        let command = format!("release curves.csv {kind} --bounds 0,1 --epsilon 20 --delta 0.009");
        told_then_refused(&place, &command, "above 1/N");
    }
}

#[test]
fn ids_that_repeat_where_no_subject_is_named_are_told_before_the_payment_whatever_the_kind() {
    let place = place();
    let rows = rows(1.0, "v1,v2,v3,v4");
    let of_people = |people: usize| {
        let mut csv = String::new();
        for (row, line) in rows.lines().enumerate() {
            let id = if row == 0 { "Patient_ID".to_owned() } else { format!("p{}", row % people) };
            writeln!(csv, "{id},{line}").unwrap();
        }
        csv
    };
    place.write("visits.csv", &of_people(250));
    place.write("people.csv", &of_people(1000));
    for kind in KINDS {
        let public = format!("{kind} --bounds 0,1 --epsilon 20 --delta 1e-5");
        told_then_refused(&place, &format!("release visits.csv {public}"), "the column `Patient_ID` looks like ids");
        let told = place.run(&format!("check visits.csv {public}")).succeeded();
        assert!(told.stderr.contains("--subject"), "{}", told.text());
        for (file, more) in [("people.csv", ""), ("visits.csv", "--subject Patient_ID")] {
            let told = place.run(&format!("check {file} {public} {more}")).succeeded();
            assert!(!told.stderr.contains("looks like ids"), "{}", told.text());
        }
    }
}

#[test]
fn an_estimate_that_lies_at_the_bound_says_so_in_the_release() {
    let place = place();
    for (scale, is_told) in [(100.0, true), (1.0, false)] {
        place.write("curves.csv", &rows(scale, "v1,v2,v3,v4"));
        for kind in &KINDS[..4] {
            // the noise of one seed: another could hide the bound
            let public = "--bounds 0,1 --epsilon 2 --delta 1e-4 --not-private --seed 3";
            let run = place.run(&format!("release curves.csv {kind} {public} --out {scale} --force"));
            let words = run.succeeded().words();
            assert_eq!(words.contains("lies at the largest value that was stated, 1"), is_told, "{kind}: {words}");
        }
    }
}

#[test]
fn labels_that_no_row_has_are_told_before_the_groups_are_paid_for() {
    let place = place();
    place.write("curves.csv", &rows(1.0, "v1,v2,v3,v4"));
    let check = "check curves.csv --values v* --by sex --bounds 0,1 --ledger l --epsilon 1 --delta 1e-4";
    let told = unpaid(&place, check).succeeded().words();
    assert!(told.contains("F: 250, M: 250; of none of them: 0"), "{told}");
    let told = unpaid(&place, &format!("{check} --private-labels Female,Male")).succeeded().words();
    assert!(told.contains("Female: 0, Male: 0; of none of them: 500. A group of nobody"), "{told}");
}

#[test]
fn a_file_without_rows_is_blamed_itself() {
    let place = place();
    place.write("empty.csv", "id,v1,v2\n");
    for more in ["", "--radius-share 0.05", "--center-share 0.1", "--gaps rows"] {
        let command = format!("release empty.csv --values v* --bounds 0,1 {BUDGET} {more}");
        refused(&place, &command, &["CURVES.csv", "`empty.csv`", "got 0"]);
    }
    let groups = format!("release empty.csv --values v* --bounds 0,1 {BUDGET} --by id");
    refused(&place, &groups, &["--by", "at least 2 groups, got 0"]);
}
