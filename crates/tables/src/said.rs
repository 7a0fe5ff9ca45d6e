//! What a cell says where it names something: a whole number, another number, a truth, text, or nothing.

use std::borrow::Cow;

use crate::number::{is_padding, says_missing};

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;

/// From here on a double does not tell every whole number from the next one: 2^53.
const FIRST_UNSURE: f64 = 9_007_199_254_740_992.0;

/// What a cell says where it names something: the id of a subject, the label of a group, a level, or a covariate. Private data.
///
/// Programs that make a table of a file give one type to a whole column, and the cell of one person can change this type: a blank one
/// turns whole numbers into reals, and a word turns them into text. What the cells of everybody else say must not change with it.
/// So this depends on the cell alone, and it is the same in every type that a program may give to it:
///
/// ```text
/// "1"  "01"  " +1"  "1.0"  "1e0"   1   1.0    all say the whole number 1
/// "True"  "TRUE"  "true"  true                say a truth
/// ""  "NA"  "-"  NaN  null                    say nothing
/// ```
///
/// Digits are exact at any length. A real number from 2^53 on, or with decimals, is no whole number.
#[derive(Clone, PartialEq)]
pub enum Said<'a> {
    /// That something is missing.
    Missing,
    /// A truth.
    Truth(bool),
    /// A whole number, in its shortest digits.
    Whole(Cow<'a, str>),
    /// A number that is not surely whole.
    Real(f64),
    /// Anything else, without white space around it.
    Text(&'a str),
}

impl<'a> Said<'a> {
    /// What text says.
    pub fn of_text(text: &'a str) -> Self {
        let text = text.trim_matches(is_padding);
        if says_missing(text) {
            return Self::Missing;
        }
        if let Some(digits) = whole(text) {
            return Self::Whole(digits);
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
            // text tells numbers apart that doubles do not
            return match text.parse().map(Self::of_number) {
                Ok(number) if !number.is_unsure() => number,
                _ => Self::Text(text),
            };
        }
        match text {
            _ if text.eq_ignore_ascii_case("true") => Self::Truth(true),
            _ if text.eq_ignore_ascii_case("false") => Self::Truth(false),
            _ => Self::Text(text),
        }
    }

    /// What a number says that is no text.
    pub fn of_number(number: f64) -> Self {
        if number.is_nan() {
            Self::Missing
        } else if number.abs() < FIRST_UNSURE && number.fract() == 0.0 {
            // no negative zero
            Self::Whole(Cow::Owned((number + 0.0).to_string()))
        } else {
            Self::Real(number)
        }
    }

    /// What a whole number says.
    pub fn of_whole(number: i128) -> Self {
        Self::Whole(Cow::Owned(number.to_string()))
    }

    /// The name that is said, the same for all cells that say the same; `None` where nothing is said.
    pub fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Missing => None,
            Self::Truth(truth) => Some(Cow::Borrowed(if truth { "true" } else { "false" })),
            Self::Whole(digits) => Some(digits),
            Self::Real(number) => Some(Cow::Owned(number.to_string())),
            Self::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    /// The id that is said: text or a whole number. Nobody is called true, or 1.1, which 1.10 is as well.
    pub fn id(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Whole(_) | Self::Text(_) => self.name(),
            Self::Missing | Self::Truth(_) | Self::Real(_) => None,
        }
    }

    fn is_unsure(&self) -> bool {
        matches!(self, Self::Real(number) if number.abs() >= FIRST_UNSURE)
    }
}

/// What a stated label or level says, as cells say it; `None` for one that the cells of a table do not surely say: a word for a missing
/// value, and a number from 2^53 on, where doubles no longer tell whole numbers apart.
pub fn stated_name(text: &str) -> Option<Cow<'_, str>> {
    let is_unsure = text.trim().parse::<f64>().is_ok_and(|number| number.abs() >= FIRST_UNSURE);
    if is_unsure { None } else { Said::of_text(text).name() }
}

/// The shortest digits of a whole number that is written with digits alone.
fn whole(text: &str) -> Option<Cow<'_, str>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = unsigned.trim_start_matches('0');
    Some(match (digits, text.starts_with('-')) {
        ("", _) => Cow::Borrowed("0"),
        (digits, false) => Cow::Borrowed(digits),
        (digits, true) if digits.len() + 1 == text.len() => Cow::Borrowed(text),
        (digits, true) => Cow::Owned(format!("-{digits}")),
    })
}
