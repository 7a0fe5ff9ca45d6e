//! `dpfda ledger verify`: a release against the ledger that paid for it.

use std::path::Path;

use dpfda::AnyRelease;
use dpfda::ledger::{Claim, Ledger, LedgerHistory};

use crate::arguments::VerifyArguments;
use crate::error::CliError;
use crate::flaw::Flaw;
use crate::input::document;
use crate::publication::refused;
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

/// What the document claims.
fn claim(path: &Path) -> Result<Claim, CliError> {
    let text = document(path, LARGEST)?;
    let release = AnyRelease::from_json(&text)
        .map_err(|error| CliError::NotARelease { path: path.to_owned(), reason: Flaw::of_release(&text, &error) })?;
    release.claim().ok_or_else(|| CliError::NoLedger { path: path.to_owned() })
}
