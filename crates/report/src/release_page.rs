//! The page of one release.

use dpfda::ledger::LedgerHistory;
use dpfda::mechanism::Fact;
use dpfda::privacy::TradeOff;

use crate::content::{Block, Page};
use crate::document::{Document, Signature};
use crate::drawn::FigureError;
use crate::ledger::{in_words, left_in_words, time};
use crate::meaning::Seen;
use crate::{figure, meaning, methods, statements};

/// What a blank is, where people write by hand.
const BLANK: &str = "______________________";

/// What was released, what it means, what it rests on and who signs.
pub fn of(document: &Document, history: Option<&LedgerHistory>) -> Result<Page, FigureError> {
    let mut page = Page::default();
    let release = &document.release;
    let dataset = dataset(document, history);
    let of = dataset.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
    page.add(Block::Title(format!("Privacy report{of}: {}", document.title().to_lowercase())));
    if !release.is_private() {
        let text = "NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.";
        page.add(Block::Stamp(text.to_owned()));
    }
    page.add(Block::Facts(identity(document, history, dataset)));
    page.add(Block::Heading("What was released"));
    what(&mut page, document)?;
    if release.is_private() {
        let guarantee = release.guarantee();
        let trade_off = TradeOff::of_release(&release.spend(), guarantee.budget());
        meaning::of(&mut page, Seen::One, trade_off, guarantee, release.record());
    } else {
        page.add(Block::Heading("What it means for one person"));
        page.add(Block::Text("Nothing: everybody who knows the seed can take the noise away.".to_owned()));
    }
    let count = statements::of(&mut page, document, history.is_some());
    statements::signatures(&mut page, std::slice::from_ref(document), count);
    page.add(Block::Heading("For a methods section"));
    page.add(Block::Quote(methods::paragraph(document)));
    page.add(Block::Small(how_to_check(document)));
    Ok(page)
}

/// The name of the data set: that of the study, or of the ledger.
fn dataset(document: &Document, history: Option<&LedgerHistory>) -> Option<String> {
    let of_study = document.release.papers().dataset().map(str::to_owned);
    let of_history = history.map(|history| history.terms().dataset().to_owned());
    of_study.or(of_history).or_else(|| document.release.ledger().map(|reference| reference.dataset().to_owned()))
}

/// Which release this is, by which papers, who signed it, and who paid.
fn identity(document: &Document, history: Option<&LedgerHistory>, dataset: Option<String>) -> Vec<(String, String)> {
    let (release, papers) = (&document.release, document.release.papers());
    let or_blank = |text: Option<&str>| text.unwrap_or(BLANK).to_owned();
    let place = release.ledger().map_or_else(String::new, |reference| format!("{}, made by ", reference.id()));
    let study = match (document.study, document.is_compared) {
        (Some(digest), true) => format!("follows the approved study, with which it was compared: digest {digest}"),
        (Some(digest), false) => format!("names the study with the digest {digest}; not compared (--study)"),
        (None, _) => "names none".to_owned(),
    };
    [
        (
            "papers",
            format!(
                "data set {}; study {}; approval {}; date {}",
                dataset.as_deref().unwrap_or(BLANK),
                or_blank(papers.study()),
                or_blank(papers.approval()),
                or_blank(papers.date())
            ),
        ),
        ("release", format!("{place}{}; SHA-256 of release.json {}", release.software(), document.digest)),
        ("study", study),
        ("signature", signed(&document.signature)),
        ("ledger", account(document, history)),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .to_vec()
}

fn signed(signature: &Signature) -> String {
    match signature {
        Signature::NotSought => "not looked for: this page was made from the text of the release alone".to_owned(),
        Signature::None => "the release is not signed".to_owned(),
        Signature::By(key) => {
            format!("a signature by the key {key} lies beside the release; not compared with a public key (--key)")
        }
        Signature::Checked(key, at) => {
            let at = at.map_or_else(String::new, |at| format!(" at {}, by the clock of whoever signed", time(at)));
            format!("unchanged since it was signed by the key {key}{at}")
        }
    }
}

fn account(document: &Document, history: Option<&LedgerHistory>) -> String {
    match (document.release.ledger(), history) {
        (Some(reference), Some(history)) => format!(
            "entry {} paid for it. Spent: {}. Left: {}",
            reference.entry(),
            in_words(history),
            left_in_words(history).split("; ").next().unwrap_or_default()
        ),
        (Some(reference), None) => format!(
            "entry {} of the ledger of {}; the ledger was not given to this page (--ledger), so what is left is not told",
            reference.entry(),
            reference.dataset()
        ),
        (None, _) => {
            "none paid for it: nothing remembers what was spent, and every other release adds to it".to_owned()
        }
    }
}

/// The figure with what a reader needs first, and notes.
fn what(page: &mut Page, document: &Document) -> Result<(), FigureError> {
    let shown = &document.shown;
    let brief = |fact: &&Fact| !fact.brief.is_empty() && fact.name != "papers";
    let facts = shown.facts.iter().filter(brief).map(|fact| (fact.name.to_owned(), fact.brief.clone())).collect();
    let notes = document.notes().into_iter().map(Block::Note);
    let right: Vec<Block> = [Block::Facts(facts)].into_iter().chain(notes).collect();
    let left = figure::of(document)?;
    if left.is_empty() {
        for block in right {
            page.add(block);
        }
    } else {
        page.add(Block::Beside(left, right, true));
    }
    let all = document.facts().into_iter().map(|fact| (fact.name.to_owned(), fact.text)).collect();
    page.add(Block::OnScreen("All facts of the release", vec![Block::Facts(all)]));
    if let Some(numbers) = figure::numbers(&shown.picture) {
        let tables = numbers.into_iter().map(Block::Table);
        if cfg!(feature = "figures") {
            page.add(Block::OnScreen("The numbers in the figure", tables.collect()));
        } else {
            page.blocks.extend(tables);
        }
    }
    Ok(())
}

/// How others check what this page says.
fn how_to_check(document: &Document) -> String {
    let study = if document.study.is_some() { " --study study.toml" } else { "" };
    let ledger = if document.release.ledger().is_some() { " --export ledger.json" } else { "" };
    let check = if study.is_empty() && ledger.is_empty() { " --key KEY.pub" } else { "" };
    format!(
        "How to check this page: sha256sum release.json shows whether a file is the one of this page. dpfda show release.json shows \
         whether its numbers agree. dpfda verify release.json{study}{ledger}{check} compares it with its study, its ledger (dpfda ledger \
         export) and its signature (--key). dpfda audit release.json attacks the guarantee with synthetic data. This page holds public \
         numbers alone, and was made by dpfda {}.",
        env!("CARGO_PKG_VERSION")
    )
}
