//! Parts of a release when a worker dies or its disk is full: the same numbers in the end, or an error, and never half a part.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::{PUBLIC, Place};

const POINTS: usize = 400;
const PARTIAL: [&str; 8] = ["--values", "v*", "--plan", "plan.json", "--part", "all", "--out", "all.part"];
const SEED: [&str; 3] = ["--not-private", "--seed", "7"];

/// Curves, their plan, and what they release without any mishap.
fn planned() -> Place {
    let place = Place::new();
    let names: Vec<String> = (0..POINTS).map(|point| format!("v{point}")).collect();
    let row =
        |row: usize| (0..POINTS).map(|point| format!("0.{}", (row * 7 + point) % 10)).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..60).map(row).collect();
    place.write("all.csv", &format!("{}\n{}\n", names.join(","), rows.join("\n")));
    let release = [&["release", "all.csv", "--values", "v*"], &PUBLIC[..]].concat();
    place.run_with(&[&release[..], &["--plan-only", "plan.json"]].concat()).succeeded();
    place.run_with(&[&release[..], &SEED, &["--out", "whole"]].concat()).succeeded();
    place
}

/// The numbers of the joined part are those of the whole table.
fn assert_whole(place: &Place) {
    place
        .run_with(&[&["merge", "all.part", "--plan", "plan.json"], &SEED[..], &["--out", "merged"]].concat())
        .succeeded();
    let mut whole = place.json("whole/release.json");
    // each part has a table of its own, and all follow one study
    whole["source"] = serde_json::json!({ "study": whole["source"]["study"] });
    assert_eq!(place.json("merged/release.json"), whole);
}

/// `dpfda part` under a shell's limits.
fn limited(place: &Place, limits: &str) -> Output {
    let command = format!("{limits} exec \"$0\" part all.csv {}", PARTIAL.map(|word| format!("'{word}'")).join(" "));
    let shell = ["-c", &command, env!("CARGO_BIN_EXE_dpfda")];
    Command::new("sh").args(shell).current_dir(place.path("")).output().unwrap()
}

#[test]
fn a_worker_that_is_killed_while_it_reads_leaves_no_part_and_its_work_can_be_done_again() {
    let place = planned();
    let text = fs::read(place.path("all.csv")).unwrap();
    let mut worker = Command::new(env!("CARGO_BIN_EXE_dpfda"))
        .args([&["part", "-"], &PARTIAL[..]].concat())
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // more than a pipe holds: the worker has read some of it when this returns
    let mut input = worker.stdin.take().unwrap();
    for _ in 0..4 {
        input.write_all(&text).unwrap();
    }
    worker.kill().unwrap();
    assert!(worker.wait().unwrap().code().is_none(), "the worker was not killed");
    assert!(!place.names().contains(&"all.part".to_owned()), "{:?}", place.names());
    place.run_with(&[&["part", "all.csv"], &PARTIAL[..]].concat()).succeeded();
    assert_whole(&place);
}

#[test]
fn a_part_that_does_not_fit_on_the_disk_is_refused_and_removed() {
    let place = planned();
    let output = limited(&place, "trap '' XFSZ; ulimit -f 1;");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("--out: cannot write `all.part`"), "{told}");
    assert!(!place.names().contains(&"all.part".to_owned()), "{:?}", place.names());
    limited(&place, "").status.success().then_some(()).unwrap();
    assert_whole(&place);
}

#[test]
fn what_a_worker_wrote_until_it_was_killed_is_no_part() {
    let place = planned();
    let output = limited(&place, "ulimit -f 1;");
    assert!(output.status.code().is_none(), "the worker was not killed while it wrote");
    assert!(place.names().contains(&"all.part".to_owned()));
    place
        .run("ledger create spent.db --epsilon 1 --delta 1e-4 --unit curve --neighbours substitute --dataset d")
        .succeeded();
    let before = place.run("ledger show spent.db").succeeded().stdout;
    let merged =
        place.run_with(&["merge", "all.part", "--plan", "plan.json", "--ledger", "spent.db", "--out", "merged"]);
    assert!(merged.code == 2 && merged.stderr.contains("all.part"), "{}", merged.text());
    assert_eq!(place.run("ledger show spent.db").succeeded().stdout, before);
    assert!(!place.names().iter().any(|name| name == "merged"), "{:?}", place.names());
}
