//! Disjoint groups cost their maximum.

use dpfda_privacy::SystemRandomness;

use super::toy::ToyRelease;
use super::*;

fn names(names: &[&str]) -> Vec<GroupName> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn grouped(path: &std::path::Path) -> Ledger {
    Ledger::create(path, &terms(1.0, 0.0).with_groups(names(&["women", "men"])).unwrap()).unwrap()
}

fn release(
    ledger: &mut Ledger,
    group: Option<&str>,
    id: &str,
    epsilon: f64,
) -> Result<Outcome<ToyRelease>, LedgerError> {
    let (id, mut randomness) = (id.parse().unwrap(), SystemRandomness::new().unwrap());
    match group {
        None => ledger.release(id, Toy::pure(epsilon), &mut randomness),
        Some(group) => ledger.release_of_group(group.parse().unwrap(), id, Toy::pure(epsilon), &mut randomness),
    }
}

#[test]
fn disjoint_groups_cost_their_maximum_and_everybody_costs_each_of_them() {
    let (_folder, path) = place();
    let mut ledger = grouped(&path);
    release(&mut ledger, Some("women"), "a", 0.75).unwrap();
    release(&mut ledger, Some("men"), "b", 0.5).unwrap();
    let epsilon = |ledger: &Ledger| ledger.history().unwrap().accounts().epsilon(0.0);
    assert_eq!(epsilon(&ledger), 0.75);
    let over = release(&mut ledger, None, "c", 0.5).unwrap_err();
    let LedgerError::OverTotal(over) = over else { panic!("{over}") };
    assert_eq!(over.fits, Some(budget(0.25, 0.0)));
    release(&mut ledger, None, "c", 0.25).unwrap();
    assert_eq!(epsilon(&ledger), 1.0);
    // women have nothing left, men a quarter
    assert!(matches!(release(&mut ledger, Some("women"), "d", 0.01), Err(LedgerError::OverTotal(_))));
    assert!(matches!(release(&mut ledger, None, "d", 0.01), Err(LedgerError::OverTotal(_))));
    release(&mut ledger, Some("men"), "d", 0.25).unwrap();
    let history = Ledger::open(&path).unwrap().history().unwrap();
    let spent: Vec<_> =
        history.accounts().groups().map(|(name, account)| (name.to_string(), account.epsilon(0.0))).collect();
    assert_eq!(spent, [("men".to_owned(), 1.0), ("women".to_owned(), 1.0)]);
    assert_eq!(history.accounts().remaining(&budget(1.0, 0.0), None), None);
}

#[test]
fn a_group_that_was_not_declared_pays_for_nothing() {
    let (_folder, path) = place();
    let mut ledger = grouped(&path);
    let error = release(&mut ledger, Some("children"), "a", 0.1).unwrap_err();
    assert!(matches!(error, LedgerError::UnknownGroup { .. }), "{error}");
    let (_other, path) = place();
    let mut without = Ledger::create(&path, &terms(1.0, 0.0)).unwrap();
    let error = release(&mut without, Some("women"), "a", 0.1).unwrap_err();
    assert!(matches!(error, LedgerError::UnknownGroup { .. }), "{error}");
    assert_eq!(without.history().unwrap().entries().len(), 1);
}

#[test]
fn a_release_of_another_group_is_another_release() {
    let (_folder, path) = place();
    let mut ledger = grouped(&path);
    release(&mut ledger, Some("women"), "a", 0.1).unwrap();
    for group in [Some("men"), None] {
        assert!(matches!(release(&mut ledger, group, "a", 0.1), Err(LedgerError::IdInUse { .. })));
    }
    assert_eq!(release(&mut ledger, Some("women"), "a", 0.1).unwrap().origin, Origin::GivenBack);
}

#[test]
fn groups_are_part_of_the_terms_and_of_the_chain() {
    let (_folder, path) = place();
    let mut ledger = grouped(&path);
    release(&mut ledger, Some("women"), "a", 1.0).unwrap();
    let history = ledger.history().unwrap();
    let json = history.to_json().unwrap();
    assert_eq!(LedgerHistory::from_json(&json).unwrap(), history);
    for (old, new) in [("\"part_of\": \"women\"", "\"part_of\": \"men\""), ("\"men\"", "\"boys\"")] {
        assert!(json.contains(old) && LedgerHistory::from_json(&json.replacen(old, new, 1)).is_err(), "{old}");
    }
}

#[test]
fn groups_have_names_of_their_own() {
    let with = |of: &[&str]| terms(1.0, 0.0).with_groups(names(of));
    assert!(with(&["a", "b", "c"]).is_ok());
    for bad in [&[][..], &["a"], &["a", "a"], &["a", "b", "a"]] {
        assert_eq!(with(bad), Err(TermsError::Groups), "{bad:?}");
    }
    for bad in ["", "a b", "a,b", "a\n", &"x".repeat(51)] {
        assert_eq!(bad.parse::<GroupName>(), Err(GroupNameError), "{bad}");
    }
}

#[test]
fn an_entry_of_an_unknown_group_or_above_the_total_of_one_group_is_no_history() {
    let created = |groups: &[&str]| {
        let terms = terms(1.0, 0.0).with_groups(names(groups)).unwrap();
        LedgerEntry::after(None, LedgerEvent::Created { terms, at: 0 }).unwrap()
    };
    let spent = |last: &LedgerEntry, group: &str, id: &str, epsilon| {
        let request = pure(id, epsilon).of_group(group.parse().unwrap());
        LedgerEntry::after(Some(last), LedgerEvent::Spent { request, at: 0 }).unwrap()
    };
    let first = created(&["a", "b"]);
    let (second, unknown) = (spent(&first, "a", "x", 0.75), spent(&first, "c", "x", 0.75));
    let (third, over) = (spent(&second, "b", "y", 0.75), spent(&second, "a", "y", 0.75));
    assert!(LedgerHistory::new(vec![first.clone(), second.clone(), third]).is_ok());
    assert_eq!(LedgerHistory::new(vec![first.clone(), unknown]), Err(HistoryError::Group { entry: 1 }));
    assert_eq!(LedgerHistory::new(vec![first, second, over]), Err(HistoryError::OverTotal { entry: 2 }));
}
