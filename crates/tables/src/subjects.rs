//! The ids of subjects: what is one, and which look alike.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

use crate::error::TableError;
use crate::number::{is_invisible, says_missing};
use crate::said::Said;

#[cfg(test)]
#[path = "subjects_tests.rs"]
mod tests;

/// Why a cell is no id of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoId {
    /// It is empty, or only says that something is missing, such as `N/A` or `-`.
    Missing,
    /// It is a truth, or a number with decimals: `1.10` and `1.1` are one number.
    Kind,
}

/// The id of a subject in a cell of text, as [`Said`] reads it: `1`, `01` and `1.0` are one person.
pub fn id_of(cell: &[u8]) -> Result<Cow<'_, [u8]>, NoId> {
    let cell = cell.trim_ascii();
    let Ok(text) = std::str::from_utf8(cell) else {
        return if says_missing(&text(cell)) { Err(NoId::Missing) } else { Ok(Cow::Borrowed(cell)) };
    };
    id_said(Said::of_text(text)).map(|id| match id {
        Cow::Borrowed(id) => Cow::Borrowed(id.as_bytes()),
        Cow::Owned(id) => Cow::Owned(id.into_bytes()),
    })
}

/// The id of a subject in a cell of any type.
pub fn id_said(said: Said<'_>) -> Result<Cow<'_, str>, NoId> {
    if said == Said::Missing { Err(NoId::Missing) } else { said.id().ok_or(NoId::Kind) }
}

/// The id of a subject in a cell, unless it is none, or the word for a summary.
pub(crate) fn check_id(cell: &[u8], row: usize, column: impl Fn() -> String) -> Result<Cow<'_, [u8]>, TableError> {
    let id = id_of(cell).map_err(|none| none.in_row(row, column()))?;
    if says_summary(&id) { Err(TableError::SummaryRow { row, column: column() }) } else { Ok(id) }
}

/// The id of a subject in a column of numbers.
#[cfg(feature = "columnar")]
pub(crate) fn id_of_number(number: f64, row: usize, column: impl Fn() -> String) -> Result<String, TableError> {
    id_said(Said::of_number(number)).map(Cow::into_owned).map_err(|none| none.in_row(row, column()))
}

impl NoId {
    fn in_row(self, row: usize, column: String) -> TableError {
        match self {
            Self::Missing => TableError::BlankSubject { row, column },
            Self::Kind => TableError::SubjectKind { row, column },
        }
    }
}

/// Whether an id is the word for a row that sums up the others, as spreadsheets have at their end: it is nobody.
fn says_summary(id: &[u8]) -> bool {
    const WORDS: [&str; 12] = [
        "mean",
        "average",
        "avg",
        "median",
        "total",
        "totals",
        "subtotal",
        "grand total",
        "sum",
        "overall",
        "sd",
        "std",
    ];
    let id = text(id.trim_ascii());
    WORDS.iter().any(|word| id.trim_matches(|c: char| c.is_ascii_punctuation()).eq_ignore_ascii_case(word))
}

/// The number of groups of ids that look alike: different ids that differ only by letter case, leading zeros, Unicode form, white
/// space or invisible characters, such as `S01`, `s01` and `S1`.
pub fn similar_ids<'a>(ids: impl Iterator<Item = &'a [u8]>) -> usize {
    let mut looks: Vec<String> = ids.map(look).collect();
    looks.sort_unstable();
    looks.chunk_by(|a, b| a == b).filter(|group| group.len() > 1).count()
}

/// An id as text: bytes that are no UTF-8 are letters of some older encoding.
fn text(id: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(id).map_or_else(|_| id.iter().copied().map(char::from).collect(), Cow::Borrowed)
}

/// What is left of an id without the differences that a person may not see, or a program may make by itself.
fn look(id: &[u8]) -> String {
    let text = text(id);
    let visible = text.nfkc().filter(|&c| !c.is_whitespace() && !is_invisible(c));
    // upper case first: the German sharp s is two letters there
    let folded: String = visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
    without_leading_zeros(&folded)
}

/// Every number in a text without the zeros before it: `s007` and `s7` are one.
fn without_leading_zeros(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_number = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_leading = c == '0' && !in_number && rest.peek().is_some_and(char::is_ascii_digit);
        if !is_leading {
            in_number = c.is_ascii_digit();
            kept.push(c);
        }
    }
    kept
}
