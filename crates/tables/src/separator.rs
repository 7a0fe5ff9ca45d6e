//! What stands between the cells of a line, and within a number.

use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use crate::files::ends_with;
use crate::records::Record;

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

    /// What a file of this name has between cells where nothing else is said: a tab in a `.tsv` or a `.tab` file, also a compressed one, and a
    /// comma in every other.
    pub fn of_name(path: &Path) -> Self {
        let is_tabbed = ["tsv", "tab"].iter().any(|ending| ends_with(path, ending));
        if is_tabbed { Self::TAB } else { Self::COMMA }
    }

    /// What a header of one cell seems to be separated by, in words, and how that is asked for; `None` where it is separated by this.
    pub fn other_in(self, header: &Record) -> Option<(&'static str, &'static str)> {
        let known = [
            ("commas", Self::COMMA, "','"),
            ("semicolons", Self::SEMICOLON, "';'"),
            ("tabs", Self::TAB, "tab"),
            ("spaces", Self::SPACE, "' '"),
        ];
        let cell = header.get(0).unwrap_or_default().trim_ascii();
        let is_seen = |(_, other, _): &(_, Self, _)| *other != self && cell.contains(&other.byte());
        let found = known.into_iter().find(is_seen).filter(|_| header.len() == 1);
        found.map(|(words, _, delimiter)| (words, delimiter))
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
