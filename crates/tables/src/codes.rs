//! Codes for missing values, and the numbers of a table that are none and no values either.

use std::borrow::Cow;

use crate::error::TableError;
use crate::number::number_with;
use crate::said::Said;
use crate::separator::Decimal;

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;

/// Numbers that programs write where something is missing, and that hardly any instrument shows.
const CODES: [f64; 3] = [-999.0, -9999.0, -99999.0];
/// No measurement is as large, and squares of larger numbers overflow.
const LARGEST: f64 = 1e100;

/// Why a number of a table is neither a value nor missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It is infinite, or larger than any measurement (1e100).
    Infinite,
    /// It may be a code for a missing value, and none was named.
    Code,
}

/// What stands for a missing value besides the usual words: codes that somebody named.
///
/// As long as none are named, a cell that holds -999, -9999 or -99999 is refused: it may be such a code or a value, and only the
/// person who has the table knows. Where codes are named, every other number is a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Missing {
    codes: Vec<String>,
    numbers: Vec<f64>,
}

impl Missing {
    /// These codes, such as `-999,NULL`, with commas between them.
    pub fn new(codes: &str) -> Result<Self, TableError> {
        let codes: Vec<String> = codes.split(',').map(|code| code.trim().to_owned()).collect();
        if codes.iter().any(String::is_empty) {
            return Err(TableError::MissingCodes);
        }
        let numbers = codes.iter().filter_map(|code| code.parse().ok()).collect();
        Ok(Self { codes, numbers })
    }

    /// The codes that were named.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// The number in a cell, as [`number`](crate::number()) reads it, where a named code is missing too.
    pub fn read(&self, cell: &[u8], decimal: Decimal) -> Option<f64> {
        let is_code = |code: &String| code.as_bytes().eq_ignore_ascii_case(cell.trim_ascii());
        if self.codes.iter().any(is_code) {
            return Some(f64::NAN);
        }
        number_with(cell, decimal).map(|value| self.value(value))
    }

    /// What a number of a table of numbers says, in a file or in memory: NaN where it is missing, as named codes are.
    pub fn measured(&self, number: f64) -> Result<f64, Unfit> {
        let value = self.value(number);
        if value.abs() >= LARGEST {
            return Err(Unfit::Infinite);
        }
        if self.suspects(value) { Err(Unfit::Code) } else { Ok(value) }
    }

    /// Whether all these numbers are surely values as they stand: none is missing, too large or below every code.
    pub fn are_values(&self, numbers: &[f64]) -> bool {
        // without an early end, which would keep the numbers from being looked at side by side
        let values = CODES[0].next_up()..LARGEST;
        self.numbers.is_empty() && numbers.iter().fold(true, |all, x| all & values.contains(x))
    }

    /// Whether numbers were named, so that a table of numbers is not used as it lies.
    pub fn names_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// What a cell names that is the label of a group, a level or a covariate; `None` where it is missing, as named codes are.
    pub fn name<'a>(&self, said: Said<'a>) -> Result<Option<Cow<'a, str>>, Unfit> {
        let Some(name) = said.name() else { return Ok(None) };
        let number: f64 = name.parse().unwrap_or(0.0);
        if self.suspects(number) {
            return Err(Unfit::Code);
        }
        let is_code = self.codes.iter().any(|code| code.eq_ignore_ascii_case(&name)) || self.value(number).is_nan();
        Ok(Some(name).filter(|_| !is_code))
    }

    /// A number of a table of numbers, where a named code is missing.
    pub(crate) fn value(&self, value: f64) -> f64 {
        if self.numbers.contains(&value) { f64::NAN } else { value }
    }

    fn suspects(&self, value: f64) -> bool {
        value <= CODES[0] && self.codes.is_empty() && CODES.contains(&value)
    }
}
