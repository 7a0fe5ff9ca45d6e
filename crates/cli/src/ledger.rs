//! `dpfda ledger`: the account of what was released of a data set.

use std::fmt::Write;
use std::time::{Duration, UNIX_EPOCH};

use dpfda::ledger::{Ledger, LedgerEntry, LedgerEvent, LedgerHistory, LedgerTerms, ReleaseRequest};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget};
use serde_json::{Value, json};

use crate::arguments::{CreateArguments, LedgerCommand, ShowArguments};
use crate::error::CliError;
use crate::payment::refused;
use crate::shown::shown;
use crate::summary::{exact, rounded, wrapped};

/// Runs one of the three commands; none of them spends anything.
pub fn run(command: &LedgerCommand) -> Result<String, CliError> {
    match command {
        LedgerCommand::Create(arguments) => create(arguments),
        LedgerCommand::Show(arguments) => show(arguments),
        LedgerCommand::Export(arguments) => {
            let path = &arguments.ledger;
            let history = Ledger::open(path).and_then(|ledger| ledger.history());
            Ok(history.map_err(|reason| refused(path, reason))?.to_json()? + "\n")
        }
    }
}

fn create(arguments: &CreateArguments) -> Result<String, CliError> {
    let total = PrivacyBudget::new(arguments.epsilon, arguments.delta)?;
    let terms = LedgerTerms::new(&arguments.dataset, arguments.unit, arguments.neighbours, total)?;
    let path = &arguments.ledger;
    let history = Ledger::create(path, &terms).and_then(|ledger| ledger.history());
    let history = history.map_err(|reason| refused(path, reason))?;
    let closing = format!(
        "Give --ledger {} to every command that releases these people, and keep the file safe: whoever puts an older copy \
         back spends the same budget twice.",
        shown(path)
    );
    Ok(facts(&history, shown(path)) + "\n" + &wrapped("", &closing))
}

fn show(arguments: &ShowArguments) -> Result<String, CliError> {
    let path = &arguments.ledger;
    let history = Ledger::open(path).and_then(|ledger| ledger.history());
    let history = history.map_err(|reason| refused(path, reason))?;
    if arguments.json {
        return Ok(serde_json::to_string_pretty(&as_json(&history))? + "\n");
    }
    let mut text = facts(&history, shown(path));
    let _ = writeln!(text, "\nreleases{}", if releases(&history).next().is_none() { "    none" } else { "" });
    for (entry, request, at, is_stored) in releases(&history) {
        let state = if is_stored { "" } else { "; paid for, not yet stored: the same command resumes it" };
        let budget = pair(request.budget()).replace('\u{a0}', " ");
        let (number, id, mechanism) = (entry.sequence, request.id(), request.mechanism());
        let _ = writeln!(text, "  {number}  {}  {id}  {mechanism}  {budget}{state}", time(at));
        let _ = writeln!(text, "     {}  (ledger.head in its release.json)", entry.hash);
    }
    Ok(text)
}

fn facts(history: &LedgerHistory, path: impl std::fmt::Display) -> String {
    let terms = history.terms();
    let changed = match terms.neighbours() {
        NeighbouringRelation::SubstituteOne => "one substituted",
        NeighbouringRelation::AddRemoveOne => "one added or removed",
    };
    let unit = terms.unit();
    let mut text = format!("Ledger of {} ({path})\n\n", terms.dataset());
    for (name, fact) in [
        ("protects", format!("each {unit}; neighbouring data sets differ in {changed} {unit}")),
        ("total", pair(terms.total())),
        ("spent", in_words(history)),
        ("left", left_in_words(history)),
        ("last hash", history.head().to_string()),
    ] {
        text += &wrapped(name, &fact);
    }
    text
}

/// What was spent.
pub fn in_words(history: &LedgerHistory) -> String {
    let (account, total) = (history.account(), history.terms().total());
    let number = releases(history).count();
    if number == 0 {
        return "nothing".to_owned();
    }
    let plural = if number == 1 { "release" } else { "releases" };
    let mu = account.gaussian().map_or_else(String::new, |privacy| {
        format!("; Gaussian noise in all mu\u{a0}=\u{a0}{}", rounded(privacy.mu()))
    });
    let spent = PrivacyBudget::new(rounded_up(account.epsilon(total.delta())), total.delta());
    let spent = spent.map_or_else(|_| String::new(), |spent| format!("{} by ", pair(spent)));
    format!("{spent}{number} {plural}{mu}")
}

/// What is left.
pub fn left_in_words(history: &LedgerHistory) -> String {
    let (account, total) = (history.account(), history.terms().total());
    let of_one = |name: &str, epsilon: f64, delta: f64| {
        format!("{name}delta\u{a0}=\u{a0}{}, epsilon\u{a0}=\u{a0}{}", exact(delta), exact(epsilon))
    };
    let rooms = [
        account.remaining(&total).map(|left| format!("any release of {}", pair(left))),
        largest_gaussian(history).map(|(epsilon, delta)| of_one("with Gaussian noise and ", epsilon, delta)),
        // of a total without delta, any release is a pure one
        account.largest_pure(&total).filter(|_| total.delta() > 0.0).map(|epsilon| of_one("with ", epsilon, 0.0)),
    ];
    let rooms: Vec<String> = rooms.into_iter().flatten().collect();
    if rooms.is_empty() { "nothing".to_owned() } else { rooms.join("; ") }
}

/// The largest Gaussian release whose delta is a tenth of the total's, and its delta.
fn largest_gaussian(history: &LedgerHistory) -> Option<(f64, f64)> {
    let total = history.terms().total();
    let delta = format!("{:.0e}", total.delta() / 10.0).parse().ok()?;
    history.account().largest_gaussian(&total, delta).map(|epsilon| (epsilon, delta))
}

/// Every spend: its entry, what was asked, when, and whether its release is stored.
fn releases(history: &LedgerHistory) -> impl Iterator<Item = (&LedgerEntry, &ReleaseRequest, u64, bool)> {
    history.entries().iter().filter_map(|entry| match &entry.event {
        LedgerEvent::Spent { request, at } => Some((entry, request, *at, history.files(request.id()).is_some())),
        _ => None,
    })
}

fn as_json(history: &LedgerHistory) -> Value {
    let (terms, account, total) = (history.terms(), history.account(), history.terms().total());
    let releases: Vec<Value> = releases(history)
        .map(|(entry, request, at, is_stored)| {
            json!({
                "entry": entry.sequence,
                "hash": entry.hash,
                "id": request.id(),
                "mechanism": request.mechanism(),
                "budget": request.budget(),
                "spend": request.spend(),
                "at": time(at),
                "stored": is_stored,
            })
        })
        .collect();
    let epsilon = account.epsilon(total.delta());
    json!({
        "terms": terms,
        "spent": {
            "epsilon": epsilon,
            "delta": total.delta(),
            "mu": account.gaussian().map(|privacy| privacy.mu()),
        },
        "left": {
            "any": account.remaining(&total),
            "gaussian": largest_gaussian(history).map(|(epsilon, delta)| json!({ "epsilon": epsilon, "delta": delta })),
            "pure": account.largest_pure(&total).map(|epsilon| json!({ "epsilon": epsilon, "delta": 0.0 })),
        },
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

fn time(at: u64) -> String {
    // the last second that has four digits for its year
    let at = UNIX_EPOCH + Duration::from_secs(at.min(253_402_300_799));
    humantime::format_rfc3339_seconds(at).to_string()
}
