//! Public names for what a release shows.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::facts::Fact;
use crate::reference::{NameError, is_name, read_names};
use crate::source::{GridSource, Source};

#[cfg(test)]
#[path = "labels_tests.rs"]
mod tests;

/// The widths and heights in CSS pixels that a figure of a release can have.
pub const FIGURE_SIZES: RangeInclusive<f64> = 240.0..=4000.0;

/// Names of the axes of a release, as figures print them: public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    s: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    argument: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_names")]
    columns: Vec<String>,
}

impl Labels {
    /// The names of the horizontal axis, such as `position along the tract`, and of the vertical one, with units.
    pub fn new(argument: Option<&str>, value: Option<&str>) -> Result<Self, NameError> {
        if [argument, value].into_iter().flatten().all(is_name) {
            let (argument, value) = (argument.map(str::to_owned), value.map(str::to_owned));
            Ok(Self { s: None, argument, value, columns: Vec::new() })
        } else {
            Err(NameError)
        }
    }

    /// The same with the name of the first axis of a surface, whose second axis is the horizontal one.
    pub fn with_s(self, s: Option<&str>) -> Result<Self, NameError> {
        if s.is_none_or(is_name) { Ok(Self { s: s.map(str::to_owned), ..self }) } else { Err(NameError) }
    }

    /// The same with the names of the columns that a density is of, or of the one that says who is in which group.
    pub fn with_columns(self, columns: Vec<String>) -> Result<Self, NameError> {
        if columns.iter().all(|name| is_name(name)) { Ok(Self { columns, ..self }) } else { Err(NameError) }
    }

    /// The same, and the names of the columns of a long table for the axes that have no other.
    pub(crate) fn or_of(&self, source: &Source) -> Self {
        let [s, argument, value] = match (source.grid(), source.columns()) {
            (Some(GridSource::Rows), [argument, value]) => [None, Some(argument), Some(value)],
            (Some(GridSource::SurfaceRows), [s, argument, value]) => [Some(s), Some(argument), Some(value)],
            _ => [None; 3],
        };
        let [s, argument, value] = [s, argument, value].map(Option::<&String>::cloned);
        self.clone().or(&Self { s, argument, value, columns: Vec::new() })
    }

    /// What the numbers of the release are, where that was said with a unit: `glucose (mg/dL)`.
    pub(crate) fn values_fact(&self) -> Option<Fact> {
        let value = self.value.as_deref().filter(|_| self.unit().is_some())?;
        let axes: Vec<&str> = [&self.s, &self.argument].into_iter().filter_map(Option::as_deref).collect();
        let at = if axes.is_empty() { String::new() } else { format!(" by {}", axes.join(" and ")) };
        let text = format!("{value}{at}; numbers about curves are in these units");
        Some(Fact::new("values", text).briefly(format!("{value}{at}")))
    }

    /// These names, and those of others for the axes that have none here.
    #[must_use]
    pub fn or(self, others: &Self) -> Self {
        let or = |own: Option<String>, other: &Option<String>| own.or_else(|| other.clone());
        Self {
            s: or(self.s, &others.s),
            argument: or(self.argument, &others.argument),
            value: or(self.value, &others.value),
            columns: if self.columns.is_empty() { others.columns.clone() } else { self.columns },
        }
    }

    /// The name of the vertical axis without its unit, and the unit: `glucose` and `mg/dL` of `glucose (mg/dL)`.
    pub fn value_and_unit(&self) -> Option<(&str, Option<&str>)> {
        let value = self.value.as_deref()?;
        let in_brackets = value.strip_suffix(')').and_then(|start| start.rsplit_once('('));
        let named = in_brackets.map(|(name, unit)| (name.trim_end(), unit.trim())).filter(|(_, unit)| !unit.is_empty());
        Some(named.map_or((value, None), |(name, unit)| (name, Some(unit))))
    }

    /// The unit of the values, where it stands in brackets behind their name.
    pub fn unit(&self) -> Option<&str> {
        self.value_and_unit()?.1
    }

    /// The names of the columns that a density is of, or of that of groups, where they are known.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The name of the first axis of a surface.
    pub fn s(&self) -> Option<&str> {
        self.s.as_deref()
    }

    /// The name of the horizontal axis.
    pub fn argument(&self) -> Option<&str> {
        self.argument.as_deref()
    }

    /// The name of the vertical axis.
    pub fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }
}
