//! A canary in the private file: whatever is wrong with the file, and whatever is done with it, no output shows it.
//!
//! The canary is a number and a name. Every byte that is printed or written is searched for both: the number also rounded, in
//! other notation and without its decimal point.

use std::fs;
use std::path::Path;

use crate::common::{Place, Run};
use proptest::prelude::*;
use serde_json::Value;

const NUMBER: &str = "7777.123456789";
const NAME: &str = "Zqx-Canary";

/// What of the canary a text shows: its name, four digits of it that stand alone, or more of them anywhere.
fn shown(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lower = text.to_lowercase();
    if ["zqx", "canary", "7777.1", "7777,1", "77771", "123456789"].iter().any(|part| lower.contains(part)) {
        return Some(text.into_owned());
    }
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut numbers = text.split(|c| !is_part(c)).map(|number| number.replace('.', ""));
    numbers.find(|digits| digits.trim_matches('0') == "7777")
}

#[test]
fn the_search_finds_a_canary_in_every_form() {
    for text in
        ["x=7777.123456789", "7777", "7777.", "7.777e3", "0.7777", "7777.1", "77771234", "[7777,1]", "zqx-canary"]
    {
        assert!(shown(text.as_bytes()).is_some(), "{text}");
    }
    for text in ["", "17777", "0.37777", "7778", "line 777"] {
        assert!(shown(text.as_bytes()).is_none(), "{text}");
    }
}

/// What is printed, and, where there is any, what is written.
fn assert_silent(place: &Place, run: &Run, what: &str) {
    assert!(matches!(run.code, 0 | 2), "{what}: {}", run.text());
    assert!(!run.text().contains("panicked"), "{what}: {}", run.text());
    assert_eq!(shown(run.text().as_bytes()), None, "{what}");
    let written = place.names().into_iter().filter(|name| name.starts_with('.') || name.starts_with("out"));
    for name in written {
        assert_eq!(run.code, 0, "{what}: {name} is written by a command that refused");
        for entry in fs::read_dir(place.path(&name)).unwrap() {
            assert_file_is_silent(&entry.unwrap().path(), what);
        }
    }
}

fn assert_file_is_silent(path: &Path, what: &str) {
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let ends_with = |ending: &str| path.extension().is_some_and(|found| found == ending);
    // noise and pixels may have four digits in common with the canary; nine they have not
    assert!(
        ["zqx-canary", NUMBER, "7777.123", "7777123"].iter().all(|part| !text.to_lowercase().contains(part)),
        "{what}"
    );
    if ends_with("csv") {
        let lower = text.to_lowercase();
        assert!(["nan", "inf"].iter().all(|word| !lower.contains(word)), "{what}: {}", path.display());
    }
    if ends_with("json") {
        assert!(is_finite(&serde_json::from_str(&text).unwrap()), "{what}: {text}");
    }
}

/// JSON has no other way to write what is not a finite number.
fn is_finite(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| !item.is_null() && is_finite(item)),
        Value::Object(fields) => fields.values().all(is_finite),
        _ => true,
    }
}

