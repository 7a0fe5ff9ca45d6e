//! `dpfda verify`: who signed a release, and whether it agrees with itself and with its ledger.

use std::path::Path;

use dpfda::AnyRelease;
use dpfda::mechanism::{Digest, Fact};
use dpfda_report::{study_of, time};
use dpfda_signature::{SignatureError, Signed, signature_beside};
use dpfda_study::Checked;

use crate::arguments::VerifySignedArguments;
use crate::document::in_directory;
use crate::doubt::Doubt;
use crate::error::CliError;
use crate::misasked::Misasked;
use crate::shown::shown;
use crate::signature::{at, public_key};
use crate::summary::{FROM_A_SEED, NOTE};
use crate::told::listed;
use crate::{document, input, study_file, verify};

/// Compares; nothing is spent.
pub fn run(arguments: &VerifySignedArguments) -> Result<String, CliError> {
    if arguments.key.is_none() && arguments.study.is_none() {
        return Err(Misasked::NothingToVerify.into());
    }
    let path = &in_directory(&arguments.release);
    let study = arguments.study.as_deref().map(study_file::checked).transpose()?;
    let text = input::document(path, document::LARGEST)?;
    let signed = arguments.key.as_deref().map(|key| signature_of(path, &text, key)).transpose()?;
    // refuses what no such mechanism can have released, such as another noise than the guarantee needs
    let release = document::parsed(path, &text)?;
    let account = account(arguments, path, &release)?;
    let followed = study.map(|study| follows(path, &text, &release, &study)).transpose()?;
    let what = if signed.is_some() { "is unchanged since it was signed" } else { "follows the study" };
    let mut facts = vec![Fact::new("VERIFIED", format!("{} {what}", shown(path)))];
    if let Some(signed) = &signed {
        facts.push(Fact::new("signed", by_whom(signed)));
    }
    if let Some(study) = followed {
        facts.push(Fact::new(
            "study",
            format!("the release names the study with the digest {study}, and has its guarantee"),
        ));
    }
    facts.push(Fact::new("noise", "the values fit the lattice and the noise that the stated guarantee needs"));
    facts.push(Fact::new("ledger", account));
    let unsigned = "tables and figures beside it are not signed: `dpfda smooth` or `dpfda report` makes them again";
    facts.push(Fact::new("files", unsigned));
    if signed.is_none() {
        let note = "nobody signed what was compared: whoever wrote the file could have written the digest";
        facts.push(Fact::new(NOTE, note));
    }
    if !release.is_private() {
        facts.push(Fact::new(NOTE, FROM_A_SEED));
    }
    Ok(listed(&facts, arguments.answer.json)?)
}

/// Who signed the document, by their key.
pub fn signature_of(path: &Path, text: &str, key: &Path) -> Result<Signed, CliError> {
    let key = public_key(key)?;
    let refused = at("", path);
    let signature = signature_beside(path).map_err(&refused)?;
    key.verify(&signature, text.as_bytes()).map_err(|reason| match reason {
        doubt @ (SignatureError::OtherKey { .. } | SignatureError::Changed { .. }) => {
            not_verified(path, &Doubt::Signature(doubt))
        }
        reason => refused(reason).into(),
    })
}

/// Refuses a release that follows another study, or none.
pub fn follows(path: &Path, text: &str, release: &AnyRelease, study: &Checked) -> Result<Digest, CliError> {
    let given = study.digest();
    let doubt = match study_of(text) {
        Some(said) if said == given => match study.disagreement(release.guarantee()) {
            None => return Ok(said),
            Some(setting) => Doubt::OtherGuarantee { setting },
        },
        Some(said) => Doubt::OtherStudy { said, given },
        None => Doubt::NoStudy,
    };
    Err(not_verified(path, &doubt))
}

fn by_whom(signed: &Signed) -> String {
    let when = signed.at.map_or_else(|| "at a time that it does not say".to_owned(), |at| format!("at {}", time(at)));
    format!("by the key {} {when}, by the clock of whoever signed", signed.key)
}

/// What the ledger says of the release.
fn account(arguments: &VerifySignedArguments, path: &Path, release: &AnyRelease) -> Result<String, CliError> {
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
        return Err(not_verified(path, &Doubt::NoLedger));
    }
    let claim = verify::verified(release, &history, path)?;
    let (entry, dataset) = (claim.reference.entry(), claim.reference.dataset());
    Ok(format!(
        "entry {entry} of the ledger of {dataset} paid for it, with this guarantee; the chain of entries is whole"
    ))
}

fn not_verified(path: &Path, doubt: &Doubt) -> CliError {
    CliError::NotVerified { path: path.to_owned(), reasons: doubt.to_string() }
}
