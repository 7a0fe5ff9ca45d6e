//! `dpfda ledger`: the account of what was released of a data set.

use std::fmt::Write;
use std::path::Path;

use dpfda::ledger::{Ledger, LedgerHistory, LedgerTerms};
use dpfda::privacy::PrivacyBudget;
use dpfda_report::{facts, largest_gaussian, pair, releases, time};
use serde_json::{Value, json};

use crate::arguments::{CreateArguments, ExportArguments, ShowArguments};
use crate::error::CliError;
use crate::shown::shown;
use crate::summary::wrapped;

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
