//! The book of `docs`: its Rust examples run, every page stands in it, and every link of it leads somewhere in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::house_rules::prose;

/// The examples of the pages, each a program: they run in the folder of the repository, as tests of this crate do.
macro_rules! examples {
    ($($name:ident)*) => {$(
        mod $name {
            include!(concat!("../docs/snippets/", stringify!($name), "/example.rs"));

            #[test]
            fn the_example_of_the_page_runs() {
                main().unwrap();
            }
        }
    )*};
}

examples! { centiles change components density groups mean numbers regression rows surface }

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn pages() -> Vec<PathBuf> {
    files(&docs()).into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// Targets of the links of a text, without those of the web.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).map(str::to_owned).collect()
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What is wrong with a link of a page: it leads out of the book, to no file, or to no heading.
fn fault(page: &Path, target: &str) -> Option<String> {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    let Ok(path) = path.canonicalize() else { return Some("no such file".to_owned()) };
    if !path.starts_with(docs().canonicalize().unwrap()) {
        return Some("leads out of the book: name the path in backticks".to_owned());
    }
    let has_heading = || {
        let text = prose(&fs::read_to_string(&path).unwrap());
        text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
    };
    (!heading.is_empty() && !has_heading()).then(|| "no such heading".to_owned())
}

/// Whoever reads the guide reads all of it: what grows beyond this wants to be cut, not moved.
#[test]
fn the_guide_the_readme_and_the_changelog_are_short() {
    let folders = ["adr", "papers", "proofs", "results"].map(|name| docs().join(name));
    let reference = ["SUMMARY", "settings", "kinds", "release-format", "notation", "dependencies", "python/api"];
    let reference = reference.map(|name| docs().join(name).with_extension("md"));
    let is_guide = |page: &PathBuf| !reference.contains(page) && !folders.iter().any(|folder| page.starts_with(folder));
    let words = |page: PathBuf| fs::read_to_string(page).unwrap().split_whitespace().count();
    let guide: usize = pages().into_iter().filter(is_guide).map(words).sum();
    assert!((10_000..=25_000).contains(&guide), "{guide} words");
    let readme = fs::read_to_string(docs().join("../README.md")).unwrap();
    assert!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    let changes = words(docs().join("../CHANGELOG.md"));
    assert!(changes <= 1_000, "{changes} words of changes: what a user of a version must know, and no more");
}

#[test]
fn every_page_stands_once_in_the_summary() {
    let summary = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let named: Vec<PathBuf> = links(&summary).iter().map(|link| docs().join(link)).collect();
    let pages: BTreeSet<PathBuf> = pages().into_iter().filter(|path| !path.ends_with("SUMMARY.md")).collect();
    assert_eq!(named.iter().cloned().collect::<BTreeSet<_>>(), pages);
    assert_eq!(named.len(), pages.len(), "a page stands there twice");
}

#[test]
fn every_link_of_a_page_leads_to_a_place_in_the_book() {
    let page = docs().join("start.md");
    assert_eq!(anchor("## 10. Slopes over a window, areas"), "10-slopes-over-a-window-areas");
    assert!(fault(&page, "read.md#the-band").is_none() && fault(&page, "#install").is_none());
    for planted in ["no.md", "read.md#no-band", "../README.md"] {
        assert!(fault(&page, planted).is_some(), "{planted}");
    }
    for page in pages() {
        for link in links(&fs::read_to_string(&page).unwrap()) {
            assert_eq!(fault(&page, &link), None, "{}: {link}", page.display());
        }
    }
}

#[test]
fn every_file_that_a_page_includes_exists_and_every_example_is_included() {
    let mut included = BTreeSet::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for file in text.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next()) {
            let path = page.parent().unwrap().join(file);
            included.insert(path.canonicalize().unwrap_or_else(|_| panic!("{} includes {file}", page.display())));
        }
    }
    for file in files(&docs().join("snippets").canonicalize().unwrap()) {
        let is_of_a_command = file.ends_with("custodian/study.toml");
        assert!(is_of_a_command || included.contains(&file), "no page shows {}", file.display());
    }
}
