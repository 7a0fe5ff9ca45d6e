//! Where a release goes: a directory that is complete or not there, and never in place of anything else.

use std::fs;

use crate::common::{Place, Run, SMALL};

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
    // beside a release, and alone
    let place = released();
    place.write("out/notes.txt", "mine");
    let force = |place: &Place| place.release("small.csv", "--values v* --out out --force");
    refused(&place, || force(&place), "notes.txt");
    fs::remove_dir_all(place.path("out")).unwrap();
    fs::create_dir(place.path("out")).unwrap();
    place.write("out/notes.txt", "mine");
    refused(&place, || force(&place), "notes.txt");
}

/// A place with private curves, and a release of them in `out`.
fn released() -> Place {
    let place = Place::new();
    place.write("small.csv", SMALL);
    place.release("small.csv", "--values v* --select default --out out").succeeded();
    place
}

/// A run that must be refused in these words, and change nothing in `out`.
fn refused(place: &Place, run: impl FnOnce() -> Run, words: &str) {
    let before = place.tree("out");
    let run = run();
    assert_eq!(run.code, 2, "{}", run.text());
    assert!(run.stderr.contains("--out") && run.stderr.contains(words), "`{words}` in {}", run.stderr);
    assert_eq!(place.tree("out"), before);
    assert!(place.names().iter().all(|name| !name.starts_with('.')), "nothing hidden is left");
}

#[test]
fn force_does_not_replace_private_files_that_have_the_names_of_a_release() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::create_dir(place.path("out")).unwrap();
    place.write("out/release.csv", SMALL);
    let force = || place.release("small.csv", "--values v* --out out --force");
    refused(&place, force, "no release.json among them says that dpfda wrote it");
    for document in [
        SMALL,
        "{}",
        "{\"schema\":1,\"ball\":{}}",
        "{\"schema\":1,\"software\":\"other 1.0\",\"ball\":{}}",
        "{\"schema\":9,\"software\":\"dpfda 0.1.0\",\"ball\":{}}",
        "[[[[",
    ] {
        place.write("out/release.json", document);
        refused(&place, force, "may be something else");
    }
}

#[test]
fn force_does_not_replace_the_directory_of_a_file_that_the_command_reads() {
    let place = released();
    let values = "--values v* --out out --force";
    // a public curve, where a release was proved to be
    let center = format!("small.csv --grid 0,1 --center out/release.csv {values}");
    let with_center = |arguments: &str| {
        let rest = "--radius 0.25 --radius-share none --epsilon 1 --delta 1e-5";
        place.run(&format!("release {arguments} {rest}"))
    };
    refused(&place, || with_center(&center), "`out/release.csv` lies in that directory");
    // private curves among the files of a release
    place.write("out/release.csv", SMALL);
    for file in ["out/release.csv", "./out/release.csv", "out/../out/release.csv"] {
        refused(&place, || place.release(file, values), "lies in that directory");
    }
    let absolute = place.path("out/release.csv");
    refused(&place, || place.release(absolute.to_str().unwrap(), values), "lies in that directory");
    refused(&place, || place.release("out/release.csv", "--values v* --out ./out/ --force"), "lies in that directory");
}

#[cfg(unix)]
#[test]
fn force_finds_an_input_in_the_directory_by_whatever_way_leads_there() {
    use std::os::unix::fs::symlink;

    let place = released();
    place.write("out/release.csv", SMALL);
    symlink("out/release.csv", place.path("link.csv")).unwrap();
    symlink(".", place.path("here")).unwrap();
    for file in ["link.csv", "here/out/release.csv", "here/here/link.csv"] {
        for out in ["out", "here/out"] {
            let more = format!("--values v* --out {out} --force");
            refused(&place, || place.release(file, &more), "lies in that directory");
        }
    }
}

#[test]
fn force_refuses_points_and_curves_of_other_commands_in_the_directory() {
    let place = Place::new();
    place.write("points.csv", "x\n0.1\n0.2\n0.3\n");
    let density = "--columns x --bounds 0,1 --epsilon 1 --cells 2";
    place.run(&format!("release points.csv {density} --draws 3 --out out")).succeeded();
    let again = format!("release out/synthetic.csv {density} --out out --force");
    refused(&place, || place.run(&again), "`out/synthetic.csv` lies in that directory");
}

#[test]
fn force_does_not_delete_a_foreign_subtree() {
    let place = released();
    for name in ["thesis", ".git", "selection.csv"] {
        fs::create_dir(place.path(&format!("out/{name}"))).unwrap();
        place.write(&format!("out/{name}/years-of-work.tex"), "all of it");
        let force = || place.release("small.csv", "--values v* --out out --force");
        refused(&place, force, &format!("also holds `{name}`"));
        fs::remove_dir_all(place.path(&format!("out/{name}"))).unwrap();
    }
    place.release("small.csv", "--values v* --out out --force").succeeded();
}

