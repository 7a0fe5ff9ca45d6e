#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;
use std::thread;

use dpfda_mechanism::{Guarantee, NameError};
use dpfda_privacy::{Calibration, GaussianPrivacy, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;

mod crashes;
mod damage;
mod groups;
mod release;
mod toy;
mod verify;

fn budget(epsilon: f64, delta: f64) -> PrivacyBudget {
    PrivacyBudget::new(epsilon, delta).unwrap()
}

fn terms(epsilon: f64, delta: f64) -> LedgerTerms {
    LedgerTerms::new("tracts", PrivacyUnit::Subject, NeighbouringRelation::SubstituteOne, budget(epsilon, delta))
        .unwrap()
}

fn request_of(id: &str, budget: PrivacyBudget, spend: Spend) -> ReleaseRequest {
    let guarantee = Guarantee::new(budget, NeighbouringRelation::SubstituteOne, PrivacyUnit::Subject);
    ReleaseRequest::new(id.parse().unwrap(), "mean", guarantee, spend, Digest::of(b"settings")).unwrap()
}

fn pure(id: &str, epsilon: f64) -> ReleaseRequest {
    request_of(id, budget(epsilon, 0.0), Spend::of_budget(&budget(epsilon, 0.0)))
}

fn gaussian(id: &str, epsilon: f64, delta: f64) -> ReleaseRequest {
    let privacy = GaussianPrivacy::calibrated(Calibration::Tight, &budget(epsilon, delta)).unwrap();
    request_of(id, budget(epsilon, delta), Spend::of_gaussian(privacy))
}

fn files() -> Vec<(String, Vec<u8>)> {
    vec![("release.json".to_owned(), b"{}".to_vec()), ("release.png".to_owned(), vec![0, 159, 255])]
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
        assert!(!ledger.spend(&gaussian(id, 0.6, 4e-6)).unwrap().was_paid());
    }
    let error = ledger.spend(&gaussian("three", 0.6, 4e-6)).unwrap_err();
    let text = error.to_string();
    let LedgerError::OverTotal(over) = error else { panic!("{text}") };
    let fits = over.fits.unwrap();
    assert_eq!((over.asked, over.total, fits.delta()), (budget(0.6, 4e-6), budget(1.0, 1e-5), 4e-6));
    assert!(text.contains("0.6") && text.contains(&format!("with epsilon {}", fits.epsilon())), "{text}");
    // what is said to fit does, and then nothing like it does
    let _receipt = ledger.spend(&gaussian("three", fits.epsilon(), 4e-6)).unwrap();
    assert!(ledger.spend(&gaussian("four", 0.05, 4e-6)).is_err());
    assert_eq!(ledger.history().unwrap().entries().len(), 4);
}

#[test]
fn three_spends_of_a_tenth_fit_in_three_tenths() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(0.3, 0.0)).unwrap();
    for id in ["a", "b", "c"] {
        let _receipt = ledger.spend(&pure(id, 0.1)).unwrap();
    }
    let error = ledger.spend(&pure("d", 1e-6)).unwrap_err();
    assert!(error.to_string().ends_with("there is left no room for one of this kind and delta"), "{error}");
}

#[test]
fn a_release_that_was_stored_comes_back_to_the_byte_and_costs_nothing() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let receipt = ledger.spend(&pure("a", 1.0)).unwrap();
    assert!(receipt.stored().is_none());
    let stored = ledger.store(&receipt, files()).unwrap();
    let mut reopened = Ledger::open(&path).unwrap();
    let again = reopened.spend(&pure("a", 1.0)).unwrap();
    assert!(again.was_paid());
    assert_eq!(again.stored(), Some(&stored));
    assert_eq!(again.reference(), receipt.reference());
    assert_eq!(stored.files().map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).collect::<Vec<_>>(), files());
}

#[test]
fn a_spend_without_a_release_is_resumed_and_the_first_release_stored_is_the_one() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let first = ledger.spend(&pure("a", 1.0)).unwrap();
    let mut other = Ledger::open(&path).unwrap();
    let resumed = other.spend(&pure("a", 1.0)).unwrap();
    assert!(resumed.was_paid() && resumed.stored().is_none());
    let kept = other.store(&resumed, files()).unwrap();
    // the slower process is given the release of the faster one
    assert_eq!(ledger.store(&first, vec![("release.json".to_owned(), b"another draw".to_vec())]).unwrap(), kept);
    let spent = ledger.history().unwrap().accounts().epsilon(0.0);
    assert_eq!(spent, 1.0);
}

#[test]
fn an_id_belongs_to_its_settings() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let _receipt = ledger.spend(&pure("a", 0.1)).unwrap();
    let guarantee = *pure("a", 0.1).guarantee();
    let spend = Spend::of_budget(&budget(0.1, 0.0));
    let other = ReleaseRequest::new("a".parse().unwrap(), "mean", guarantee, spend, Digest::of(b"others"));
    for request in [pure("a", 0.2), other.unwrap()] {
        assert!(matches!(ledger.spend(&request), Err(LedgerError::IdInUse { .. })));
    }
}

#[test]
fn another_unit_or_relation_is_refused() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let request = |unit, neighbours| {
        let spend = Spend::of_budget(&budget(0.1, 0.0));
        let guarantee = Guarantee::new(budget(0.1, 0.0), neighbours, unit);
        ReleaseRequest::new("a".parse().unwrap(), "mean", guarantee, spend, Digest::of(b"")).unwrap()
    };
    let unit = ledger.spend(&request(PrivacyUnit::Curve, NeighbouringRelation::SubstituteOne));
    assert!(matches!(unit, Err(LedgerError::OtherUnit { .. })));
    let relation = ledger.spend(&request(PrivacyUnit::Subject, NeighbouringRelation::AddRemoveOne));
    assert!(matches!(relation, Err(LedgerError::OtherNeighbours { .. })));
    assert_eq!(ledger.history().unwrap().entries().len(), 1);
}

#[test]
fn sixteen_threads_spend_exactly_the_total_and_lose_nothing() {
    let (_folder, path) = place();
    Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let spent: usize = thread::scope(|scope| {
        let spend = |thread: usize| {
            let mut ledger = Ledger::open(&path).unwrap();
            (0..2).filter(|i| ledger.spend(&pure(&format!("{thread}-{i}"), 0.1)).is_ok()).count()
        };
        let threads: Vec<_> = (0..16).map(|thread| scope.spawn(move || spend(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(spent, 10);
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap().entries().len(), 11);
}

#[test]
fn a_history_is_read_back_as_it_was_exported() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(1.0, 1e-5)).unwrap();
    let receipt = ledger.spend(&gaussian("a", 0.5, 1e-6)).unwrap();
    ledger.store(&receipt, files()).unwrap();
    let history = ledger.history().unwrap();
    let json = history.to_json().unwrap();
    assert_eq!(LedgerHistory::from_json(&json).unwrap(), history);
    assert_eq!(receipt.reference().head(), history.entries()[1].hash);
    assert_eq!(receipt.reference().entry(), 1);
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
