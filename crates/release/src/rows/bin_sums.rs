//! What is kept of a subject whose rows come in one by one.

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

    /// Adds a row: a value as a part of its bound, from -1 to 1. Beyond `2^32` rows in a bin nothing is added.
    pub(crate) fn add(&mut self, bin: usize, value: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 in size")]
        let sum = (value * STEPS).round() as i64;
        if let Ok(bin) = u32::try_from(bin) {
            self.add_cell(Cell { bin, rows: 1, sum });
        }
    }

    /// Adds the rows of the same subject in another part of a table.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.cells.iter().for_each(|cell| self.add_cell(*cell));
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

    /// All of it as words, the same for any order of the rows.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let words = |cell: &Cell| [(u64::from(cell.bin) << 32) | u64::from(cell.rows), cell.sum.cast_unsigned()];
        self.cells.iter().flat_map(words)
    }

    /// The number of bins that have a row.
    pub(crate) fn occupied(&self) -> usize {
        self.cells.len()
    }

    /// The bins that have rows, each with the mean of its values as a part of their bound.
    pub(crate) fn means(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.cells.iter().map(|cell| (cell.bin as usize, cell.sum as f64 / STEPS / f64::from(cell.rows)))
    }
}

dpfda_privacy::opaque!(BinSums);
