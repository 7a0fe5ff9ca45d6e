//! The protocol: what is paid for, drawn, kept, given back and refused.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use dpfda_privacy::{SeededRandomness, SystemRandomness};

use super::toy::ledger;
use super::*;
use crate::payment::{Held, Reserved};

#[test]
fn a_release_is_drawn_once_and_then_given_back_for_nothing() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let draws = Cell::new(0);
    let toy = || Toy { during: Box::new(|| draws.set(draws.get() + 1)), ..Toy::pure(1.0) };
    let drawn = release(&mut ledger, "a", toy()).unwrap();
    assert_eq!((drawn.origin, drawn.release.ledger.as_ref()), (Origin::Drawn, Some(&drawn.reference)));
    assert_ne!(drawn.release.noisy, [1, 2, 3]);
    assert!(ledger.history().unwrap().holds(&drawn.reference));
    let again = release(&mut Ledger::open(&path).unwrap(), "a", toy()).unwrap();
    assert_eq!((again.origin, &again.release, &again.reference), (Origin::GivenBack, &drawn.release, &drawn.reference));
    assert_eq!(draws.get(), 1);
    assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 1.0);
    assert_eq!(ledger.history().unwrap().entries().len(), 3);
}

#[test]
fn the_cost_is_on_the_disk_before_the_draw() {
    let (folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let during = || {
        // what a crash at this moment would leave: the file alone, whatever lies beside it
        let copy = folder.path().join("copy");
        fs::copy(&path, &copy).unwrap();
        let history = Ledger::open(&copy).unwrap().history().unwrap();
        assert_eq!(history.accounts().epsilon(0.0), 0.25);
        assert!(!history.is_stored(&"a".parse().unwrap()));
    };
    // a process that opens and closes the file loses its locks: this test alone does so
    release(&mut ledger, "a", Toy { during: Box::new(during), ..Toy::pure(0.25) }).unwrap();
}

#[test]
fn an_id_belongs_to_its_plan_cost_and_guarantee() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 1e-5);
    release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    let before = ledger.history().unwrap();
    let others = [
        Toy::pure(0.2),
        Toy { plan: "another", ..Toy::pure(0.1) },
        Toy { spend: Spend::of_budget(&budget(0.05, 0.0)), ..Toy::pure(0.1) },
        Toy { guarantee: Toy::gaussian(0.1, 1e-6).guarantee, ..Toy::pure(0.1) },
    ];
    for toy in others {
        assert!(matches!(release(&mut ledger, "a", toy), Err(LedgerError::IdInUse { .. })));
    }
    assert_eq!(ledger.history().unwrap(), before);
}

#[test]
fn other_data_under_the_same_id_are_neither_released_nor_given_the_old_release() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    let before = ledger.history().unwrap();
    let error = release(&mut ledger, "a", Toy { data: vec![1, 2, 4], ..Toy::pure(0.1) }).unwrap_err();
    assert!(matches!(error, LedgerError::OtherData { .. }), "{error}");
    assert!(error.to_string().starts_with("the ledger holds a release of this id made from other data"), "{error}");
    assert_eq!(ledger.history().unwrap(), before);
    // the same data again are recognised
    assert_eq!(release(&mut ledger, "a", Toy::pure(0.1)).unwrap().origin, Origin::GivenBack);
}

#[test]
fn neither_the_secret_nor_a_fingerprint_is_exported() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    let export = ledger.history().unwrap().to_json().unwrap();
    let connection = Connection::open(&path).unwrap();
    for query in ["SELECT key FROM secret", "SELECT fingerprint FROM draws"] {
        let bytes: [u8; 32] = connection.query_row(query, [], |row| row.get(0)).unwrap();
        let hex = bytes.map(|byte| format!("{byte:02x}")).concat();
        assert!(!export.contains(&hex), "{query}");
        // nor the entries, of which the export is made
        let found: i64 = connection
            .query_row("SELECT count(*) FROM entries WHERE instr(event || hash, ?)", [hex], |row| row.get(0))
            .unwrap();
        assert_eq!(found, 0, "{query}");
    }
}

