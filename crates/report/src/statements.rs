//! What people vouch for, and who signs.

use dpfda::AnyRelease;
use dpfda::kinds::Picture;
use dpfda::mechanism::{Fact, LedgerReference, exact, unit_in_words};
use dpfda::privacy::{NeighbouringRelation, PrivacyUnit};

use crate::content::{Block, Page, Table};
use crate::document::Document;

/// What no program can check, with blanks for who vouches for it; and how many statements there are.
pub fn of(page: &mut Page, document: &Document, has_ledger: bool) -> usize {
    page.add(Block::Heading("What was assumed, and who vouches for it"));
    let statements = statements(document, has_ledger);
    let count = statements.len();
    let row = |(number, text): (usize, String)| vec![(number + 1).to_string(), text, String::new()];
    page.add(Block::Table(Table {
        caption: "No program can check these statements. The guarantee holds if they are true.".to_owned(),
        columns: vec![("", 0.04), ("statement", 0.64), ("vouched for by, and from what source", 0.32)],
        rows: statements.into_iter().enumerate().map(row).collect(),
        is_form: true,
    }));
    count
}

fn statements(document: &Document, has_ledger: bool) -> Vec<String> {
    let (release, guarantee) = (&document.release, document.release.guarantee());
    let record = release.record();
    let mut statements = vec![match (guarantee.unit(), release.public_records()) {
        (PrivacyUnit::Subject, records) => {
            format!("Each person has one id, and every row of a person carries it.{}", no_secret(records))
        }
        (PrivacyUnit::Curve, records) => {
            format!("Nobody has more than one {record} in the file.{}", no_secret(records))
        }
    }];
    let facts = &document.shown.facts;
    if let Some(bound) = brief(facts, "bound") {
        statements.push(match brief(facts, "found") {
            Some(_) => stated(release),
            None => format!("The bound comes from public knowledge, and not from these data: {bound}."),
        });
    }
    statements.extend(release.published().statements());
    statements.push(format!(
        "{} Epsilon, delta and the relation were agreed before anybody saw a result.",
        release.published().chosen()
    ));
    statements.push("Nobody was left out of the data because of their values.".to_owned());
    statements.push(if has_ledger {
        format!(
            "All earlier releases of these people are in the ledger, and the planned total is agreed.{}",
            other_name(release)
        )
    } else {
        "All earlier releases of these people are known and counted, although this page was given no ledger.".to_owned()
    });
    statements.push(
        "Only the output directory is published: no logs, no times, no error texts, and nothing that says NOT PRIVATE."
            .to_owned(),
    );
    statements
}

fn no_secret(records: Option<u64>) -> String {
    records.map_or_else(String::new, |records| format!(" That there are {} is no secret.", exact(records as f64)))
}

/// Where the data set of a release and that of its ledger have two names, somebody has to know that they are one.
fn other_name(release: &AnyRelease) -> String {
    let papers = release.papers();
    let names = papers.dataset().zip(release.ledger().map(LedgerReference::dataset));
    names.filter(|(mine, of_ledger)| mine != of_ledger).map_or_else(String::new, |(mine, of_ledger)| {
        format!(" The release is of the data set {mine}, and the ledger of {of_ledger}: they are the same people.")
    })
}

/// The clause of a fact.
pub fn brief<'a>(facts: &'a [Fact], name: &str) -> Option<&'a str> {
    facts.iter().find(|fact| fact.name == name && !fact.brief.is_empty()).map(|fact| fact.brief.as_str())
}

/// What was stated, where a radius was found. The largest that could be found is a public multiple of a stated one: it may count
/// roughness too, or be that of two curves.
fn stated(release: &AnyRelease) -> String {
    const NOT_SEEN: &str = "come from public knowledge, and not from these data";
    let ball = release.published().stated_ball();
    match ball.map(|ball| (ball.bounds(), ball.radius())) {
        Some((Some((lower, upper)), _)) => {
            format!("The bounds (values from {} to {}) {NOT_SEEN}.", exact(lower), exact(upper))
        }
        Some((None, radius)) => format!(
            "The centre and the radius of the study {NOT_SEEN}. The radius that was found could be at most {}, which is a fixed multiple \
             of the stated one.",
            exact(radius)
        ),
        None => format!("The bounds {NOT_SEEN}."),
    }
}

/// Who signs, and for what.
pub fn signatures(page: &mut Page, documents: &[Document], count: usize) {
    page.add(Block::Heading("Who signs"));
    if documents.iter().any(|document| has_fact(document, "arithmetic")) {
        let text = "The noise was drawn in floating point (arithmetic: idealised). Whoever signs accepts this.";
        page.add(Block::Note(text.to_owned()));
    }
    let row =
        |(role, what): (&str, String)| vec![format!("{role}: {what}"), String::new(), String::new(), String::new()];
    let vouched = match count {
        0 => "the account is complete".to_owned(),
        count => format!("statements 1 to {count} are true"),
    };
    let signers = [
        ("Curator of the data", vouched),
        ("Statistician", "the design suits the question, and was rehearsed on synthetic data".to_owned()),
        ("Ethics board or data protection", "the table of what it means for one person is acceptable".to_owned()),
    ];
    page.add(Block::Table(Table {
        caption: String::new(),
        columns: vec![("role, and what is signed", 0.44), ("name", 0.22), ("date", 0.12), ("signature", 0.22)],
        rows: signers.into_iter().map(row).collect(),
        is_form: true,
    }));
}

