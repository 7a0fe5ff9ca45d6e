//! What a new user does wrong: each mistake is refused in words that name the argument, what is allowed and the cure, with exit code
//! 2, nothing written and nothing spent. The outcome is a page of the documentation.

use std::fmt::Write;
use std::fs;

use crate::common::{Place, Run, assert_page_shows};

/// Three lists: what was wrong / the table, as [`files`] names it / arguments in place of the usual ones, with bars between, of which
/// `!--name` leaves one out / `refused: ` with words of the message, or `released: ` with the reason. A cell stands in the fourth row.
const TABLE: &str = include_str!("mistakes.txt");

struct Mistake {
    what: &'static str,
    file: &'static str,
    arguments: &'static str,
    outcome: Outcome,
}

enum Outcome {
    /// Exit code 2 and these words: the argument, what is allowed, and the cure.
    Refused(Vec<&'static str>),
    /// No mistake after all, and why.
    Released(&'static str),
}

/// The mistakes of one list; of a cell its text is the arguments.
fn mistakes(list: &str) -> Vec<Mistake> {
    let (_, rest) = TABLE.split_once(&format!("== {list}\n")).unwrap();
    let read = |line: &'static str| {
        let cells: Vec<&str> = line.split(" / ").collect();
        let (file, arguments) = if cells.len() == 4 { (cells[1], cells[2]) } else { ("cell", cells[1]) };
        let outcome = match cells[cells.len() - 1].split_once(": ").unwrap() {
            ("refused", words) => Outcome::Refused(words.split(" && ").collect()),
            ("released", why) => Outcome::Released(why),
            (other, _) => panic!("{other}"),
        };
        Mistake { what: cells[0], file, arguments, outcome }
    };
    rest.lines().take_while(|line| !line.starts_with("== ")).map(read).collect()
}

const USUAL: [(&str, &str); 8] = [
    ("--values", "v*"),
    ("--subject", "ID"),
    ("--center", "0.5"),
    ("--radius", "0.5"),
    ("--radius-share", "none"),
    ("--epsilon", "1"),
    ("--delta", "1e-3"),
    ("--out", "out"),
];

/// Twenty people at five points, with this header.
fn curves(header: &str) -> String {
    let row = |person: usize| {
        let cells: Vec<String> = (0..5).map(|point| format!("0.{}", (7 * person + 3 * point) % 10)).collect();
        format!("{person},{}\n", cells.join(","))
    };
    std::iter::once(format!("{header}\n")).chain((0..20).map(row)).collect()
}

/// Every table that the mistakes name, as bytes.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let base = curves("ID,v0,v1,v2,v3,v4");
    let row_6 = "\n5,0.5,0.8,0.1,0.4,0.7\n";
    assert!(base.contains(row_6));
    let with = |row: &str| base.replace(row_6, row).into_bytes();
    let latin1 = curves("ID,gr@e 0,gr@e 1,gr@e 2,gr@e 3,gr@e 4");
    let latin1: Vec<u8> =
        latin1.bytes().flat_map(|byte| if byte == b'@' { vec![0xf6, 0xdf] } else { vec![byte] }).collect();
    let long = (0..20).flat_map(|person| (0..3).map(move |time| format!("{person},{time},0.{person}\n")));
    let without_header = base.split_once('\n').unwrap().1.to_owned();
    vec![
        ("base", base.clone().into_bytes()),
        ("nohead", without_header.into_bytes()),
        ("emptyf", Vec::new()),
        ("headonly", b"ID,v0,v1,v2,v3,v4\n".to_vec()),
        ("onerow", b"ID,v0,v1,v2,v3,v4\n1,.1,.2,.3,.4,.5\n".to_vec()),
        ("one", b"ID,v0\n1,0.5\n2,0.6\n".to_vec()),
        ("ragged", with("\n5,0.5,0.8,0.1,0.4\n")),
        ("idmissing", with("\n,0.5,0.8,0.1,0.4,0.7\n")),
        ("idna", with("\nNA,0.5,0.8,0.1,0.4,0.7\n")),
        ("idspace", with("\n 4 ,0.5,0.8,0.1,0.4,0.7\n")),
        ("latin1", latin1),
        ("spaces", curves("My ID,v 0,v 1,v 2,v 3,v 4").into_bytes()),
        ("dup", curves("ID,v0,v0,v1,v2,v3").into_bytes()),
        ("blank", format!("{base}\n\n,,,,,\n").into_bytes()),
        ("total", format!("{base}mean,0.5,0.5,0.5,0.5,0.5\n").into_bytes()),
        ("num", curves("ID,10,2,1,3,20").into_bytes()),
        ("sci", curves("ID,t10,t1,t2,t3,t4").into_bytes()),
        ("year", curves("ID,YEAR,h0,h1,h2,h3").into_bytes()),
        ("unequal", curves("ID,h0,h2,h20,h21,h22").into_bytes()),
        ("months", curves("ID,Apr,Feb,Jan,Mar,May").into_bytes()),
        ("words", curves("ID,a,b,c,d,e").into_bytes()),
        ("long", std::iter::once("ID,time,value\n".to_owned()).chain(long).collect::<String>().into_bytes()),
        ("archive", b"@problemName Waves\n@data\n0.1,0.2:1\n".to_vec()),
        ("center", b"t,value\n0,0.5\n1,0.5\n".to_vec()),
        ("center3", b"0,0.5\n1,0.5\n".to_vec()),
        ("centerlen", b"t,value\n0,0.5\n".to_vec()),
        ("centershort", b"t,value\n0.2,0.5\n0.8,0.4\n".to_vec()),
    ]
}

