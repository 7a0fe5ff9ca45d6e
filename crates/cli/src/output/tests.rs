#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use dpfda::analysis::{Band, DEFAULT_LEVEL, Estimated};
use dpfda::prelude::*;
use dpfda::release::Mean;
use dpfda_study::{Selected, Selection};
use tempfile::TempDir;

use super::{Contents, OutputDirectory, OutputError, disk};
use crate::answered::Answered;
use crate::error::CliError;
use crate::look::Look;
use crate::refusal::Refusal;

/// A release with the band of its noise.
fn estimated(release: MeanRelease) -> Estimated<Mean> {
    Estimated::<Mean>::new(release, &Band::Noise, DEFAULT_LEVEL).unwrap()
}

fn release() -> MeanRelease {
    let layout = CurveLayout::new("v*").unwrap();
    let curves = CurveSet::from_csv_reader("v1,v2\n0.4,0.5\n0.5,0.6\n".as_bytes(), &layout).unwrap();
    let ball = Ball::new(Center::Constant(0.5), 0.25).unwrap();
    let private_mean =
        PrivateMean::isonormal(ball, PrivacyBudget::new(1.0, 1e-5).unwrap()).buying(dpfda::release::BallShares::NONE);
    private_mean.release(&curves, &mut SeededRandomness::from_seed(1)).unwrap()
}

/// As much of a release as shows what it is.
const DOCUMENT: &str = "{\"schema\":3,\"kind\":\"mean\",\"software\":\"dpfda 0.1.0\"}";

fn write(output: &OutputDirectory, table: &str) {
    output.write("release.json", DOCUMENT.as_bytes()).unwrap();
    output.write("release.csv", table.as_bytes()).unwrap();
}

/// An earlier release with this table.
fn make_earlier(target: &Path, table: &str) {
    fs::create_dir(target).unwrap();
    fs::write(target.join("release.json"), DOCUMENT).unwrap();
    fs::write(target.join("release.csv"), table).unwrap();
}

fn entries(place: &TempDir) -> usize {
    fs::read_dir(place.path()).unwrap().count()
}

#[test]
fn nothing_is_left_of_output_that_is_not_published() {
    let place = TempDir::new().unwrap();
    let output = OutputDirectory::prepare(&place.path().join("out"), Contents::Release, false, &[]).unwrap();
    assert_eq!(entries(&place), 1);
    drop(output);
    assert_eq!(entries(&place), 0);
}

#[test]
fn a_release_without_a_place_is_kept_rather_than_lost() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    let output = OutputDirectory::prepare(&target, Contents::Release, false, &[]).unwrap();
    fs::create_dir(&target).unwrap();
    let selected = Selected::of(&release()).unwrap();
    let (release, selection) = (selected.release.clone(), Selection::Chosen(Box::new(selected)));
    assert!(
        matches!(
            Answered::estimated(estimated(release), selection, Look::default()).unwrap().written(&output),
            Err(CliError::Refused { refusal: Refusal::Output(OutputError::Exists { .. }) })
        ),
        "somebody was faster"
    );
    let kept = output.keep();
    // nobody signs here
    for file in Contents::Release.files().iter().filter(|file| !file.ends_with(".minisig")) {
        assert!(kept.join(file).exists(), "{file}");
    }
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_takes_its_place_in_one_step() {
    let place = TempDir::new().unwrap();
    let path = |name: &str| place.path().join(name);
    for name in ["old", "new"] {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join("file"), name).unwrap();
    }
    let content = |name: &str| fs::read_to_string(path(name).join("file")).unwrap();
    if !disk::exchange(&path("new"), &path("old")).unwrap() {
        eprintln!("SKIPPED: this file system cannot exchange directories");
        return;
    }
    assert_eq!((content("old"), content("new")), ("new".into(), "old".into()), "both there, at every moment");
    // an empty directory, which a plain rename replaces without a word
    fs::create_dir(path("empty")).unwrap();
    let refused = disk::rename_to_new(&path("new"), &path("empty")).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(content("new"), "old");
    disk::rename_to_new(&path("new"), &path("free")).unwrap();
    assert_eq!(content("free"), "old");
}

#[test]
fn where_directories_cannot_be_exchanged_the_old_one_is_moved_aside_first() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    make_earlier(&target, "old");
    let output = OutputDirectory::prepare(&target, Contents::Release, true, &[]).unwrap();
    write(&output, "new");
    output.replace_in_two_steps().unwrap();
    assert_eq!(fs::read(target.join("release.csv")).unwrap(), b"new");
    assert_eq!(entries(&place), 1, "the old one is gone");
}

#[test]
fn what_force_replaces_is_gone_and_nothing_hidden_is_left() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    for text in ["first", "second"] {
        let output = OutputDirectory::prepare(&target, Contents::Release, true, &[]).unwrap();
        write(&output, text);
        output.finish().unwrap();
        drop(output);
        assert_eq!(fs::read_to_string(target.join("release.csv")).unwrap(), text);
        assert_eq!(entries(&place), 1);
    }
}

