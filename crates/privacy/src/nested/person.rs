//! The mean of a person's curves as a record: exact, whatever their order.

use super::quantise::{add_rounded, squared_norm_of};
use super::record::NestedRecord;
use crate::body::lattice::{LatticeError, LatticeVector};

/// A curve has at most so many steps to its radius: a coordinate is at most this size.
const CURVE_RADIUS: f64 = 268_435_456.0;

/// Curves that a person can have: `2^28 * 2^34 < 2^63`.
const MOST_CURVES: u64 = 1 << 34;

/// Curves of a person who may have more, as one sum of integers.
///
/// ```text
/// curve   y = round(sigma z min(1, 1/|z|)),    sigma = 2^28 - ceil(sqrt(n)/2) - 1
/// person  v = sum y,   c = number of curves    exact in any order
/// record  z = v / (c sigma)                    then as any record inside the stated radius
/// ```
///
/// Each curve is clipped at the stated radius only, and the mean of the person at the radius that is bought. The record is a function of
/// the exact `(v, c)`; privacy rests on the integers that the record becomes. It is private data: its `Debug` shows nothing.
#[derive(Clone)]
pub struct PersonSum {
    totals: Vec<i64>,
    curves: u64,
}

impl PersonSum {
    /// No curves.
    pub fn new(dimension: usize) -> Result<Self, LatticeError> {
        LatticeVector::zero(dimension)?;
        Ok(Self { totals: vec![0; dimension], curves: 0 })
    }

    /// Adds a curve, in units of the stated radius.
    pub fn add(&mut self, z: &[f64]) -> Result<(), LatticeError> {
        if z.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: z.len() });
        }
        self.curves = counted(self.curves, 1)?;
        let steps = curve_steps(z.len());
        let squared = squared_norm_of(z);
        if squared < f64::INFINITY {
            self.add_scaled(z, if squared > 1.0 { steps / squared.sqrt() } else { steps });
        } else if z.iter().all(|z| z.is_finite()) {
            let largest = z.iter().fold(0.0_f64, |largest, z| largest.max(z.abs()));
            let scaled: Vec<f64> = z.iter().map(|z| z / largest).collect();
            self.add_scaled(&scaled, steps / squared_norm_of(&scaled).sqrt());
        } else {
            // any point will do
            let numbers: Vec<f64> = z.iter().map(|z| if z.is_nan() { f64::INFINITY } else { *z }).collect();
            self.add_scaled(&numbers, steps);
        }
        Ok(())
    }

    fn add_scaled(&mut self, z: &[f64], factor: f64) {
        add_rounded(&mut self.totals, z, factor, CURVE_RADIUS);
    }

    /// Adds the curves of the same person that were added elsewhere.
    ///
    /// # Errors
    /// As [`PersonSum::add`]; nothing has been added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        if other.totals.len() != self.totals.len() {
            return Err(LatticeError::Mismatch { expected: self.totals.len(), found: other.totals.len() });
        }
        self.curves = counted(self.curves, other.curves)?;
        self.totals.iter_mut().zip(&other.totals).for_each(|(total, more)| *total += more);
        Ok(())
    }

    /// Writes the mean of the curves into a record; the centre for no curves.
    pub fn close(&self, record: &mut NestedRecord) -> Result<(), LatticeError> {
        record.encode_inside(&self.mean())
    }

    /// The mean of the curves, in units of the stated radius; 0 for no curves.
    pub fn mean(&self) -> Vec<f64> {
        let unit = self.curves.max(1) as f64 * curve_steps(self.totals.len());
        self.totals.iter().map(|total| *total as f64 / unit).collect()
    }

    /// Forgets all curves.
    pub fn clear(&mut self) {
        self.totals.fill(0);
        self.curves = 0;
    }
}

/// `sigma`: rounding takes no curve beyond `2^28`.
fn curve_steps(dimension: usize) -> f64 {
    CURVE_RADIUS - ((dimension as f64).sqrt() / 2.0).ceil() - 1.0
}

fn counted(curves: u64, more: u64) -> Result<u64, LatticeError> {
    curves.checked_add(more).filter(|curves| *curves <= MOST_CURVES).ok_or(LatticeError::TooManyRecords)
}

crate::opaque!(PersonSum);
