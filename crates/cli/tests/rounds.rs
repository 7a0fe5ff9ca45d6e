//! A centre that is bought from files and from the standard input, which are gone through twice.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Place;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use serde_json::Value;

const POINTS: usize = 9;
const ROWS: usize = 1200;

const SETTINGS: &str =
    "--values v* --center 0 --radius 2 --center-share 0.1 --radius-share 0.05 --epsilon 1 --delta 1e-5";

fn value(row: usize, point: usize) -> f64 {
    1.0 + ((row * 37 + point * 11) % 50) as f64 / 100.0
}

fn person(row: usize) -> usize {
    row * 13 % 700
}

fn csv(rows: impl Iterator<Item = usize>) -> String {
    let names: Vec<String> = (0..POINTS).map(|point| format!("v{point}")).collect();
    let mut text = format!("id,{}\n", names.join(","));
    for row in rows {
        let cells: Vec<String> = (0..POINTS).map(|point| value(row, point).to_string()).collect();
        let _ = writeln!(text, "{},{}", person(row), cells.join(","));
    }
    text
}

/// The same rows but for one cell.
fn changed(text: &str) -> String {
    let changed = text.replacen(",1.37", ",1.36", 1);
    assert_ne!(changed, text);
    changed
}

fn parquet() -> Vec<u8> {
    let ids: Int64Array = (0..ROWS).map(|row| i64::try_from(person(row)).ok()).collect();
    let mut columns: Vec<(String, ArrayRef)> = vec![("id".to_owned(), Arc::new(ids))];
    for point in 0..POINTS {
        let values: Float64Array = (0..ROWS).map(|row| Some(value(row, point))).collect();
        columns.push((format!("v{point}"), Arc::new(values)));
    }
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The same rows in every way in which files hold them.
fn place() -> Place {
    let place = Place::new();
    place.write("all.csv", &csv(0..ROWS));
    fs::write(place.path("all.csv.gz"), gzip(&csv(0..ROWS))).unwrap();
    fs::write(place.path("all.parquet"), parquet()).unwrap();
    place.write("backwards.csv", &csv((0..ROWS).rev()));
    fs::create_dir(place.path("sites")).unwrap();
    for (name, rows) in [("a", 0..1), ("b", 1..700), ("c", 700..ROWS)] {
        place.write(&format!("sites/{name}.csv"), &csv(rows));
    }
    place
}

fn dpfda(place: &Place, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dpfda"));
    command.args(arguments.split_whitespace()).current_dir(place.path("."));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn every_file_and_the_standard_input_give_the_same_release() {
    let place = place();
    for unit in ["", "--subject id"] {
        let more = format!("{SETTINGS} {unit} --not-private --seed 3");
        let released = |file: &str, more: &str| {
            place.run(&format!("release {file} {more} --force --out out")).succeeded();
            place.bytes("out/release.json")
        };
        let expected = released("all.csv", &format!("{more} --threads 1"));
        let document: Value = serde_json::from_slice(&expected).unwrap();
        assert!(document["lattice"]["center"].is_object(), "a centre was bought");
        for file in ["all.csv", "all.csv.gz", "all.parquet", "backwards.csv", "sites"] {
            assert_eq!(released(file, &format!("{more} --threads 3")), expected, "{file} {unit}");
        }
        let mut piped = dpfda(&place, &format!("release - {more} --force --out out"));
        let mut piped = piped.stdin(Stdio::piped()).spawn().unwrap();
        piped.stdin.take().unwrap().write_all(csv(0..ROWS).as_bytes()).unwrap();
        assert!(piped.wait().unwrap().success());
        assert_eq!(place.bytes("out/release.json"), expected, "standard input {unit}");
    }
}

#[test]
fn a_stored_release_is_given_back_from_any_file_of_the_same_rows() {
    let place = place();
    place
        .run("ledger create l --epsilon 2 --delta 1e-4 --unit curve --neighbours substitute --dataset made-up")
        .succeeded();
    let run = |file: &str, out: &str| place.run(&format!("release {file} {SETTINGS} --ledger l --out {out}"));
    run("all.csv", "one").succeeded();
    let given = run("all.parquet", "two").succeeded();
    assert!(given.words().contains("Nothing was drawn and nothing was spent"), "{}", given.text());
    assert_eq!(place.bytes("one/release.json"), place.bytes("two/release.json"));
    place.write("all.csv", &changed(&csv(0..ROWS)));
    let other = run("all.csv", "three");
    assert_eq!(other.code, 2, "{}", other.text());
    assert!(other.stderr.contains("made from other data"), "{}", other.stderr);
}

/// The rows in two files, by who has them.
fn sites() -> Place {
    let place = Place::new();
    place.write("all.csv", &csv(0..ROWS));
    place.write("north.csv", &csv((0..ROWS).filter(|row| person(*row).is_multiple_of(3))));
    place.write("south.csv", &csv((0..ROWS).filter(|row| !person(*row).is_multiple_of(3))));
    place
}

/// Both parts by a plan, with the end of their names; one of them from another file.
fn encode(place: &Place, plan: &str, end: &str, south: &str, more: &str) {
    for (name, file) in [("north", "north.csv"), ("south", south)] {
        let command = format!("part {file} --values v* --plan {plan} --part {name} --out {name}{end}.part {more}");
        place.run(&command).succeeded();
    }
}

#[test]
fn parts_that_buy_a_centre_in_two_steps_release_the_numbers_of_one_file() {
    for (unit, key) in [("", ""), ("--subject id", "--subject id --key plan.key")] {
        let place = sites();
        let seed = "--not-private --seed 3";
        place.run(&format!("release all.csv {SETTINGS} {unit} {seed} --out whole")).succeeded();
        let planned = place.run(&format!("release north.csv {SETTINGS} {unit} --plan-only plan.json")).succeeded();
        assert!(planned.words().contains("a second plan first"), "{}", planned.text());
        encode(&place, "plan.json", "", "south.csv", key);
        let unpaid = place.run("merge north.part south.part --plan plan.json --out about.json");
        assert!(unpaid.code == 2 && unpaid.stderr.contains("give --ledger"), "{}", unpaid.text());
        let told =
            place.run(&format!("merge north.part south.part --plan plan.json {seed} --out about.json")).succeeded();
        assert!(told.words().contains("public") && told.words().contains("once more"), "{}", told.text());
        encode(&place, "about.json", "2", "south.csv", key);
        let all = "merge south2.part north.part north2.part south.part --plan about.json";
        place.run(&format!("{all} {seed} --out merged")).succeeded();
        let document = |directory: &str| {
            let mut document = place.json(&format!("{directory}/release.json"));
            document.as_object_mut().unwrap().remove("source");
            document
        };
        assert_eq!(document("merged"), document("whole"), "{unit}");
        // another seed, another centre
        let other = place.run(&format!("{all} --not-private --seed 4 --out other"));
        assert!(other.code == 1 && other.stderr.contains("about another centre"), "{}", other.text());
    }
}

#[test]
fn both_steps_of_parts_are_paid_once_and_given_back_as_often_as_asked() {
    let place = sites();
    let ledger = "ledger create l --epsilon 2 --delta 1e-4 --unit curve --neighbours substitute --dataset made-up";
    place.run(ledger).succeeded();
    place.run(&ledger.replace(" l ", " empty ")).succeeded();
    place.run(&format!("release north.csv {SETTINGS} --plan-only plan.json")).succeeded();
    encode(&place, "plan.json", "", "south.csv", "");
    let first = |out: &str| {
        place.run(&format!("merge north.part south.part --plan plan.json --ledger l --out {out}")).succeeded();
        place.bytes(out)
    };
    let second = |parts: &str, more: &str| place.run(&format!("merge {parts} --plan about.json {more}"));
    let about = first("about.json");
    let spent = place.run("ledger show l --json").stdout;
    assert_eq!((stage(&place), first("again.json")), ("answered", about.clone()));
    assert_eq!(place.run("ledger show l --json").stdout, spent, "nothing more was spent");

    encode(&place, "about.json", "2", "south.csv", "");
    let all = "north.part south.part north2.part south2.part";
    for (parts, more, words) in [
        ("north.part south.part north2.part", "--ledger l --out out", "south is there for one alone"),
        ("north2.part south2.part", "--ledger l --out out", "is there for one alone"),
        (all, "--out out", "give --ledger"),
        (all, "--ledger empty --out out", "nothing was bought under the id"),
        (all, "--ledger l --release-id other --out out", "nothing was bought under the id other"),
    ] {
        let refused = second(parts, more);
        assert!(refused.code == 2 && refused.stderr.contains(words), "{words}: {}", refused.text());
    }
    place.write("changed.csv", &changed(&String::from_utf8(place.bytes("south.csv")).unwrap()));
    encode(&place, "about.json", "3", "changed.csv", "");
    let refused = second("north.part south.part north3.part south3.part", "--ledger l --out out");
    assert!(refused.code == 1 && refused.stderr.contains("not the same the second time"), "{}", refused.text());
    assert_eq!(stage(&place), "answered");

    second(all, "--ledger l --out out").succeeded();
    assert_eq!(stage(&place), "stored");
    let given = second(all, "--ledger l --out more").succeeded();
    assert!(given.words().contains("Nothing was drawn and nothing was spent"), "{}", given.text());
    assert_eq!(place.bytes("more/release.json"), place.bytes("out/release.json"));
    assert_eq!(first("late.json"), about, "also when the release is there");
}

/// How far the release has come, by the ledger.
fn stage(place: &Place) -> &'static str {
    let shown: Value = serde_json::from_str(&place.run("ledger show l --json").succeeded().stdout).unwrap();
    match shown["releases"].as_array().unwrap().as_slice() {
        [] => "nothing",
        [release] if release["stored"] == true => "stored",
        [release] if release["answered"] == true => "answered",
        [_] => "paid",
        _ => unreachable!("one id"),
    }
}

#[test]
fn a_release_in_two_rounds_that_is_killed_at_any_step_is_paid_once_and_goes_on_between_the_rounds() {
    const KILLS: u32 = 24;
    const ARGUMENTS: &str = "release many.csv {SETTINGS} --ledger l --release-id one --out out";
    let arguments = ARGUMENTS.replace("{SETTINGS}", SETTINGS);
    let text = csv(0..6000);
    let fresh = || {
        let place = Place::new();
        place.write("many.csv", &text);
        place.run("ledger create l --epsilon 1 --delta 1e-5 --unit curve --neighbours substitute --dataset made-up");
        place
    };
    let begin = Instant::now();
    assert!(dpfda(&fresh(), &arguments).status().unwrap().success());
    let whole = begin.elapsed();
    let mut found = Vec::new();
    for step in 0..KILLS {
        let place = fresh();
        let mut process = dpfda(&place, &arguments).spawn().unwrap();
        thread::sleep(whole * step / KILLS);
        process.kill().unwrap();
        process.wait().unwrap();
        found.push(follow(&place, &arguments, &text));
    }
    // between the rounds, whatever the machine does meanwhile: when the first answer is there
    let place = fresh();
    let mut process = dpfda(&place, &arguments).spawn().unwrap();
    wait_for_answer(&place);
    process.kill().unwrap();
    process.wait().unwrap();
    found.push(follow(&place, &arguments, &text));
    found.sort_unstable();
    found.dedup();
    assert!(found.contains(&"nothing") && found.len() > 1, "kills fell on both sides of the payment: {found:?}");
}

/// Waits until the ledger is larger than that of a payment alone, or a while.
fn wait_for_answer(place: &Place) {
    let begin = Instant::now();
    let size = || File::open(place.path("l")).and_then(|file| file.metadata()).map_or(0, |file| file.len());
    let before = size();
    while size() == before && begin.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(Duration::from_millis(15));
}

/// What was left, and that the same command makes of it what the proof page says.
fn follow(place: &Place, arguments: &str, text: &str) -> &'static str {
    let stage_then = stage(place);
    assert!(!place.path("out").exists() || stage_then == "stored", "shown before it was stored");
    if stage_then == "answered" {
        // other rows under the same name: nothing is drawn, and nothing more is spent
        place.write("many.csv", &changed(text));
        let other = place.run(arguments);
        assert!(other.code == 2 && other.stderr.contains("made from other data"), "{}", other.text());
        assert_eq!(stage(place), "answered");
        place.write("many.csv", text);
    }
    let again = place.run(arguments);
    if stage_then == "paid" {
        assert!(again.code == 2 && again.stderr.contains("its draw was lost"), "{}", again.text());
        assert_eq!(stage(place), "paid");
    } else {
        assert_eq!(again.code, 0, "{stage_then}: {}", again.text());
        assert_eq!(stage(place), "stored");
    }
    stage_then
}
