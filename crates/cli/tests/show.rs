//! `dpfda show`: the summary of a release again, from any document.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Place, SMALL, dti_like};

/// All documents of releases that come with the project, by their kinds.
fn committed() -> Vec<(String, PathBuf)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let folders = ["release_json", "density_json", "path_json"].map(|folder| corpus.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let kind = |path: &PathBuf| {
        let document: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).ok()?;
        document["kind"].as_str().map(str::to_owned)
    };
    files.filter_map(|path| Some((kind(&path)?, path))).collect()
}

/// The lines of a summary up to the words that say what may be done with it, without notes.
fn facts(summary: &str) -> Vec<String> {
    let (facts, _) = summary.trim_end().rsplit_once("\n\n").unwrap();
    facts.lines().map(str::to_owned).collect()
}

#[test]
fn the_summary_of_a_mean_is_the_one_that_was_printed_when_it_was_released() {
    let place = Place::new();
    let file = dti_like();
    let released = place.release(&file, "--values cca_* --subject ID --out out").succeeded().stdout;
    let again = place.run("show out/release.json").succeeded().stdout;
    assert_eq!(facts(&again), facts(&released));
    let words = again.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.ends_with("Nothing was drawn and nothing was spent."), "{words}");
    let smoothed = place.run("smooth out/release.json --band posterior --out other").succeeded().stdout;
    let again = place.run("show other/release.json").succeeded().stdout;
    assert_eq!(facts(&again)[1..], facts(&smoothed)[1..]);
}

#[test]
fn the_summary_of_groups_is_the_one_that_was_printed_when_they_were_released() {
    let place = Place::new();
    let group = |i: i32| ["case", "control"][usize::try_from(i % 2).unwrap()];
    let rows = (0..400).map(|i| format!("{},0.4,0.5,0.{}\n", group(i), 50 + i % 10)).collect::<Vec<_>>().concat();
    place.write("groups.csv", &format!("group,v1,v2,v3\n{rows}"));
    let released = place
        .run("release groups.csv --values v* --by group --bounds 0,1 --epsilon 1 --delta 1e-5 --out out")
        .succeeded();
    assert_eq!(facts(&place.run("show out/release.json").succeeded().stdout), facts(&released.stdout));
}

#[test]
fn a_figure_is_drawn_again_with_another_title_and_as_it_was_where_nothing_else_is_said() {
    let place = Place::new();
    let group = |i: i32| ["case", "control"][usize::try_from(i % 2).unwrap()];
    let rows = (0..400).map(|i| format!("{},0.4,0.5,0.{}\n", group(i), 50 + i % 10)).collect::<Vec<_>>().concat();
    place.write("groups.csv", &format!("group,v1,v2,v3\n{rows}"));
    let release = "release groups.csv --values v* --by group --bounds 0,1 --epsilon 1 --delta 1e-5 --out out";
    place.run(&format!("{release} --y-label glucose --units mmol/L")).succeeded();
    assert!(place.run("show out").succeeded().words().contains("values glucose (mmol/L)"));
    place.run("show out --figure again.svg").succeeded();
    assert_eq!(place.bytes("again.svg"), place.bytes("out/release.svg"));
    place.run("show out --figure other.svg --title Knees --x-label cycle --size 400x300").succeeded();
    let other = String::from_utf8(place.bytes("other.svg")).unwrap();
    assert!(["Knees", "cycle", "glucose (mmol/L)"].iter().all(|said| other.contains(said)), "{other}");
    place.run("show out --figure units.svg --units mg/dL").succeeded();
    let units = String::from_utf8(place.bytes("units.svg")).unwrap();
    assert!(["glucose (mg/dL)", "difference (mg/dL)"].iter().all(|said| units.contains(said)), "{units}");
    place.run("show out --figure axis.svg --s-label day").refused("--s-label is no setting of");
    place.run("show out --title Knees").refused("no figure was asked for");
    place.run("show out --figure other.svg").refused("exists");
    place.run("show out --figure other.txt").refused(".svg, .pdf or .png");
}

#[test]
fn every_kind_of_document_has_a_summary() {
    let place = Place::new();
    let mut kinds = Vec::new();
    for (kind, path) in committed() {
        let run = place.run_with(&["show", path.to_str().unwrap()]);
        if kind == "kept-path" {
            // the owner's file: whoever has it can publish more of the path
            assert!(run.code == 2 && run.stdout.is_empty(), "{}", run.text());
            continue;
        }
        let run = run.succeeded();
        let words = run.words();
        for said in ["(epsilon, delta) = ", "privacy", "unit", "mechanism"] {
            assert!(words.contains(said), "{kind}: `{said}` in {}", run.stdout);
        }
        let is_private = fs::read_to_string(&path).unwrap().contains("\"private\": true");
        assert_eq!(words.contains("NOT PRIVATE"), !is_private, "{kind}: {}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 90), "{}", run.stdout);
        kinds.push(kind);
    }
    kinds.sort();
    kinds.dedup();
    let all =
        ["groups", "histogram", "ks-exponential", "mean", "path", "series", "series-exponential", "smoothed-histogram"];
    assert_eq!(kinds, all);
}

#[test]
fn a_release_of_a_ledger_says_where_it_stands() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place
        .run("ledger create l --epsilon 1 --delta 1e-5 --unit curve --neighbours substitute --dataset growth")
        .succeeded();
    let release = place.release("small.csv", "--values v* --out out --ledger l --release-id one");
    let words = release.succeeded().words();
    let hash = place.json("out/release.json")["ledger"]["head"].as_str().unwrap().to_owned();
    assert!(words.contains(&hash));
    let shown = place.run("show out/release.json").succeeded().words();
    assert!(
        shown.contains(&format!("release one, entry 1 of the ledger of growth; the hash of the entry is {hash}")),
        "{shown}"
    );
}

#[test]
fn what_is_no_release_is_refused_without_being_quoted() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.write("edited.json", "{\"schema\": 3, \"kind\": \"mean\", \"secret\": 0.41}");
    for file in ["small.csv", "edited.json", "missing.json"] {
        let run = place.run(&format!("show {file}"));
        assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.contains("0.41"), "{file}: {}", run.text());
        assert!(run.stderr.contains(file) && !run.stderr.contains("panicked"), "{}", run.stderr);
    }
}
