//! Sums of products of coordinates: in doubles, then in 64 and at last in 128 bits.

use super::kernel::{ROWS, add_products, arch, stride};

/// So many products of at most `2^44` sum to at most `2^53`: exactly, in doubles.
const EXACT_ROWS: usize = 512;

/// Rows that wait until they are multiplied: while they are, their sums stay in the cache.
const WAITING: usize = 2 * ROWS;

/// So many sums of at most `2^53` fit in 64 bits.
const EXACT_BLOCKS: usize = 1023;

/// `sum_r x_r x_r'` for rows of integers of at most `2^22`, at and above the diagonal, row by row.
#[derive(Clone)]
pub(super) struct Triangle {
    length: usize,
    stride: usize,
    /// Rows that are not multiplied yet, and their number: in half the memory, exactly.
    waiting: Vec<f32>,
    rows: usize,
    /// Of at most 512 rows.
    recent: Vec<f64>,
    recent_rows: usize,
    /// Of at most 1023 times 512 rows.
    middle: Vec<i64>,
    blocks: usize,
    /// At most `2^40` rows bring at most `2^84`.
    settled: Vec<i128>,
}

impl Triangle {
    pub(super) fn new(length: usize) -> Self {
        let (stride, entries) = (stride(length), length * (length + 1) / 2);
        Self {
            length,
            stride,
            waiting: vec![0.0; WAITING * stride],
            rows: 0,
            recent: vec![0.0; stride * stride],
            recent_rows: 0,
            middle: vec![0; entries],
            blocks: 0,
            settled: vec![0; entries],
        }
    }

    /// Adds the products of a row; `room` carries nothing from one call to the next.
    pub(super) fn add(&mut self, row: &[f64], room: &mut Vec<f64>) {
        let waiting = &mut self.waiting[self.rows * self.stride..][..self.length];
        arch().dispatch(|| {
            // integers of at most 2^22, which single precision holds
            #[allow(clippy::cast_possible_truncation, reason = "an integer of 23 digits")]
            waiting.iter_mut().zip(row).for_each(|(waiting, k)| *waiting = *k as f32);
        });
        self.rows += 1;
        if self.rows == WAITING {
            self.multiply(room);
        }
    }

    fn multiply(&mut self, room: &mut Vec<f64>) {
        for rows in self.waiting[..self.rows * self.stride].chunks(ROWS * self.stride) {
            room.resize(rows.len(), 0.0);
            arch().dispatch(|| room.iter_mut().zip(rows).for_each(|(wide, k)| *wide = f64::from(*k)));
            add_products(room, self.stride, &mut self.recent);
        }
        self.recent_rows += self.rows;
        self.rows = 0;
        if self.recent_rows + WAITING > EXACT_ROWS {
            self.settle_recent();
        }
    }

    fn settle_recent(&mut self) {
        let mut rest = &mut self.middle[..];
        for (place, row) in self.recent.chunks_exact(self.stride).take(self.length).enumerate() {
            let (mine, others) = rest.split_at_mut(self.length - place);
            for (total, recent) in mine.iter_mut().zip(&row[place..]) {
                #[allow(clippy::cast_possible_truncation, reason = "an integer in [-2^53, 2^53]")]
                let recent = *recent as i64;
                *total += recent;
            }
            rest = others;
        }
        self.recent.fill(0.0);
        self.recent_rows = 0;
        self.blocks += 1;
        if self.blocks == EXACT_BLOCKS {
            self.settle_middle();
        }
    }

    fn settle_middle(&mut self) {
        self.settled
            .iter_mut()
            .zip(&mut self.middle)
            .for_each(|(total, middle)| *total += i128::from(std::mem::take(middle)));
        self.blocks = 0;
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        self.multiply(&mut Vec::new());
        self.settle_recent();
        self.settle_middle();
    }

    /// The sums, when everything is settled.
    pub(super) fn settled(&self) -> &[i128] {
        &self.settled
    }

    /// The same with sums from elsewhere, of which there must be as many.
    pub(super) fn restored(length: usize, settled: Vec<i128>) -> Self {
        Self { settled, ..Self::new(length) }
    }

    /// Adds settled sums to settled ones.
    pub(super) fn merge(&mut self, other: &Self) {
        self.settled.iter_mut().zip(&other.settled).for_each(|(total, more)| *total += more);
    }
}
