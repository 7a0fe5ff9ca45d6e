//! `dpfda ledger`: the account of what was released of a data set.

use std::fmt::{self, Write};
use std::path::Path;

use dpfda::ledger::{Ledger, LedgerError, LedgerHistory, LedgerTerms};
use dpfda::privacy::PrivacyBudget;
use dpfda_report::{facts, largest_gaussian, pair, releases, time};
use serde_json::{Value, json};

use crate::arguments::{CreateArguments, LedgerCommand, ShowArguments};
use crate::error::CliError;
use crate::publication::refused;
use crate::shown::shown;
use crate::summary::wrapped;
use crate::{report, verify};

/// Runs one of the commands; none of them spends anything.
pub fn run(command: &LedgerCommand) -> Result<String, CliError> {
    match command {
        LedgerCommand::Create(arguments) => create(arguments),
        LedgerCommand::Show(arguments) => show(arguments),
        LedgerCommand::Verify(arguments) => verify::run(arguments),
        LedgerCommand::Report(arguments) => report::of_ledger(arguments),
        LedgerCommand::Export(arguments) => Ok(history(&arguments.ledger)?.to_json()? + "\n"),
    }
}

fn create(arguments: &CreateArguments) -> Result<String, CliError> {
    let total = PrivacyBudget::new(arguments.epsilon, arguments.delta)?;
    let mut terms = LedgerTerms::new(&arguments.dataset, arguments.unit, arguments.neighbours, total)?;
    if !arguments.groups.is_empty() {
        terms = terms.with_groups(arguments.groups.clone())?;
    }
    let path = &arguments.ledger;
    let history = Ledger::create(path, &terms).and_then(|ledger| ledger.history());
    let history = history.map_err(|reason| refused(path, reason))?;
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

fn show(arguments: &ShowArguments) -> Result<String, CliError> {
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
    Ledger::open(path).and_then(|ledger| ledger.history()).map_err(|reason| refused(path, reason))
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

/// What to do about a ledger, on its own line.
pub struct LedgerAdvice<'a>(pub &'a LedgerError);

impl fmt::Display for LedgerAdvice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            LedgerError::Open { .. } => {
                "\nhint: `dpfda ledger create` makes a new ledger, in a folder that exists and is writable"
            }
            LedgerError::OtherUnit { .. } => {
                "\nhint: name the column of subjects (release --subject) or what a row is (density --unit), or use the \
                 ledger that was made for this unit"
            }
            LedgerError::OtherNeighbours { .. } => "\nhint: give --neighbours as the ledger has it",
            LedgerError::OverTotal(_) => "\nhint: `dpfda ledger show` tells what was spent",
            LedgerError::Tables | LedgerError::Damaged(_) | LedgerError::Entry { .. } | LedgerError::Stored { .. } => {
                "\nhint: find out who changed the file; its last whole backup may miss releases that were made since"
            }
            _ => "",
        })
    }
}
