//! What is kept of a subject whose rows come in one by one.

use crate::rows::of_rows::KeptRows;

/// Steps of a value, at its bound: a sum of `2^32` values stays below `2^62`.
const STEPS: f64 = (1_u64 << 30) as f64;

/// The rows of one subject by bin: how many there are, and the exact sum of their values. It is private data.
///
/// Values are integers of `2^-30` of their bound, so the sums do not depend on the order of the rows. It takes 16 bytes for each bin that
/// has a row.
#[derive(Clone, Default)]
pub struct BinSums {
    /// By bin, increasing.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    bin: u32,
    rows: u32,
    sum: i64,
}

impl BinSums {
    /// A subject without rows.
    pub fn new() -> Self {
        Self::default()
    }

    fn add_cell(&mut self, cell: Cell) {
        match self.cells.binary_search_by_key(&cell.bin, |known| known.bin) {
            Err(place) => self.cells.insert(place, cell),
            Ok(place) => {
                let known = &mut self.cells[place];
                if let Some(rows) = known.rows.checked_add(cell.rows) {
                    (known.rows, known.sum) = (rows, known.sum + cell.sum);
                }
            }
        }
    }

    /// The bins that have rows, each with the mean of its values as a part of their bound.
    pub(crate) fn means(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.cells.iter().map(|cell| (cell.bin as usize, cell.sum as f64 / STEPS / f64::from(cell.rows)))
    }
}

impl KeptRows for BinSums {
    /// Beyond `2^32` rows in a bin nothing is added.
    fn add(&mut self, bin: usize, part: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 in size")]
        let sum = (part * STEPS).round() as i64;
        if let Ok(bin) = u32::try_from(bin) {
            self.add_cell(Cell { bin, rows: 1, sum });
        }
    }

    fn settle(&mut self) {
        self.cells.shrink_to_fit();
    }

    fn merge(&mut self, other: &Self) {
        other.cells.iter().for_each(|cell| self.add_cell(*cell));
    }

    fn words(&self) -> Vec<u64> {
        let words = |cell: &Cell| [(u64::from(cell.bin) << 32) | u64::from(cell.rows), cell.sum.cast_unsigned()];
        self.cells.iter().flat_map(words).collect()
    }

    fn occupied(&self) -> usize {
        self.cells.len()
    }
}

dpfda_privacy::opaque!(BinSums);
