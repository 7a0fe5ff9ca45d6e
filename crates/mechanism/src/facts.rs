//! What a release is, in words: one list for summaries, captions, reports and audits.

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};

/// One thing that is true of a release, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What the fact is about: a word that names a line.
    pub name: &'static str,
    /// The fact, as a sentence or two.
    pub text: String,
    /// The same for the caption of a figure, in a few words each; numbers and symbols are plain text.
    pub caption: Vec<String>,
}

impl Fact {
    /// The fact `text` about `name`.
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into(), caption: Vec::new() }
    }

    /// The note on noise from a known seed.
    pub fn from_a_seed() -> Self {
        Self::new("NOTE", "NOT PRIVATE. The noise came from a seed: a demonstration that protects nobody.")
    }

    /// The same fact with words for captions.
    #[must_use]
    pub fn captioned(mut self, words: impl Into<String>) -> Self {
        self.caption.push(words.into());
        self
    }
}

/// A guarantee in words: `(epsilon, delta) = (1, 1e-5)`. Spaces that must not be broken are no-break spaces.
pub fn budget_in_words(budget: &PrivacyBudget) -> String {
    format!("(epsilon,\u{a0}delta) = ({},\u{a0}{})", exact(budget.epsilon()), exact(budget.delta()))
}

/// What neighbouring data sets differ in: `one substituted subject`.
pub fn difference_in_words(relation: NeighbouringRelation, unit: PrivacyUnit) -> String {
    match relation {
        NeighbouringRelation::SubstituteOne => format!("one substituted {unit}"),
        NeighbouringRelation::AddRemoveOne => format!("one added or removed {unit}"),
    }
}

/// A parameter exactly as it was given, in its shortest form.
pub fn exact(value: f64) -> String {
    let plain = value == 0.0 || (1e-3..1e6).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// A computed number, to four significant digits.
pub fn rounded(value: f64) -> String {
    let four: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    exact(four)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_written_as_they_were_given_and_computed_numbers_to_four_digits() {
        let given = [0.0, 1.0, 0.1, 1e-5, 0.001, 123_456.0, 1e6, -2.5].map(exact);
        assert_eq!(given, ["0", "1", "0.1", "1e-5", "0.001", "123456", "1e6", "-2.5"]);
        let computed = [0.268_051_117, 31_294_807.0, 1.0 / 3.0 * 1e-7, 12.0, 99_999.0].map(rounded);
        assert_eq!(computed, ["0.2681", "3.129e7", "3.333e-8", "12", "100000"]);
    }
}
