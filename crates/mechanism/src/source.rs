//! How the table of a release was read: its columns, its grid and its missing values.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::facts::Fact;
use crate::papers::Papers;
use crate::reference::{NameError, is_name, read_names};

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;

/// Where a grid comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GridSource {
    /// Nobody said: equally spaced on `[0, 1]`.
    Default,
    /// Equally spaced between two ends that were given.
    Ends,
    /// A list of points that was given.
    Points,
    /// The names of the columns.
    Names,
    /// Equally spaced by the word of the curator, whatever the names say.
    Uniform,
    /// Each row of a long table has a time of its own.
    Rows,
    /// Each row is a surface in row-major order, on a grid that is told elsewhere.
    Surface,
    /// Each row of a long table is one value of a subject's surface, with its two places on a grid that is told elsewhere.
    SurfaceRows,
}

/// How the table of a release was read: public, for names of columns and what the curator said do not depend on people.
///
/// Columns have no names here where the first row of the table may have been data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_names")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<GridSource>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_names")]
    missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "read_names")]
    gaps: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    study: Option<Digest>,
    #[serde(default, skip_serializing_if = "Papers::is_empty")]
    papers: Papers,
}

impl Source {
    /// A table that was read so: the names of the value columns, where they are surely names; the column of subjects; where the
    /// grid of curves comes from, none for points; the codes for missing values that were named.
    pub fn new(
        columns: Vec<String>,
        subject: Option<String>,
        grid: Option<GridSource>,
        missing: Vec<String>,
    ) -> Result<Self, NameError> {
        let are_names = columns.iter().chain(&subject).chain(&missing).all(|name| is_name(name));
        if are_names { Ok(Self { columns, subject, grid, missing, ..Self::empty() }) } else { Err(NameError) }
    }

    /// The same with the reason that the curator gave for a guarantee that is not usual.
    pub fn because(self, reason: Option<&str>) -> Result<Self, NameError> {
        if reason.is_none_or(is_name) { Ok(Self { reason: reason.map(str::to_owned), ..self }) } else { Err(NameError) }
    }

    /// The same with what stands for a missing value of a curve, such as `filled by a Gaussian process`; by default a line between the
    /// neighbours within the curve does.
    pub fn with_gaps(self, gaps: Option<&str>) -> Result<Self, NameError> {
        if gaps.is_none_or(is_name) { Ok(Self { gaps: gaps.map(str::to_owned), ..self }) } else { Err(NameError) }
    }

    /// No table at all: what is known beside the data alone.
    pub fn empty() -> Self {
        Self {
            columns: Vec::new(),
            subject: None,
            grid: None,
            missing: Vec::new(),
            reason: None,
            gaps: None,
            study: None,
            papers: Papers::default(),
        }
    }

    /// The same with the digest of the study that was followed: every public setting, agreed on before the data were seen.
    #[must_use]
    pub fn following(self, study: Option<Digest>) -> Self {
        Self { study, ..self }
    }

    /// The same with what the papers about the release say.
    #[must_use]
    pub fn with_papers(self, papers: Papers) -> Self {
        Self { papers, ..self }
    }

    /// What the papers about the release say.
    pub fn papers(&self) -> &Papers {
        &self.papers
    }

    /// The digest of the study that was followed.
    pub fn study(&self) -> Option<Digest> {
        self.study
    }

    /// The names of the value columns in the order of the grid; none where the first row may have been data.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The column of subjects.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Where the grid of curves comes from; none for points, and for curves that come in parts.
    pub fn grid(&self) -> Option<GridSource> {
        self.grid
    }

    /// The codes for missing values that were named.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Why the guarantee is not a usual one.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The table in words, or what stands for a missing value where there is no table but an array; and the reason where there is one.
    pub fn facts(&self) -> Vec<Fact> {
        let reason = self.reason.as_ref().map(|reason| Fact::new("reason", reason.clone()).briefly(reason.clone()));
        let table =
            (!self.columns.is_empty() || self.grid.is_some()).then(|| Fact::new("table", self.table_in_words()));
        let gaps = self.gaps.as_ref().filter(|_| table.is_none());
        let gaps = gaps.map(|gaps| Fact::new("missing values", gaps.clone()));
        let study = self
            .study
            .map(|study| Fact::new("study", format!("follows the study with the digest {:.16}...", study.to_string())));
        [table, gaps, reason, self.papers.fact(), study].into_iter().flatten().collect()
    }

    fn table_in_words(&self) -> String {
        let columns = match self.columns.as_slice() {
            [] => "columns whose names are not told, because the first row may be data".to_owned(),
            [one] => format!("column {one}"),
            columns if self.grid.is_none() => format!("columns {}", columns.join(", ")),
            [first, .., last] => format!("{} columns, {first} to {last}", self.columns.len()),
        };
        let subject = self.subject.as_ref().map_or_else(String::new, |column| format!("; subjects by column {column}"));
        let codes = self.missing.iter().fold(String::new(), |codes, code| codes + ", " + code);
        let grid = match self.grid {
            None => "",
            Some(GridSource::Default) => "; grid equally spaced from 0 to 1 by default",
            Some(GridSource::Ends) => "; grid equally spaced between the ends given",
            Some(GridSource::Points) => "; grid the points given",
            Some(GridSource::Names) => "; grid where the names of the columns say",
            Some(GridSource::Rows) => {
                return format!(
                    "a long table, one row for each value: {columns}{subject}; a row without a time or a value (empty cells, words such as \
                     NA{codes}) is no row"
                );
            }
            Some(GridSource::SurfaceRows) => {
                return format!(
                    "a long table, one row for each value of a surface: {columns}{subject}; points without a row or a value (empty cells, \
                     words such as NA{codes}) are filled within their surface"
                );
            }
            Some(GridSource::Surface) => "; each row a surface, its last axis fastest",
            Some(GridSource::Uniform) => "; grid equally spaced by the word of the curator, whatever the names say",
        };
        let treated = match (&self.gaps, self.grid) {
            (Some(gaps), _) => gaps,
            (None, Some(GridSource::Surface)) => "are filled within their surface",
            (None, Some(_)) => "are filled within their curve",
            (None, None) => "count as the centre of their axis",
        };
        format!("{columns}{subject}{grid}; missing values (empty cells, words such as NA{codes}) {treated}")
    }
}
