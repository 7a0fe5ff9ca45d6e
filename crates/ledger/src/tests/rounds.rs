//! Releases in two rounds: paid for once, drawn once in each, whatever stops in between.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dpfda_mechanism::{AgainError, Stored};
use dpfda_privacy::{SeededRandomness, SystemRandomness};

use super::toy::{First, ToyRelease, ledger};
use super::*;
use crate::payment::{Held, Reserved};

/// A toy in two rounds whose data are what they were, or not.
fn toy<'a>(is_same: bool) -> Toy<'a> {
    let again = move || if is_same { Ok(()) } else { Err(AgainError::Changed) };
    Toy { first: Some(First { again: Box::new(again), ..First::plain() }), ..Toy::twice(0.25) }
}

fn stage(ledger: &Ledger) -> Vec<&'static str> {
    let history = ledger.history().unwrap();
    let name = |entry: &LedgerEntry| match entry.event {
        LedgerEvent::Created { .. } => "created",
        LedgerEvent::Spent { .. } => "spent",
        LedgerEvent::Answered { .. } => "answered",
        LedgerEvent::Resumed { .. } => "resumed",
        LedgerEvent::Released { .. } => "released",
    };
    history.entries().iter().map(name).collect()
}

/// The ledger as a crash at this moment would leave it: the file alone.
fn copied(path: &std::path::Path, name: &str) -> PathBuf {
    let copy = path.with_file_name(name);
    fs::copy(path, &copy).unwrap();
    copy
}

#[test]
fn two_rounds_are_one_payment_and_two_draws_in_order() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let drawn = release(&mut ledger, "a", toy(true)).unwrap();
    assert_eq!(drawn.origin, Origin::Drawn);
    assert!(drawn.release.first.is_some());
    assert_eq!(stage(&ledger), ["created", "spent", "answered", "resumed", "released"]);
    assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.25);
    // given back without going through the data again
    let again = release(&mut Ledger::open(&path).unwrap(), "a", toy(false)).unwrap();
    assert_eq!((again.origin, again.release), (Origin::GivenBack, drawn.release));
}

/// What a stop leaves, and what the same request makes of it.
struct Stop {
    after: &'static str,
    left: Vec<&'static str>,
    again: Again,
}

#[derive(Debug, PartialEq)]
enum Again {
    Free,
    Lost,
    GoesOn,
    GivenBack,
}

#[test]
fn every_stop_leaves_what_the_table_says() {
    let (_folder, path) = place();
    let mut whole = ledger(&path, 1.0, 0.0);
    let copies = RefCell::new(vec![("nothing", copied(&path, "nothing"))]);
    let copy = |name: &'static str| copies.borrow_mut().push((name, copied(&path, name)));
    let first = First {
        during: Box::new(|| copy("draw 1")),
        again: Box::new(|| {
            copy("pass 2");
            Ok(())
        }),
        answer: None,
    };
    let toy_of = Toy { first: Some(first), during: Box::new(|| copy("draw 2")), ..Toy::twice(0.25) };
    let drawn = release(&mut whole, "a", toy_of).unwrap().release;
    copy("everything");
    let stops = [
        Stop { after: "nothing", left: vec!["created"], again: Again::Free },
        Stop { after: "draw 1", left: vec!["created", "spent"], again: Again::Lost },
        Stop { after: "pass 2", left: vec!["created", "spent", "answered"], again: Again::GoesOn },
        Stop { after: "draw 2", left: vec!["created", "spent", "answered", "resumed"], again: Again::Lost },
        Stop {
            after: "everything",
            left: vec!["created", "spent", "answered", "resumed", "released"],
            again: Again::GivenBack,
        },
    ];
    let copies = copies.take();
    assert_eq!(copies.len(), stops.len());
    for (Stop { after, left, again }, (name, copy)) in stops.into_iter().zip(copies) {
        assert_eq!(after, name);
        let mut ledger = Ledger::open(&copy).unwrap();
        assert_eq!(stage(&ledger), left, "{after}");
        let draws = Rc::new(Cell::new(0));
        let counted = draws.clone();
        let first = First { during: Box::new(move || counted.set(counted.get() + 1)), ..First::plain() };
        let outcome = release(&mut ledger, "a", Toy { first: Some(first), ..Toy::twice(0.25) });
        let found = match &outcome {
            Ok(Outcome { origin: Origin::GivenBack, release, .. }) => {
                assert_eq!(*release, drawn);
                Again::GivenBack
            }
            Ok(Outcome { release, .. }) if draws.get() == 0 => {
                // the same first answer, and the rest anew: nobody has seen that of before
                assert_eq!(release.first, drawn.first);
                Again::GoesOn
            }
            Ok(_) => Again::Free,
            Err(LedgerError::Lost { .. }) => Again::Lost,
            Err(other) => unreachable!("{after}: {other}"),
        };
        assert_eq!(found, again, "{after}");
        assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.25, "{after}: paid once");
    }
}