#[cfg(unix)]
#[test]
fn force_does_not_replace_links_and_devices() {
    let place = released();
    place.write("precious.csv", SMALL);
    let force = || place.release("small.csv", "--values v* --out out --force");
    for name in ["release.json", "release.csv"] {
        fs::rename(place.path(&format!("out/{name}")), place.path("aside")).unwrap();
        for target in ["precious.csv", "aside", "nowhere", "."] {
            std::os::unix::fs::symlink(place.path(target), place.path(&format!("out/{name}"))).unwrap();
            refused(&place, force, &format!("`{name}`, which is not a plain file"));
            fs::remove_file(place.path(&format!("out/{name}"))).unwrap();
        }
        let made = std::process::Command::new("mkfifo").arg(place.path(&format!("out/{name}"))).status();
        if made.is_ok_and(|status| status.success()) {
            let run = force();
            assert!(run.code == 2 && run.stderr.contains("not a plain file"), "{}", run.text());
            fs::remove_file(place.path(&format!("out/{name}"))).unwrap();
        }
        fs::rename(place.path("aside"), place.path(&format!("out/{name}"))).unwrap();
    }
    assert_eq!(fs::read_to_string(place.path("precious.csv")).unwrap(), SMALL);
}

#[test]
fn a_slash_at_the_end_of_a_directory_changes_nothing() {
    let place = released();
    for out in ["out/", "./out", "out/.", "out//"] {
        assert_eq!(place.release("small.csv", &format!("--values v* --out {out}")).code, 2);
        let before = place.bytes("out/release.json");
        place.release("small.csv", &format!("--values v* --out {out} --force")).succeeded();
        assert_ne!(place.bytes("out/release.json"), before);
        assert_eq!(place.names(), ["out", "small.csv"]);
    }
}

#[test]
fn force_does_not_replace_what_the_curator_alone_did_not_write() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let crossval = "crossval small.csv --values v* --center 0.5 --folds 2 --kernel gaussian --range 0.1 --penalty 0.01";
    let crossval = format!("{crossval} --out out --force");
    fs::create_dir(place.path("out")).unwrap();
    for scores in ["id,score\na,1\n", "NOT PRIVATE - CURATOR ONLY", "kernel,range,penalty,eta,score\n"] {
        place.write("out/scores.csv", scores);
        refused(&place, || place.run(&crossval), "no scores.csv among them is as dpfda writes it");
    }
    fs::remove_file(place.path("out/scores.csv")).unwrap();
    place.write("out/scores.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>");
    refused(&place, || place.run(&crossval), "may be something else");
    fs::remove_file(place.path("out/scores.svg")).unwrap();
    place.run(&crossval).succeeded();
    place.run(&crossval).succeeded();
    let inside = crossval.replace("small.csv", "out/scores.csv");
    refused(&place, || place.run(&inside), "lies in that directory");
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

#[cfg(unix)]
#[test]
fn a_link_to_a_release_is_refused_with_a_slash_at_its_end_too() {
    let place = released();
    std::os::unix::fs::symlink("out", place.path("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path("dangling")).unwrap();
    for out in ["link", "link/", "./link//", "link/.", "dangling", "dangling/"] {
        for force in ["", "--force"] {
            let force = || place.release("small.csv", &format!("--values v* --out {out} {force}"));
            refused(&place, force, "is a symbolic link");
        }
    }
}

/// Runs `release` in a shell with this umask.
#[cfg(unix)]
fn released_under(umask: &str, place: &Place, before: &str, more: &str) -> std::process::Output {
    let script = format!(
        "umask {umask}; {before} exec \"$0\" release small.csv --values 'v*' --center 0.5 --radius 0.25 --radius-share none \
         --epsilon 1 --delta 1e-5 {more} --out out"
    );
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_dpfda")]).current_dir(place.path(".")).output().unwrap()
}

#[cfg(unix)]
fn mode(place: &Place, name: &str) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&fs::symlink_metadata(place.path(name)).unwrap().permissions()) & 0o777
}

