//! `dpfda ledger verify`: a release against the ledger that paid for it.

use std::path::Path;

use dpfda::AnyRelease;
use dpfda::ledger::{Claim, LedgerHistory};
use dpfda::mechanism::Fact;

use crate::arguments::{HistoryArguments, VerifyArguments};
use crate::error::CliError;
use crate::misasked::Misasked;
use crate::told::listed;
use crate::{document, input, ledger};

/// Compares; nothing is spent.
pub fn run(arguments: &VerifyArguments) -> Result<String, CliError> {
    let release = document::any(&arguments.release)?.1;
    let path = &arguments.release;
    let history = history(&arguments.account)?.ok_or_else(|| Misasked::NoLedger { path: path.clone() })?;
    let claim = verified(&release, &history, path)?;
    let text = format!(
        "VERIFIED: entry {} of the ledger of {} paid for the release {}, with the guarantee that the release states. This \
         shows that the two agree, and not who wrote them: `dpfda verify` checks the signature of a release.",
        claim.reference.entry(),
        claim.reference.dataset(),
        claim.reference.id(),
    );
    Ok(listed(&[Fact::new("", text)], arguments.answer.json)?)
}

/// What a release claims, if the ledger agrees.
pub fn verified(release: &AnyRelease, history: &LedgerHistory, path: &Path) -> Result<Claim, CliError> {
    let claim = release.claim().ok_or_else(|| Misasked::NoLedger { path: path.to_owned() })?;
    let mismatches = history.verify(&claim);
    if mismatches.is_empty() {
        return Ok(claim);
    }
    let reasons: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    Err(CliError::NotVerified { path: path.to_owned(), reasons: reasons.join("; ") })
}

/// The entries of a ledger or of its export, where one was given.
pub fn history(arguments: &HistoryArguments) -> Result<Option<LedgerHistory>, CliError> {
    if let Some(path) = &arguments.ledger {
        return ledger::history(path).map(Some);
    }
    let Some(path) = &arguments.export else { return Ok(None) };
    let text = input::document(path, document::LARGEST)?;
    Ok(LedgerHistory::from_json(&text).map(Some).map_err(|_| Misasked::NotAnExport { path: path.clone() })?)
}
