//! What the columns of a file are for, in their order: a line is gone through once.

use crate::batch::{CurveBatch, MissingCells};
use crate::columns::Columns;
use crate::csv::read_cell;
use crate::records::Cells;
use crate::subjects::check_id;

#[cfg(test)]
#[path = "line_order_tests.rs"]
mod tests;

/// What the columns of a file are for, from left to right.
pub(super) struct LineOrder {
    /// Empty where values do not come in the order of their points.
    columns: Vec<Use>,
    /// Whether what a number says does not depend on how it is written.
    are_numbers_values: bool,
}

#[derive(Clone, Copy)]
enum Use {
    Value,
    Subject,
    None,
}

impl LineOrder {
    pub(super) fn of(columns: &Columns) -> Self {
        let mut uses = vec![Use::None; if columns.values.is_sorted() { columns.len() } else { 0 }];
        for (place, column) in uses.iter_mut().enumerate() {
            *column = match () {
                () if columns.subject == Some(place) => Use::Subject,
                () if columns.values.binary_search(&place).is_ok() => Use::Value,
                () => Use::None,
            };
        }
        Self { columns: uses, are_numbers_values: columns.are_numbers_values() }
    }

    /// Adds the curve of a line; `None` where there is something about the line that cells alone do not tell, such as why they are refused.
    /// What was added to the batch is of no use then.
    pub(super) fn add_line(
        &self,
        mut cells: Cells<'_>,
        columns: &Columns,
        row: usize,
        batch: &mut CurveBatch,
        missing: &mut MissingCells,
    ) -> Option<()> {
        for (column, what) in self.columns.iter().enumerate() {
            match what {
                Use::Value => {
                    let number = if self.are_numbers_values { cells.number() } else { None };
                    let value = match number {
                        Some(value) => {
                            missing.count_values(1);
                            if columns.is_value(value) { value } else { columns.number(value, row, column).ok()? }
                        }
                        None => read_cell(cells.cell()?, columns, row, column, missing).ok()?,
                    };
                    batch.push_value(value);
                }
                Use::Subject => batch.push_subject(&check_id(cells.cell()?, row, String::new).ok()?),
                Use::None => _ = cells.cell()?,
            }
        }
        cells.is_at_end().then_some(())
    }
}