/// Private files with something odd in each; `#` stands for the number and `@` for the name.
const FILES: [(&str, &str); 34] = [
    ("good", "id,v1,v2,v3\n@,#,0.5,0.6\nb,0.4,#,0.5\nc,0.3,0.4,-#\n"),
    ("no header", "@,#,0.5,0.6\nb,0.4,#,0.5\n"),
    ("no header, no id", "#,0.5,0.6\n0.4,#,0.5\n"),
    ("no header, with a unit", "@,#mm,0.5,0.6\nb,0.4,#,0.5\n"),
    ("too long a row", "id,v1,v2,v3\n@,#,0.5,0.6,#\n"),
    ("too short a row", "id,v1,v2,v3\n@,#,0.5,0.6\n@,#\n"),
    ("a quoted cell on two lines", "id,v1,v2,v3\n\"@\n#\",#,0.5,0.6\nb,#,1,2\n"),
    ("a quoted cell without end", "id,v1,v2,v3\nb,#,1,2\n\"@,#,0.5,0.6\n"),
    ("a quotation mark in a cell", "id,v1,v2,v3\nb,1\"#,1,2\n@\",#,0.5,0.6\n"),
    ("returns", "id,v1,v2,v3\r\"@\r#\",#,0.5,0.6\rb,#,1,2\r"),
    ("a number with words", "id,v1,v2,v3\n@,#mm,0.5,0.6\n"),
    ("two numbers", "id,v1,v2,v3\n@,# #,0.5,0.6\n"),
    ("a word", "id,v1,v2,v3\nb,@,0.5,0.6\n"),
    ("a huge exponent", "id,v1,v2,v3\n@,#e999,0.5,0.6\nb,1,2,3\n"),
    ("a tiny exponent", "id,v1,v2,v3\n@,#e-999,0.5,0.6\nb,#e-320,2,3\n"),
    ("a large number", "id,v1,v2,v3\n@,#e300,-#e304,0.6\nb,#,2,3\n"),
    ("infinity", "id,v1,v2,v3\n@,#,0.5,inf\n"),
    ("NaN", "id,v1,v2,v3\n@,#,NaN,0.6\nb,nan,NA,null\n"),
    ("a byte order mark", "\u{feff}id,v1,v2,v3\n@,#,0.5,x#\n"),
    ("NUL", "id,v1,v2,v3\n@\0,#\0,0.5,0.6\n"),
    ("other letters", "id,v1,v2,v3\n@\u{e9},#\u{2009},0.5,0.6\n"),
    ("semicolons", "id;v1;v2;v3\n@;#;0.5;0.6\n"),
    ("semicolons without header", "@;#;0.5;0.6\n"),
    ("tabs", "id\tv1\t#\n@\t#\t0.5\n"),
    ("a blank line", "id,v1,v2,v3\n@,#,0.5,0.6\n\nb,#,1,2\n"),
    ("no id", "id,v1,v2,v3\n,#,0.5,0.6\n@,#,1,2\n"),
    ("a number as a name", "id,v1,v2,#\n@,#,0.5,x#\n"),
    ("the same name twice", "id,v1,v1,v2\n@,#,0.5,0.6\n"),
    ("the same number as a name twice", "id,#,#,v1\n@,#,0.5,x#\n"),
    ("one column", "id,v1\n@,#\nb,#\n"),
    ("one row", "id,v1,v2,v3\n@,#,0.5,0.6\n"),
    ("decimal commas", "id,v1,v2,v3\n@,\"7777,123456789\",0.5,0.6\n"),
    ("spaces", "id , v1, v2 ,v3\n @ , # , 0.5,\t0.6\n b,#,1,2\n"),
    ("control characters", "id,v1,v2,v3\n@\u{7},\u{1b}[31m#,0.5,0.6\n"),
];

fn with_canary(file: &str) -> Vec<u8> {
    file.replace('#', NUMBER).replace('@', NAME).into_bytes()
}

/// The odd files, and two that are no text.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<_> = FILES.iter().map(|&(what, file)| (what, with_canary(file))).collect();
    let latin1 =
        [with_canary("id,v1,v2,v3\n@"), vec![0xe9, b','], with_canary("#"), b"\xff,0.5,0.6\n".to_vec()].concat();
    files.push(("bytes that are no letters", latin1));
    let text = String::from_utf8(with_canary("\u{feff}id,v1,v2\n@,#,0.5\n")).unwrap();
    files.push(("UTF-16", text.encode_utf16().flat_map(u16::to_le_bytes).collect()));
    files
}

/// Runs one command on one file in a place of its own.
fn run(file: &[u8], arguments: &str, what: &str) -> Run {
    let place = Place::new();
    fs::write(place.path("in.csv"), file).unwrap();
    let run = place.run(arguments);
    assert_silent(&place, &run, &format!("{what}: {arguments}"));
    run
}

const BALL: &str = "--center 0.5 --radius 0.25";

/// The same for releases, of so few curves that no radius can be bought.
const STATED: &str = "--center 0.5 --radius 0.25 --radius-share none";
const BUDGET: &str = "--epsilon 1 --delta 1e-5";
const SEED: &str = "--not-private --seed 1";

#[test]
fn no_release_shows_it() {
    let mut released = 0;
    for (what, file) in files() {
        for columns in
            ["--values v*", "--values v* --subject id", "--values 7*", "--values * --subject none", "--values *,w"]
        {
            let arguments = format!("release in.csv {columns} {STATED} {BUDGET} {SEED} --out out");
            released += i32::from(run(&file, &arguments, what).code == 0);
        }
    }
    assert!(released >= 8, "only {released} were not refused");
}

#[test]
fn no_private_release_shows_it() {
    for (what, file) in files() {
        let relation = if what.len() % 2 == 0 { "substitute" } else { "add-remove" };
        let kernel = "--kernel matern52";
        run(
            &file,
            &format!("release in.csv --values v* {STATED} {BUDGET} {kernel} --neighbours {relation} --out out"),
            what,
        );
        run(
            &file,
            &format!("release in.csv --columns v1 --bounds 0,1 --epsilon 1 --neighbours {relation} --out out"),
            what,
        );
    }
}