#[test]
fn two_ledgers_have_two_secrets_and_two_ids_two_fingerprints() {
    let fingerprints = |id: &str| {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        for id in [id, "b"] {
            release(&mut ledger, id, Toy::pure(0.1)).unwrap();
        }
        let connection = Connection::open(&path).unwrap();
        let mut rows = connection.prepare("SELECT fingerprint FROM draws").unwrap();
        rows.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap().collect::<Result<Vec<_>, _>>().unwrap()
    };
    let mut all = [fingerprints("a"), fingerprints("a")].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4);
}

#[test]
fn a_release_that_is_too_large_is_refused_before_it_is_paid_for() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let before = ledger.history().unwrap();
    let error = release(&mut ledger, "a", Toy { length: LARGEST_RELEASE + 1, ..Toy::pure(0.1) }).unwrap_err();
    assert!(matches!(error, LedgerError::TooLarge { size, limit } if size == limit + 1), "{error}");
    assert!(error.to_string().contains("536870913") && error.to_string().contains("536870912"), "{error}");
    assert_eq!(ledger.history().unwrap(), before);
}

#[test]
fn a_disk_that_is_full_before_the_payment_refuses_it() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let before = ledger.history().unwrap();
    ledger.limit_to_its_size();
    let during = || unreachable!("nothing is drawn");
    let error = release(&mut ledger, "a", Toy { during: Box::new(during), ..Toy::pure(0.1) }).unwrap_err();
    assert!(matches!(error, LedgerError::Storage { fault: StorageFault::Full, .. }), "{error}");
    // and the lock is gone
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap(), before);
}

#[test]
fn a_disk_that_is_full_after_the_payment_has_room_for_the_release() {
    for values in [0, 3, 511, 512, 100_000] {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        let request = pure("a", 0.1);
        let size = 8 * values;
        let mut held = Held::new(&mut ledger.connection);
        let Reserved::Free(history) = held.reserve(&job(&request, size)).unwrap() else { unreachable!() };
        let paid = held.pay(&history, &request).unwrap();
        let pages = pages(held.connection);
        limit_to(held.connection, pages);
        let stored = dpfda_mechanism::Stored {
            software: "0.1.0".to_owned(),
            private: true,
            bytes: vec![7; usize::try_from(size).unwrap()],
        };
        held.keep(&paid, &job(&request, size), &stored, false).unwrap();
        drop(held);
        assert_eq!(super::pages(&ledger.connection), pages, "{values}");
        assert!(Ledger::open(&path).unwrap().history().unwrap().is_stored(request.id()), "{values}");
    }
}

#[test]
fn the_journal_of_a_stored_release_is_as_small_as_that_of_its_payment() {
    let (folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let (request, size) = (pure("a", 0.1), 8 << 20);
    let journal = folder.path().join("tracts.ledger-journal");
    let length = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut held = Held::new(&mut ledger.connection);
    let Reserved::Free(history) = held.reserve(&job(&request, size)).unwrap() else { unreachable!() };
    let paid = held.pay(&history, &request).unwrap();
    let (left, file) = (length(&journal), length(&path));
    assert!(left > 0 && left < 1 << 17, "{left}");
    let stored = dpfda_mechanism::Stored { software: "0.1.0".to_owned(), private: true, bytes: vec![7; 8 << 20] };
    let is_done = AtomicBool::new(false);
    let largest = thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut largest = 0;
            while !is_done.load(Ordering::Relaxed) {
                largest = largest.max(length(&journal));
            }
            largest
        });
        held.keep(&paid, &job(&request, size), &stored, false).unwrap();
        is_done.store(true, Ordering::Relaxed);
        watching.join().unwrap()
    });
    assert!(largest > 0 && largest <= left + 4 * 4096, "{largest} after {left}");
    assert_eq!((length(&path), length(&journal)), (file, 0));
}

#[test]
fn room_that_was_reserved_and_not_used_is_used_by_the_next_release() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let before = ledger.history().unwrap();
    // as if the program had stopped here
    drop(Held::new(&mut ledger.connection).reserve(&job(&pure("a", 0.1), 800_000)).unwrap());
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap(), before);
    let size = pages(&ledger.connection);
    release(&mut ledger, "a", Toy::of(vec![5; 100_000], 0.1)).unwrap();
    assert!(pages(&ledger.connection) <= size + 1);
}

