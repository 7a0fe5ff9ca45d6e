//! What a ledger says, in words.

use std::time::{Duration, UNIX_EPOCH};

use dpfda::ledger::{GroupName, LedgerEntry, LedgerEvent, LedgerHistory, LedgerNote, ReleaseRequest};
use dpfda::mechanism::{Fact, exact, rounded, unit_in_words};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};

/// What a ledger calls a record that is protected alone: a ledger pays for curves and for points.
pub const ROW: &str = "row";

/// The name of facts that should make a reader careful.
pub const NOTE: &str = "NOTE";

/// What the ledger is, what was spent and what is left.
pub fn facts(history: &LedgerHistory) -> Vec<Fact> {
    let terms = history.terms();
    let changed = match terms.neighbours() {
        NeighbouringRelation::SubstituteOne => "one substituted",
        NeighbouringRelation::AddRemoveOne => "one added or removed",
    };
    let unit = unit_in_words(terms.unit(), ROW);
    let within = if terms.groups().is_empty() { "" } else { ", within its group" };
    let mut facts = vec![
        Fact::new("protects", format!("each {unit}; neighbouring data sets differ in {changed} {unit}{within}")),
        Fact::new("total", pair(terms.total())),
        Fact::new("spent", in_words(history)),
        Fact::new("left", left_in_words(history)),
        Fact::new("last hash", history.head().to_string()),
    ];
    facts.extend(history.accounts().must_be_planned().then(|| Fact::new(NOTE, LedgerNote::PlanAmounts.to_string())));
    for (group, account) in history.accounts().groups() {
        let total = terms.total();
        let spent = PrivacyBudget::new(rounded_up(account.epsilon(total.delta())), total.delta());
        let spent = spent.map_or_else(|_| "unknown".to_owned(), pair);
        facts.push(Fact::new("group", format!("{group}: spent {spent}, left {}", left_for(history, Some(group)))));
    }
    facts
}

/// What was spent.
pub fn in_words(history: &LedgerHistory) -> String {
    let (accounts, total) = (history.accounts(), history.terms().total());
    let number = releases(history).count();
    if number == 0 {
        return "nothing".to_owned();
    }
    let plural = if number == 1 { "release" } else { "releases" };
    let in_all = if history.terms().groups().is_empty() { "in all" } else { "in the group with most of it" };
    let mu = accounts
        .mu()
        .map_or_else(String::new, |mu| format!("; Gaussian noise {in_all}: mu\u{a0}=\u{a0}{}", rounded(mu)));
    let spent = PrivacyBudget::new(rounded_up(accounts.epsilon(total.delta())), total.delta());
    let spent = spent.map_or_else(|_| String::new(), |spent| format!("{} by ", pair(spent)));
    format!("{spent}{number} {plural}{mu}")
}

/// What is left for a release of everybody.
pub fn left_in_words(history: &LedgerHistory) -> String {
    left_for(history, None)
}

/// What is left for a release of everybody, or of one group.
fn left_for(history: &LedgerHistory, group: Option<&GroupName>) -> String {
    let (accounts, total) = (history.accounts(), history.terms().total());
    let of_one = |name: &str, epsilon: f64, delta: f64| {
        format!("{name}delta\u{a0}=\u{a0}{}, epsilon\u{a0}=\u{a0}{}", exact(delta), exact(epsilon))
    };
    let rooms = [
        accounts.remaining(&total, group).map(|left| format!("one more release of {}, whatever its kind", pair(left))),
        largest_gaussian(history, group).map(|(epsilon, delta)| of_one("with Gaussian noise and ", epsilon, delta)),
        // of a total without delta, any release is a pure one
        accounts
            .largest_pure(&total, group)
            .filter(|_| total.delta() > 0.0)
            .map(|epsilon| of_one("with ", epsilon, 0.0)),
    ];
    let rooms: Vec<String> = rooms.into_iter().flatten().collect();
    if rooms.is_empty() { "nothing".to_owned() } else { rooms.join("; ") }
}

/// The largest Gaussian release whose delta is a tenth of the total's, and its delta.
pub fn largest_gaussian(history: &LedgerHistory, group: Option<&GroupName>) -> Option<(f64, f64)> {
    let total = history.terms().total();
    let delta = format!("{:.0e}", total.delta() / 10.0).parse().ok()?;
    history.accounts().largest_gaussian(&total, delta, group).map(|epsilon| (epsilon, delta))
}

/// Every spend: its entry, what was asked, when, and whether its release is stored.
pub fn releases(history: &LedgerHistory) -> impl Iterator<Item = (&LedgerEntry, &ReleaseRequest, u64, bool)> {
    history.entries().iter().filter_map(|entry| match &entry.event {
        LedgerEvent::Spent { request, at } => Some((entry, request, *at, history.is_stored(request.id()))),
        _ => None,
    })
}

/// A budget as people write it.
pub fn pair(budget: PrivacyBudget) -> String {
    format!("(epsilon,\u{a0}delta) = ({},\u{a0}{})", exact(budget.epsilon()), exact(budget.delta()))
}

/// To four digits, upwards: a spend is not told smaller than it is.
fn rounded_up(value: f64) -> f64 {
    let near: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if near >= value { near } else { format!("{:.3e}", value * (1.0 + 5e-4)).parse().unwrap_or(value) }
}

/// A time as people write it.
pub fn time(at: u64) -> String {
    // the last second that has four digits for its year
    let at = UNIX_EPOCH + Duration::from_secs(at.min(253_402_300_799));
    humantime::format_rfc3339_seconds(at).to_string()
}
