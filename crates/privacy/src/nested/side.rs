//! The sums of one bucket: of its records as they are, or of their directions.

use super::kernel::{add_row, stride};
use super::triangle::Triangle;

/// So many coordinates of at most `2^22` sum to far less than `2^53`.
const EXACT_RECORDS: u32 = 1 << 20;

/// Sums of integer vectors of norm at most `2^22`.
#[derive(Clone)]
pub(super) struct Side {
    records: u64,
    /// `sum |k|^2`, at most `2^84`.
    energy: u128,
    /// In doubles, of at most `2^20` records; in whole registers.
    recent: Vec<f64>,
    recent_records: u32,
    /// At most `2^62`.
    vector: Vec<i64>,
    products: Option<Triangle>,
}

impl Side {
    pub(super) fn new(dimension: usize, products: Option<usize>) -> Self {
        Self {
            records: 0,
            energy: 0,
            recent: vec![0.0; stride(dimension)],
            recent_records: 0,
            vector: vec![0; dimension],
            products: products.map(Triangle::new),
        }
    }

    /// Sums that were settled elsewhere; the caller checked the lengths.
    pub(super) fn restored(records: u64, energy: u128, vector: Vec<i64>, products: Option<(usize, Vec<i128>)>) -> Self {
        Self {
            products: products.map(|(length, sums)| Triangle::restored(length, sums)),
            recent: vec![0.0; stride(vector.len())],
            recent_records: 0,
            records,
            energy,
            vector,
        }
    }

    pub(super) fn add(&mut self, k: &[f64], energy: u64) {
        add_row(&mut self.recent, k);
        self.records += 1;
        self.energy += u128::from(energy);
        self.recent_records += 1;
        if self.recent_records == EXACT_RECORDS {
            self.settle_vector();
        }
    }

    pub(super) fn add_products(&mut self, row: &[f64]) {
        if let Some(products) = &mut self.products {
            products.add(row);
        }
    }

    fn settle_vector(&mut self) {
        for (total, recent) in self.vector.iter_mut().zip(&mut self.recent) {
            #[allow(clippy::cast_possible_truncation, reason = "an integer in [-2^42, 2^42]")]
            let recent = std::mem::take(recent) as i64;
            *total += recent;
        }
        self.recent_records = 0;
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        self.settle_vector();
        if let Some(products) = &mut self.products {
            products.settle();
        }
    }

    /// Adds settled sums to settled ones.
    pub(super) fn merge(&mut self, other: &Self) {
        self.records += other.records;
        self.energy += other.energy;
        self.vector.iter_mut().zip(&other.vector).for_each(|(total, more)| *total += more);
        if let (Some(mine), Some(theirs)) = (&mut self.products, &other.products) {
            mine.merge(theirs);
        }
    }

    pub(super) fn records(&self) -> u64 {
        self.records
    }

    pub(super) fn energy(&self) -> u128 {
        self.energy
    }

    /// The sum of vectors, when everything is settled.
    pub(super) fn vector(&self) -> &[i64] {
        &self.vector
    }

    /// The sums of products, when everything is settled; none where none are kept.
    pub(super) fn products(&self) -> &[i128] {
        self.products.as_ref().map_or(&[], Triangle::settled)
    }
}