#[test]
fn what_is_written_has_the_same_size_whatever_the_noise() {
    let sizes = (0..20).map(|seed| {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        let toy = Toy::of(vec![0; 5000], 0.1);
        let outcome = ledger.release("a".parse().unwrap(), toy, &mut SeededRandomness::from_seed(seed)).unwrap();
        let json = ledger.history().unwrap().to_json().unwrap();
        (outcome.release.noisy.len(), json.len(), fs::metadata(&path).unwrap().len())
    });
    let mut sizes: Vec<_> = sizes.collect();
    sizes.dedup();
    assert_eq!(sizes.len(), 1, "{sizes:?}");
}

#[test]
fn a_draw_that_stops_in_the_middle_stays_spent_and_is_never_drawn_again() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let toy = Toy { during: Box::new(|| panic!("a defect")), ..Toy::pure(0.25) };
    assert!(catch_unwind(AssertUnwindSafe(|| release(&mut ledger, "a", toy))).is_err());
    let toy = || Toy { during: Box::new(|| unreachable!("nothing is drawn")), ..Toy::pure(0.25) };
    for ledger in [&mut ledger, &mut Ledger::open(&path).unwrap()] {
        let error = release(ledger, "a", toy()).unwrap_err();
        assert!(matches!(error, LedgerError::Lost { .. }), "{error}");
        assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.25);
    }
    release(&mut ledger, "b", Toy::pure(0.25)).unwrap();
    assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.5);
}

#[test]
fn a_mechanism_that_breaks_its_word_on_its_size_is_stored_nowhere() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let error = release(&mut ledger, "a", Toy { length: 32, ..Toy::pure(0.1) }).unwrap_err();
    assert!(matches!(error, LedgerError::NotKept { .. }), "{error}");
    assert!(matches!(release(&mut ledger, "a", Toy::pure(0.1)), Err(LedgerError::Lost { .. })));
}

#[test]
fn a_seed_is_recorded() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let seeded = |ledger: &mut Ledger| {
        ledger.release("a".parse().unwrap(), Toy::pure(0.1), &mut SeededRandomness::from_seed(7)).unwrap()
    };
    for origin in [Origin::Drawn, Origin::GivenBack] {
        let (id, bits) = ("a".parse().unwrap(), SeededRandomness::from_seed(7));
        assert_eq!(ledger.notes_before(&id, None, &Toy::pure(0.1), &bits).unwrap(), [LedgerNote::KnownSeed]);
        let outcome = seeded(&mut ledger);
        assert_eq!((outcome.origin, outcome.release.private), (origin, false));
        assert_eq!(outcome.notes, [LedgerNote::KnownSeed]);
    }
    release(&mut ledger, "b", Toy::pure(0.1)).unwrap();
    let history = ledger.history().unwrap();
    let private = ["a", "b"].map(|id| history.integers(&id.parse().unwrap()).unwrap().private);
    assert_eq!(private, [false, true]);
}

#[test]
fn a_second_kind_of_cost_is_noted_once() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 10.0, 1e-4);
    let mut notes = |id: &str, toy: Toy<'static>| {
        let foretold =
            ledger.notes_before(&id.parse().unwrap(), None, &toy, &SystemRandomness::new().unwrap()).unwrap();
        let notes = release(&mut ledger, id, toy).unwrap().notes;
        assert_eq!(foretold, notes, "{id}: known before the payment");
        notes
    };
    assert_eq!(notes("a", Toy::gaussian(0.1, 1e-6)), []);
    assert_eq!(notes("b", Toy::gaussian(0.2, 1e-6)), []);
    assert_eq!(notes("c", Toy::pure(0.1)), [LedgerNote::PlanAmounts]);
    assert_eq!(notes("d", Toy::pure(0.1)), []);
    assert_eq!(notes("c", Toy::pure(0.1)), [], "given back");
    assert!(ledger.history().unwrap().accounts().must_be_planned());
}