#[test]
fn data_that_changed_are_refused_and_go_on_where_they_are_put_back() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let error = release(&mut ledger, "a", toy(false)).unwrap_err();
    assert!(matches!(error, LedgerError::Again { reason: AgainError::Changed, .. }), "{error}");
    assert!(error.to_string().ends_with("goes on at no further cost, with the data as they were"), "{error}");
    assert_eq!(stage(&ledger), ["created", "spent", "answered"]);
    assert!(ledger.history().unwrap().is_answered(&"a".parse().unwrap()));
    // other data from the start
    let other = Toy { data: vec![1, 2, 4], ..toy(true) };
    assert!(matches!(release(&mut ledger, "a", other), Err(LedgerError::OtherData { .. })));
    let other = Toy { plan: "another", ..toy(true) };
    assert!(matches!(release(&mut ledger, "a", other), Err(LedgerError::IdInUse { .. })));
    assert_eq!(release(&mut ledger, "a", toy(true)).unwrap().origin, Origin::Drawn);
    assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.25);
}

#[test]
fn the_refusal_of_changed_data_is_the_same_whatever_the_noise() {
    let texts = (0..20).map(|seed| {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        let refused = ledger.release("a".parse().unwrap(), toy(false), &mut SeededRandomness::from_seed(seed));
        let json = ledger.history().unwrap().to_json().unwrap();
        (refused.unwrap_err().to_string(), json.len(), fs::metadata(&path).unwrap().len())
    });
    let mut texts: Vec<_> = texts.collect();
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
}

#[test]
fn the_ledger_is_free_for_others_while_the_data_are_gone_through_again() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let between = || {
        let other = thread::scope(|scope| {
            let other = || release(&mut Ledger::open(&path).unwrap(), "b", Toy::of(vec![1; 1000], 0.5)).unwrap();
            scope.spawn(other).join().unwrap().origin
        });
        assert_eq!(other, Origin::Drawn);
        Ok(())
    };
    let first = First { again: Box::new(between), ..First::plain() };
    release(&mut ledger, "a", Toy { first: Some(first), ..Toy::twice(0.25) }).unwrap();
    assert_eq!(stage(&ledger), ["created", "spent", "answered", "spent", "released", "resumed", "released"]);
    assert_eq!(ledger.history().unwrap().accounts().epsilon(0.0), 0.75);
}

#[test]
fn of_two_that_go_on_at_a_time_one_draws_and_the_other_is_given_the_same() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    let mut inner: Option<ToyRelease> = None;
    let between = || {
        let release = || release(&mut Ledger::open(&path).unwrap(), "a", toy(true)).unwrap();
        inner = Some(thread::scope(|scope| scope.spawn(release).join().unwrap()).release);
        Ok(())
    };
    let first = First { again: Box::new(between), ..First::plain() };
    let outcome = release(&mut ledger, "a", Toy { first: Some(first), ..Toy::twice(0.25) }).unwrap();
    assert_eq!((outcome.origin, Some(outcome.release)), (Origin::GivenBack, inner));
    assert_eq!(stage(&ledger), ["created", "spent", "answered", "resumed", "released"]);
}

