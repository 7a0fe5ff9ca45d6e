//! The sums of a part of a data set as integers that travel.

use super::radius::Bucket;
use super::side::Side;
use super::sums::NestedSums;
use crate::body::lattice::{MAX_RECORDS, RADIUS, SQUARED_RADIUS};

impl NestedSums {
    /// All sums as integers, their number a function of what is public:
    ///
    /// ```text
    /// for each bucket with records as they are, then for each with directions:  count, sum |k|^2, sum k, sum k k'
    /// ```
    ///
    /// These are the sums of buckets, and not those of the radii: products along a basis are whole numbers before the basis is applied
    /// and rounded, so parts can be merged without a trace; and what was read is the same thing as what was summed here.
    pub(super) fn words(&self) -> Vec<i128> {
        let settled = self.settled();
        let none = Side::new(self.dimension(), self.products().map(super::ProductsOf::kept));
        let mut words = Vec::with_capacity(self.number_of_words());
        for side in settled.all_sides().map(|side| side.unwrap_or(&none)) {
            words.extend([i128::from(side.records()), side.energy().cast_signed()]);
            words.extend(side.vector().iter().copied().map(i128::from));
            words.extend(side.products());
        }
        words
    }

    fn all_sides(&self) -> impl Iterator<Item = Option<&Side>> {
        let own = self.radii().own().map(|bucket| self.own.side(bucket));
        own.chain(self.radii().directed().map(|bucket| self.directions.side(bucket)))
    }

    pub(super) fn number_of_words(&self) -> usize {
        (self.radii().own().count() + self.radii().directed().count()) * self.words_of_side()
    }

    fn words_of_side(&self) -> usize {
        2 + self.dimension() + self.products().map_or(0, |of| of.kept() * (of.kept() + 1) / 2)
    }

    /// The sums of this kind from words; `None` for words that no sums of so many records have.
    pub(super) fn restored(self, words: &[i128], records: u64) -> Option<Self> {
        if words.len() != self.number_of_words() || records > MAX_RECORDS {
            return None;
        }
        let mut sums = self;
        let mut sides = words.chunks_exact(sums.words_of_side());
        for bucket in sums.radii().own() {
            let side = sums.side_of(sides.next()?, bucket)?;
            sums.own.put(bucket, side);
        }
        for bucket in sums.radii().directed() {
            let side = sums.side_of(sides.next()?, Bucket::OUTSIDE)?;
            sums.directions.put(bucket, side);
        }
        sums.records = records;
        sums.has_consistent_counts().then_some(sums)
    }

    /// The sums of records as they are in a bucket, or of directions, which are as long as anything.
    fn side_of(&self, words: &[i128], bucket: Bucket) -> Option<Side> {
        let (&[records, energy], rest) = words.split_first_chunk::<2>()?;
        let (vector, products) = rest.split_at_checked(self.dimension())?;
        let records = u64::try_from(records).ok().filter(|records| *records <= MAX_RECORDS)?;
        let most = bucket.radius().map_or(SQUARED_RADIUS, |radius| radius.own_steps().pow(2));
        let energy = u128::try_from(energy).ok().filter(|energy| *energy <= u128::from(records) * u128::from(most))?;
        let vector: Vec<i64> = vector.iter().map(|total| i64::try_from(*total).ok()).collect::<Option<_>>()?;
        let products = self.products().map(|of| (of.kept(), products.to_vec()));
        let is_possible = is_sum_of(&vector, records, energy)
            && products.as_ref().is_none_or(|(length, sums)| {
                is_gram(sums, *length, trace_bound(records, energy, *length, self.products()))
            });
        is_possible.then(|| Side::restored(records, energy, vector, products))
    }

    /// Whether each record is in one bucket, and its direction in the same.
    fn has_consistent_counts(&self) -> bool {
        let records = |side: Option<&Side>| side.map_or(0, Side::records);
        let agree = |bucket: Bucket| records(self.own.side(bucket)) == records(self.directions.side(bucket));
        let shared = self.radii().directed().filter(|bucket| *bucket != Bucket::OUTSIDE);
        // 50 numbers of at most 2^40
        shared.into_iter().all(agree) && self.occupied().iter().sum::<u64>() == self.records
    }
}

/// `|sum k|^2 <= N sum |k|^2`.
fn is_sum_of(vector: &[i64], records: u64, energy: u128) -> bool {
    let reach = u128::from(records) * u128::from(RADIUS.unsigned_abs());
    let square =
        |total: &i64| Some(u128::from(total.unsigned_abs())).filter(|size| *size <= reach).map(|size| size * size);
    let sum = vector.iter().map(square).try_fold(0_u128, |sum, square| sum.checked_add(square?));
    // at most 2^40 2^84
    sum.is_some_and(|sum| sum <= u128::from(records) * energy)
}

/// The largest sum of squares of the coordinates that products are kept of: `sum |k|^2`, or for `w = round(B'k)` a little more.
fn trace_bound(records: u64, energy: u128, length: usize, products: Option<&super::ProductsOf>) -> u128 {
    if products.is_some_and(|of| of.applied_first().is_some()) {
        // |w|^2 <= (|k| + sqrt(K) / 2)^2 <= |k|^2 + sqrt(K) 2^22 + K / 4
        let each = (length.isqrt() as u128 + 1) * u128::from(RADIUS.unsigned_abs()) + length as u128;
        energy + u128::from(records) * each
    } else {
        energy
    }
}

/// Squares of at most `trace` together, and no product above half of its squares.
fn is_gram(triangle: &[i128], length: usize, trace: u128) -> bool {
    let mut squares = Vec::with_capacity(length);
    let mut rest = triangle;
    for remaining in (1..=length).rev() {
        let Some((row, others)) = rest.split_at_checked(remaining) else { return false };
        squares.extend(row.first().and_then(|square| u128::try_from(*square).ok()).filter(|square| *square <= trace));
        rest = others;
    }
    if squares.len() != length || squares.iter().sum::<u128>() > trace {
        return false;
    }
    let pairs = (0..length).flat_map(|i| squares[i..].iter().map(|other| squares[i] + other).collect::<Vec<_>>());
    rest.is_empty() && triangle.iter().zip(pairs).all(|(product, both)| product.unsigned_abs() <= both / 2)
}
