//! Exported ledgers, and the parts that they are made of.

use dpfda::ledger::{LedgerEvent, LedgerHistory, LedgerReference, LedgerTerms, ReleaseRequest};
use dpfda::privacy::{Account, Amount, PrivacyBudget, Spend};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, to_string};

/// The data are the document: a whole ledger, an entry, terms, a request, a reference, a spend or an amount.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(history) = LedgerHistory::from_json(text) {
        assert!(history.accounts().is_within(&history.terms().total()), "a ledger that is read keeps its total");
        assert_plain(history.terms());
        let Ok(written) = history.to_json() else { unreachable!("a history can be written") };
        assert!(LedgerHistory::from_json(&written).is_ok_and(|again| again == history));
    }
    round_trip::<LedgerEvent>(text);
    round_trip::<ReleaseRequest>(text);
    round_trip::<LedgerReference>(text);
    if let Some(terms) = round_trip::<LedgerTerms>(text) {
        assert_plain(&terms);
    }
    if let Some(spend) = round_trip::<Spend>(text) {
        assert_spend(&spend);
    }
    if let Ok(amount) = text.parse::<Amount>() {
        assert!(amount.to_string().parse::<Amount>().is_ok_and(|again| again == amount));
        assert!(amount.to_f64_down() <= amount.to_f64_up());
    }
}

/// What can be read can be written, and reads back the same.
fn round_trip<T: DeserializeOwned + Serialize + PartialEq>(text: &str) -> Option<T> {
    let read: T = from_str(text).ok()?;
    let Ok(written) = to_string(&read) else { unreachable!("what was read can be written") };
    assert!(from_str::<T>(&written).is_ok_and(|again| again == read));
    Some(read)
}

fn assert_plain(terms: &LedgerTerms) {
    assert!(!terms.dataset().chars().any(char::is_control), "it is printed");
}

/// A spend never makes room.
fn assert_spend(spend: &Spend) {
    let Ok(total) = PrivacyBudget::new(1.0, 1e-5) else { unreachable!("a budget") };
    let half = Account::default().with(&Spend::of_budget(&total));
    let more = half.with(spend);
    assert!(more.epsilon(1e-5) >= half.epsilon(1e-5));
    assert!(!more.is_within(&total) || more.largest_pure(&total) <= half.largest_pure(&total));
}
