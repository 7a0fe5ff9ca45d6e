//! Curves on two points, and rows, as indicators, encoded once more as `docs/proofs/centiles.md` says: releases of the library are compared
//! with it.

use dpfda_privacy::{LatticeError, LatticeVector};

use crate::kinds::encoded_rows::{BINS, SeenRows};

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

/// The points that rows count at: 0, 1, ..., the number of bins.
pub(crate) const POINTS: usize = BINS + 1;

/// Coordinates of rows: each point and level, and then the weight of each point.
pub(crate) const CELLS_OF_ROWS: usize = POINTS * LEVELS;

/// The rows of one record, no farther from 0 than a mean distance over the points that have rows, and what these points weigh.
pub(crate) fn encoded_rows(rows: SeenRows, distance: f64) -> Result<LatticeVector, LatticeError> {
    const STEPS: f64 = (1_u64 << 30) as f64;
    let half = (BOUNDS.1 - BOUNDS.0) / 2.0;
    let mut at_points = vec![Vec::new(); POINTS];
    for &(time, value) in rows.iter().filter(|(time, value)| (0.0..=BINS as f64).contains(time) && value.is_finite()) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the number of bins")]
        let point = (time + 0.5).floor() as usize;
        // parts of the distance of the bounds
        at_points[point].push((value.clamp(BOUNDS.0, BOUNDS.1) / (2.0 * half) * STEPS).round() / STEPS);
    }
    let seen = at_points.iter().filter(|parts| !parts.is_empty()).count() as f64;
    let mean = |parts: &Vec<f64>| parts.iter().map(|part| part.abs()).sum::<f64>() / parts.len().max(1) as f64;
    let found = 2.0 * half * at_points.iter().map(mean).sum::<f64>() / seen;
    let pull = (distance / found).min(1.0);
    let mut z = vec![0.0; CELLS_OF_ROWS + POINTS];
    for (point, parts) in at_points.iter().enumerate().filter(|(_, parts)| !parts.is_empty()) {
        for level in 0..LEVELS {
            let at = BOUNDS.0 + 2.0 * half * ((level + 1) as f64 / (LEVELS + 1) as f64);
            let indicator = |part: &f64| {
                // what lies above a level by less than the rounding counts as at it
                let value = 2.0 * half * (pull * part - 4.0 / STEPS);
                f64::from(u8::from(value <= at)) - f64::from(u8::from(0.0 <= at))
            };
            let mean = parts.iter().map(indicator).sum::<f64>() / parts.len() as f64;
            z[point * LEVELS + level] = 0.8_f64.sqrt() * mean / (distance / (2.0 * half) * LEVELS as f64 * seen).sqrt();
        }
        z[CELLS_OF_ROWS + point] = (0.2 / seen).sqrt();
    }
    let mut vector = LatticeVector::zero(z.len())?;
    vector.encode(&z)?;
    Ok(vector)
}

/// What a record adds to the sums: nothing above 0 at levels from the centre on, and nothing below 0 elsewhere and of weights.
pub(crate) fn words(vector: &LatticeVector) -> impl Iterator<Item = i64> {
    let is_negative = |cell: usize| cell < CELLS_OF_ROWS && cell % LEVELS >= 2;
    vector
        .coordinates()
        .iter()
        .enumerate()
        .map(move |(cell, k)| if is_negative(cell) { *k.min(&0) } else { *k.max(&0) })
}

/// The squared norm of the indicators alone, in steps of a ball that they fill: beside weights they have four fifths of it.
pub(crate) fn squared_norm(vector: &LatticeVector) -> u64 {
    let squared: u64 = vector.coordinates().iter().take(CELLS_OF_ROWS).map(|k| k.unsigned_abs().pow(2)).sum();
    if vector.coordinates().len() > CELLS_OF_ROWS { squared / 4 * 5 } else { squared }
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
