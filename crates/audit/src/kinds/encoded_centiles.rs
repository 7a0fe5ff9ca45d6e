//! Curves on two points as indicators, encoded once more as `docs/proofs/centiles.md` says: releases of the library are compared with it.

use dpfda_privacy::{LatticeError, LatticeVector};

/// Values lie between these bounds, about a centre of 0.
pub(crate) const BOUNDS: (f64, f64) = (-1.0, 1.0);

/// Levels between the bounds: -0.6, -0.2, 0.2 and 0.6, as many on either side of the centre.
pub(crate) const LEVELS: usize = 4;

/// Coordinates of a record: two points, and each level.
pub(crate) const CELLS: usize = 2 * LEVELS;

/// The indicators of one record that is no farther from 0 than a mean distance, as a lattice vector that nothing has bounded yet.
pub(crate) fn encoded<'c>(
    curves: impl ExactSizeIterator<Item = &'c [f64]>,
    distance: f64,
) -> Result<LatticeVector, LatticeError> {
    let (number, mut counts) = (curves.len(), [0_i32; CELLS]);
    for curve in curves {
        let values = pulled(filled(curve), distance);
        for (cell, count) in counts.iter_mut().enumerate() {
            let level = BOUNDS.0 + (BOUNDS.1 - BOUNDS.0) * ((cell % LEVELS + 1) as f64 / (LEVELS + 1) as f64);
            *count += i32::from(values[cell / LEVELS] <= level) - i32::from(0.0 <= level);
        }
    }
    let norm = (distance / (BOUNDS.1 - BOUNDS.0)).sqrt();
    let factor = 1.0 / ((CELLS as f64).sqrt() * norm) / number as f64;
    let mut vector = LatticeVector::zero(CELLS)?;
    vector.encode(&counts.map(|count| f64::from(count) * factor))?;
    Ok(vector)
}

/// What a record adds to the sums: nothing above 0 at levels from the centre on, and nothing below 0 elsewhere.
pub(crate) fn words(vector: &LatticeVector) -> impl Iterator<Item = i64> {
    vector.coordinates().iter().enumerate().map(|(cell, k)| if cell % LEVELS >= 2 { *k.min(&0) } else { *k.max(&0) })
}

/// A missing value is the other one, and the centre where both are missing.
fn filled(curve: &[f64]) -> [f64; 2] {
    let value = |at: usize| curve.get(at).copied().filter(|value| value.is_finite());
    let (first, second) = (value(0).or(value(1)), value(1).or(value(0)));
    [first, second].map(|value| value.unwrap_or(0.0).clamp(BOUNDS.0, BOUNDS.1))
}

fn pulled(values: [f64; 2], most: f64) -> [f64; 2] {
    let distance = values.iter().map(|x| x.abs()).sum::<f64>() / 2.0;
    if distance > most { values.map(|x| most / distance * x) } else { values }
}
