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

    #[test]
    fn a_number_is_written_as_precisely_as_it_is_known() {
        let pressures = [101_325.279, 101_325.0].map(|value| rounded_beside(value, 0.5953));
        assert_eq!(pressures, ["101325.28", "101325"]);
        assert_eq!(rounded_beside(20_003.25, 0.25), "20003.25");
        let ordinary = [(0.268_051_117, 0.012), (0.268_051_117, 40.0), (0.0, 0.1), (0.268_051_117, f64::INFINITY)];
        assert_eq!(ordinary.map(|(value, sd)| rounded_beside(value, sd)), ["0.2681", "0.2681", "0", "0.2681"]);
        assert_eq!([rounded_beside(0.1, 0.0), rounded_beside(0.0, 0.0)], ["0.1", "0"]);
    }
}