#[test]
fn purely_private_costs_alone_need_no_note_and_approximate_ones_do() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 10.0, 1e-4);
    let approximate = |epsilon| Toy { spend: Spend::of_budget(&budget(epsilon, 1e-6)), ..Toy::pure(epsilon) };
    for (id, toy, note) in [
        ("a", Toy::pure(0.1), false),
        ("b", Toy::pure(0.2), false),
        ("c", approximate(0.1), true),
        ("d", approximate(0.1), false),
    ] {
        assert_eq!(release(&mut ledger, id, toy).unwrap().notes.len(), usize::from(note), "{id}");
    }
    let (_folder, path) = place();
    let mut ledger = super::toy::ledger(&path, 10.0, 1e-4);
    for (id, notes) in [("a", 0), ("b", 1), ("c", 0)] {
        assert_eq!(release(&mut ledger, id, approximate(0.1)).unwrap().notes.len(), notes, "{id}");
    }
}

#[test]
fn a_refusal_draws_nothing_and_spends_nothing() {
    let (_folder, path) = place();
    let mut ledger = Ledger::create(&path, &terms(0.3, 0.0)).unwrap();
    release(&mut ledger, "a", Toy::pure(0.2)).unwrap();
    let before = ledger.history().unwrap();
    let unreached = |toy: Toy<'static>| Toy { during: Box::new(|| unreachable!("nothing is drawn")), ..toy };
    let over = release(&mut ledger, "b", unreached(Toy::pure(0.2))).unwrap_err();
    assert!(matches!(over, LedgerError::OverTotal(_)), "{over}");
    let curve = Guarantee::new(budget(0.1, 0.0), NeighbouringRelation::SubstituteOne, PrivacyUnit::Curve);
    let unit = release(&mut ledger, "b", unreached(Toy { guarantee: curve, ..Toy::pure(0.1) })).unwrap_err();
    assert!(matches!(unit, LedgerError::OtherUnit { .. }), "{unit}");
    let added = Guarantee::new(budget(0.1, 0.0), NeighbouringRelation::AddRemoveOne, PrivacyUnit::Subject);
    let relation = release(&mut ledger, "b", unreached(Toy { guarantee: added, ..Toy::pure(0.1) })).unwrap_err();
    assert!(matches!(relation, LedgerError::OtherNeighbours { .. }), "{relation}");
    assert_eq!(ledger.history().unwrap(), before);
    // a refused release leaves no lock
    assert_eq!(Ledger::open(&path).unwrap().history().unwrap(), before);
}

#[test]
fn a_stored_release_that_was_damaged_is_not_given_out() {
    let edits = [
        "UPDATE draws SET integers = zeroblob(24)",
        "UPDATE draws SET integers = zeroblob(23)",
        "UPDATE draws SET fingerprint = x'00'",
        "DELETE FROM draws",
    ];
    for sql in edits {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
        drop(ledger);
        let error = damage::edited(&path, sql);
        assert!(matches!(error, LedgerError::Stored { .. }), "{sql}: {error}");
    }
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    release(&mut ledger, "a", Toy::pure(0.1)).unwrap();
    let error = damage::edited(&path, "INSERT INTO draws VALUES (1, x'00', x'00')");
    assert!(matches!(error, LedgerError::Tables), "{error}");
}

#[test]
fn a_ledger_without_its_secret_pays_for_nothing() {
    let (_folder, path) = place();
    drop(ledger(&path, 1.0, 0.0));
    for sql in ["UPDATE secret SET key = x'0001'", "DELETE FROM secret"] {
        damage::edit(&path, sql);
        let error = release(&mut Ledger::open(&path).unwrap(), "a", Toy::pure(0.1)).unwrap_err();
        assert!(matches!(error, LedgerError::Tables), "{sql}: {error}");
    }
}

#[test]
fn a_ledger_that_is_moved_while_a_release_is_drawn_shows_nothing() {
    for change in ["moved", "removed"] {
        let (folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        let during = || match change {
            "moved" => fs::rename(&path, folder.path().join("elsewhere")).unwrap(),
            _ => fs::remove_file(&path).unwrap(),
        };
        let error = release(&mut ledger, "a", Toy { during: Box::new(during), ..Toy::pure(0.1) }).unwrap_err();
        assert!(matches!(error, LedgerError::NotKept { .. }), "{change}: {error}");
    }
}