/// All files, and a ledger.
fn place() -> Place {
    let place = Place::new();
    for (name, bytes) in files() {
        fs::write(place.path(&format!("{name}.csv")), bytes).unwrap();
    }
    fs::create_dir(place.path("folder")).unwrap();
    let terms = "--epsilon 3 --delta 1e-2 --unit subject --neighbours substitute --dataset waves";
    place.run(&format!("ledger create l {terms}")).succeeded();
    place
}

/// The command line with some arguments in place of the usual ones.
fn command(file: &str, changes: &str) -> Vec<String> {
    let mut pairs: Vec<(String, String)> = USUAL.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    pairs.push(("--ledger".to_owned(), "l".to_owned()));
    let mut changes = changes.split('|').filter(|change| !change.is_empty());
    while let Some(name) = changes.next() {
        if let Some(name) = name.strip_prefix('!') {
            pairs.retain(|(known, _)| known != name);
            continue;
        }
        let value = changes.next().unwrap().to_owned();
        match pairs.iter_mut().find(|(known, _)| known == name) {
            Some(pair) => pair.1 = value,
            None => pairs.push((name.to_owned(), value)),
        }
    }
    let name = if file == "folder" { file.to_owned() } else { format!("{file}.csv") };
    ["release".to_owned(), name].into_iter().chain(pairs.into_iter().flat_map(<[String; 2]>::from)).collect()
}

