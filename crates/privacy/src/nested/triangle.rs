//! Sums of products of coordinates: in doubles, then in 64 and at last in 128 bits.

use super::kernel::{ROWS, add_products, banded, bands, stride};

/// So many products of at most `2^44` fit in 64 bits.
const EXACT_ROWS: usize = 1 << 18;

/// `sum_r x_r x_r'` for rows of integers of at most `2^22`, at and above the diagonal, row by row.
#[derive(Clone)]
pub(super) struct Triangle {
    length: usize,
    stride: usize,
    /// Rows that are not multiplied yet, and their number.
    waiting: Vec<f64>,
    rows: usize,
    /// Of at most `2^18` rows, in bands.
    recent: Vec<i64>,
    recent_rows: usize,
    /// At most `2^40` rows bring at most `2^84`.
    settled: Vec<i128>,
}

impl Triangle {
    pub(super) fn new(length: usize) -> Self {
        Self::restored(length, vec![0; length * (length + 1) / 2])
    }

    /// Sums from elsewhere, of which there must be as many.
    pub(super) fn restored(length: usize, settled: Vec<i128>) -> Self {
        let stride = stride(length);
        Self {
            length,
            stride,
            waiting: vec![0.0; ROWS * stride],
            rows: 0,
            recent: vec![0; banded(stride)],
            recent_rows: 0,
            settled,
        }
    }

    /// Adds the products of a row.
    pub(super) fn add(&mut self, row: &[f64]) {
        self.waiting[self.rows * self.stride..][..self.length].copy_from_slice(&row[..self.length]);
        self.rows += 1;
        if self.rows == ROWS {
            self.multiply();
        }
    }

    fn multiply(&mut self) {
        add_products(&self.waiting[..self.rows * self.stride], self.stride, &mut self.recent);
        self.recent_rows += self.rows;
        self.rows = 0;
        if self.recent_rows + ROWS > EXACT_ROWS {
            self.settle_recent();
        }
    }

    fn settle_recent(&mut self) {
        let mut settled = self.settled.iter_mut();
        for (top, band) in bands(self.stride) {
            let rows = self.recent[band].chunks_exact_mut(self.stride - top).take(self.length - top);
            for (place, row) in rows.enumerate() {
                let recent = row[..self.length - top][place..].iter_mut();
                // the shorter one first: a zip takes from the first before it finds the other empty
                recent.zip(&mut settled).for_each(|(recent, total)| *total += i128::from(std::mem::take(recent)));
            }
        }
        self.recent.fill(0);
        self.recent_rows = 0;
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        self.multiply();
        self.settle_recent();
    }

    /// The sums, when everything is settled.
    pub(super) fn settled(&self) -> &[i128] {
        &self.settled
    }

    /// Adds settled sums to settled ones.
    pub(super) fn merge(&mut self, other: &Self) {
        self.settled.iter_mut().zip(&other.settled).for_each(|(total, more)| *total += more);
    }
}
