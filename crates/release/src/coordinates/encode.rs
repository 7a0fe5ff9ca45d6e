//! Records of curves as integer vectors: the last private thing before the sum.

use std::num::NonZeroUsize;

use dpfda_privacy::{EuclideanBall, LatticeError, LatticeVector, RecordMean};
use dpfda_smoothing::{BoundedCurves, RecordRows};
use ndarray::ArrayView2;

use crate::coordinates::whitening::Coordinates;

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;

/// One record of curves: all curves of a person, or one curve.
#[derive(Debug, Clone)]
pub struct CurveRecord<'a> {
    pub(crate) curves: &'a BoundedCurves<'a>,
    pub(crate) rows: RecordRows<'a>,
}

impl<'a> CurveRecord<'a> {
    /// The records of these curves, in their order.
    pub fn all(curves: &'a BoundedCurves<'a>) -> impl Iterator<Item = Self> {
        curves.curves().records().map(move |rows| Self { curves, rows })
    }

    /// Writes linear functions of the record's curves into a zero vector, in units of the radius: of the curves as they are and not
    /// projected, so that the body bounds the numbers alone.
    ///
    /// ```text
    /// z_k = sum_i map_ik sqrt(w_i) (X(t_i) - c(t_i)) / tau
    /// ```
    pub fn encode_numbers(&self, map: ArrayView2<'_, f64>, scratch: &mut CurveScratch, vector: &mut LatticeVector) {
        let whole = |curves: &BoundedCurves<'_>, row, out: &mut [f64]| {
            curves.projection().coordinates_into(curves.curves().curve(row), out);
        };
        encode_as(self, &Coordinates::Mapped(map), whole, scratch, vector);
    }

    /// The records of these curves, divided among so many threads.
    pub(crate) fn shares(
        curves: &'a BoundedCurves<'a>,
        threads: NonZeroUsize,
    ) -> Vec<impl Iterator<Item = Self> + Send> {
        let records = curves.curves().units();
        let each = records.div_ceil(threads.get()).max(1);
        let share = |start| {
            let rows = curves.curves().records().skip(start).take(each);
            rows.map(move |rows| Self { curves, rows })
        };
        (0..records).step_by(each).map(share).collect()
    }
}

/// Room for encoding; every record overwrites it.
#[derive(Debug)]
pub struct CurveScratch {
    isonormal: Vec<f64>,
    buffer: Vec<f64>,
    mean: RecordMean,
}

impl CurveScratch {
    /// Room for curves on so many points, and so many coordinates: as many as a body has.
    ///
    /// # Panics
    /// For a number of coordinates that no body has.
    pub fn new(points: usize, dimension: usize) -> Self {
        let mean = RecordMean::new(dimension);
        let mean = mean.unwrap_or_else(|_| unreachable!("the body of the statistic has this dimension already"));
        Self { isonormal: vec![0.0; points], buffer: Vec::with_capacity(dimension), mean }
    }
}

/// The body of so many coordinates.
pub(crate) fn ball(dimension: usize) -> Result<EuclideanBall, LatticeError> {
    EuclideanBall::new(dimension)
}

/// Writes a record into a zero vector. Several rows are the mean of their lattice vectors, in integers, so that not even the order of a
/// person's rows matters.
pub(crate) fn encode(
    record: &CurveRecord<'_>,
    coordinates: &Coordinates<'_>,
    scratch: &mut CurveScratch,
    vector: &mut LatticeVector,
) {
    encode_as(record, coordinates, BoundedCurves::whiten_into, scratch, vector);
}

/// Writes a record, of which `whiten` reads a row, into a zero vector.
fn encode_as<'a>(
    record: &CurveRecord<'a>,
    coordinates: &Coordinates<'_>,
    whiten: impl Fn(&BoundedCurves<'a>, usize, &mut [f64]),
    scratch: &mut CurveScratch,
    vector: &mut LatticeVector,
) {
    let CurveRecord { curves, rows } = record;
    let CurveScratch { isonormal, buffer, mean } = scratch;
    mean.clear();
    let is_single = rows.len() == 1;
    let mut encode = |vector: &mut LatticeVector| -> Result<(), LatticeError> {
        for &row in &**rows {
            whiten(curves, row, isonormal);
            vector.encode(coordinates.apply(isonormal, buffer))?;
            if !is_single {
                mean.add(vector)?;
            }
        }
        if is_single { Ok(()) } else { mean.mean_into(vector) }
    };
    // a statistic on another grid than the curves: nothing of the record is used
    if encode(vector).is_err() {
        vector.clear();
    }
}