#[test]
fn no_density_shows_it() {
    let mut released = 0;
    for (what, file) in files() {
        for more in
            ["--columns v1 --bounds 0,1", "--columns v1,v2 --bounds 0,1,0,1 --cells 4", "--columns none --bounds 0,1"]
        {
            let arguments = format!("release in.csv {more} --epsilon 1 {SEED} --out out");
            released += i32::from(run(&file, &arguments, what).code == 0);
        }
    }
    assert!(released >= 8, "only {released} were not refused");
}

#[test]
fn no_density_of_another_mechanism_shows_it() {
    for (what, file) in files() {
        for mechanism in ["smoothed", "exponential", "series"] {
            let arguments = format!(
                "release in.csv --columns v2 --bounds 0,1 --epsilon 1 --cells 8 --mechanism {mechanism} {SEED} --out out"
            );
            run(&file, &arguments, what);
        }
    }
}

/// Its scores are not private, but they are averages over people, and its errors are for any reader of a log.
#[test]
fn no_cross_validation_shows_it() {
    for (what, file) in files() {
        for more in ["", "--subject id"] {
            let grid = "--folds 2 --kernel gaussian --range 0.1 --penalty 0.01,0.1";
            run(&file, &format!("crossval in.csv --values v* {more} {BALL} {grid}"), what);
        }
    }
}

/// The private file, given where a public one is asked for.
#[test]
fn no_command_that_was_given_the_wrong_file_shows_it() {
    for (what, file) in files() {
        for arguments in [
            "evaluate in.csv --at 0.5".to_owned(),
            "smooth in.csv --penalty 0.1 --out out".to_owned(),
            format!("release in.csv --values v* --center in.csv --radius 1 --radius-share none {BUDGET} --out out"),
        ] {
            assert_eq!(run(&file, &arguments, what).code, 2, "{what}: {arguments}");
        }
    }
}

#[test]
fn no_json_that_is_not_a_release_is_quoted() {
    for document in [
        "{\"#\":1}",
        "{\"@\":{\"schema\":1}}",
        "{\"schema\":#}",
        "{\"schema\":\"@\"}",
        "{\"schema\":1,\"software\":\"@ #\"}",
        "{\"schema\":1,\"software\":[#,\"@\"",
        "{\"schema\":1,\"privacy\":\"#\"}",
        "{\"schema\":1,\"mechanism\":\"@\"}",
        "{\"id\":\"@\",\"values\":[#]}",
        "{@:#}",
        "[{\"schema\":1,\"@\":#}]",
        "\"@\"",
        "#",
        " {\"schema\":1,\"software\":\"\\u00zz@\"}",
    ] {
        for arguments in ["evaluate in.csv --at 0.5", "smooth in.csv --penalty 0.1 --out out"] {
            assert_eq!(run(&with_canary(document), arguments, document).code, 2);
        }
    }
}

/// Cells, good and bad.
fn cell() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "#", "-#", "0.5", "0.45", "0.6", "0.5", "0.4", "", "NA", "#e300", "#e999", "5e-324", "-0", "1e308", "nan",
        "inf", "@", "x#", "\"0.5\"", "\"#\"", "\"@\n#\"", "\"", "# ", "\0", "#,#",
    ])
}

fn table() -> impl Strategy<Value = String> {
    let rows = prop::collection::vec(prop::collection::vec(cell(), 3), 0..6);
    // mostly good ones, so that some are released
    let good = prop::collection::vec(
        prop::collection::vec(prop::sample::select(vec!["#", "0.5", "0.45", "", "-#e300"]), 3),
        2..6,
    );
    let ends = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let header = prop::sample::select(vec!["id,v1,v2", "\u{feff}id,v1,v2", "@,v1,v2", "#,v1,v2"]);
    (header, prop_oneof![rows, good], ends).prop_map(|(header, rows, end)| {
        let lines = rows.iter().map(|row| row.join(","));
        std::iter::once(header.to_owned()).chain(lines).map(|line| line + end).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn no_command_shows_a_cell_of_any_table(table in table()) {
        let file = with_canary(&table);
        for arguments in [
            format!("release in.csv --values v* {STATED} {BUDGET} --kernel sobolev {SEED} --out out"),
            format!("release in.csv --columns v2 --bounds 0,1 --epsilon 1 --cells 8 {SEED} --out out"),
            format!("crossval in.csv --values v1,v2 {BALL} --folds 2 --kernel gaussian --range 0.1 --penalty 0.1"),
        ] {
            run(&file, &arguments, &table);
        }
    }
}
