//! A day of the calendar.

use std::fmt;

use crate::value::{Form, SettingValue, Value, text};
use crate::value_error::ValueError;

/// A day of the calendar, written as 2026-11-27.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

impl Day {
    /// The days of a month of a year; `None` for a number that is no month.
    fn days_of(year: u16, month: u8) -> Option<u8> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        match month {
            2 => Some(if is_leap { 29 } else { 28 }),
            4 | 6 | 9 | 11 => Some(30),
            1..=12 => Some(31),
            _ => None,
        }
    }

    fn of(text: &str) -> Option<Self> {
        let has_form = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let day = Self {
            year: year.parse().ok()?,
            month: month.parse().ok()?,
            of_month: day.parse().ok().filter(|day| *day > 0)?,
        };
        let is_day = has_form && day.to_string() == text && day.of_month <= Self::days_of(day.year, day.month)?;
        is_day.then_some(day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }
}

impl SettingValue for Day {
    const FORM: Form = Form::Text;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::of(text.trim()).ok_or(ValueError::Day)
    }

    fn read(value: Value) -> Result<Self, ValueError> {
        Self::parse(&text(value)?)
    }

    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_the_calendar_is_read_and_no_other_text() {
        for text in ["2026-11-27", "2024-02-29", "2000-02-29", "0999-12-31"] {
            assert_eq!(Day::parse(text).map(|day| day.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "26-1-1",
            "27.11.2026",
            "",
            "2026-11-27-1",
        ] {
            assert_eq!(Day::parse(text), Err(ValueError::Day), "{text}");
        }
    }
}