fn has_fact(document: &Document, name: &str) -> bool {
    document.shown.facts.iter().any(|fact| fact.name == name)
}

/// Five sentences that a paper can quote.
pub fn methods(document: &Document) -> String {
    let (release, facts) = (&document.release, &document.shown.facts);
    let guarantee = release.guarantee();
    let unit = unit_in_words(guarantee.unit(), release.record());
    let relation = match guarantee.neighbours() {
        NeighbouringRelation::SubstituteOne => format!("one {unit} is replaced"),
        NeighbouringRelation::AddRemoveOne => format!("one {unit} is added or removed"),
    };
    let budget = guarantee.budget();
    let noise = match (brief(facts, "mechanism"), has_fact(document, "arithmetic")) {
        (Some(noise), false) => format!("Privacy comes from {noise}, drawn in exact arithmetic."),
        (Some(noise), true) => format!("Privacy comes from {noise}, drawn in floating point."),
        (None, _) => "The noise follows the named software.".to_owned(),
    };
    let estimate = match (&document.shown.picture, brief(facts, "estimate").or(brief(facts, "cells"))) {
        (Picture::Outcome(outcome), Some(largest)) => {
            let (name, given) = (outcome.name(), outcome.given());
            format!("The estimate is the correlation of curves with {name}{given} at each point ({largest}).")
        }
        (_, Some(estimate)) => format!("The estimate is {}.", with_article(estimate)),
        (_, None) => "The released numbers are used as they are.".to_owned(),
    };
    let band = match (brief(facts, "band"), brief(facts, "noise")) {
        (Some(band), _) => format!("The uncertainty is given by a {band}."),
        (None, Some(noise)) => format!("There is no band; the {noise}."),
        (None, None) => "There is no band.".to_owned(),
    };
    // where the noise hides the answer, the first note says why
    let answer = match (&document.shown.picture, document.shown.notes.first()) {
        (Picture::Nothing, Some(why)) => why.clone(),
        _ => format!("{estimate} {band}"),
    };
    let mut bound = brief(facts, "bound").map_or_else(|| "the data were bounded by the plan".to_owned(), str::to_owned);
    if let Some(found) = brief(facts, "found") {
        bound.extend([". The bound was found in the data with privacy noise: ", found]);
    }
    if let Some(moments) = facts.iter().find(|fact| fact.name == "moments") {
        bound.extend([". Released as well are ", &moments.text]);
    }
    let table = clause(facts, "table").map_or_else(String::new, |table| format!(" ({table})"));
    format!(
        "{} released {} from the data of {}{table} with (epsilon, delta) = ({}, {}) differential privacy, where neighbouring data sets \
         differ in that {relation}.{} Before sums are formed, {bound}. {noise} {answer}",
        release.software(),
        titled(document.title()),
        brief(facts, "unit").and_then(|unit| unit.split("; ").next()).unwrap_or("the people"),
        exact(budget.epsilon()),
        exact(budget.delta()),
        of_what(document).map_or_else(String::new, |what| format!(" {what}.")),
    )
}

/// The first clause of a fact.
fn clause<'a>(facts: &'a [Fact], name: &str) -> Option<&'a str> {
    facts.iter().find(|fact| fact.name == name)?.text.split("; ").next()
}

/// What a kind is of, beside the curves: covariates, groups, visits or centiles.
fn of_what(document: &Document) -> Option<String> {
    let shown = &document.shown;
    if let Picture::Centiles(curves) = &shown.picture {
        let all: Vec<String> = curves.all().map(|(p, _)| format!("{}%", exact(p))).collect();
        return Some(format!("The centiles are {}", all.join(", ")));
    }
    if let Some(covariates) = brief(&shown.facts, "covariates") {
        return Some(format!("The covariates are {covariates}"));
    }
    if let Some(outcome) = brief(&shown.facts, "outcome") {
        return Some(format!("The outcome is {outcome}"));
    }
    if let Some(groups) = clause(&shown.facts, "groups") {
        let column = shown.columns().first().map_or_else(String::new, |column| format!(" of the column {column}"));
        return Some(format!("The groups{column} are {groups}"));
    }
    clause(&shown.facts, "change").map(|change| format!("The change is {change}"))
}

/// A title within a sentence: with an article, unless it is of several things.
fn titled(title: &str) -> String {
    let title = title.to_lowercase();
    let is_several = title.split(" of ").next().is_some_and(|what| what.ends_with('s'));
    if is_several { title } else { format!("a {title}") }
}

fn with_article(estimate: &str) -> String {
    let has_one = ["a ", "the ", "an "].iter().any(|article| estimate.starts_with(article));
    if has_one { estimate.to_owned() } else { format!("the {estimate}") }
}
