//! What a kernel's name says: how the name is written, and what the table has under the name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::functions::table::{KernelName, NAMES, Row};

#[cfg(test)]
#[path = "kernel_name_tests.rs"]
mod tests;

/// A text that is not the name of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("unknown kernel; known are {}; a word in capitals stands for a positive number", KernelName::known())]
pub struct UnknownKernel;

impl KernelName {
    /// Every name that is a word of its own; names with a number behind a colon, such as `matern:1.2`, are beside these.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().copied().flatten().map(|&(_, name)| name)
    }

    /// The number behind the colon of a name such as `matern:1.2`; `None` for kernels that have only a range.
    pub fn parameter(self) -> Option<f64> {
        self.row().parameter.map(|parameter| parameter.value)
    }

    /// The kernel in captions of figures, without its number and without the word "kernel".
    pub fn caption(self) -> &'static str {
        self.row().caption
    }

    /// The range of this kernel when none is given, on a domain mapped to `[0, 1]`.
    ///
    /// A convention, not an estimate: about a quarter of the domain for the Matern family, and the same correlation length
    /// for the others.
    pub fn default_range(self) -> f64 {
        self.row().default_range
    }

    /// The ranges that are tried for this kernel when none are given: correlation lengths from about a twentieth of the
    /// domain to all of it.
    pub fn usual_ranges(self) -> &'static [f64] {
        self.row().usual_ranges
    }

    /// All names in one line, with commas between.
    pub fn known() -> String {
        rows().map(|(forms, _)| forms).collect::<Vec<_>>().join(", ")
    }

    /// What each kernel assumes of a curve, one kernel a line.
    pub fn help() -> String {
        rows().map(|(forms, row)| format!("{forms}: {}", row.help)).collect::<Vec<_>>().join("\n")
    }
}

/// The rows of the table, each with all ways to write the kernel's name.
fn rows() -> impl Iterator<Item = (String, Row)> {
    NAMES.iter().filter_map(|names| {
        let row = names.first()?.1.row();
        let numbered = row.parameter.map(|parameter| format!("{}:{}", parameter.prefix, parameter.symbol));
        let forms = names.iter().map(|&(name, _)| name.to_owned()).chain(numbered);
        Some((forms.collect::<Vec<_>>().join(", "), row))
    })
}

impl FromStr for KernelName {
    type Err = UnknownKernel;

    fn from_str(text: &str) -> Result<Self, UnknownKernel> {
        if let Some(&(_, name)) = NAMES.iter().copied().flatten().find(|(name, _)| *name == text) {
            return Ok(name);
        }
        let numbered =
            text.split_once(':').and_then(|(prefix, number)| Self::with_parameter(prefix, number.parse().ok()?));
        numbered.filter(|name| name.with_range(name.default_range()).is_ok()).ok_or(UnknownKernel)
    }
}

impl fmt::Display for KernelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = NAMES.iter().copied().flatten().find(|(_, name)| name == self).map(|&(word, _)| word);
        match word {
            Some(word) => f.write_str(word),
            None => self.row().parameter.map_or(Ok(()), |number| write!(f, "{}:{}", number.prefix, number.value)),
        }
    }
}
