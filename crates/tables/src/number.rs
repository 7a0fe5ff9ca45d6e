//! What text says: a number, or that there is none.

use crate::separator::Decimal;

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;

/// What programs write where something is missing, in any letter case.
const WORDS: [&str; 11] = ["na", "n/a", "n.a.", "#n/a", "#na", "<na>", "nan", "null", "none", "nil", "missing"];
/// What people write.
const MARKS: [&str; 7] = [".", "...", "-", "--", "?", "\u{2013}", "\u{2014}"];
/// The number in a cell of values: NaN where the value is missing, `None` where the cell is neither.
///
/// Missing values are empty cells, `NA`, `N/A`, `#N/A`, `NaN`, `NULL`, `None`, `missing` and the like in any letter case, and a lone
/// dot, dash or question mark; white space around them is no matter.
pub fn number(cell: &[u8]) -> Option<f64> {
    let cell = cell.trim_ascii();
    fast_float2::parse(cell).ok().or_else(|| match cell {
        b"" | b"NA" | b"." | b"null" => Some(f64::NAN),
        cell => {
            let text = std::str::from_utf8(cell).ok()?;
            let is_missing = MARKS.contains(&text) || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
            is_missing.then_some(f64::NAN)
        }
    })
}

/// The number that a text begins with, unless it is infinite or none, and the bytes that it takes.
#[inline]
pub(crate) fn number_before(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok().filter(|(value, _): &(f64, usize)| value.is_finite())
}

/// The same where numbers may have a decimal comma.
pub(crate) fn number_with(cell: &[u8], decimal: Decimal) -> Option<f64> {
    match decimal {
        Decimal::Point => number(cell),
        Decimal::Comma if cell.contains(&b'.') => number(cell).filter(|value| value.is_nan()),
        Decimal::Comma if !cell.contains(&b',') => number(cell),
        // a comma alone is no missing value
        Decimal::Comma => number(&cell.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect::<Vec<u8>>())
            .filter(|value| !value.is_nan()),
    }
}

/// Whether a text only says that something is missing, in any of the spellings that programs write.
///
/// These are more than the missing values of [`number`], in any letter case: `N/A`, `NULL`, `None`, `-`, `#N/A` and others, and
/// a text of nothing but white space, invisible characters and punctuation. As the id of a subject such a text would make one
/// person of everybody whose id was not known.
pub fn says_missing(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
    let is_mark = |c: char| c.is_ascii_punctuation() || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2026}');
    text.chars().all(|c| is_mark(c) || c.is_whitespace() || is_invisible(c))
        || WORDS.iter().any(|word| text.trim_start_matches('-').eq_ignore_ascii_case(word))
}

/// Whether every name is one that data have: a number, also with a decimal comma, or what says that something is missing.
///
/// If the columns that a reader takes have such names, the first row is a row of data: the file has no header, and the
/// record in that row would be lost. This looks at the first row alone, so that no other record has a part in the answer.
pub fn are_values<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.all(|name| says_missing(name) || number(name.replace(',', ".").as_bytes()).is_some())
}

/// Whether nothing is to be seen of a character: a control character, or one that Unicode says to ignore.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// White space, and the byte order mark that spreadsheets put before the first name.
pub(crate) fn is_padding(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}
