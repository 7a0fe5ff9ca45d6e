//! The committed fuzz corpora, through the functions of the fuzz targets: what once made trouble, and what could.

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::path::Path;

use proptest::prelude::*;

/// Runs every file of a target's corpus.
fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        run(&fs::read(entry.unwrap().path()).unwrap());
        files += 1;
    }
    assert!(files >= 4, "{target}: {files} files");
}

#[test]
fn arguments() {
    replay("arguments", targets::arguments::run);
}

#[test]
fn curves_csv() {
    replay("curves_csv", targets::curves_csv::run);
}

#[test]
fn density_json() {
    replay("density_json", targets::density_json::run);
}

#[test]
fn ledger_json() {
    replay("ledger_json", targets::ledger_json::run);
}

#[test]
fn part() {
    replay("part", targets::part::run);
}

#[test]
fn table_file() {
    replay("table_file", targets::table_file::run);
}

#[test]
fn path_json() {
    replay("path_json", targets::path_json::run);
}

#[test]
fn points_csv() {
    replay("points_csv", targets::points_csv::run);
}

#[test]
fn release_json() {
    replay("release_json", targets::release_json::run);
}

/// What tables are made of, good and bad; `@` stands for what is private.
const PIECES: [&str; 36] = [
    "id",
    "v1",
    "v2",
    "x",
    "y",
    ",",
    ",",
    ",",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\"",
    "\"\"",
    "@",
    "@",
    "@,@",
    "0.5",
    "-1e-3",
    "1e308",
    "5e-324",
    "1e999",
    "-inf",
    "nan",
    "NA",
    "null",
    ".",
    " ",
    "\u{feff}",
    "\0",
    "\u{e9}",
    ";",
    "\t",
    "a\"b,1,\"c",
    "f\" \"g",
    "v1,v2\n",
];

fn table() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40);
    let header = prop::sample::select(vec!["id,v1,v2\n", "v1,v2,a\r\n", "x,y\n", "z,y,x\r", ""]);
    (any::<u8>(), header, pieces).prop_map(|(choice, header, pieces)| {
        let mut bytes = vec![choice];
        bytes.extend(header.bytes().chain(pieces.concat().into_bytes()));
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_holds_of_the_corpora_holds_of_any_table(table in table()) {
        targets::curves_csv::run(&table);
        targets::points_csv::run(&table);
    }
}

/// A target that nobody replays is found out.
#[test]
fn every_corpus_is_replayed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let this = include_str!("corpora.rs");
    for entry in fs::read_dir(folder).unwrap() {
        let target = entry.unwrap().file_name().into_string().unwrap();
        assert!(this.contains(&format!("replay(\"{target}\", targets::{target}::run)")), "{target}");
    }
}
