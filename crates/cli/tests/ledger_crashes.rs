//! A ledger while processes are killed, disks are full and files are read-only.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, SMALL};
use serde_json::Value;

const ARGUMENTS: &str = "release small.csv --values v* --center 0.5 --radius 0.25 --radius-share none --epsilon 0.6 --delta 4e-6 \
                         --ledger l --release-id one --out out";

const FILES: [&str; 4] = ["release.csv", "release.json", "release.png", "release.svg"];

fn place() -> Place {
    let place = Place::new();
    place.write("small.csv", SMALL);
    let create = "ledger create l --epsilon 1 --delta 1e-5 --unit curve --neighbours substitute --dataset growth";
    place.run(create).succeeded();
    place
}

fn command(place: &Place) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dpfda"));
    command.args(ARGUMENTS.split(' ')).current_dir(place.path(".")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How many releases were paid for, and how many of them are stored.
fn paid_and_stored(place: &Place) -> (usize, usize) {
    let shown: Value = serde_json::from_str(&place.run("ledger show l --json").succeeded().stdout).unwrap();
    let releases = shown["releases"].as_array().unwrap();
    (releases.len(), releases.iter().filter(|release| release["stored"] == true).count())
}

#[test]
fn a_release_that_is_killed_at_any_step_was_paid_for_if_anybody_can_see_it() {
    kill_releases(24);
}

#[test]
#[ignore = "minutes long: the same at 500 steps"]
fn a_release_that_is_killed_at_any_of_500_steps_was_paid_for_if_anybody_can_see_it() {
    kill_releases(500);
}

/// Kills that many releases, each at another step from its beginning to its end.
fn kill_releases(kills: u32) {
    let new = fs::read(place().path("l")).unwrap();
    let begin = Instant::now();
    command(&place()).status().unwrap();
    let whole = begin.elapsed();
    // the last one ends by itself, so that one is stored however busy the machine is
    let after = |step: u32| (step + 1 < kills).then(|| whole * step / kills);
    let kills_from = |first: u32| (first..kills).step_by(2).map(|step| killed(&new, step, after(step)));
    let mut states: Vec<_> = thread::scope(|scope| {
        let other = scope.spawn(|| kills_from(1).collect::<Vec<_>>());
        kills_from(0).collect::<Vec<_>>().into_iter().chain(other.join().unwrap()).collect()
    });
    states.sort_unstable();
    states.dedup();
    // not paid for; paid for and lost, which is a short while; stored
    assert!(
        states.contains(&(0, 0)) && states.contains(&(1, 1)),
        "kills fell on both sides of the release: {states:?}"
    );
}

/// Kills a release after a while or lets it end, asks for it again, and tells how many were paid for and stored when it was killed.
fn killed(new: &[u8], step: u32, after: Option<Duration>) -> (usize, usize) {
    let place = Place::new();
    place.write("small.csv", SMALL);
    fs::write(place.path("l"), new).unwrap();
    let mut process = command(&place).spawn().unwrap();
    if let Some(after) = after {
        thread::sleep(after);
        process.kill().unwrap();
    }
    process.wait().unwrap();
    let seen = place.path("out").exists();
    let (paid, stored) = paid_and_stored(&place);
    assert!(paid <= 1 && stored <= paid, "step {step}");
    assert!(!seen || stored == 1, "step {step}: files without their entry");
    let before = seen.then(|| FILES.map(|name| place.bytes(&format!("out/{name}"))));
    // the same command never pays or draws twice, and what was seen stays as it was
    let again = place.run(ARGUMENTS);
    if (paid, stored) == (1, 0) {
        // paid for, and the draw is lost
        assert_eq!(again.code, 2, "step {step}: {}", again.text());
        assert!(again.stderr.contains("its draw was lost before anybody saw it"), "step {step}: {}", again.stderr);
        assert_eq!(paid_and_stored(&place), (1, 0), "step {step}: what was paid stays spent");
        assert!(!place.path("out").exists(), "step {step}");
        return (paid, stored);
    }
    assert_eq!(again.code, 0, "step {step}: {}", again.text());
    assert_eq!(paid_and_stored(&place), (1, 1), "step {step}");
    let after = FILES.map(|name| place.bytes(&format!("out/{name}")));
    assert!(before.is_none_or(|before| before == after), "step {step}: another draw was shown");
    (paid, stored)
}

#[test]
fn a_release_that_the_disk_has_no_room_for_is_not_paid_for() {
    let place = place();
    // the cost fits into 80 blocks of 1024 bytes, the room that is reserved for the release does not
    let limited = format!("trap '' XFSZ; ulimit -f 80; exec '{}' {ARGUMENTS}", env!("CARGO_BIN_EXE_dpfda"));
    let output = Command::new("bash").args(["-c", &limited]).current_dir(place.path(".")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("the ledger cannot be written") && output.stdout.is_empty(), "{stderr}");
    assert_eq!(paid_and_stored(&place), (0, 0));
    assert_eq!(place.names(), ["l", "small.csv"], "nothing to be seen");
    place.run(ARGUMENTS).succeeded();
    assert_eq!(paid_and_stored(&place), (1, 1));
}

#[test]
fn a_ledger_without_room_for_a_spend_refuses_it() {
    let place = place();
    let size = fs::metadata(place.path("l")).unwrap().len() / 1024;
    // no room even for the journal
    let limited =
        format!("trap '' XFSZ; ulimit -f {}; exec '{}' {ARGUMENTS}", size.min(2), env!("CARGO_BIN_EXE_dpfda"));
    let output = Command::new("bash").args(["-c", &limited]).current_dir(place.path(".")).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("the ledger cannot be written"), "{stderr}");
    assert_eq!(paid_and_stored(&place), (0, 0));
}

#[test]
fn a_read_only_ledger_can_be_shown_and_pays_for_nothing() {
    let place = place();
    fs::set_permissions(place.path("l"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(place.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    // modes do not bind root: be somebody else
    let mut run = if is_root { Command::new("setpriv") } else { Command::new(env!("CARGO_BIN_EXE_dpfda")) };
    if is_root {
        // the build folder may be closed to others
        fs::copy(env!("CARGO_BIN_EXE_dpfda"), place.path("dpfda")).unwrap();
        run.args(["--reuid=65534", "--regid=65534", "--clear-groups", "./dpfda"]);
    }
    let Ok(output) = run.args(ARGUMENTS.split(' ')).current_dir(place.path(".")).output() else {
        eprintln!("SKIPPED: no setpriv on this system, and modes do not bind root");
        return;
    };
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("read-only"), "{stderr}");
    assert!(!place.path("out").exists());
    assert_eq!(paid_and_stored(&place), (0, 0));
}