fn run(place: &Place, file: &str, changes: &str) -> Run {
    let arguments = command(file, changes);
    place.run_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Runs one mistake: the words are there and nothing else is, or the release is made.
fn judge(place: &Place, file: &str, changes: &str, outcome: &Outcome) {
    let before = place.names();
    match outcome {
        Outcome::Refused(words) => {
            let run = run(place, file, changes);
            assert_eq!(run.code, 2, "{file} {changes}: {}", run.text());
            for word in words {
                assert!(run.stderr.contains(word), "{file} {changes}: `{word}` in: {}", run.stderr);
            }
            assert!(run.stdout.is_empty() && !run.stderr.contains("panicked"), "{}", run.text());
        }
        Outcome::Released(_) => {
            run(place, file, &format!("{changes}|!--ledger")).succeeded();
            fs::remove_dir_all(place.path("out")).unwrap();
        }
    }
    assert_eq!(place.names(), before, "{file} {changes}: nothing is left behind");
}

fn assert_nothing_spent(place: &Place) {
    let words = place.run("ledger show l").succeeded().words();
    assert!(words.contains("spent nothing"), "{words}");
}

#[test]
fn mistakes_in_arguments_are_refused_in_words_that_help() {
    let place = place();
    for mistake in &mistakes("arguments") {
        judge(&place, mistake.file, mistake.arguments, &mistake.outcome);
    }
    let unknown = place.run("relase base.csv --out out");
    assert!(unknown.code == 2 && unknown.stderr.contains("'release'"), "{}", unknown.stderr);
    assert_nothing_spent(&place);
}

#[test]
fn mistakes_in_files_are_refused_in_words_that_help() {
    let place = place();
    for mistake in &mistakes("files") {
        judge(&place, mistake.file, mistake.arguments, &mistake.outcome);
    }
    assert_nothing_spent(&place);
}

#[test]
fn cells_are_numbers_missing_or_refused_and_never_something_else() {
    let place = place();
    let good = "\n3,0.1,0.4,0.7,0.0,0.3\n";
    for Mistake { arguments: cell, outcome, .. } in &mistakes("cells") {
        let text = String::from_utf8(files()[0].1.clone()).unwrap();
        assert!(text.contains(good));
        place.write("cell.csv", &text.replace(good, &format!("\n3,0.1,{cell},0.7,0.0,0.3\n")));
        judge(&place, "cell", "", outcome);
    }
    assert_nothing_spent(&place);
}

#[test]
fn what_the_curator_said_makes_a_release_of_what_was_refused() {
    let place = place();
    let text = String::from_utf8(files()[0].1.clone()).unwrap().replace("0.4,0.7,0.0,0.3\n", "-999,0.7,0.0,0.3\n");
    place.write("cell.csv", &text);
    for (file, changes, field, told) in [
        ("cell", "--missing|-999", "missing", serde_json::json!(["-999"])),
        ("num", "--values|*|--grid|uniform", "grid", serde_json::json!("uniform")),
        ("unequal", "--values|h*|--grid|names", "grid", serde_json::json!("names")),
        ("year", "--values|YEAR,h*", "columns", serde_json::json!(["YEAR", "h0", "h1", "h2", "h3"])),
        (
            "base",
            "--delta|0.5|--because|a rehearsal on invented curves",
            "reason",
            serde_json::json!("a rehearsal on invented curves"),
        ),
    ] {
        let run = run(&place, file, &format!("{changes}|!--ledger")).succeeded();
        assert!(run.words().contains("table "), "{}", run.stdout);
        let release = place.json("out/release.json");
        assert_eq!(release["source"][field], told, "{file} {changes}");
        assert_eq!(release["source"]["subject"], "ID");
        // what names a column of subjects protects subjects
        place.write("edited.json", &release.to_string().replace("\"unit\":\"subject\"", "\"unit\":\"curve\""));
        let shown = place.run("show edited.json");
        assert!(shown.code == 2 && shown.stderr.contains("privacy.unit"), "{}", shown.text());
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

fn row(number: usize, mistake: &str, outcome: &Outcome) -> String {
    let words = match outcome {
        Outcome::Refused(words) => format!("refused: {}", words.join(" ... ")),
        Outcome::Released(why) => format!("released: {why}"),
    };
    format!("| {number} | {mistake} | {} |\n", words.replace('|', "\\|").replace('<', "&lt;"))
}

/// The table of the page.
fn markdown() -> String {
    let mut rows = String::from("| | what was wrong | outcome, with words of the message |\n|---|---|---|\n");
    let lists = ["arguments", "files", "cells"].map(mistakes);
    for (number, Mistake { what, outcome, .. }) in lists.iter().flatten().enumerate() {
        let what =
            if number < lists[0].len() + lists[1].len() { (*what).to_owned() } else { format!("a cell: {what}") };
        rows += &row(number + 1, &what, outcome);
    }
    let refused = rows.matches("| refused:").count();
    let number = rows.lines().count() - 2;
    let mut page = format!(
        "{refused} of {number} are refused before anything is written or spent; the others are no mistakes.\n\n"
    );
    write!(page, "{rows}").unwrap();
    page
}

#[test]
fn the_page_shows_the_table_of_mistakes() {
    assert_page_shows("results/journey.md", "mistakes", &markdown());
}
