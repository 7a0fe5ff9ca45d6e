//! What is kept of a subject whose rows come in one by one.

use std::ops::Range;

use crate::rows::of_rows::KeptRows;

#[cfg(test)]
#[path = "bin_sums_tests.rs"]
mod tests;

/// Steps of a value, at its bound: a sum of `2^32` values stays below `2^62`.
const STEPS: f64 = (1_u64 << 30) as f64;

/// The most bytes of a cell: numbers of 33, 32 and 64 bits in groups of seven.
const MOST_BYTES: usize = 5 + 5 + 10;

/// The rows of one subject by bin: how many there are, and the exact sum of their values. It is private data.
///
/// Values are integers of `2^-30` of their bound, so the sums do not depend on the order of the rows. It takes some 6 bytes for each bin
/// that has a row, and 8 where it has several.
#[derive(Clone, Default)]
pub struct BinSums {
    /// The cells by bin, increasing, one behind the other.
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    bin: u32,
    rows: u32,
    sum: i64,
}

impl Cell {
    /// The bin with a bit that says whether it has several rows, how many where it has, and the sum with its sign in the last bit.
    fn written(self) -> ([u8; MOST_BYTES], usize) {
        let (mut bytes, mut length) = ([0; MOST_BYTES], 0);
        let mut put = |mut number: u64| {
            while number > 0x7f {
                bytes[length] = (number & 0x7f) as u8 | 0x80;
                length += 1;
                number >>= 7;
            }
            bytes[length] = (number & 0x7f) as u8;
            length += 1;
        };
        put(u64::from(self.bin) << 1 | u64::from(self.rows > 1));
        if self.rows > 1 {
            put(u64::from(self.rows));
        }
        put(((self.sum << 1) ^ (self.sum >> 63)).cast_unsigned());
        (bytes, length)
    }

    /// The first cell of these bytes, and the bytes behind it.
    fn read(mut bytes: &[u8]) -> Option<(Self, &[u8])> {
        let mut take = || {
            let (mut number, mut shift) = (0, 0);
            loop {
                let (byte, rest) = bytes.split_first()?;
                bytes = rest;
                number |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return Some(number);
                }
            }
        };
        let bin = take()?;
        let rows = if bin & 1 == 1 { take()? } else { 1 };
        let sum = take()?;
        let cell = Self {
            bin: u32::try_from(bin >> 1).ok()?,
            rows: u32::try_from(rows).ok()?,
            sum: (sum >> 1).cast_signed() ^ -(sum & 1).cast_signed(),
        };
        Some((cell, bytes))
    }
}

impl BinSums {
    /// A subject without rows.
    pub fn new() -> Self {
        Self::default()
    }

    fn cells(&self) -> impl Iterator<Item = (Range<usize>, Cell)> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let (cell, rest) = Cell::read(&self.bytes[from..])?;
            let place = from..self.bytes.len() - rest.len();
            from = place.end;
            Some((place, cell))
        })
    }

    fn add_cell(&mut self, cell: Cell) {
        let end = self.bytes.len();
        let next = self.cells().find(|(_, known)| known.bin >= cell.bin);
        let (place, cell) = match next {
            Some((place, known)) if known.bin == cell.bin => {
                let Some(rows) = known.rows.checked_add(cell.rows) else { return };
                (place, Cell { rows, sum: known.sum + cell.sum, ..cell })
            }
            Some((place, _)) => (place.start..place.start, cell),
            None => (end..end, cell),
        };
        let (bytes, length) = cell.written();
        self.bytes.splice(place, bytes.into_iter().take(length));
    }

    /// What each of these bins is weighted with: 1 over the root of their number.
    pub(crate) fn weight(&self) -> f64 {
        1.0 / (self.occupied() as f64).sqrt()
    }

    /// The bins that have rows, each with the mean of its values as a part of their bound.
    pub(crate) fn means(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.cells().map(|(_, cell)| (cell.bin as usize, cell.sum as f64 / STEPS / f64::from(cell.rows)))
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
        self.bytes.shrink_to_fit();
    }

    fn merge(&mut self, other: &Self) {
        other.cells().for_each(|(_, cell)| self.add_cell(cell));
    }

    fn words(&self) -> Vec<u64> {
        let words = |cell: Cell| [(u64::from(cell.bin) << 32) | u64::from(cell.rows), cell.sum.cast_unsigned()];
        self.cells().flat_map(|(_, cell)| words(cell)).collect()
    }

    fn occupied(&self) -> usize {
        self.cells().count()
    }
}

dpfda_privacy::opaque!(BinSums);
