//! The account of what was released of a data set. Everything that is shown of it is public.

use std::path::PathBuf;

use dpfda::AnyRelease;
use dpfda::ledger::{GroupName, Ledger, LedgerEvent, LedgerHistory, LedgerTerms};
use dpfda::privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};
use dpfda_report::{Document, Report};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::refusal::{Refusal, one_of};

/// The two relations by name.
pub const RELATIONS: [(&str, NeighbouringRelation); 2] =
    [("substitute", NeighbouringRelation::SubstituteOne), ("add-remove", NeighbouringRelation::AddRemoveOne)];

/// What a record may be.
const UNITS: [(&str, PrivacyUnit); 2] = [("subject", PrivacyUnit::Subject), ("curve", PrivacyUnit::Curve)];

/// Creates a ledger in a new file.
#[pyfunction]
pub fn create_ledger(
    path: PathBuf,
    dataset: &str,
    unit: &str,
    neighbours: &str,
    budget: (f64, f64),
    groups: Vec<String>,
) -> Result<(), Refusal> {
    let (unit, relation) = (one_of("unit", unit, &UNITS)?, one_of("neighbours", neighbours, &RELATIONS)?);
    let mut terms = LedgerTerms::new(dataset, unit, relation, PrivacyBudget::new(budget.0, budget.1)?)?;
    if !groups.is_empty() {
        let groups = groups.iter().map(|group| group.parse()).collect::<Result<Vec<GroupName>, _>>()?;
        terms = terms.with_groups(groups)?;
    }
    Ledger::create(&path, &terms)?;
    Ok(())
}

/// What was spent, what is left and which releases were paid for, as JSON.
#[pyfunction]
pub fn show_ledger(path: PathBuf) -> Result<String, Refusal> {
    Ok(shown(&Ledger::open(&path)?.history()?).to_string())
}

/// All entries with their hashes, as JSON.
#[pyfunction]
pub fn export_ledger(path: PathBuf) -> Result<String, Refusal> {
    Ok(Ledger::open(&path)?.history()?.to_json()?)
}

/// What a release says of the ledger that paid for it, and the ledger does not; nothing where they agree.
#[pyfunction]
pub fn verify_in_ledger(path: PathBuf, release: &str) -> Result<Vec<String>, Refusal> {
    let release = AnyRelease::from_json(release).map_err(|error| Refusal::of_document(&error))?;
    let claim = release.claim().ok_or_else(|| Refusal::new("release", "no ledger paid for this release"))?;
    let mismatches = Ledger::open(&path)?.history()?.verify(&claim);
    Ok(mismatches.iter().map(ToString::to_string).collect())
}

/// One page, as HTML, about releases and the ledger that paid for them.
#[pyfunction]
#[pyo3(signature = (releases, path))]
pub fn report(releases: Vec<String>, path: Option<PathBuf>) -> Result<String, Refusal> {
    let history = path.map(|path| Ledger::open(&path)?.history()).transpose()?;
    let documents = releases.iter().map(|text| Document::from_json(text)).collect::<Result<Vec<_>, _>>();
    Ok(Report::of(&documents.map_err(|error| Refusal::of_document(&error))?, history.as_ref())?.to_html()?)
}

fn shown(history: &LedgerHistory) -> Value {
    let (terms, accounts, total) = (history.terms(), history.accounts(), history.terms().total());
    let releases = history.entries().iter().filter_map(|entry| match &entry.event {
        LedgerEvent::Spent { request, at } => Some(json!({
            "entry": entry.sequence,
            "hash": entry.hash,
            "id": request.id(),
            "kind": request.kind(),
            "part_of": request.part_of(),
            "plan": request.plan(),
            "budget": request.guarantee().budget(),
            "spend": request.spend(),
            "at": at,
            "stored": history.is_stored(request.id()),
        })),
        _ => None,
    });
    let groups = accounts.groups().map(|(group, account)| {
        json!({
            "group": group,
            "spent": { "epsilon": account.epsilon(total.delta()), "delta": total.delta() },
            "left": accounts.remaining(&total, Some(group)),
        })
    });
    json!({
        "terms": terms,
        "spent": { "epsilon": accounts.epsilon(total.delta()), "delta": total.delta(), "mu": accounts.mu() },
        "left": accounts.remaining(&total, None),
        "groups": groups.collect::<Vec<_>>(),
        "releases": releases.collect::<Vec<_>>(),
        "head": history.head(),
    })
}
