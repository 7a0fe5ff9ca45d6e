//! What stands between the cells of a line, and within a number.

use std::str::FromStr;

use thiserror::Error;

#[cfg(test)]
#[path = "separator_tests.rs"]
mod tests;

/// The character between two cells of a line: one byte of ASCII that no number and no quoted cell needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Separator(u8);

/// A character that cannot stand between cells.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{}` cannot stand between cells: give one character such as `,`, `;`, `|`, or the word tab",
    text.escape_debug()
)]
pub struct SeparatorError {
    /// The text given.
    pub text: String,
}

impl Separator {
    /// A comma.
    pub const COMMA: Self = Self(b',');
    /// A semicolon.
    pub const SEMICOLON: Self = Self(b';');
    /// A tab.
    pub const TAB: Self = Self(b'\t');
    /// A space.
    pub const SPACE: Self = Self(b' ');

    pub(crate) fn byte(self) -> u8 {
        self.0
    }
}

impl FromStr for Separator {
    type Err = SeparatorError;

    /// One character; `tab` and `\t` stand for a tab.
    fn from_str(text: &str) -> Result<Self, SeparatorError> {
        let refused = || SeparatorError { text: text.to_owned() };
        let byte = match text.as_bytes() {
            b"tab" | b"\\t" => b'\t',
            [byte] => *byte,
            _ => return Err(refused()),
        };
        let is_free = byte == b' ' || byte == b'\t' || byte.is_ascii_punctuation() && !br#"".+-_"#.contains(&byte);
        if is_free { Ok(Self(byte)) } else { Err(refused()) }
    }
}

/// What stands before the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decimal {
    /// A point: `1.5`.
    #[default]
    Point,
    /// A comma: `1,5`. A number with a point is none then, since a point may group digits there.
    Comma,
}
