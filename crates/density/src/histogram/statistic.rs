//! Counts of cells as a statistic.

use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{Law, OneHot, OneHotVector};
use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::facts::{RECORD, bound};

/// The numbers of points in cells; a record is the coordinates of a point, in data units.
///
/// Its plan is `{cells}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    cells: Cells,
}

/// Lattice steps to a record where noise is continuous before it is rounded: so many that rounding costs nothing.
const FINE_STEPS: i64 = 1 << 20;

impl Histogram {
    /// The histogram on these cells.
    pub fn new(cells: Cells) -> Self {
        Self { cells }
    }

    /// The cells, which divide the public bounds.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }
}

impl Statistic for Histogram {
    type Body = OneHot;
    type Record<'a> = &'a [f64];
    type Scratch = ();

    const KIND: &'static str = "histogram";
    const RECORD: &'static str = RECORD;
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, law: &Law) -> OneHot {
        let steps = if matches!(law, Law::DiscreteLaplace {}) { 1 } else { FINE_STEPS };
        OneHot::new(self.cells.count(), steps)
            .unwrap_or_else(|_| unreachable!("there is a cell, and the steps are few"))
    }

    fn scratch(&self) {}

    fn encode(&self, record: &[f64], (): &mut (), vector: &mut OneHotVector) {
        vector.place(self.cells.cell_of(record));
    }

    fn facts(&self) -> Vec<Fact> {
        let text = format!(
            "perturbed histogram (Wasserman and Zhou 2010, Theorem 8): noise on the number of points in each of {}; negative \
             counts are then set to 0 and all are divided by their sum",
            self.cells
        );
        vec![bound(self.cells.bounds()), Fact::new("mechanism", text)]
    }
}
