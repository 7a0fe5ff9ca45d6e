//! `dpfda report`: one page about releases that a custodian can sign.
//!
//! The page is a function of public documents: releases, and the export of the ledger that paid for them. It is one file without
//! scripts, and loads nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dpfda::mechanism::Fact;
use dpfda::plotting::FigureError;
use dpfda_report::page;

use crate::arguments::{LedgerReportArguments, ReportArguments};
use crate::document;
use crate::error::CliError;
use crate::ledger;
use crate::misasked::Misasked;
use crate::new_file::{NewFile, NewFileError};
use crate::shown::shown;
use crate::told::listed;
use crate::verify::{history, verified};

const ARGUMENT: &str = "--out";

/// Writes the page about releases, and says where it is.
pub fn run(arguments: &ReportArguments) -> Result<String, CliError> {
    let file = NewFile::check(ARGUMENT, &arguments.out)?;
    let history = history(&arguments.account)?;
    // a release that is named twice is one release
    let mut named = BTreeSet::new();
    let releases: Vec<&PathBuf> = arguments
        .releases
        .iter()
        .filter(|path| named.insert(path.canonicalize().unwrap_or_else(|_| (*path).clone())))
        .collect();
    if history.is_none() && releases.len() > 1 {
        return Err(Misasked::ReleasesWithoutLedger.into());
    }
    let documents = releases.into_iter().map(|path| {
        let document = document::read(path)?;
        if let Some(history) = &history {
            verified(&document.release, history, path)?;
        }
        Ok(document)
    });
    let documents = documents.collect::<Result<Vec<_>, CliError>>()?;
    let page = page(&documents, history.as_ref()).map_err(undrawn)?;
    written(&file, &page, arguments.answer.json)
}

/// Writes the page about a ledger, and says where it is.
pub fn of_ledger(arguments: &LedgerReportArguments) -> Result<String, CliError> {
    let file = NewFile::check(ARGUMENT, &arguments.out)?;
    let history = ledger::history(&arguments.ledger)?;
    written(&file, &page(&[], Some(&history)).map_err(undrawn)?, arguments.answer.json)
}

fn undrawn(source: FigureError) -> CliError {
    NewFileError::Figure { argument: "RELEASE.json", source }.into()
}

fn written(file: &NewFile, page: &str, as_json: bool) -> Result<String, CliError> {
    file.write(page.as_bytes())?;
    let text = format!(
        "{} is one page to read, print and sign: it holds public numbers alone, runs no script and loads nothing. Nothing was drawn \
         and nothing was spent.",
        shown(file.path())
    );
    Ok(listed(&[Fact::new("", text)], as_json)?)
}
