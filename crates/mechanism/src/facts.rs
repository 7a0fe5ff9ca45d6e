//! What a release is, in words: one list for summaries, captions, reports and audits.

use dpfda_privacy::{NeighbouringRelation, PrivacyBudget, PrivacyUnit};

use crate::guarantee::Guarantee;

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;

/// One thing that is true of a release, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What the fact is about: a word that names a line.
    pub name: &'static str,
    /// The fact, as a sentence or two.
    pub text: String,
    /// The same in a clause, for a screen, a page to sign and a methods section; empty for what only a long list tells.
    pub brief: String,
    /// The same for the caption of a figure, in a few words each; numbers and symbols are plain text.
    pub caption: Vec<String>,
}

impl Fact {
    /// The fact `text` about `name`.
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into(), brief: String::new(), caption: Vec::new() }
    }

    /// What a release promises: its budget, and what neighbouring data sets differ in; `mu` where the noise is Gaussian, and `record`
    /// is what a row is.
    pub fn privacy(guarantee: &Guarantee, mu: Option<f64>, record: &str) -> Self {
        let (budget, unit) = (budget_in_words(&guarantee.budget()), unit_in_words(guarantee.unit(), record));
        let mu = mu.map(rounded);
        let in_text = mu.as_ref().map_or_else(String::new, |mu| format!(", mu\u{a0}=\u{a0}{mu}"));
        let difference = difference_in_words(guarantee.neighbours(), unit);
        let relation = match guarantee.neighbours() {
            NeighbouringRelation::SubstituteOne => "substitute one",
            NeighbouringRelation::AddRemoveOne => "add or remove one",
        };
        let text = format!("{budget} differential privacy{in_text}; neighbouring data sets differ in {difference}");
        let fact = Self::new("privacy", text)
            .briefly(format!("{budget} for {difference}"))
            .captioned(budget.replace('\u{a0}', " "));
        let fact = mu.into_iter().fold(fact, |fact, mu| fact.captioned(format!("mu = {mu}")));
        fact.captioned(format!("neighbours: {relation} {unit}"))
    }

    /// The same fact in a clause.
    #[must_use]
    pub fn briefly(self, brief: impl Into<String>) -> Self {
        Self { brief: brief.into(), ..self }
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

/// Who is protected: a subject, or a row by what a row is.
pub fn unit_in_words(unit: PrivacyUnit, record: &str) -> &str {
    match unit {
        PrivacyUnit::Subject => "subject",
        PrivacyUnit::Curve => record,
    }
}

/// So many records of a release, such as `142 subjects; all rows of a person are one record`.
pub fn units_in_brief(number: &str, unit: PrivacyUnit, record: &str) -> String {
    let records = format!("{number} {}s", unit_in_words(unit, record));
    match unit {
        PrivacyUnit::Subject => records + "; all rows of a person are one record",
        PrivacyUnit::Curve => records,
    }
}

/// What neighbouring data sets differ in: `one substituted subject`.
fn difference_in_words(relation: NeighbouringRelation, unit: &str) -> String {
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
    to_digits(value, 4)
}

/// A computed number, to as many digits as two digits of `scale` need, and at least four: `scale` is its standard deviation, or
/// the distance to the next number.
pub fn rounded_beside(value: f64, scale: f64) -> String {
    to_digits(value, digits_beside(value, scale))
}

/// The significant digits of `value` down to the second one of `scale`: from 4 to 17.
pub fn digits_beside(value: f64, scale: f64) -> usize {
    let magnitude = |number: f64| number.abs().log10().floor();
    let needed = magnitude(value) - magnitude(scale) + 2.0;
    (4_u8..17).find(|digits| f64::from(*digits) >= needed || needed.is_nan()).map_or(17, usize::from)
}

/// The least distance between points that follow one another: what tells them apart.
pub fn least_step<'a>(points: impl IntoIterator<Item = &'a f64>) -> f64 {
    let step = |(last, least): (f64, f64), point: &f64| (*point, least.min((point - last).abs()));
    points.into_iter().fold((f64::NAN, f64::INFINITY), step).1
}

fn to_digits(value: f64, digits: usize) -> String {
    exact(format!("{value:.*e}", digits - 1).parse().unwrap_or(value))
}
