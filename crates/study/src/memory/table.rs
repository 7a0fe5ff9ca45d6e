//! A table in memory with one record in each row.

use std::collections::HashSet;

use dpfda::kernels::Grid;
use dpfda::release::Covariate;
use dpfda::smoothing::{CurveSet, TextColumn, similar_ids};

use super::rows::MemoryRows;
use crate::refusal::Refusal;
use crate::study::Study;

/// A column of text that a study asks for beside the curves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAsked {
    /// Its name.
    pub name: String,
    /// Whether its cells are numbers.
    pub is_number: bool,
    /// The setting that names it.
    pub setting: &'static str,
}

impl Study {
    /// The columns of labels, visits, times and covariates, in the order of [`RowTable::texts`].
    ///
    /// # Errors
    /// [`Refusal`] for covariates that are none.
    pub fn texts(&self) -> Result<Vec<TextAsked>, Refusal> {
        let text = |name: &str, is_number, setting| TextAsked { name: name.to_owned(), is_number, setting };
        let by = self.groups.by.iter().map(|by| text(by, false, "by"));
        let visits = self.change.change.iter().map(|visits| text(&visits.column, false, "change"));
        let times = self.change.per.iter().map(|per| text(per, true, "per"));
        let covariates = self.regression.covariates()?;
        let on = covariates.iter().map(|one| {
            let is_number = matches!(one, Covariate::Number { .. });
            text(one.name(), is_number, self.regression.setting_of(one.name()))
        });
        Ok(by.chain(visits).chain(times).chain(on).collect())
    }
}

/// A table in memory with one record in each row: private data.
pub struct RowTable<'a> {
    /// The numbers.
    pub rows: MemoryRows<'a>,
    /// Where their columns lie.
    pub grid: Grid,
    /// Whose each row is.
    pub ids: Option<&'a [String]>,
    /// The names of the columns.
    pub names: Option<Vec<&'a str>>,
    /// Labels or covariates, in the order in which the study names them.
    pub texts: Vec<TextColumn>,
}

impl RowTable<'_> {
    /// The number of records: rows, or subjects.
    pub fn records(&self) -> usize {
        self.ids.map_or_else(|| self.rows.len(), |ids| ids.iter().collect::<HashSet<_>>().len())
    }

    /// A copy of all curves.
    ///
    /// # Errors
    /// [`Refusal`] for another number of points than the grid has, or of ids than there are rows.
    pub fn curves(&self) -> Result<CurveSet, Refusal> {
        let curves = CurveSet::new(self.grid.clone(), self.rows.copied())?;
        let curves = match self.ids {
            Some(ids) => curves.with_subjects(ids)?,
            None => curves,
        };
        let names = self.names.as_ref().map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Ok(curves.with_column_names(names))
    }

    /// How many groups of ids a person may take for one, such as `S01` and `s1`: for the curator alone.
    pub fn similar_ids(&self) -> usize {
        let mut ids: Vec<&[u8]> = self.ids.unwrap_or_default().iter().map(String::as_bytes).collect();
        ids.sort_unstable();
        ids.dedup();
        similar_ids(ids.into_iter())
    }
}
