//! A table in memory with one record in each row.

use std::collections::HashSet;

use dpfda::kernels::Grid;
use dpfda::smoothing::{CurveSet, TextColumn, similar_ids};

use super::rows::MemoryRows;
use crate::refusal::Refusal;

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

    /// How many groups of ids a person may take for one, such as `S01` and `s1`.
    pub(super) fn similar_ids(&self) -> usize {
        let mut ids: Vec<&[u8]> = self.ids.unwrap_or_default().iter().map(String::as_bytes).collect();
        ids.sort_unstable();
        ids.dedup();
        similar_ids(ids.into_iter())
    }
}
