//! Where a release goes: a directory that is complete or not there, and never in place of anything else.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;

use common::{Place, SMALL};

#[test]
fn a_release_is_replaced_by_force_only() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out out").succeeded();
    let before = place.bytes("out/release.json");
    let refused = place.release("small.csv", "--values v* --out out");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("--force") && refused.stderr.contains("`out`"), "{}", refused.stderr);
    assert_eq!(place.bytes("out/release.json"), before);
    place.release("small.csv", "--values v* --out out --force").succeeded();
    assert_ne!(place.bytes("out/release.json"), before);
    assert_eq!(place.names(), ["out", "small.csv"], "the old release is gone, nothing hidden is left");
}

#[test]
fn force_does_not_replace_a_directory_that_holds_anything_else() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::create_dir(place.path("data")).unwrap();
    place.write("data/curves.csv", SMALL);
    let run = place.release("data/curves.csv", "--values v* --out data --force");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("curves.csv"), "{}", run.stderr);
    assert!(place.path("data/curves.csv").exists());
    let run = place.release("data/curves.csv", "--values v* --out small.csv --force");
    assert_eq!(run.code, 2);
    assert_eq!(fs::read_to_string(place.path("small.csv")).unwrap(), SMALL);
}

#[test]
fn an_empty_directory_is_output_that_exists() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::create_dir(place.path("out")).unwrap();
    let run = place.release("small.csv", "--values v* --out out");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--out") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 0);
    assert_eq!(place.names(), ["out", "small.csv"]);
}

#[test]
fn output_that_cannot_be_written_is_refused_by_name() {
    let cases = [
        ("missing/out", "`missing`"),
        ("small.csv/out", "`small.csv"),
        ("small.csv --force", "not a directory"),
        ("..", "name of a new directory"),
    ];
    for (out, words) in cases {
        let place = Place::new();
        place.write("small.csv", SMALL);
        let run = place.release("small.csv", &format!("--values v* --out {out}"));
        assert_eq!(run.code, 2, "{out}");
        assert!(run.stderr.contains("--out") && run.stderr.contains(words), "{}", run.stderr);
        assert!(run.stdout.is_empty());
        assert_eq!(place.names(), ["small.csv"]);
    }
}

#[test]
fn output_without_a_name_is_refused() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let run = place.run_with(&["release", "small.csv", "--values", "v*", "--out", ""]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--out") && run.stderr.contains("a directory is needed"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_directory_is_refused_as_a_link() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::create_dir(place.path("real")).unwrap();
    std::os::unix::fs::symlink(place.path("real"), place.path("link")).unwrap();
    for force in ["", "--force"] {
        let run = place.release("small.csv", &format!("--values v* --out link {force}"));
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("symbolic link") && !run.stderr.contains("not a directory"), "{}", run.stderr);
    }
}

/// Runs `release` in a shell that may write files of so many blocks of 512 bytes; the signal is the shell's to ignore.
#[cfg(target_os = "linux")]
fn released_on_a_full_disk(place: &Place, blocks: u32, trap: &str) -> (Option<i32>, String) {
    let script = format!(
        "{trap} ulimit -f {blocks}; exec \"$0\" release small.csv --values 'v*' --center 0.5 --radius 0.25 --epsilon 1 --delta 1e-5 \
         --force --out out"
    );
    let mut command = std::process::Command::new("sh");
    let output =
        command.args(["-c", &script, env!("CARGO_BIN_EXE_dpfda")]).current_dir(place.path(".")).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_what_was_there_and_says_that_the_budget_is_spent() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --out out").succeeded();
    let before = place.bytes("out/release.json");
    // release.json and release.csv fit, the figure does not
    let (code, stderr) = released_on_a_full_disk(&place, 4, "trap '' XFSZ;");
    assert_eq!(code, Some(1), "{stderr}");
    for words in ["cannot write release.svg", "count the budget as spent", ".dpfda-"] {
        assert!(stderr.contains(words), "{stderr}");
    }
    assert_eq!(place.bytes("out/release.json"), before);
    let kept = place.names().into_iter().find(|name| name.starts_with(".dpfda-")).unwrap();
    let rest = place.run(&format!("smooth {kept}/release.json --penalty 0.1 --out rest"));
    assert_eq!(rest.code, 0, "{}", rest.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_release_that_is_killed_while_it_writes_is_not_there() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let (code, _) = released_on_a_full_disk(&place, 4, "");
    assert_eq!(code, None, "killed by the signal");
    assert!(!place.path("out").exists());
    place.release("small.csv", "--values v* --out out").succeeded();
}

#[cfg(unix)]
#[test]
fn a_parent_that_takes_no_files_is_refused_by_name() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::create_dir(place.path("locked")).unwrap();
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(place.path("locked/probe"), "").is_ok() {
        eprintln!("SKIPPED: this user may write anywhere");
        return;
    }
    let run = place.release("small.csv", "--values v* --out locked/out");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--out") && run.stderr.contains("`locked`"), "{}", run.stderr);
}
