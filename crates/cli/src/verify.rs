//! `dpfda ledger verify`: a release against the ledger that paid for it.

use std::path::Path;

use dpfda::ledger::{Claim, Digest, Ledger, LedgerHistory, LedgerReference};
use dpfda::privacy::{GaussianPrivacy, NeighbouringRelation, PrivacyBudget, PrivacyUnit, Spend};
use serde::Deserialize;

use crate::arguments::VerifyArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::payment::refused;
use crate::summary::wrapped;

/// The largest document that is read.
const LARGEST: u64 = 1 << 30;

/// Compares; nothing is spent.
pub fn run(arguments: &VerifyArguments) -> Result<String, CliError> {
    let claim = claim(&arguments.release)?;
    let history = history(arguments)?;
    let mismatches = history.verify(&claim);
    if !mismatches.is_empty() {
        return Err(CliError::NotVerified { mismatches });
    }
    let text = format!(
        "VERIFIED: entry {} of the ledger of {} paid for the release {}, with the guarantee that the release states. Releases \
         are not signed: this shows that the two agree, and not who wrote them.",
        claim.reference.entry(),
        claim.reference.dataset(),
        claim.reference.id(),
    );
    Ok(wrapped("", &text))
}

fn history(arguments: &VerifyArguments) -> Result<LedgerHistory, CliError> {
    if let Some(path) = &arguments.ledger {
        return Ledger::open(path).and_then(|ledger| ledger.history()).map_err(|reason| refused(path, reason));
    }
    let path = arguments.export.as_deref().unwrap_or(Path::new(""));
    let text = document(path, LARGEST)?;
    LedgerHistory::from_json(&text).map_err(|_| CliError::NotAnExport { path: path.to_owned() })
}

/// The fields of a release that a ledger knows, too; what stands beside them is not read.
#[derive(Deserialize)]
struct Document {
    kind: Option<String>,
    plan: Option<Digest>,
    ledger: Option<LedgerReference>,
    privacy: Option<Privacy>,
}

#[derive(Deserialize)]
struct Privacy {
    epsilon: f64,
    delta: f64,
    mu: Option<f64>,
    neighbours: Option<NeighbouringRelation>,
    unit: Option<PrivacyUnit>,
    private: Option<bool>,
}

/// What the document claims, as far as its fields say it.
fn claim(path: &Path) -> Result<Claim, CliError> {
    let text = document(path, LARGEST)?;
    let document: Document = serde_json::from_str(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of(&text, &error) })?;
    let reference = document.ledger.ok_or_else(|| CliError::NoLedger { path: path.to_owned() })?;
    let privacy = document.privacy.as_ref();
    let budget = privacy.map(|privacy| PrivacyBudget::new(privacy.epsilon, privacy.delta)).transpose()?;
    let gaussian = privacy.and_then(|privacy| GaussianPrivacy::new(privacy.mu?).ok()).map(Spend::of_gaussian);
    let pure = budget.filter(|budget| budget.delta() == 0.0).map(|budget| Spend::of_budget(&budget));
    Ok(Claim {
        reference,
        kind: document.kind,
        budget,
        neighbours: privacy.and_then(|privacy| privacy.neighbours),
        unit: privacy.and_then(|privacy| privacy.unit),
        spend: gaussian.or(pure),
        plan: document.plan,
        private: privacy.and_then(|privacy| privacy.private),
        integers: None,
    })
}
