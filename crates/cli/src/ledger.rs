//! `dpfda ledger`: the account of what was released of a data set.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use dpfda::ledger::{GroupName, Ledger, LedgerEntry, LedgerEvent, LedgerHistory, LedgerTerms, ReleaseRequest};
use dpfda::mechanism::Fact;
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use serde_json::{Value, json};

use crate::arguments::{CreateArguments, ExportArguments, ShowArguments};
use crate::error::CliError;
use crate::shown::shown;
use crate::summary::{exact, rounded, wrapped};

/// The entries, for an archive or an auditor.
pub fn export(arguments: &ExportArguments) -> Result<String, CliError> {
    Ok(history(&arguments.ledger)?.to_json()? + "\n")
}

/// A new ledger.
pub fn create(arguments: &CreateArguments) -> Result<String, CliError> {
    let total = PrivacyBudget::new(arguments.epsilon, arguments.delta)?;
    let mut terms = LedgerTerms::new(&arguments.dataset, arguments.unit, arguments.neighbours, total)?;
    if !arguments.groups.is_empty() {
        terms = terms.with_groups(arguments.groups.clone())?;
    }
    let path = &arguments.ledger;
    let history = Ledger::create(path, &terms).and_then(|ledger| ledger.history());
    let history = history.map_err(|reason| CliError::of_ledger(path, reason))?;
    let closing = format!(
        "Give --ledger {} to every command that releases these people, and keep the file safe: whoever puts an older copy \
         back spends the same budget twice. The file is as private as the data; `dpfda ledger export` prints what may be shown.",
        shown(path)
    );
    if arguments.answer.json {
        return Ok(serde_json::to_string_pretty(&as_json(&history))? + "\n");
    }
    Ok(headed(&history, path) + "\n" + &wrapped("", &closing))
}

/// What was spent and what is left; nothing is spent.
pub fn show(arguments: &ShowArguments) -> Result<String, CliError> {
    let path = &arguments.ledger;
    let history = history(path)?;
    if arguments.answer.json {
        return Ok(serde_json::to_string_pretty(&as_json(&history))? + "\n");
    }
    let mut text = headed(&history, path);
    let _ = writeln!(text, "\nreleases{}", if releases(&history).next().is_none() { "    none" } else { "" });
    for (entry, request, at, is_stored) in releases(&history) {
        let state = if is_stored {
            ""
        } else if history.is_answered(request.id()) {
            "; paid for, its second round is still to come: the same command goes on at no further cost"
        } else {
            "; paid for, not yet stored: the same command resumes it"
        };
        let budget = pair(request.guarantee().budget()).replace('\u{a0}', " ");
        let (number, id, kind) = (entry.sequence, request.id(), request.kind());
        let group = request.part_of().map_or_else(String::new, |group| format!("  of {group} alone"));
        let _ = writeln!(text, "  {number}  {}  {id}  {kind}{group}  {budget}{state}", time(at));
        let _ = writeln!(text, "     {}  (ledger.head in its release.json)", entry.hash);
    }
    Ok(text)
}

/// The entries of a ledger.
pub fn history(path: &Path) -> Result<LedgerHistory, CliError> {
    Ledger::open(path).and_then(|ledger| ledger.history()).map_err(|reason| CliError::of_ledger(path, reason))
}

fn headed(history: &LedgerHistory, path: &Path) -> String {
    let lines = facts(history).into_iter().map(|fact| wrapped(fact.name, &fact.text));
    format!("Ledger of {} ({})\n\n", history.terms().dataset(), shown(path)) + &lines.collect::<String>()
}

/// What the ledger is, what was spent and what is left.
pub fn facts(history: &LedgerHistory) -> Vec<Fact> {
    let terms = history.terms();
    let changed = match terms.neighbours() {
        NeighbouringRelation::SubstituteOne => "one substituted",
        NeighbouringRelation::AddRemoveOne => "one added or removed",
    };
    let unit = terms.unit();
    let within = if terms.groups().is_empty() { "" } else { ", within its group" };
    let mut facts = vec![
        Fact::new("protects", format!("each {unit}; neighbouring data sets differ in {changed} {unit}{within}")),
        Fact::new("total", pair(terms.total())),
        Fact::new("spent", in_words(history)),
        Fact::new("left", left_in_words(history)),
        Fact::new("last hash", history.head().to_string()),
    ];
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
        .map_or_else(String::new, |mu| format!("; Gaussian noise {in_all} mu\u{a0}=\u{a0}{}", rounded(mu)));
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
        accounts.remaining(&total, group).map(|left| format!("any release of {}", pair(left))),
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
fn largest_gaussian(history: &LedgerHistory, group: Option<&GroupName>) -> Option<(f64, f64)> {
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

fn as_json(history: &LedgerHistory) -> Value {
    let (terms, accounts, total) = (history.terms(), history.accounts(), history.terms().total());
    let releases: Vec<Value> = releases(history)
        .map(|(entry, request, at, is_stored)| {
            json!({
                "entry": entry.sequence,
                "hash": entry.hash,
                "id": request.id(),
                "kind": request.kind(),
                "part_of": request.part_of(),
                "plan": request.plan(),
                "budget": request.guarantee().budget(),
                "spend": request.spend(),
                "at": time(at),
                "stored": is_stored,
                "answered": history.is_answered(request.id()),
            })
        })
        .collect();
    let groups: Vec<Value> = accounts
        .groups()
        .map(|(group, account)| {
            json!({
                "group": group,
                "spent": { "epsilon": account.epsilon(total.delta()), "delta": total.delta() },
                "left": accounts.remaining(&total, Some(group)),
            })
        })
        .collect();
    let epsilon = accounts.epsilon(total.delta());
    json!({
        "terms": terms,
        "spent": {
            "epsilon": epsilon,
            "delta": total.delta(),
            "mu": accounts.mu(),
        },
        "left": {
            "any": accounts.remaining(&total, None),
            "gaussian": largest_gaussian(history, None).map(|(epsilon, delta)| json!({ "epsilon": epsilon, "delta": delta })),
            "pure": accounts.largest_pure(&total, None).map(|epsilon| json!({ "epsilon": epsilon, "delta": 0.0 })),
        },
        "groups": groups,
        "releases": releases,
        "head": history.head(),
    })
}

fn pair(budget: PrivacyBudget) -> String {
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