#[test]
fn a_disk_that_is_full_after_the_payment_has_room_for_both_rounds() {
    for values in [0, 3, 512, 20_000] {
        let (_folder, path) = place();
        let mut ledger = ledger(&path, 1.0, 0.0);
        let request = pure("a", 0.1);
        let job = crate::payment::Job { first: Some(4 * values), ..job(&request, 8 * values) };
        let stored = |bytes: u64| Stored {
            software: "0.1.0".to_owned(),
            private: true,
            bytes: vec![7; usize::try_from(bytes).unwrap()],
        };
        let mut held = Held::new(&mut ledger.connection);
        let Reserved::Free(history) = held.reserve(&job).unwrap() else { unreachable!() };
        let paid = held.pay(&history, &request).unwrap();
        let pages = pages(held.connection);
        limit_to(held.connection, pages);
        held.keep(&paid, &job, &stored(4 * values), true).unwrap();
        drop(held);
        let mut held = Held::new(&mut ledger.connection);
        let crate::payment::Resumed::Marked(before) = held.resume(&job).unwrap() else { unreachable!() };
        held.keep(before.last(), &job, &stored(8 * values), false).unwrap();
        drop(held);
        assert_eq!(super::pages(&ledger.connection), pages, "{values}");
        assert!(Ledger::open(&path).unwrap().history().unwrap().is_stored(request.id()), "{values}");
    }
}

#[test]
fn room_for_a_second_round_is_kept_while_others_are_paid_for() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    release(&mut ledger, "a", toy(false)).unwrap_err();
    let rounds = |ledger: &Ledger| -> Vec<(String, i64)> {
        let mut query = ledger.connection.prepare("SELECT request, round FROM space").unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(rounds(&ledger), [("a".to_owned(), 2)]);
    release(&mut ledger, "b", Toy::pure(0.1)).unwrap();
    assert_eq!(rounds(&ledger), [("a".to_owned(), 2)]);
    release(&mut ledger, "a", toy(true)).unwrap();
    assert!(rounds(&ledger).is_empty());
}

#[test]
fn a_first_answer_from_a_seed_stamps_the_release() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    ledger.release("a".parse().unwrap(), toy(false), &mut SeededRandomness::from_seed(1)).unwrap_err();
    ledger.release("a".parse().unwrap(), toy(true), &mut SystemRandomness::new().unwrap()).unwrap();
    let json = ledger.history().unwrap().to_json().unwrap();
    assert_eq!(json.matches("\"private\": false").count(), 2, "{json}");
}

#[test]
fn entries_out_of_the_order_of_rounds_are_no_ledger() {
    let (_folder, path) = place();
    let mut ledger = ledger(&path, 1.0, 0.0);
    release(&mut ledger, "a", toy(true)).unwrap();
    let events: Vec<_> = ledger.history().unwrap().entries().iter().map(|entry| entry.event.clone()).collect();
    let chained = |order: &[usize]| {
        let entries = order.iter().fold(Vec::new(), |mut entries: Vec<LedgerEntry>, place| {
            let entry = LedgerEntry::after(entries.last(), events[*place].clone()).unwrap();
            entries.push(entry);
            entries
        });
        LedgerHistory::new(entries)
    };
    for good in [&[0][..], &[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[0, 1, 4]] {
        assert!(chained(good).is_ok(), "{good:?}");
    }
    for bad in
        [&[0, 2][..], &[0, 1, 3], &[0, 1, 2, 4], &[0, 1, 2, 2], &[0, 1, 2, 3, 3], &[0, 1, 4, 2], &[0, 1, 2, 3, 4, 3]]
    {
        assert!(matches!(chained(bad), Err(HistoryError::Release { .. })), "{bad:?}");
    }
}
