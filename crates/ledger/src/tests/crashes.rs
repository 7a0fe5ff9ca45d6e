//! Processes that race, stop and are killed.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use dpfda_privacy::SystemRandomness;

use super::toy::ledger;
use super::*;

/// What a child is told, in its environment.
const LEDGER: &str = "DPFDA_TEST_LEDGER";
const ID: &str = "DPFDA_TEST_ID";
const DRAW: &str = "DPFDA_TEST_DRAW";

/// Not a test, but the process that the tests start: asks for a release and shows it in a file of its own.
#[test]
#[ignore = "a process that other tests start"]
fn child() {
    let Ok(path) = std::env::var(LEDGER) else { return };
    let (path, id) = (Path::new(&path), std::env::var(ID).unwrap());
    let beside = |name: &str| path.with_file_name(format!("{name}-{}", std::process::id()));
    let during = || {
        fs::write(beside("drawn"), "").unwrap();
        match std::env::var(DRAW).as_deref() {
            Ok("abort") => std::process::abort(),
            Ok("slow") => thread::sleep(Duration::from_secs(1)),
            Ok("never") => thread::sleep(Duration::from_secs(3600)),
            _ => {}
        }
    };
    let toy = Toy { during: Box::new(during), ..Toy::of(vec![0; 2000], 0.1) };
    let mut ledger = Ledger::open(path).unwrap();
    let outcome = ledger.release(id.parse().unwrap(), toy, &mut SystemRandomness::new().unwrap()).unwrap();
    // whole, or not at all
    fs::write(beside("writing"), format!("{:?}", outcome.release.noisy)).unwrap();
    fs::rename(beside("writing"), beside("shown")).unwrap();
}

fn start(path: &Path, id: &str, draw: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::crashes::child", "--ignored"])
        .envs([(LEDGER, path.to_str().unwrap()), (ID, id), (DRAW, draw)])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The files beside the ledger whose names begin so.
fn beside(path: &Path, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(name)).collect()
}

fn wait_for(path: &Path, name: &str) {
    let begin = Instant::now();
    while beside(path, name).is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no {name}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn release(path: &Path, id: &str) -> Result<Outcome<toy::ToyRelease>, LedgerError> {
    let mut ledger = Ledger::open(path).unwrap();
    ledger.release(id.parse().unwrap(), Toy::of(vec![0; 2000], 0.1), &mut SystemRandomness::new().unwrap())
}

#[test]
fn a_process_that_dies_in_its_draw_leaves_a_payment_and_no_second_draw() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    assert!(!start(&path, "a", "abort").wait().unwrap().success());
    let error = release(&path, "a").unwrap_err();
    assert!(matches!(error, LedgerError::Lost { .. }), "{error}");
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap().accounts().epsilon(0.0), 0.1);
    assert_eq!(release(&path, "b").unwrap().origin, Origin::Drawn);
}

#[test]
fn whoever_asks_during_a_draw_waits_and_is_given_it() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    let mut child = start(&path, "a", "slow");
    wait_for(&path, "drawn");
    let outcome = release(&path, "a").unwrap();
    assert_eq!(outcome.origin, Origin::GivenBack);
    assert!(child.wait().unwrap().success());
    let shown = fs::read_to_string(&beside(&path, "shown")[0]).unwrap();
    assert_eq!(shown, format!("{:?}", outcome.release.noisy));
}

#[test]
fn whoever_waits_for_a_draw_that_dies_is_told_so() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    let mut child = start(&path, "a", "never");
    wait_for(&path, "drawn");
    let error = thread::scope(|scope| {
        let waiting = scope.spawn(|| release(&path, "a").unwrap_err());
        thread::sleep(Duration::from_millis(300));
        assert!(!waiting.is_finished(), "the first process is alive");
        child.kill().unwrap();
        child.wait().unwrap();
        waiting.join().unwrap()
    });
    assert!(matches!(error, LedgerError::Lost { .. }), "{error}");
}

fn crowd(path: &Path, id_of: impl Fn(usize) -> String) -> Vec<ExitStatus> {
    let children: Vec<_> = (0..16).map(|child| start(path, &id_of(child), "")).collect();
    children.into_iter().map(|mut child| child.wait().unwrap()).collect()
}

#[test]
fn sixteen_processes_with_one_id_draw_once_and_show_the_same() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    assert!(crowd(&path, |_| "a".to_owned()).iter().all(ExitStatus::success));
    assert_eq!(beside(&path, "drawn").len(), 1);
    let mut shown: Vec<_> = beside(&path, "shown").iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(shown.len(), 16);
    shown.dedup();
    assert_eq!(shown.len(), 1);
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap().accounts().epsilon(0.0), 0.1);
}

#[test]
fn sixteen_processes_spend_exactly_the_total_and_lose_nothing() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    let codes = crowd(&path, |child| format!("p{child}"));
    assert_eq!(codes.iter().filter(|code| code.success()).count(), 10);
    assert_eq!((beside(&path, "drawn").len(), beside(&path, "shown").len()), (10, 10));
    let history = Ledger::open(&path).unwrap().history().unwrap();
    assert_eq!(history.entries().len(), 21);
    assert_eq!(history.accounts().remaining(&budget(1.0, 0.0), None), None);
}

#[test]
fn a_release_that_is_killed_at_any_step_was_paid_for_and_is_drawn_once() {
    const KILLS: u32 = 40;
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    let empty = fs::read(&path).unwrap();
    let begin = Instant::now();
    assert!(start(&path, "a", "").wait().unwrap().success());
    let whole = begin.elapsed() * 5 / 4;
    let mut found = [0; 3];
    for step in 0..KILLS {
        let (_folder, path) = place();
        fs::write(&path, &empty).unwrap();
        let mut child = start(&path, "a", "");
        // the last one ends by itself, so that one is stored however busy the machine is
        if step + 1 < KILLS {
            thread::sleep(whole * step / KILLS);
            child.kill().unwrap();
        }
        child.wait().unwrap();
        let (drawn, shown) = (beside(&path, "drawn"), beside(&path, "shown"));
        let history = Ledger::open(&path).unwrap().history().unwrap();
        let (paid, stored) = (history.accounts().epsilon(0.0) > 0.0, history.is_stored(&"a".parse().unwrap()));
        assert!(paid || drawn.is_empty(), "step {step}: drawn before it was paid for");
        assert!(stored || shown.is_empty(), "step {step}: shown before it was stored");
        match release(&path, "a") {
            Ok(outcome) if outcome.origin == Origin::Drawn => {
                assert!(!paid && drawn.is_empty(), "step {step}: drawn twice");
                found[0] += 1;
            }
            Ok(outcome) => {
                assert!(stored, "step {step}");
                let same = |path: &PathBuf| fs::read_to_string(path).unwrap() == format!("{:?}", outcome.release.noisy);
                assert!(shown.iter().all(same), "step {step}: another draw was shown");
                found[2] += 1;
            }
            Err(error) => {
                assert!(matches!(error, LedgerError::Lost { .. }) && paid && !stored, "step {step}: {error}");
                found[1] += 1;
            }
        }
        assert_eq!(Ledger::open(&path).unwrap().history().unwrap().accounts().epsilon(0.0), 0.1, "step {step}");
    }
    eprintln!("not paid for, lost, stored: {found:?}");
    assert!(found[0] > 0 && found[2] > 0, "kills fell on both sides: {found:?}");
}
