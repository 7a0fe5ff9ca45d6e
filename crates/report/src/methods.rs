//! The paragraph for a methods section.

use dpfda::kinds::Picture;
use dpfda::mechanism::{Fact, exact, unit_in_words};
use dpfda::privacy::NeighbouringRelation;

use crate::document::Document;
use crate::statements::{brief, has_fact};

/// Five sentences that a paper can quote: of whom, the guarantee, the bound, the noise, and the estimate.
pub fn paragraph(document: &Document) -> String {
    let facts = &document.shown.facts;
    let of_whom = brief(facts, "unit").and_then(|unit| unit.split("; ").next()).unwrap_or("the people");
    let read =
        [clause(facts, "table").map(str::to_owned), brief(facts, "values").map(|values| format!("values: {values}"))];
    let read: Vec<String> = read.into_iter().flatten().collect();
    let table = if read.is_empty() { String::new() } else { format!(" ({})", read.join("; ")) };
    let what = titled(document.title());
    format!(
        "{} released {what} from the data of {of_whom}{table}{}. {} {} {} {}",
        document.release.software(),
        of_what(document).unwrap_or_default(),
        guarantee(document),
        bound(facts),
        noise(facts),
        answer(document),
    )
}

fn guarantee(document: &Document) -> String {
    let release = &document.release;
    if !release.is_private() {
        return "NOT PRIVATE: the noise came from a seed, so this is a demonstration without any guarantee.".to_owned();
    }
    let guarantee = release.guarantee();
    let unit = unit_in_words(guarantee.unit(), release.record());
    let change = match guarantee.neighbours() {
        NeighbouringRelation::SubstituteOne => "is replaced",
        NeighbouringRelation::AddRemoveOne => "is added or removed",
    };
    let alike = release.published().alike().map_or_else(String::new, |alike| format!(" by another {alike}"));
    let budget = guarantee.budget();
    format!(
        "The release is (epsilon, delta) = ({}, {}) differentially private, where neighbouring data sets differ in that one {unit} {change}{alike}.",
        exact(budget.epsilon()),
        exact(budget.delta()),
    )
}

fn bound(facts: &[Fact]) -> String {
    let mut bound = brief(facts, "bound").map_or_else(|| "the data were bounded by the plan".to_owned(), str::to_owned);
    if let Some(found) = brief(facts, "found") {
        bound.extend(["; found in the data with privacy noise: ", found]);
    }
    if let Some(moments) = facts.iter().find(|fact| fact.name == "moments") {
        bound.extend(["; released as well are ", &moments.text]);
    }
    format!("Before sums are formed, {bound}.")
}

fn noise(facts: &[Fact]) -> String {
    let drawn = if has_fact(facts, "arithmetic") { "floating point" } else { "exact arithmetic" };
    brief(facts, "mechanism").map_or_else(
        || "The noise follows the named software.".to_owned(),
        |noise| match noise.split_once("; ") {
            Some((noise, beside)) => format!("The noise is {noise}, drawn in {drawn}; {beside}."),
            None => format!("The noise is {noise}, drawn in {drawn}."),
        },
    )
}

/// The estimate and its band.
fn answer(document: &Document) -> String {
    let (picture, facts) = (&document.shown.picture, &document.shown.facts);
    if matches!(picture, Picture::Nothing) {
        return "No estimate was made, because the noise hides it.".to_owned();
    }
    let band = match (brief(facts, "band"), brief(facts, "noise")) {
        (Some(band), _) => format!("with a {band}"),
        (None, Some(noise)) => format!("without a band; the {noise}"),
        (None, None) => "without a band".to_owned(),
    };
    match (picture, brief(facts, "estimate").or(brief(facts, "cells"))) {
        (Picture::Outcome(outcome), Some(largest)) => {
            let (name, given) = (outcome.name(), outcome.given());
            format!("The estimate is the correlation of curves with {name}{given} at each point ({largest}), {band}.")
        }
        (_, Some(estimate)) => format!("The estimate is {}, {band}.", with_article(estimate)),
        (_, None) => format!("The released numbers are used as they are, {band}."),
    }
}

/// The first clause of a fact in brief.
fn clause<'a>(facts: &'a [Fact], name: &str) -> Option<&'a str> {
    let fact = facts.iter().find(|fact| fact.name == name)?;
    if fact.brief.is_empty() { &fact.text } else { &fact.brief }.split("; ").next()
}

/// What a kind is of, beside the curves: covariates, groups, visits or centiles.
fn of_what(document: &Document) -> Option<String> {
    let shown = &document.shown;
    if let Picture::Centiles(curves) = &shown.picture {
        let all: Vec<String> = curves.all().map(|(p, _)| format!("{}%", exact(p))).collect();
        return Some(format!("; the centiles are {}", all.join(", ")));
    }
    for (name, are) in [("covariates", "covariates are"), ("outcome", "outcome is")] {
        if let Some(each) = brief(&shown.facts, name) {
            // the guarantee says what is public
            return Some(format!("; the {are} {}", each.strip_suffix("; they are public").unwrap_or(each)));
        }
    }
    if let Some(groups) = clause(&shown.facts, "groups") {
        let column = shown.columns().first().map_or_else(String::new, |column| format!(" of the column {column}"));
        return Some(format!("; the groups{column} are {groups}"));
    }
    clause(&shown.facts, "change").map(|change| format!("; it is the {change}"))
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
