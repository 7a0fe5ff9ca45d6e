//! One page about releases that a custodian can sign.
//!
//! The page is a function of public documents: releases, and the export of the ledger that paid for them. It is one file without
//! scripts, and loads nothing.

use dpfda::ledger::{LedgerHistory, LedgerReference};
use dpfda::plotting::FigureError;
use dpfda::privacy::TradeOff;

mod account;
mod document;
mod figure;
mod html;
mod ledger;
mod meaning;
mod signing;

use html::Html;

pub use document::{Document, study_of};
pub use ledger::{facts, in_words, largest_gaussian, left_in_words, pair, releases, time};

/// The page, as HTML, about these releases and the ledger that paid for them.
///
/// # Errors
/// [`FigureError`] for a release of which no figure can be drawn.
pub fn page(documents: &[Document], history: Option<&LedgerHistory>) -> Result<String, FigureError> {
    made(documents, history).map(Html::into_string)
}

fn made(documents: &[Document], history: Option<&LedgerHistory>) -> Result<Html, FigureError> {
    let mut page = Html::default();
    head(&mut page, &title(documents, history));
    for document in documents {
        release(&mut page, document)?;
    }
    page.element("h2", "The account");
    match history {
        Some(history) => account::of(&mut page, history, documents),
        None => without_history(&mut page, documents),
    }
    if !documents.is_empty() {
        page.element("h2", "For a methods section");
        for document in documents {
            signing::methods(&mut page, document);
        }
    }
    page.element("h2", "Before you sign");
    signing::checklist(&mut page, documents, history.is_some());
    page.element("h2", "How to check this page");
    signing::verification(&mut page, documents);
    page.markup("</main>\n<footer>");
    page.element("p", concat!("Made by dpfda ", env!("CARGO_PKG_VERSION"), " from public documents alone."));
    page.markup("</footer>\n</body>\n</html>\n");
    Ok(page)
}

/// A title that says which data set and which release.
fn title(documents: &[Document], history: Option<&LedgerHistory>) -> String {
    let reference = documents.first().and_then(|document| document.release.ledger());
    let dataset = history.map(|history| history.terms().dataset()).or(reference.map(LedgerReference::dataset));
    let of = dataset.map_or_else(String::new, |name| format!(" of {name}"));
    match documents {
        [] => format!("Privacy account{of}"),
        [one] => format!("Privacy report{of}: {}", one.title().to_lowercase()),
        several => format!("Privacy report{of}: {} releases", several.len()),
    }
}

fn head(page: &mut Html, title: &str) {
    page.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // nothing is loaded and nothing runs, whatever the page holds
    page.markup(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    page.element("title", title).markup("<style>\n").markup(include_str!("style.css")).markup("</style>\n</head>\n");
    page.markup("<body>\n<header>\n").element("h1", title).markup("<p class=\"lead\">");
    page.text(
        "This page says what was released of private data, what it means for one person, and what people must vouch for. It is for \
         those who decide whether it may be published. It holds public numbers alone.",
    );
    page.markup("</p>\n</header>\n<main>\n");
}

/// What was released, what it means, and what it rests on.
fn release(page: &mut Html, document: &Document) -> Result<(), FigureError> {
    let release = &document.release;
    let heading = match release.ledger() {
        Some(reference) => format!("{}: {}", reference.id(), document.title().to_lowercase()),
        None => document.title().to_owned(),
    };
    page.element("h2", &heading);
    if !release.is_private() {
        page.markup("<p class=\"stamp\">")
            .text("NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.");
        page.markup("</p>\n");
    }
    page.element("h3", "What was released");
    figure::of(page, document)?;
    let facts = document.facts();
    page.terms(facts.iter().map(|fact| (fact.name, fact.text.as_str())));
    for note in document.notes() {
        page.markup("<p class=\"note\"><strong>Note.</strong> ").text(&note).markup("</p>\n");
    }
    page.element("h3", "What the guarantee means for one person");
    if release.is_private() {
        let guarantee = release.guarantee();
        let trade_off = TradeOff::of_release(&release.spend(), guarantee.budget());
        meaning::of(page, "this release", trade_off, guarantee);
    } else {
        page.element("p", "Nothing: everybody who knows the seed can take the noise away.");
    }
    page.element("h3", "What is public by assumption");
    signing::assumptions(page, document);
    Ok(())
}

fn without_history(page: &mut Html, documents: &[Document]) {
    let text = if documents.iter().any(|document| document.release.ledger().is_some()) {
        "A ledger paid for this release: its entry is among the facts above. The ledger itself was not given to this page, so the page \
         does not say what else was spent and what is left. Give it with --ledger, or its export with --export."
    } else {
        "No ledger paid for this release. Nothing remembers what was spent on these people: every other release of them adds to it."
    };
    page.element("p", text);
}
