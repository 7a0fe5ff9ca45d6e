//! Pages about releases that a custodian can sign: one for each release, and one for the ledger that paid for them.
//!
//! A report is a function of public documents: releases, and the export of a ledger. It is written as HTML without scripts, which loads
//! nothing and prints the same, or as PDF. Without the feature `figures` its numbers stand in place of a figure.

use dpfda::ledger::LedgerHistory;

mod account;
mod content;
mod document;
mod drawn;
mod figure;
mod html;
mod ledger;
mod meaning;
mod methods;
mod release_page;
#[cfg(feature = "figures")]
mod sheets;
mod statements;

use content::{Block, Page};

pub use document::{Document, Signature, study_of};
pub use drawn::FigureError;
pub use ledger::{facts, in_words, largest_gaussian, left_in_words, pair, releases, time};

/// Pages about releases and the ledger that paid for them.
pub struct Report {
    title: String,
    pages: Vec<Page>,
}

impl Report {
    /// A page for each release, and one for the ledger where it is given.
    ///
    /// # Errors
    /// [`FigureError`] for a release of which no figure can be drawn.
    pub fn of(documents: &[Document], history: Option<&LedgerHistory>) -> Result<Self, FigureError> {
        let pages = documents.iter().map(|document| release_page::of(document, history));
        let mut pages = pages.collect::<Result<Vec<Page>, FigureError>>()?;
        pages.extend(history.map(|history| ledger_page(documents, history)));
        let title = match pages.first().and_then(|page| page.blocks.first()) {
            Some(Block::Title(title)) => title.clone(),
            _ => "Privacy report".to_owned(),
        };
        Ok(Self { title, pages })
    }

    /// One file for screen and paper.
    ///
    /// # Errors
    /// [`FigureError`] for a figure that cannot be drawn.
    pub fn to_html(&self) -> Result<String, FigureError> {
        html::of(&self.title, &self.pages)
    }

    /// The same on sheets of A4; only with the feature `figures`.
    ///
    /// # Errors
    /// [`FigureError`] for a figure that cannot be drawn.
    #[cfg(feature = "figures")]
    pub fn to_pdf(&self) -> Result<Vec<u8>, FigureError> {
        sheets::of(&self.pages)
    }
}

fn ledger_page(documents: &[Document], history: &LedgerHistory) -> Page {
    let mut page = Page::default();
    page.add(Block::Title(format!("Privacy account of {}", history.terms().dataset())));
    account::of(&mut page, history, documents);
    if documents.is_empty() {
        statements::signatures(&mut page, documents, 0);
    }
    page.add(Block::Small(
        "How to check this page: dpfda ledger export FILE > ledger.json prints all entries with their hashes, for an auditor; dpfda \
         ledger verify release.json --export ledger.json shows whether the ledger paid for a release, with this guarantee."
            .to_owned(),
    ));
    page
}
