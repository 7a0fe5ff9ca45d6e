//! The ids of subjects: what is one, and which look alike.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

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
    if is_plain(cell) {
        return Ok(Cow::Borrowed(cell));
    }
    let id = id_of(cell).map_err(|none| none.in_row(row, column()))?;
    if says_summary(&id) { Err(TableError::SummaryRow { row, column: column() }) } else { Ok(id) }
}

/// Whether a cell is letters and digits, as most ids are: it says itself. No word is among them, nor a number.
fn is_plain(cell: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let has_both = cell.first().is_some_and(u8::is_ascii_alphabetic) && cell.iter().any(u8::is_ascii_digit);
    has_both && cell.iter().all(is_part)
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
pub fn similar_ids<'a>(ids: impl Iterator<Item = &'a [u8]> + Clone) -> usize {
    // a table may have many people: what is kept of each look is eight bytes, and looks that share them are looked at again
    let mut hashes: Vec<u64> = ids.clone().map(|id| hash_of(&look(id))).collect();
    hashes.sort_unstable();
    let shared: HashSet<u64> = hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    if shared.is_empty() {
        return 0;
    }
    let mut looks: Vec<String> = ids.map(look).filter(|look| shared.contains(&hash_of(look))).collect();
    looks.sort_unstable();
    looks.chunk_by(|a, b| a == b).filter(|group| group.len() > 1).count()
}

fn hash_of(look: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(look)
}

/// An id as text: bytes that are no UTF-8 are letters of some older encoding.
fn text(id: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(id).map_or_else(|_| id.iter().copied().map(char::from).collect(), Cow::Borrowed)
}

/// What is left of an id without the differences that a person may not see, or a program may make by itself.
fn look(id: &[u8]) -> String {
    let text = text(id);
    if text.is_ascii() {
        // without characters that have another form
        let visible = text.chars().filter(|&c| !c.is_whitespace() && !is_invisible(c));
        return without_leading_zeros(visible.map(|c| c.to_ascii_lowercase()));
    }
    let visible = text.nfkc().filter(|&c| !c.is_whitespace() && !is_invisible(c));
    // upper case first: the German sharp s is two letters there
    without_leading_zeros(visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc())
}

/// Every number in a text without the zeros before it: `s007` and `s7` are one.
fn without_leading_zeros(text: impl Iterator<Item = char>) -> String {
    let mut kept = String::new();
    let mut in_number = false;
    let mut rest = text.peekable();
    while let Some(c) = rest.next() {
        let is_leading = c == '0' && !in_number && rest.peek().is_some_and(char::is_ascii_digit);
        if !is_leading {
            in_number = c.is_ascii_digit();
            kept.push(c);
        }
    }
    kept
}
