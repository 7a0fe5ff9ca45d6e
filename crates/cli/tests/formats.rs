//! One table as the programs of people write it: every format is read to the same curves, or refused with the cure.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::sync::Arc;

use crate::common::{Place, assert_page_shows};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;

const DAYS: usize = 30;
const HOURS: usize = 24;

/// The demand of an hour, to two digits: no people in it.
fn demand(day: usize, hour: usize) -> f64 {
    ((day * 37 + hour * 101) % 400) as f64 / 100.0 - 2.0
}

/// The table with these names, this between cells, and numbers written so.
fn table(id: &str, names: impl Fn(usize) -> String, separator: &str, number: impl Fn(f64) -> String) -> String {
    let header: Vec<String> = std::iter::once(id.to_owned()).chain((0..HOURS).map(names)).collect();
    let mut text = header.join(separator) + "\n";
    for day in 0..DAYS {
        let cells: Vec<String> =
            std::iter::once(day.to_string()).chain((0..HOURS).map(|hour| number(demand(day, hour)))).collect();
        text += &(cells.join(separator) + "\n");
    }
    text
}

fn hours(separator: &str) -> String {
    table("id", |hour| format!("h{hour}"), separator, |value| value.to_string())
}

fn date(hour: usize) -> String {
    format!("2026-01-01 {hour:02}:00")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn parquet() -> Vec<u8> {
    let ids: Int64Array = (0_i64..).take(DAYS).collect();
    let mut columns: Vec<(String, ArrayRef)> = vec![("id".to_owned(), Arc::new(ids))];
    for hour in 0..HOURS {
        let values: Float64Array = (0..DAYS).map(|day| Some(demand(day, hour))).collect();
        columns.push((format!("h{hour}"), Arc::new(values)));
    }
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// A row for each value, as studies keep them.
fn long() -> String {
    let rows = (0..DAYS).flat_map(|day| (0..HOURS).map(move |hour| format!("{day},{hour},{}\n", demand(day, hour))));
    std::iter::once("id,time,value\n".to_owned()).chain(rows).collect()
}

enum Outcome {
    /// The curves, on a grid with these ends.
    Read(f64, f64),
    Refused(&'static [&'static str]),
}

use Outcome::{Read, Refused};

/// What the format is, the file, how it is read, and what comes of it.
fn formats() -> Vec<(&'static str, &'static str, Vec<u8>, &'static str, Outcome)> {
    let point = |value: f64| value.to_string();
    let comma = |value: f64| value.to_string().replace('.', ",");
    let clock = |hour: usize| format!("{hour:02}:00");
    let utf16: Vec<u8> = format!("\u{feff}{}", hours(",")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("commas", "a.csv", hours(",").into_bytes(), "--values|h*|--subject|id", Read(0.0, 1.0)),
        (
            "a byte order mark and Windows line ends",
            "bom.csv",
            format!("\u{feff}{}", hours(",").replace('\n', "\r\n")).into_bytes(),
            "--values|h*|--subject|id|--grid|0,23",
            Read(0.0, 23.0),
        ),
        ("tabs", "a.tsv", hours("\t").into_bytes(), "--values|h*|--subject|id|--grid|names", Read(0.0, 23.0)),
        ("gzip", "a.csv.gz", gzip(&hours(",")), "--values|h*|--subject|id", Read(0.0, 1.0)),
        ("Parquet", "a.parquet", parquet(), "--values|h*|--subject|id|--grid|names", Read(0.0, 23.0)),
        (
            "dates for names",
            "dates.csv",
            table("id", date, ",", point).into_bytes(),
            "--values|2026*|--subject|id|--grid|names",
            Read(0.0, 23.0 / 24.0),
        ),
        (
            "hours for names",
            "hours.csv",
            table("day", clock, ",", point).into_bytes(),
            "--values|*:00|--subject|day|--grid|names",
            Read(0.0, 23.0),
        ),
        (
            "numbers for names",
            "numbers.csv",
            table("id", |hour| hour.to_string(), ",", point).into_bytes(),
            "--values|*|--subject|id|--grid|names",
            Read(0.0, 23.0),
        ),
        (
            "semicolons and decimal commas",
            "semicolon.csv",
            table("id", date, ";", comma).into_bytes(),
            "--values|2026*|--subject|id|--delimiter|;|--decimal-comma",
            Read(0.0, 1.0),
        ),
        (
            "semicolons, not said",
            "semicolon.csv",
            table("id", date, ";", comma).into_bytes(),
            "--values|2026*|--subject|id",
            Refused(&["separated by semicolons", "--delimiter ';'"]),
        ),
        ("UTF-16", "utf16.csv", utf16, "--values|h*|--subject|id", Refused(&["UTF-16", "save it as UTF-8"])),
        (
            "a spreadsheet",
            "a.xlsx",
            b"PK\x03\x04\x14\x00\x06\x00".to_vec(),
            "--values|h*|--subject|id",
            Refused(&["spreadsheet", "save the sheet as CSV"]),
        ),
        (
            "a text file of the UCR archive, with spaces",
            "waves.txt",
            b"  1.0000000e+00  -5.2e-01   4.8e-01\n  2.0000000e+00   1.1e-01  -3.0e-01\n".to_vec(),
            "--values|*",
            Refused(&["no header", "UCR archive", "class of the curve", "awk"]),
        ),
        (
            "a text file of the UCR archive, with tabs",
            "waves.tsv",
            b"1\t-0.52\t0.48\n2\t0.11\t-0.3\n".to_vec(),
            "--values|t*",
            Refused(&["no header", "UCR archive", "--values 't*'"]),
        ),
        (
            "a long table, by its column of values",
            "long.csv",
            long().into_bytes(),
            "--values|value|--subject|id",
            Refused(&["only column `value`", "one row for each curve", "--id, --time, --value and --domain"]),
        ),
        (
            "a long table, every column",
            "long.csv",
            long().into_bytes(),
            "--values|*|--subject|id",
            Refused(&["`time`", "no points of the same curve"]),
        ),
    ]
}

fn arguments<'a>(file: &'a str, read: &'a str) -> Vec<&'a str> {
    let public = "--bounds -2,2 --radius-share none --epsilon 1 --delta 1e-3 --not-private --seed 1 --out out";
    ["release", file].into_iter().chain(read.split('|')).chain(public.split(' ')).collect()
}

#[test]
fn every_format_is_the_same_table_or_refused_with_the_cure() {
    let place = Place::new();
    let mut first = None;
    for (what, file, bytes, read, outcome) in formats() {
        fs::write(place.path(file), bytes).unwrap();
        let run = place.run_with(&arguments(file, read));
        match outcome {
            Read(lower, upper) => {
                assert_eq!(run.code, 0, "{what}: {}", run.text());
                let release = place.json("out/release.json");
                let points = release["statistic"]["grid"]["points"].as_array().unwrap().clone();
                let ends = [&points[0], &points[HOURS - 1]].map(|point| point.as_f64().unwrap());
                assert!((ends[0] - lower).abs() < 1e-9 && (ends[1] - upper).abs() < 1e-9, "{what}: {ends:?}");
                // the same curves and the same seed: the same integers, whatever the format
                let integers = release["lattice"]["coordinates"].clone();
                assert_eq!(*first.get_or_insert_with(|| integers.clone()), integers, "{what}");
                fs::remove_dir_all(place.path("out")).unwrap();
            }
            Refused(words) => {
                assert_eq!(run.code, 2, "{what}: {}", run.text());
                for word in words {
                    assert!(run.stderr.contains(word), "{what}: `{word}` in {}", run.stderr);
                }
            }
        }
    }
}

#[test]
fn the_page_shows_the_table_of_formats() {
    let mut page = String::from("| format | how it is read | outcome |\n|---|---|---|\n");
    for (what, file, _, read, outcome) in formats() {
        let outcome = match outcome {
            Read(lower, upper) => format!("the same curves, from {lower:.3} to {upper:.3}"),
            Refused(words) => format!("refused: {}", words.join(" ... ")),
        };
        let options: Vec<String> = read.split('|').map(|word| word.replace('*', "\\*")).collect();
        writeln!(page, "| {what} | {file} {} | {outcome} |", options.join(" ")).unwrap();
    }
    assert_page_shows("results/journey.md", "formats", &page);
}
