//! How far records are from the centre: what a radius is bought with.

use dpfda_privacy::{Bucket, Bucketed, ExactSum, LATTICE_BITS, LatticeVector, OneHot};

use crate::purchase::radius_rule::{CELLS, cell};

/// The numbers of records by their distance from the centre of a ball, in half octaves below its radius.
///
/// ```text
/// cell i:  tau 2^(-(i+1)/2) < |X - c| <= tau 2^(-i/2),   i = 0..11;     cell 12:  |X - c| <= tau / 64
/// ```
///
/// The distance is that of the bucket that a record of a [`Mean`](crate::Mean) is summed in, or the integer norm of the values that
/// [`Rows`](crate::Rows) would add, and each record is in one cell: two counts move by one when a record is substituted, one when it is
/// added or removed, whatever the arithmetic of the distance.
#[derive(Debug)]
pub enum Norms {}

impl Norms {
    /// The number of cells.
    pub const CELLS: usize = CELLS;

    /// Lattice steps to a record: so many that rounding the noise costs nothing.
    pub const STEPS: i64 = 1 << 20;

    /// The body of the counts of so many groups, from 1 to 64: a record is in one cell of one group.
    pub(crate) fn body(groups: usize) -> OneHot {
        let body = OneHot::new(groups.max(1) * CELLS, Self::STEPS);
        body.unwrap_or_else(|_| unreachable!("there are cells, and the steps are few"))
    }

    /// The cell that a record with this vector is counted in: a function of its integer norm.
    pub fn cell_of(vector: &LatticeVector) -> usize {
        // at most 2^18 squares of at most 2^44
        let squared = vector.coordinates().iter().map(|k| k.unsigned_abs().pow(2)).sum();
        cell(squared, 1 << (2 * LATTICE_BITS))
    }

    /// The cell that a record of [`Centiles`](crate::Centiles) is counted in: the squared norm of its indicators is a mean distance, of which
    /// cells are half octaves.
    pub fn cell_of_mean_distance(squared: u64) -> usize {
        // at most 2^45, so that its square has at most 90 bits
        let fourth = u128::from(squared) * u128::from(squared);
        let inside = |i: &usize| fourth << *i <= 1 << (4 * LATTICE_BITS);
        (1..CELLS).take_while(inside).count()
    }

    /// The cell that the records of a bucket are counted in: those outside the stated radius in the first.
    pub fn cell_of_bucket(bucket: Bucket) -> usize {
        bucket.radius().map_or(0, |radius| radius.number() as usize / 4)
    }

    /// The numbers of records from those in the buckets of their sum.
    pub(crate) fn of_buckets<B: Bucketed>(sum: &ExactSum<B>, body: &OneHot) -> ExactSum<OneHot> {
        let mut totals = Vec::new();
        for occupied in sum.occupied() {
            let mut cells = vec![0; CELLS];
            for (bucket, records) in Bucket::all().zip(occupied) {
                // at most 2^40 records
                cells[Self::cell_of_bucket(bucket)] += records.cast_signed() * Self::STEPS;
            }
            totals.extend(cells);
        }
        let counts = ExactSum::restored(*body, &totals, sum.records());
        counts.unwrap_or_else(|_| unreachable!("every record is in one bucket at most"))
    }

    /// Noisy integers as numbers of records.
    pub(crate) fn counts(coordinates: &[i64]) -> Vec<f64> {
        coordinates.iter().map(|&count| count as f64 / Self::STEPS as f64).collect()
    }
}
