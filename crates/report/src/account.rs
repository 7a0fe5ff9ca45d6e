//! What was spent on a data set, and what is left: from its ledger.

use dpfda::ledger::LedgerHistory;
use dpfda::mechanism::{Fact, Guarantee, exact};
use dpfda::privacy::{GaussianPrivacy, PrivacyBudget, Spend, TradeOff};

use crate::document::Document;
use crate::html::Html;
use crate::ledger::{facts, releases, time};
use crate::meaning;

/// The account of a ledger, its releases, and what all of them together mean for one person.
pub fn of(page: &mut Html, history: &LedgerHistory, reported: &[Document]) {
    let terms = history.terms();
    let facts = facts(history);
    page.terms(
        [("data set", terms.dataset())]
            .into_iter()
            .chain(facts.iter().map(|Fact { name, text, .. }| (*name, text.as_str()))),
    );
    let in_report = |id: &str| {
        reported
            .iter()
            .any(|document| document.release.ledger().is_some_and(|reference| reference.id().to_string() == id))
    };
    let row =
        |(entry, request, at, is_stored): (&dpfda::ledger::LedgerEntry, &dpfda::ledger::ReleaseRequest, u64, bool)| {
            let (id, budget) = (request.id().to_string(), request.guarantee().budget());
            let state = match (is_stored, in_report(&id)) {
                (_, true) => "in this report",
                (true, false) => "stored",
                (false, false) => "paid for, not stored",
            };
            let group = request.part_of().map_or_else(String::new, |group| format!(" of {group} alone"));
            let amount = format!("({}, {})", exact(budget.epsilon()), exact(budget.delta()));
            vec![
                entry.sequence.to_string(),
                time(at),
                id,
                format!("{}{group}", request.kind()),
                amount,
                state.to_owned(),
            ]
        };
    let rows: Vec<Vec<String>> = releases(history).map(row).collect();
    if rows.is_empty() {
        page.element("p", "The ledger has paid for no release.");
        return;
    }
    let columns = ["entry", "paid for at", "release", "kind", "(epsilon, delta)", "state"];
    page.table("All releases that this ledger paid for", &columns, &rows);
    // of one release alone the page has said it
    let is_said = rows.len() == 1 && reported.len() == 1;
    if let Some(trade_off) = of_all(history).filter(|_| !is_said) {
        page.element("h3", "What all of them together mean for one person");
        let guarantee = Guarantee::new(terms.total(), terms.neighbours(), terms.unit());
        meaning::of(page, "all releases of the ledger together", trade_off, &guarantee);
    }
}

/// What all releases together allow: exactly, where all of them are Gaussian.
fn of_all(history: &LedgerHistory) -> Option<TradeOff> {
    let (accounts, total) = (history.accounts(), history.terms().total());
    let is_gaussian = releases(history).all(|(_, request, ..)| matches!(request.spend(), Spend::Gaussian { .. }));
    if is_gaussian {
        return GaussianPrivacy::new(accounts.mu()?).ok().map(TradeOff::Gaussian);
    }
    PrivacyBudget::new(accounts.epsilon(total.delta()), total.delta()).ok().map(TradeOff::Budget)
}
