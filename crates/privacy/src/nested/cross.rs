//! Sums of products of covariates and curves: in doubles, then in 128 bits.

use super::kernel::add_outer;

/// So many products of at most `2^44` sum to at most `2^53`: exactly, in doubles.
const EXACT_RECORDS: u32 = 512;

/// `sum_r x_r k_r'` for integer vectors of norm at most `2^22`, covariate by covariate.
#[derive(Clone)]
pub(super) struct Cross {
    /// Of at most 512 records.
    recent: Vec<f64>,
    recent_records: u32,
    /// At most `2^40` records bring at most `2^84`.
    settled: Vec<i128>,
}

impl Cross {
    pub(super) fn new(length: usize) -> Self {
        Self::restored(vec![0; length])
    }

    /// Sums that were settled elsewhere.
    pub(super) fn restored(settled: Vec<i128>) -> Self {
        let recent = vec![0.0; settled.len()];
        Self { recent, recent_records: 0, settled }
    }

    pub(super) fn add(&mut self, x: &[f64], k: &[f64]) {
        add_outer(&mut self.recent, x, k);
        self.recent_records += 1;
        if self.recent_records == EXACT_RECORDS {
            self.settle();
        }
    }

    /// Moves everything to the largest integers.
    pub(super) fn settle(&mut self) {
        for (total, recent) in self.settled.iter_mut().zip(&mut self.recent) {
            #[allow(clippy::cast_possible_truncation, reason = "an integer in [-2^53, 2^53]")]
            let recent = std::mem::take(recent) as i64;
            *total += i128::from(recent);
        }
        self.recent_records = 0;
    }

    /// Adds settled sums to settled ones.
    pub(super) fn merge(&mut self, other: &Self) {
        self.settled.iter_mut().zip(&other.settled).for_each(|(total, more)| *total += more);
    }

    /// The sums, when everything is settled.
    pub(super) fn settled(&self) -> &[i128] {
        &self.settled
    }
}
