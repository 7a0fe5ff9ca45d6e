//! `dpfda report`: a page for each release that a custodian can sign.
//!
//! The page is a function of public documents: releases, and the export of the ledger that paid for them. It is one file without
//! scripts, and loads nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dpfda::mechanism::Fact;
use dpfda::plotting::FigureError;
use dpfda_report::{Document, Report, Signature};
use dpfda_signature::{SignatureError, signature_beside, signer};
use dpfda_study::Checked;

use crate::arguments::{LedgerReportArguments, ReportArguments};
use crate::document::{self, in_directory};
use crate::error::CliError;
use crate::input;
use crate::ledger;
use crate::misasked::Misasked;
use crate::new_file::{NewFileError, PageFile};
use crate::shown::shown;
use crate::signature::at;
use crate::signed::{follows, signature_of};
use crate::study_file;
use crate::told::listed;
use crate::verify::{history, verified};

/// Writes the page about releases, and says where it is.
pub fn run(arguments: &ReportArguments) -> Result<String, CliError> {
    let file = PageFile::check(&arguments.out, "report.html")?;
    let history = history(&arguments.account)?;
    // a release that is named twice is one release
    let mut named = BTreeSet::new();
    let releases: Vec<PathBuf> = arguments
        .releases
        .iter()
        .map(|path| in_directory(path))
        .filter(|path| named.insert(path.canonicalize().unwrap_or_else(|_| path.clone())))
        .collect();
    if history.is_none() && releases.len() > 1 {
        return Err(Misasked::ReleasesWithoutLedger.into());
    }
    let study = arguments.study.as_deref().map(study_file::checked).transpose()?;
    let documents = releases.iter().map(|path| {
        let document = compared(path, arguments.key.as_deref(), study.as_ref())?;
        if let Some(history) = &history {
            verified(&document.release, history, path)?;
        }
        Ok(document)
    });
    let documents = documents.collect::<Result<Vec<_>, CliError>>()?;
    written(&file, &Report::of(&documents, history.as_ref()).map_err(undrawn)?, arguments.answer.json)
}

/// A release, compared with the signature beside it and the study, as far as they are given.
fn compared(path: &Path, key: Option<&Path>, study: Option<&Checked>) -> Result<Document, CliError> {
    let text = input::document(path, document::LARGEST)?;
    let mut document = document::told(path, &text)?;
    document.signature = match key {
        Some(key) => {
            let signed = signature_of(path, &text, key)?;
            Signature::Checked(signed.key, signed.at)
        }
        None => match signature_beside(path).and_then(|signature| signer(&signature)) {
            Ok(key) => Signature::By(key),
            Err(SignatureError::Unsigned) => Signature::None,
            Err(reason) => return Err(at("", path)(reason).into()),
        },
    };
    if let Some(study) = study {
        follows(path, &text, &document.release, study)?;
        document.is_compared = true;
    }
    Ok(document)
}

/// Writes the page about a ledger, and says where it is.
pub fn of_ledger(arguments: &LedgerReportArguments) -> Result<String, CliError> {
    let file = PageFile::check(&arguments.out, "ledger.html")?;
    let history = ledger::history(&arguments.ledger)?;
    written(&file, &Report::of(&[], Some(&history)).map_err(undrawn)?, arguments.answer.json)
}

fn undrawn(source: FigureError) -> CliError {
    NewFileError::Figure { argument: "RELEASE.json", source }.into()
}

fn written(page: &PageFile, report: &Report, as_json: bool) -> Result<String, CliError> {
    let file = &page.file;
    let bytes = if page.is_pdf { report.to_pdf() } else { report.to_html().map(String::into_bytes) };
    file.write(&bytes.map_err(undrawn)?)?;
    let text = format!(
        "{} is to be read, printed and signed: it holds public numbers alone, runs no script and loads nothing. Nothing was drawn \
         and nothing was spent.",
        shown(file.path())
    );
    Ok(listed(&[Fact::new("", text)], as_json)?)
}
