#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;
use std::thread;

use dpfda_mechanism::{Guarantee, NameError};
use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use rusqlite::Connection;
use tempfile::TempDir;

use self::toy::{Toy, budget, release, terms};
use super::*;
use crate::payment::Job;

mod crashes;
mod damage;
mod groups;
mod release;
mod rounds;
mod toy;
mod verify;

fn request_of(id: &str, budget: PrivacyBudget, spend: Spend) -> ReleaseRequest {
    let guarantee = Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Subject);
    ReleaseRequest::new(id.parse().unwrap(), "mean", guarantee, spend, Digest::of(b"settings")).unwrap()
}

fn pure(id: &str, epsilon: f64) -> ReleaseRequest {
    request_of(id, budget(epsilon, 0.0), Spend::of_budget(&budget(epsilon, 0.0)))
}

fn job(request: &ReleaseRequest, size: u64) -> Job<'_> {
    Job { request, fingerprint: [0; 32], first: None, size }
}

fn pages(connection: &Connection) -> i64 {
    connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
}

fn limit_to(connection: &Connection, pages: i64) {
    connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
}

/// A folder, and a path in it where there is no ledger yet.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracts.ledger");
    (folder, path)
}

#[test]
fn two_gaussian_releases_fit_and_the_refusal_of_the_third_says_what_would() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 1e-5)).unwrap();
    for id in ["one", "two"] {
        assert_eq!(release(&mut ledger, id, Toy::gaussian(0.6, 4e-6)).unwrap().origin, Origin::Drawn);
    }
    let error = release(&mut ledger, "three", Toy::gaussian(0.6, 4e-6)).unwrap_err();
    let text = error.to_string();
    let LedgerError::OverTotal(over) = error else { panic!("{text}") };
    let fits = over.fits.unwrap();
    assert_eq!((over.asked, over.total, fits.delta()), (budget(0.6, 4e-6), budget(1.0, 1e-5), 4e-6));
    assert!(text.contains("0.6") && text.contains(&format!("with epsilon {}", fits.epsilon())), "{text}");
    // what is said to fit does, and then nothing like it does
    release(&mut ledger, "three", Toy::gaussian(fits.epsilon(), 4e-6)).unwrap();
    assert!(release(&mut ledger, "four", Toy::gaussian(0.05, 4e-6)).is_err());
    assert_eq!(ledger.history().unwrap().entries().len(), 7);
}

#[test]
fn three_spends_of_a_tenth_fit_in_three_tenths() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(0.3, 0.0)).unwrap();
    for id in ["a", "b", "c"] {
        release(&mut ledger, id, Toy::pure(0.1)).unwrap();
    }
    let error = release(&mut ledger, "d", Toy::pure(1e-6)).unwrap_err();
    assert!(error.to_string().ends_with("there is left no room for one of this kind and delta"), "{error}");
}

#[test]
fn another_unit_or_relation_is_refused() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let mut refused = |unit, neighbours| {
        let guarantee = Guarantee::new(budget(0.1, 0.0), neighbours, unit);
        release(&mut ledger, "a", Toy { guarantee, ..Toy::pure(0.1) }).unwrap_err()
    };
    let unit = refused(PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne);
    assert!(matches!(unit, LedgerError::OtherUnit { .. }), "{unit}");
    let relation = refused(PrivacyUnit::Subject, NeighbouringRelation::AddRemoveOne);
    assert!(matches!(relation, LedgerError::OtherNeighbours { .. }), "{relation}");
    assert_eq!(ledger.history().unwrap().entries().len(), 1);
}

#[test]
fn sixteen_threads_spend_exactly_the_total_and_lose_nothing() {
    let (_folder, path) = place();
    Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let spent: usize = thread::scope(|scope| {
        let spend = |thread: usize| {
            let mut ledger = Ledger::open(&path).unwrap();
            (0..2).filter(|i| release(&mut ledger, &format!("{thread}-{i}"), Toy::pure(0.1)).is_ok()).count()
        };
        let threads: Vec<_> = (0..16).map(|thread| scope.spawn(move || spend(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(spent, 10);
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap().entries().len(), 21);
}

#[test]
fn a_history_is_read_back_as_it_was_exported() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 1e-5)).unwrap();
    let reference = release(&mut ledger, "a", Toy::gaussian(0.5, 1e-6)).unwrap().reference;
    let history = ledger.history().unwrap();
    let json = history.to_json().unwrap();
    assert_eq!(LedgerHistory::from_json(&json).unwrap(), history);
    assert_eq!(reference.head(), history.entries()[1].hash);
    assert_eq!(reference.entry(), 1);
}

#[test]
fn nothing_is_created_over_another_file_and_only_the_owner_may_read() {
    let (folder, path) = place();
    fs::write(&path, "mine").unwrap();
    assert!(matches!(Ledger::create(&path, &terms(1.0, 0.0)), Err(LedgerError::Exists)));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let other = folder.path().join("other");
    Ledger::create(&other, &terms(1.0, 0.0)).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let nowhere = folder.path().join("no such folder").join("ledger");
    assert!(matches!(Ledger::create(&nowhere, &terms(1.0, 0.0)), Err(LedgerError::Open { .. })));
}

#[test]
fn names_are_one_line_each_and_totals_are_possible() {
    let with_name =
        |name: &str| LedgerTerms::new(name, PrivacyUnit::Curve, NeighbouringRelation::AddRemoveOne, budget(1.0, 0.0));
    assert!(with_name("Traktprofile 2019").is_ok());
    for name in ["", "two\nlines", "a\u{1b}[2J", "a\u{202e}b", &"x".repeat(101)] {
        assert_eq!(with_name(name), Err(TermsError::Name(NameError)));
    }
    let nothing = LedgerTerms::new("a", PrivacyUnit::Curve, NeighbouringRelation::AddRemoveOne, budget(0.0, 0.0));
    assert_eq!(nothing, Err(TermsError::Total));
    for total in [(1e-9, 0.0), (51.0, 0.0), (1.0, 1e-16), (1.0, 0.6)] {
        let total = budget(total.0, total.1);
        let terms = LedgerTerms::new("a", PrivacyUnit::Curve, NeighbouringRelation::AddRemoveOne, total);
        assert_eq!(terms, Err(TermsError::Total), "{total:?}");
    }
}

impl Ledger {
    /// As if the disk had no room for another page.
    fn limit_to_its_size(&self) {
        limit_to(&self.connection, pages(&self.connection));
    }
}