#[cfg(unix)]
#[test]
fn what_is_published_has_the_modes_that_the_umask_allows() {
    for (umask, directory, file) in [
        ("000", 0o777, 0o666),
        ("022", 0o755, 0o644),
        ("027", 0o750, 0o640),
        ("077", 0o700, 0o600),
        ("002", 0o775, 0o664),
        ("0277", 0o500, 0o400),
    ] {
        let place = Place::new();
        place.write("small.csv", SMALL);
        let output = released_under(umask, &place, "", "");
        assert!(output.status.success(), "{umask}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(mode(&place, "out"), directory, "{umask}");
        for name in ["release.json", "release.csv", "release.svg", "release.png"] {
            assert_eq!(mode(&place, &format!("out/{name}")), file, "{umask}: {name}");
        }
    }
}

/// A release that is interrupted leaves its hidden directory as it was while the release was made.
#[cfg(target_os = "linux")]
#[test]
fn nobody_else_may_look_into_a_directory_that_is_not_published_whatever_the_umask() {
    for umask in ["000", "022", "077", "0277", "0777"] {
        for trap in ["trap '' XFSZ;", ""] {
            let place = Place::new();
            place.write("small.csv", SMALL);
            let output = released_under(umask, &place, &format!("{trap} ulimit -f 4;"), "");
            assert!(!output.status.success() && !place.path("out").exists());
            let hidden = place.names().into_iter().find(|name| name.starts_with(".dpfda-")).unwrap();
            assert_eq!(mode(&place, &hidden), 0o700, "{umask}");
            let files: Vec<_> = fs::read_dir(place.path(&hidden)).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(!files.is_empty());
            for file in files {
                assert_eq!(mode(&place, file.to_str().unwrap()), 0o600, "{umask}: {}", file.display());
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn what_is_for_the_curator_is_the_curators_whatever_the_umask() {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let script = "umask 000; exec \"$0\" crossval small.csv --values 'v*' --center 0.5 --folds 2 --kernel gaussian --range 0.1 \
                  --penalty 0.01 --out out";
    let mut command = std::process::Command::new("sh");
    let output =
        command.args(["-c", script, env!("CARGO_BIN_EXE_dpfda")]).current_dir(place.path(".")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        [mode(&place, "out"), mode(&place, "out/scores.csv"), mode(&place, "out/scores.svg")],
        [0o700, 0o600, 0o600]
    );
}

#[cfg(unix)]
#[test]
fn control_characters_in_a_path_are_escaped_wherever_the_path_is_printed() {
    const NAME: &str = "a\u{1b}[31m\nerror: b\u{202e}\u{7f}";
    const SHOWN: &str = "a\\u{1b}[31m\\nerror: b\\u{202e}\\u{7f}";
    let place = Place::new();
    place.write("small.csv", SMALL);
    let run = |arguments: &[&str]| {
        let run = place.run_with(arguments);
        // the summary wraps its lines, at spaces alone
        assert!(
            run.text().contains("\\u{1b}[31m\\nerror:") && run.text().contains("b\\u{202e}\\u{7f}"),
            "{}",
            run.text()
        );
        assert!(!run.text().contains(['\u{1b}', '\u{202e}', '\u{7f}']), "{}", run.text());
        run
    };
    let release = |file: &str, more: &[&str]| {
        let mut arguments = vec!["release", file, "--values", "v*"];
        arguments.extend(crate::common::PUBLIC);
        arguments.extend(more);
        run(&arguments)
    };
    assert_eq!(release(NAME, &["--out", "out"]).code, 2);
    let missing = &format!("{NAME}.json")[..];
    release("small.csv", &["--out", NAME]).succeeded();
    assert!(release("small.csv", &["--out", NAME]).stderr.contains(&format!("`{SHOWN}` exists")));
    fs::write(place.path(NAME).join(NAME), "").unwrap();
    assert!(release("small.csv", &["--out", NAME, "--force"]).stderr.contains(&format!("also holds `{SHOWN}`")));
    for arguments in [
        // the directory of a release stands for the release
        vec!["evaluate", missing, "--at", "0"],
        vec!["smooth", missing, "--penalty", "1", "--out", "out"],
        vec!["audit", missing],
        vec!["ledger", "show", NAME],
        vec!["release", NAME, "--columns", "x", "--bounds", "0,1", "--epsilon", "1", "--out", "out"],
        vec!["crossval", NAME, "--values", "v*", "--center", "0.5"],
        vec![
            "release",
            "small.csv",
            "--values",
            "v*",
            "--center",
            NAME,
            "--radius",
            "1",
            "--radius-share",
            "none",
            "--epsilon",
            "1",
            "--delta",
            "1e-5",
            "--out",
            "o",
        ],
    ] {
        assert_eq!(run(&arguments).code, 2, "{arguments:?}");
    }
    let ledger = ["--epsilon", "1", "--delta", "0", "--unit", "curve", "--neighbours", "substitute", "--dataset", "d"];
    let name = format!("{NAME}.ledger");
    run(&[["ledger", "create", &name].as_slice(), &ledger].concat()).succeeded();
    run(&["ledger", "show", &name]).succeeded();
}

/// Runs `release` in a shell that may write files of so many blocks of 512 bytes; the signal is the shell's to ignore.
#[cfg(target_os = "linux")]
fn released_on_a_full_disk(place: &Place, blocks: u32, trap: &str) -> (Option<i32>, String) {
    let script = format!(
        "{trap} ulimit -f {blocks}; exec \"$0\" release small.csv --values 'v*' --center 0.5 --radius 0.25 --radius-share none --epsilon 1 --delta 1e-5 \
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
    let (code, stderr) = released_on_a_full_disk(&place, 10, "trap '' XFSZ;");
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
