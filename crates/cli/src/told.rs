//! What a command says of a release: to people in words, to programs as JSON.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use dpfda::mechanism::Fact;
use serde_json::{Map, Value, json};

use crate::summary::{FROM_A_SEED, NOTE, wrapped};

/// The lines of a brief summary.
const LINES: usize = 15;

/// What gives way, in this order, where a brief summary would be longer than [`LINES`]: facts, what is free with a release, and what notes
/// say after their first sentence; last, what `dpfda ledger show` and the bound tell as well. What protects people, the band, the notes and
/// the place in the ledger never do.
const GIVE_WAY: [&str; 18] = [
    "papers",
    "mechanism",
    "synthetic",
    FREE,
    "estimate",
    "cells",
    REST,
    "precision",
    "noise",
    "shape",
    "records",
    "group",
    "left",
    "people",
    "change",
    "spent",
    "found",
    "signed",
];

/// What stands after the first clause of a closing.
const FREE: &str = "free";

/// What stands after the first sentence of each note.
const REST: &str = "rest";

/// Whether all facts are told in full.
static IS_VERBOSE: AtomicBool = AtomicBool::new(false);

/// Whether all facts are told in full in this process.
pub fn is_verbose() -> bool {
    IS_VERBOSE.load(Ordering::Relaxed)
}

/// Tells all facts in full in this process.
pub fn tell_all() {
    IS_VERBOSE.store(true, Ordering::Relaxed);
}

/// A release in words: its facts, what should make a reader careful, what may be done with it, and who paid.
#[derive(Debug)]
pub struct Told {
    title: &'static str,
    software: String,
    facts: Vec<Fact>,
    notes: Vec<String>,
    closing: String,
    account: Vec<Fact>,
    is_given_back: bool,
    answer: Map<String, Value>,
}

impl Told {
    /// Notes among the facts are left to `notes`.
    pub fn new(title: &'static str, software: &str, mut facts: Vec<Fact>, notes: Vec<String>, closing: String) -> Self {
        facts.retain(|fact| fact.name != NOTE);
        let (software, account) = (software.to_owned(), Vec::new());
        Self { title, software, facts, notes, closing, account, is_given_back: false, answer: Map::new() }
    }

    /// The same of a release that was made before: people have read the facts.
    #[must_use]
    pub fn given_back(self, closing: String) -> Self {
        Self { closing, is_given_back: true, ..self }
    }

    /// The same with more keys for programs.
    #[must_use]
    pub fn answering(self, answer: Map<String, Value>) -> Self {
        Self { answer, ..self }
    }

    /// The same with what its ledger says.
    #[must_use]
    pub fn accounted(self, account: Vec<Fact>) -> Self {
        Self { account, ..self }
    }

    /// One screen, or JSON with the keys title, software, `given_back`, facts, notes, closing and ledger.
    pub fn printed(&self, as_json: bool) -> Result<String, serde_json::Error> {
        if as_json { Ok(serde_json::to_string_pretty(&self.as_json())? + "\n") } else { Ok(self.words()) }
    }

    /// All facts in full where they are asked for; otherwise the clauses of those that have one, in at most [`LINES`].
    pub fn words(&self) -> String {
        if is_verbose() {
            return self.words_without(&[]);
        }
        let fits = |without: &[&str]| self.words_without(without).lines().count() <= LINES;
        let mut without: Vec<&str> = Vec::new();
        for name in GIVE_WAY {
            if fits(&without) {
                break;
            }
            without.push(name);
        }
        // what gave way before something longer did may have room again
        for place in (0..without.len()).rev() {
            let name = without.remove(place);
            if !fits(&without) {
                without.insert(place, name);
            }
        }
        let fewer = (1..self.notes.len()).rev().map(|most| self.words_with(&without, most));
        let all = self.words_without(&without);
        let is_short = |text: &String| text.lines().count() <= LINES;
        if is_short(&all) { all } else { fewer.into_iter().find(is_short).unwrap_or(all) }
    }

    fn words_without(&self, names: &[&str]) -> String {
        self.words_with(names, usize::MAX)
    }

