//! Rows of subjects, encoded once more as `docs/proofs/rows.md` says: releases of the library are compared with it.

use dpfda_privacy::{LatticeError, LatticeVector};

#[cfg(test)]
#[path = "encoded_rows_tests.rs"]
mod tests;

/// The rows of one subject, times and values; bins have length 1, the stated radius is 1, the centre 0 and the bound on one value 2.
pub(crate) type SeenRows = &'static [(f64, f64)];

pub(crate) const BINS: usize = 8;

/// The bound on one value, in stated radii.
const BOUND: f64 = 2.0;

/// A row at its bound counts so many steps.
const STEPS: f64 = (1_u64 << 30) as f64;

/// The values of one record in a ball of this radius, and its weights, as lattice vectors that nothing has bounded yet.
pub(crate) fn encoded(rows: SeenRows, radius: f64) -> Result<[LatticeVector; 2], LatticeError> {
    let means = means(rows);
    let weight = 1.0 / (means.iter().flatten().count() as f64).sqrt();
    let value = |mean: f64| weight * (mean * (BOUND / radius)).clamp(-BOUND, BOUND);
    let mut values = means.map(|mean| mean.map_or(0.0, value));
    let norm = values.iter().map(|v| v * v).sum::<f64>().sqrt();
    if norm > 1.0 {
        values = values.map(|v| v / norm);
    }
    let on_lattice = |of: [f64; BINS]| -> Result<LatticeVector, LatticeError> {
        let mut vector = LatticeVector::zero(BINS)?;
        vector.encode(&of)?;
        Ok(vector)
    };
    Ok([on_lattice(values)?, on_lattice(means.map(|mean| mean.map_or(0.0, |_| weight)))?])
}

/// What a record adds to the sums: half of its weights, and values that are no larger than those allow.
pub(crate) fn words([values, weights]: &[LatticeVector; 2]) -> Vec<i64> {
    // a value of 2 radii beside a weight of half a radius
    const LARGEST: i64 = 4;
    let sizes: Vec<i64> = weights.coordinates().iter().map(|k| k.max(&0) / 2).collect();
    let clamped = values.coordinates().iter().zip(&sizes).map(|(k, size)| (*k).clamp(-LARGEST * size, LARGEST * size));
    clamped.chain(sizes.iter().copied()).collect()
}

/// The mean of the rows in each bin, as a part of the bound.
fn means(rows: SeenRows) -> [Option<f64>; BINS] {
    let mut bins = [(0_u32, 0_i64); BINS];
    let counted = rows.iter().filter(|(time, value)| (0.0..=BINS as f64).contains(time) && value.is_finite());
    for (time, value) in counted {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 8")]
        let bin = &mut bins[(*time as usize).min(BINS - 1)];
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 in size")]
        let steps = ((value / BOUND).clamp(-1.0, 1.0) * STEPS).round() as i64;
        *bin = (bin.0 + 1, bin.1 + steps);
    }
    bins.map(|(rows, sum)| (rows > 0).then(|| sum as f64 / STEPS / f64::from(rows)))
}
