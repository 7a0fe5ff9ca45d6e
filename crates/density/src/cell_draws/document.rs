//! Drawn cells as they stand in a file, and the checks they pass on the way back.

use dpfda_mechanism::LedgerReference;
use dpfda_privacy::{Arithmetic, BudgetError, NeighbouringRelation, PrivacyBudget};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{CellDraws, DrawsMechanism, MAX_DRAWS};
use crate::bounds::Bounds;
use crate::cells::{Cells, CellsError};
use crate::smoothed::loss_of;

/// The version of the file format.
const SCHEMA: u32 = 1;

/// The longest name of a software that is read.
const MOST_CHARACTERS: usize = 100;

/// Why a file is not a release of drawn cells.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CellDrawsReadError {
    /// Written by a version that this one does not know.
    #[error("draws schema {found} is not known; this version reads schema {SCHEMA}")]
    Schema {
        /// The schema in the file.
        found: u32,
    },
    /// The name of the software is a line of text.
    #[error("the field software must be a short line of plain text")]
    Software,
    /// There are no draws, or too many.
    #[error("there must be from 1 to {MAX_DRAWS} draws, the file has {found}")]
    Draws {
        /// The number in the file.
        found: usize,
    },
    /// A cell is not there.
    #[error("draw {index} (counted from 0) names cell {cell}, but there are {cells}")]
    Cell {
        /// The index of the draw.
        index: usize,
        /// The cell that it names.
        cell: usize,
        /// The number of cells.
        cells: usize,
    },
    /// Two fields contradict each other.
    #[error("the field {field} contradicts the rest of the release: the file was edited or damaged")]
    Contradiction {
        /// The field, as a path in the document.
        field: &'static str,
    },
    /// The budget is not a budget.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The cells are unusable.
    #[error(transparent)]
    Cells(#[from] CellsError),
}

/// The document of drawn cells.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CellDrawsDocument {
    schema: u32,
    software: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ledger: Option<LedgerReference>,
    epsilon: f64,
    delta: f64,
    neighbours: NeighbouringRelation,
    private: bool,
    arithmetic: Arithmetic,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    bounds: Bounds,
    cells_per_axis: usize,
    mechanism: DrawsMechanism,
    draws: Vec<usize>,
}

impl From<CellDraws> for CellDrawsDocument {
    fn from(release: CellDraws) -> Self {
        Self {
            schema: SCHEMA,
            software: release.software,
            ledger: release.ledger,
            epsilon: release.budget.epsilon(),
            delta: release.budget.delta(),
            neighbours: release.neighbours,
            private: release.private,
            arithmetic: release.arithmetic,
            records: release.records,
            bounds: release.cells.bounds().clone(),
            cells_per_axis: release.cells.per_axis(),
            mechanism: release.mechanism,
            draws: release.draws,
        }
    }
}

impl TryFrom<CellDrawsDocument> for CellDraws {
    type Error = CellDrawsReadError;

    fn try_from(document: CellDrawsDocument) -> Result<Self, CellDrawsReadError> {
        let cells = Cells::new(document.bounds.clone(), document.cells_per_axis)?;
        document.check_form(&cells)?;
        document.check_privacy(&cells)?;
        Ok(Self {
            budget: PrivacyBudget::new(document.epsilon, document.delta)?,
            software: document.software,
            neighbours: document.neighbours,
            records: document.records,
            cells,
            mechanism: document.mechanism,
            arithmetic: document.arithmetic,
            private: document.private,
            draws: document.draws,
            ledger: document.ledger,
        })
    }
}

impl CellDrawsDocument {
    fn check_form(&self, cells: &Cells) -> Result<(), CellDrawsReadError> {
        if self.schema != SCHEMA {
            return Err(CellDrawsReadError::Schema { found: self.schema });
        }
        if self.software.chars().count() > MOST_CHARACTERS || self.software.chars().any(char::is_control) {
            return Err(CellDrawsReadError::Software);
        }
        if !(1..=MAX_DRAWS).contains(&self.draws.len()) {
            return Err(CellDrawsReadError::Draws { found: self.draws.len() });
        }
        let cells = cells.count();
        match self.draws.iter().enumerate().find(|(_, cell)| **cell >= cells) {
            Some((index, &cell)) => Err(CellDrawsReadError::Cell { index, cell, cells }),
            None => Ok(()),
        }
    }

    /// Whether the mechanism can have given the stated guarantee.
    fn check_privacy(&self, cells: &Cells) -> Result<(), CellDrawsReadError> {
        let contradiction = |field| Err(CellDrawsReadError::Contradiction { field });
        if self.epsilon.is_nan() || self.epsilon <= 0.0 {
            return contradiction("epsilon");
        }
        if self.delta != 0.0 {
            return contradiction("delta");
        }
        if self.arithmetic != Arithmetic::Exact {
            return contradiction("arithmetic");
        }
        let is_public = self.records.is_some_and(|records| records > 0);
        if (self.neighbours == NeighbouringRelation::SubstituteOne) != is_public {
            return contradiction("records");
        }
        match (self.mechanism, self.records) {
            (DrawsMechanism::SmoothedHistogram { mixture }, Some(records)) => {
                let loss = loss_of(cells.count(), records, self.draws.len(), mixture);
                if loss.is_some_and(|loss| loss <= self.epsilon) { Ok(()) } else { contradiction("mechanism.mixture") }
            }
            (DrawsMechanism::SmoothedHistogram { .. }, None) => contradiction("neighbours"),
            (DrawsMechanism::KsExponential {}, _) if cells.bounds().dimension() != 1 => contradiction("bounds"),
            (DrawsMechanism::KsExponential {}, _) if !self.draws.is_sorted() => contradiction("draws"),
            (DrawsMechanism::KsExponential {}, _) => Ok(()),
        }
    }
}
