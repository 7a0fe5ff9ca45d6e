//! The guide is true: every command on its pages runs on the data that ship with the project, as it stands.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dpfda_study::{Kind, SETTINGS, Section};

use crate::common::{COMMAND, Place, Run, assert_page_shows};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path.as_ref()))
        .unwrap_or_else(|fault| panic!("{}: {fault}", path.as_ref().display()))
}

/// Pages of the guide: those of the folder itself and of the kinds, and the README.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: &str| fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let pages = in_folder("docs").chain(in_folder("docs/kinds"));
    let mut pages: Vec<PathBuf> = pages.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// What stands in the fenced blocks of a language, with what they include, but for commands of cargo.
fn blocks(page: &Path, language: &str) -> String {
    let text = fs::read_to_string(page).unwrap();
    let mut found = String::new();
    for block in text.split(&format!("```{language}\n")).skip(1) {
        let code = block.split("```").next().unwrap();
        if code.starts_with("cargo") {
            continue;
        }
        for line in code.lines() {
            let included = line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
            let included = included.map(|file| fs::read_to_string(page.parent().unwrap().join(file)).unwrap());
            found += included.as_deref().unwrap_or(line);
            found += "\n";
        }
    }
    found
}

/// A place that looks like the folder of the repository, as far as the guide goes.
fn place() -> Place {
    let place = Place::new();
    for folder in ["data", "docs"] {
        std::os::unix::fs::symlink(root().join(folder), place.path(folder)).unwrap();
    }
    place
}

/// Runs a script by a shell that stops at the first command that fails.
fn run(place: &Place, script: &str) -> Run {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", Path::new(COMMAND).parent().unwrap().display());
    let mut shell = Command::new("bash");
    shell
        .args(["-e", "-c", script])
        .env("PATH", path)
        .env("DPFDA_PASSPHRASE", "of the tests")
        .current_dir(place.path("."));
    Run::of(&shell.output().unwrap())
}

#[test]
fn every_command_of_the_guide_runs_on_the_shipped_data_as_it_stands() {
    let run_page = |page: &PathBuf| {
        let script = blocks(page, "sh");
        let place = place();
        // the page of studies says so in words
        if let Some(study) = script.contains("study.toml").then(|| blocks(page, "toml")).filter(|text| !text.is_empty())
        {
            place.write("study.toml", &study);
        }
        let run = run(&place, &script);
        assert_eq!(run.code, 0, "{}: {}", page.display(), run.text());
        script.matches("dpfda ").count()
    };
    let commands: usize = std::thread::scope(|scope| {
        let pages: Vec<_> = pages().into_iter().map(|page| scope.spawn(move || run_page(&page))).collect();
        pages.into_iter().map(|page| page.join().unwrap()).sum()
    });
    assert!(commands > 50, "{commands} commands");
}

/// What the pages say of their examples; with noise from a seed, which is the same in every run.
#[test]
fn the_examples_of_the_guide_show_what_their_pages_say() {
    let shown = [
        ("groups", "p = "),
        ("change", "The mean and the centre cannot be told apart"),
        ("regression", "maximum at"),
        ("components", "2 can be told from the privacy noise"),
        ("rows", "over the end of the domain"),
        ("surface", "largest"),
    ];
    for (example, words) in shown {
        let script = read(format!("docs/snippets/{example}/command.sh"));
        let (release, after) = script.split_once("--out ").unwrap();
        let run = run(&place(), &format!("{release}--not-private --seed 1 --out {after}")).succeeded();
        assert!(run.words().contains(words), "{example}: {}", run.stdout);
    }
}

#[test]
fn the_study_of_every_example_is_what_its_command_asks_for() {
    let mut studies = 0;
    for kind in Kind::ALL {
        let folder = format!("docs/snippets/{}", kind.word());
        let script = read(format!("{folder}/command.sh"));
        let (_, out) = script.split_once("--out ").unwrap();
        let out = out.split_whitespace().next().unwrap();
        let script = format!("{script}\ndpfda verify {out} --study {folder}/study.toml");
        let run = run(&place(), &script);
        assert_eq!(run.code, 0, "{folder}: {}", run.text());
        studies += 1;
    }
    assert_eq!(studies, 8);
}

#[test]
fn a_custodian_finds_every_answer_of_the_guide_in_the_report() {
    let place = place();
    let page = root().join("docs/custodian.md");
    run(&place, &blocks(&page, "sh")).succeeded();
    let report = fs::read_to_string(place.path("report.html")).unwrap();
    let mut text = String::new();
    for piece in report.split('<').skip(1) {
        let (tag, words) = piece.split_once('>').unwrap();
        if !tag.starts_with("style") {
            let _ = write!(text, " {words}");
        }
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let table = fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && line.contains('"')).collect();
    assert_eq!(rows.len(), 12);
    for row in rows {
        for quoted in row.split('"').skip(1).step_by(2) {
            assert!(text.contains(quoted), "{quoted}");
        }
    }
}

/// Every setting of a section, with its default, its kinds and its help.
fn settings() -> String {
    let mut page = String::new();
    for section in Section::ALL {
        let _ = writeln!(page, "## `[{}]`\n", section.path());
        for setting in SETTINGS.iter().filter(|setting| setting.section == section) {
            let of: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| setting.is_of(*kind)).collect();
            let names: Vec<&str> = of.iter().map(|kind| kind.word()).collect();
            let kinds = if names.len() == Kind::ALL.len() { "all kinds".to_owned() } else { names.join(", ") };
            let default = of.iter().find_map(|kind| setting.default_text(*kind));
            let default = default.map_or_else(String::new, |text| format!("; by default {}", plain(&text)));
            let _ = writeln!(
                page,
                "**`{} = {}`** ({kinds}{default})\n\n{}.",
                setting.name,
                setting.value,
                plain(&setting.short())
            );
            if let Some(more) = setting.more() {
                let _ = writeln!(page, "{}", plain(&more).replace("\n\n", "\n"));
            }
            for word in setting.words(&of) {
                let _ = writeln!(page, "`{}`: {}.", word.name, plain(word.help));
            }
            page.push('\n');
        }
    }
    page
}

/// A help text as it stands on a page: other settings, in braces, are code, and nothing is markup.
fn plain(text: &str) -> String {
    text.replace('<', "&lt;").replace('*', "\\*").replace(['{', '}'], "`")
}

#[test]
fn the_page_of_settings_is_what_the_table_says() {
    assert_page_shows("settings.md", "settings", &settings());
}
