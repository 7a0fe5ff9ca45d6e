//! What was spent on a data set, and what is left: from its ledger.

use dpfda::ledger::{LedgerEntry, LedgerHistory, ReleaseRequest};
use dpfda::mechanism::{Fact, Guarantee, exact};
use dpfda::privacy::{GaussianPrivacy, PrivacyBudget, Spend, TradeOff};

use crate::content::{Block, Page, Table};
use crate::document::Document;
use crate::ledger::{NOTE, ROW, facts, releases, time};
use crate::meaning::{self, Seen};

/// The account of a ledger, its releases, and what all of them together mean for one person.
pub fn of(page: &mut Page, history: &LedgerHistory, reported: &[Document]) {
    let terms = history.terms();
    page.add(Block::Heading("What the ledger holds, and what is left"));
    let (notes, named): (Vec<Fact>, Vec<Fact>) = facts(history).into_iter().partition(|fact| fact.name == NOTE);
    let named = named.into_iter().map(|fact| (fact.name.to_owned(), fact.text));
    page.add(Block::Facts([("data set".to_owned(), terms.dataset().to_owned())].into_iter().chain(named).collect()));
    for note in notes {
        page.add(Block::Note(note.text));
    }
    let rows: Vec<Vec<String>> = releases(history).map(|release| row(release, reported)).collect();
    if rows.is_empty() {
        page.add(Block::Text("The ledger has paid for no release.".to_owned()));
        return;
    }
    let count = rows.len();
    let is_one = count == 1;
    page.add(Block::Table(Table {
        caption: "All releases that this ledger paid for".to_owned(),
        columns: vec![
            ("entry", 0.06),
            ("paid for at", 0.19),
            ("release", 0.29),
            ("kind", 0.16),
            ("(epsilon, delta)", 0.14),
            ("state", 0.16),
        ],
        rows,
        is_form: false,
    }));
    page.add(Block::Text(skipped(history)));
    page.add(Block::Text(composed(history)));
    // of one release alone its page has said it
    if let Some(trade_off) = of_all(history).filter(|_| !is_one || reported.is_empty()) {
        let guarantee = Guarantee::new(terms.total(), terms.neighbours(), terms.unit());
        let seen = if is_one { Seen::One } else { Seen::Together(count) };
        meaning::of(page, seen, trade_off, &guarantee, ROW);
    }
}

fn row(
    (entry, request, at, is_stored): (&LedgerEntry, &ReleaseRequest, u64, bool),
    reported: &[Document],
) -> Vec<String> {
    let (id, budget) = (request.id().to_string(), request.guarantee().budget());
    let is_reported = reported
        .iter()
        .any(|document| document.release.ledger().is_some_and(|reference| reference.id().to_string() == id));
    let state = match (is_stored, is_reported) {
        (_, true) => "in this report",
        (true, false) => "stored",
        (false, false) => "paid for, not stored",
    };
    let group = request.part_of().map_or_else(String::new, |group| format!(" of {group} alone"));
    vec![
        entry.sequence.to_string(),
        time(at),
        id,
        format!("{}{group}", request.kind()),
        format!("({}, {})", exact(budget.epsilon()), exact(budget.delta())),
        state.to_owned(),
    ]
}

/// Why numbers of entries are missing from the table.
fn skipped(history: &LedgerHistory) -> String {
    let (all, paid) = (history.entries().len(), releases(history).count());
    let paid = if paid == 1 { "one of them paid".to_owned() } else { format!("{paid} of them paid") };
    format!(
        "The ledger has {all} entries, and {paid} for a release. The others are not in the table, for they spend nothing: the first opened \
         the ledger, and each of the rest records what became of a release that was paid for."
    )
}

/// Why what was spent is not the sum of the budgets.
fn composed(history: &LedgerHistory) -> String {
    let delta = exact(history.terms().total().delta());
    if releases(history).count() == 1 {
        return format!(
            "What was spent is the epsilon of the release at the delta of the total, {delta}. The budget in the table has the delta of the \
             release. Both describe the same noise."
        );
    }
    format!(
        "What was spent is not the sum of the budgets in the table. It is the epsilon of all releases together at the delta of the total, \
         {delta}. At a larger delta the same releases have a smaller epsilon, and together they reveal less than their sum."
    )
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