    /// The same with the first of the notes alone, and how many more there are.
    fn words_with(&self, names: &[&str], most: usize) -> String {
        let is_verbose = is_verbose();
        let told = |fact: &Fact| match (is_verbose, fact.brief.is_empty()) {
            (true, _) => wrapped(fact.name, &fact.text),
            (false, true) => String::new(),
            (false, false) => wrapped(fact.name, &fact.brief),
        };
        let mut text = String::new();
        if !self.is_given_back {
            let more = if is_verbose { "" } else { "; --verbose tells all facts" };
            // writing to a string cannot fail
            let _ = writeln!(text, "{} ({}){more}", self.title, self.software);
            text.extend(self.facts.iter().filter(|fact| !names.contains(&fact.name)).map(told));
            // the closing of a brief summary says the same
            let is_said = |note: &&String| !is_verbose && *note == FROM_A_SEED && self.closing.contains("seed");
            let notes: Vec<&String> = self.notes.iter().filter(|note| !is_said(note)).collect();
            let is_short = names.contains(&REST);
            let note = |note: &&String| wrapped(NOTE, if is_short { first_sentence(note) } else { note });
            text.extend(notes.iter().take(most).map(note));
            let more = notes.len().saturating_sub(most);
            text.extend((more > 0).then(|| wrapped(NOTE, &format!("{more} more: --verbose tells them"))));
            text.push('\n');
        }
        if !self.closing.is_empty() {
            text += &wrapped("", &self.closing_without(names));
        }
        let account = |fact: &Fact| if fact.brief.is_empty() { wrapped(fact.name, &fact.text) } else { told(fact) };
        text.extend(self.account.iter().filter(|fact| !names.contains(&fact.name)).map(account));
        text
    }

    /// What may be done with the release, or its first clause alone.
    fn closing_without(&self, names: &[&str]) -> String {
        match self.closing.split_once("; ") {
            Some((first, _)) if names.contains(&FREE) => format!("{first}."),
            _ => self.closing.clone(),
        }
    }

    fn as_json(&self) -> Value {
        let facts = |facts: &[Fact]| -> Vec<Value> { facts.iter().map(as_value).collect() };
        let mut all = json!({
            "title": self.title,
            "software": self.software,
            "given_back": self.is_given_back,
            "facts": facts(&self.facts),
            "notes": self.notes.iter().map(|note| plain(note)).collect::<Vec<_>>(),
            "closing": plain(&self.closing),
            "ledger": facts(&self.account),
        });
        if let Value::Object(all) = &mut all {
            all.extend(self.answer.clone());
        }
        all
    }
}

/// What a command did or found, as facts: in words, or as JSON with the keys facts and closing, which is what has no name.
pub fn listed(facts: &[Fact], as_json: bool) -> Result<String, serde_json::Error> {
    if !as_json {
        return Ok(facts.iter().map(|fact| wrapped(fact.name, &fact.text)).collect());
    }
    let (named, rest): (Vec<&Fact>, Vec<&Fact>) = facts.iter().partition(|fact| !fact.name.is_empty());
    let facts: Vec<Value> = named.into_iter().map(as_value).collect();
    let closing: Vec<String> = rest.into_iter().map(|fact| plain(&fact.text)).collect();
    Ok(serde_json::to_string_pretty(&json!({ "facts": facts, "closing": closing.join(" ") }))? + "\n")
}

/// A fact for programs.
pub fn as_value(fact: &Fact) -> Value {
    json!({ "name": fact.name, "text": plain(&fact.text) })
}

/// A text with spaces that may break.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

/// A text up to its first full stop before another sentence.
fn first_sentence(text: &str) -> &str {
    let begins = |(at, _): &(usize, &str)| text[at + 2..].starts_with(char::is_uppercase);
    text.match_indices(". ").find(begins).map_or(text, |(at, _)| &text[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_at_a_full_stop_before_another() {
        for (text, first) in [
            ("It is 0.5 of 1. Give more.", "It is 0.5 of 1."),
            ("One, such as e.g. this.", "One, such as e.g. this."),
            ("Nothing else", "Nothing else"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }
}