#[test]
fn a_place_that_disappears_keeps_what_was_written() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    fs::create_dir(&target).unwrap();
    let output = OutputDirectory::prepare(&target, Contents::Release, true, &[]).unwrap();
    write(&output, "new");
    // gone meanwhile: then there is nothing to replace
    fs::remove_dir(&target).unwrap();
    output.finish().unwrap();
    assert_eq!(fs::read(target.join("release.csv")).unwrap(), b"new");

    // appeared meanwhile, with something of somebody's in it
    let output = OutputDirectory::prepare(&target, Contents::Release, true, &[]).unwrap();
    output.write("release.csv", b"newer").unwrap();
    fs::write(target.join("thesis.tex"), "years of work").unwrap();
    assert!(matches!(output.finish(), Err(OutputError::Foreign { .. })));
    assert_eq!(fs::read(output.keep().join("release.csv")).unwrap(), b"newer");
    assert!(target.join("thesis.tex").exists());
}

#[test]
fn what_appears_in_a_directory_while_it_is_replaced_is_not_lost() {
    for in_one_step in [true, false] {
        let place = TempDir::new().unwrap();
        let target = place.path().join("out");
        make_earlier(&target, "old");
        let output = OutputDirectory::prepare(&target, Contents::Release, true, &[]).unwrap();
        write(&output, "new");
        fs::create_dir(target.join("selection.svg")).unwrap();
        fs::write(target.join("selection.svg/thesis.tex"), "years of work").unwrap();
        let refused = if in_one_step { output.move_into_place() } else { output.replace_in_two_steps() };
        assert!(matches!(refused, Err(OutputError::NotAFile { .. })), "{refused:?}");
        assert_eq!(fs::read(target.join("release.csv")).unwrap(), b"old");
        assert!(target.join("selection.svg/thesis.tex").exists());
        assert_eq!(fs::read(output.keep().join("release.csv")).unwrap(), b"new");
    }
}

#[test]
fn no_directory_is_removed_with_what_is_in_it() {
    let place = TempDir::new().unwrap();
    let output = OutputDirectory::prepare(&place.path().join("out"), Contents::Release, false, &[]).unwrap();
    write(&output, "new");
    let hidden = output.staging.path().to_owned();
    fs::write(hidden.join("thesis.tex"), "years of work").unwrap();
    drop(output);
    assert_eq!(fs::read_dir(&hidden).unwrap().count(), 1);
    assert!(hidden.join("thesis.tex").exists());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_look_at_what_is_not_published() {
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let place = TempDir::new().unwrap();
    let output = OutputDirectory::prepare(&place.path().join("out"), Contents::Release, false, &[]).unwrap();
    write(&output, "new");
    let hidden = output.keep();
    assert_eq!((mode(&hidden), mode(&hidden.join("release.json")), entries(&place)), (0o700, 0o600, 1));
}

#[cfg(unix)]
#[test]
fn what_is_public_may_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;

    let place = TempDir::new().unwrap();
    let (plain, target) = (place.path().join("plain"), place.path().join("out"));
    fs::create_dir(&plain).unwrap();
    let output = OutputDirectory::prepare(&target, Contents::Release, false, &[]).unwrap();
    Answered::estimated(estimated(release()), Selection::Off, Look::default()).unwrap().written(&output).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&plain), "as any directory the user makes");
    fs::write(place.path().join("file"), "").unwrap();
    assert_eq!(mode(&target.join("release.csv")), mode(&place.path().join("file")), "as any file the user makes");
}

#[cfg(unix)]
#[test]
fn what_is_for_the_curator_may_not() {
    use std::os::unix::fs::PermissionsExt;

    for contents in [Contents::CrossValidation, Contents::Reproduction] {
        let place = TempDir::new().unwrap();
        let target = place.path().join("out");
        let output = OutputDirectory::prepare(&target, contents, false, &[]).unwrap();
        output.write(contents.files()[0], b"private").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn every_file_that_is_counted_as_part_of_a_result_has_its_own_name() {
    let all = [Contents::Release, Contents::CrossValidation, Contents::Reproduction];
    let names: Vec<_> = all.into_iter().flat_map(Contents::files).collect();
    assert!((0..names.len()).all(|i| !names[..i].contains(&names[i])));
}

#[test]
fn force_does_not_replace_figures_that_are_not_a_reproduction() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    fs::create_dir(&target).unwrap();
    for name in ["figure-01.svg", "table1.svg", "mise.csv", "reproduction.md"] {
        fs::write(target.join(name), "<svg>my own</svg>").unwrap();
        let refusal = OutputDirectory::prepare(&target, Contents::Reproduction, true, &[]).err().unwrap();
        assert!(refusal.to_string().contains("may be something else"), "{name}: {refusal}");
        assert_eq!(
            (fs::read_to_string(target.join(name)).unwrap(), entries(&place)),
            ("<svg>my own</svg>".to_owned(), 1)
        );
        fs::remove_file(target.join(name)).unwrap();
    }
}
