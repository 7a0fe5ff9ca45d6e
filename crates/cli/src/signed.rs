//! `dpfda verify`: who signed a release, and whether it agrees with itself and with its ledger.

use dpfda::AnyRelease;
use dpfda_signature::{SignatureError, Signed, signature_beside};
use thiserror::Error;

use crate::arguments::VerifySignedArguments;
use crate::error::CliError;
use crate::ledger::time;
use crate::shown::shown;
use crate::signature::{at, public_key};
use crate::summary::{FROM_A_SEED, NOTE, wrapped};
use crate::{document, input, verify};

/// What does not hold of a signed release.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Doubt {
    #[error(transparent)]
    Signature(SignatureError),
    #[error("the release names no ledger, but one was given")]
    NoLedger,
}

/// Compares; nothing is spent.
pub fn run(arguments: &VerifySignedArguments) -> Result<String, CliError> {
    let path = &arguments.release;
    let key = public_key(&arguments.key)?;
    let text = input::document(path, document::LARGEST)?;
    let refused = at("", path);
    let signature = signature_beside(path).map_err(&refused)?;
    let signed = key.verify(&signature, text.as_bytes()).map_err(|reason| match reason {
        doubt @ (SignatureError::OtherKey { .. } | SignatureError::Changed { .. }) => {
            CliError::NotSigned { path: path.clone(), doubt: Doubt::Signature(doubt) }
        }
        reason => refused(reason).into(),
    })?;
    // refuses what no such mechanism can have released, such as another noise than the guarantee needs
    let release = document::parsed(path, &text)?;
    let account = account(arguments, &release)?;
    let mut told = wrapped("VERIFIED", &format!("{} is unchanged since it was signed", shown(path)));
    told += &wrapped("signed", &by_whom(&signed));
    told += &wrapped("noise", "the values fit the lattice and the noise that the stated guarantee needs");
    told += &wrapped("ledger", &account);
    told += &wrapped(
        "files",
        "tables and figures beside it are not signed: `dpfda smooth` or `dpfda report` makes them again",
    );
    if !release.is_private() {
        told += &wrapped(NOTE, FROM_A_SEED);
    }
    Ok(told)
}

fn by_whom(signed: &Signed) -> String {
    let when = signed.at.map_or_else(|| "at a time that it does not say".to_owned(), |at| format!("at {}", time(at)));
    format!("by the key {} {when}, by the clock of whoever signed", signed.key)
}

/// What the ledger says of the release.
fn account(arguments: &VerifySignedArguments, release: &AnyRelease) -> Result<String, CliError> {
    let Some(history) = verify::history(&arguments.account)? else {
        return Ok(match release.claim() {
            Some(claim) => format!(
                "the release names entry {} of the ledger of {}; to compare, give --ledger or --export",
                claim.reference.entry(),
                claim.reference.dataset()
            ),
            None => "the release names none".to_owned(),
        });
    };
    if release.claim().is_none() {
        return Err(CliError::NotSigned { path: arguments.release.clone(), doubt: Doubt::NoLedger });
    }
    let claim = verify::verified(release, &history, &arguments.release)?;
    let (entry, dataset) = (claim.reference.entry(), claim.reference.dataset());
    Ok(format!(
        "entry {entry} of the ledger of {dataset} paid for it, with this guarantee; the chain of entries is whole"
    ))
}
