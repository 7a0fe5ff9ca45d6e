//! What a figure says of a release beside its numbers.

use std::slice;

use dpfda_mechanism::{Fact, Labels, Release, Statistic};

use crate::mean::from_release::captions;

/// What a figure says of a release beside its numbers: its facts in the caption, the names of its axes, and a stamp where the noise was no
/// secret.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Facts, of which the words for captions are shown.
    pub facts: &'a [Fact],
    /// The public names of the axes.
    pub labels: &'a Labels,
    /// Whether the noise was secret.
    pub is_private: bool,
    /// The least and the largest value that are possible, where they were stated.
    pub limits: Option<(f64, f64)>,
}

impl<'a> About<'a> {
    /// The name of the horizontal axis.
    pub(crate) fn argument(&self) -> &'a str {
        self.labels.argument().unwrap_or("t")
    }

    /// The name of the vertical axis, or the usual one.
    pub(crate) fn value(&self, usual: &'a str) -> &'a str {
        self.labels.value().unwrap_or(usual)
    }

    /// What captions say of the release.
    pub(crate) fn captions(&self) -> Vec<String> {
        captions(self.facts).collect()
    }

    /// The same without the band, where a legend says what it is.
    pub(crate) fn captions_without_band(&self) -> Vec<String> {
        self.facts.iter().filter(|fact| fact.name != "band").flat_map(|fact| captions(slice::from_ref(fact))).collect()
    }

    /// A release with the facts that are told of it.
    pub fn of<S: Statistic>(release: &'a Release<S>, facts: &'a [Fact]) -> Self {
        Self { facts, labels: release.labels(), is_private: release.is_private(), limits: None }
    }
}

/// The least and the largest difference of two values that are possible, where that was stated of both.
pub(crate) fn limits_of_difference([(_, first), (_, second)]: &[(&str, About<'_>); 2]) -> Option<(f64, f64)> {
    let ((least, most), (other_least, other_most)) = first.limits.zip(second.limits)?;
    Some((least - other_most, most - other_least))
}

/// What the captions of a comparison say of its sides: what is true of all of them once, with whose it is, and the rest of each beside its
/// name.
pub(crate) fn captions_of_sides(sides: &[(&str, About<'_>)]) -> Vec<String> {
    let of_side = |about: &About<'_>| -> Vec<String> {
        let facts = about.facts.iter().filter(|fact| ["privacy", "unit"].contains(&fact.name));
        facts.flat_map(|fact| captions(slice::from_ref(fact))).collect()
    };
    let all: Vec<Vec<String>> = sides.iter().map(|(_, about)| of_side(about)).collect();
    let is_shared = |words: &String| all.iter().all(|side| side.contains(words));
    // groups share one release and what it cost; two releases cost each what they say
    let is_one = sides.iter().all(|(_, about)| about.facts.iter().any(|fact| fact.name == "groups"));
    let shared: Vec<String> = all.first().into_iter().flatten().filter(|words| is_shared(words)).cloned().collect();
    let whose = if is_one { "the release of both" } else { "each release" };
    let shared = (!shared.is_empty()).then(|| format!("{whose}: {}", shared.join(", "))).into_iter();
    let own = sides.iter().zip(&all).filter_map(|((name, _), words)| {
        let own: Vec<String> = words.iter().filter(|words| !is_shared(words)).cloned().collect();
        (!own.is_empty()).then(|| format!("{name}: {}", own.join(", ")))
    });
    shared.chain(own).collect()
}

#[cfg(test)]
#[path = "about_tests.rs"]
mod tests;
