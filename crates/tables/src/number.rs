//! What text says: a number, or that there is none.

use crate::separator::Decimal;

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
    plain(cell).or_else(|| match cell {
        b"" | b"NA" | b"NaN" | b"nan" | b"." | b"null" => Some(f64::NAN),
        cell => {
            let text = std::str::from_utf8(cell).ok()?;
            let is_missing = || MARKS.contains(&text) || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
            text.parse().ok().or_else(|| is_missing().then_some(f64::NAN))
        }
    })
}

/// The powers of ten by which a number of at most 15 digits is divided.
const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A decimal of at most 15 digits without an exponent, as nearly all are; `None` for everything else.
///
/// The digits and the power of ten are doubles without error, so their quotient is rounded once: the double nearest to the decimal
/// (Clinger, How to read floating point numbers accurately, 1990).
fn plain(cell: &[u8]) -> Option<f64> {
    let (is_negative, digits) = match cell {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (mut mantissa, mut count, mut decimals) = (0_u64, 0_usize, None);
    for byte in digits {
        match byte {
            b'0'..=b'9' if count < 15 => {
                mantissa = 10 * mantissa + u64::from(byte - b'0');
                count += 1;
                decimals = decimals.map(|decimals| decimals + 1);
            }
            b'.' if decimals.is_none() => decimals = Some(0_usize),
            _ => return None,
        }
    }
    let value = mantissa as f64 / POWERS[decimals.unwrap_or(0)];
    (count > 0).then_some(if is_negative { -value } else { value })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn a_cell_is_a_number_a_missing_value_or_neither() {
        assert_eq!(number(b" -1e-3\t"), Some(-0.001));
        assert_eq!(number(b"inf"), Some(f64::INFINITY));
        let usual =
            ["", "  ", "NA", "NaN", " nan ", "null", ".", "N/A", "#N/A", "NULL", "None", "na", "-", "?", "missing"];
        for missing in usual {
            assert!(number(missing.as_bytes()).is_some_and(f64::is_nan), "{missing:?}");
        }
        for other in ["x", "1,5", "0x1", "1 2", ",", "#DIV/0!", "50%", "<0.5", "miss"] {
            assert_eq!(number(other.as_bytes()), None, "{other:?}");
        }
        assert_eq!(number(b"1\xff"), None);
    }

    #[test]
    fn a_plain_decimal_is_the_double_that_the_standard_library_reads() {
        let mut state = 1_u64;
        for round in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (state >> 20).to_string();
            let length = 1 + (state >> 5) as usize % digits.len();
            let mut text = digits[..length].to_owned();
            if round % 5 != 0 {
                text.insert((state >> 9) as usize % (length + 1), '.');
            }
            if round % 3 == 0 {
                text.insert(0, '-');
            }
            let expected: f64 = text.parse().unwrap();
            assert_eq!(number(text.as_bytes()).unwrap().to_bits(), expected.to_bits(), "{text}");
            assert!(length > 15 || plain(text.as_bytes()).is_some(), "{text}");
        }
        for (text, value) in [("-0", -0.0_f64), ("0.000000000000001", 1e-15), ("5.", 5.0), (".5", 0.5), ("-.5", -0.5)] {
            assert_eq!(number(text.as_bytes()).unwrap().to_bits(), value.to_bits(), "{text}");
        }
        for text in ["-.", "1..2", "--1", "1-", "1.2.3"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_decimal_comma_is_read_where_it_is_expected_and_a_point_is_not() {
        for (cell, value) in [("1,5", 1.5), (" -1,25e-3 ", -0.00125), ("2", 2.0)] {
            assert_eq!(number_with(cell.as_bytes(), Decimal::Comma), Some(value), "{cell}");
        }
        for other in ["1.5", "1.234,5", "1,2,3", ","] {
            assert_eq!(number_with(other.as_bytes(), Decimal::Comma), None, "{other}");
        }
        assert!(number_with(b" . ", Decimal::Comma).is_some_and(f64::is_nan));
        assert_eq!(number_with(b"1,5", Decimal::Point), None);
    }

    #[test]
    fn what_only_says_missing_is_known_in_every_spelling() {
        for text in [
            "",
            " ",
            ".",
            "-",
            "--",
            "?",
            "...",
            "\u{2013}",
            "\u{200b}",
            "\u{a0}",
            "\u{feff}",
            "NA",
            "na",
            "Na",
            "N/A",
            "n/a",
            "#N/A",
            "#NA",
            "<NA>",
            "N.A.",
            "NaN",
            "nan",
            "-nan",
            "NULL",
            "null",
            "Null",
            "None",
            "none",
            "NIL",
            " N/A\u{a0}",
        ] {
            assert!(says_missing(text), "{text:?}");
        }
        for text in ["0", "-1", "a", "NA1", "nano", "Nonette", "S-01", "\u{e9}", "\u{1f431}", "n/a/n", "N-A"] {
            assert!(!says_missing(text), "{text:?}");
        }
    }

    #[test]
    fn names_are_values_when_none_of_them_is_a_name() {
        for names in ["0.5|0.5|0.5", "0|0.25|0.5", "1", "NA|N/A|", "\"|-1e-3|inf", "0,5|1"] {
            assert!(are_values(names.split('|')), "{names}");
        }
        for names in ["a|b", "0|b", "t0|t1", "1 mm|2", "x;1"] {
            assert!(!are_values(names.split('|')), "{names}");
        }
    }
}
