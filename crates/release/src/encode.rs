//! Records of curves as integer vectors: the last private thing before the sum.

use std::num::NonZeroUsize;

use dpfda_privacy::{EuclideanBall, LatticeError, LatticeVector, RecordMean};
use dpfda_smoothing::{BoundedCurves, Projection, RecordRows};

use crate::whitening::Coordinates;

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;

/// One record of curves: all curves of a person, or one curve.
#[derive(Debug, Clone)]
pub struct CurveRecord<'a>(Curves<'a>);

#[derive(Debug, Clone)]
enum Curves<'a> {
    /// Rows of a set in memory.
    Rows(&'a BoundedCurves<'a>, RecordRows<'a>),
    /// A curve that is read, and what bounds it.
    One(&'a Projection, &'a [f64]),
    /// The mean of curves that were encoded as they came in.
    Encoded(&'a RecordMean),
}

impl<'a> CurveRecord<'a> {
    /// The records of these curves, in their order.
    pub fn all(curves: &'a BoundedCurves<'a>) -> impl Iterator<Item = Self> {
        curves.curves().records().map(move |rows| Self(Curves::Rows(curves, rows)))
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
            rows.map(move |rows| Self(Curves::Rows(curves, rows)))
        };
        (0..records).step_by(each).map(share).collect()
    }

    /// A curve that is a record by itself.
    pub(crate) fn one(projection: &'a Projection, curve: &'a [f64]) -> Self {
        Self(Curves::One(projection, curve))
    }

    /// The curves of a person, each of which was encoded by [`add_curve`].
    pub(crate) fn encoded(mean: &'a RecordMean) -> Self {
        Self(Curves::Encoded(mean))
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
    /// Room for curves on so many points, and so many coordinates.
    pub(crate) fn new(points: usize, dimension: usize) -> Self {
        Self { isonormal: vec![0.0; points], buffer: Vec::with_capacity(dimension), mean: record_mean(dimension) }
    }
}

/// Room for encoding one curve after another, each as a vector of a body.
pub(crate) struct CurveRoom {
    isonormal: Vec<f64>,
    buffer: Vec<f64>,
    /// The curve that was encoded last, or the mean that was written here.
    pub(crate) vector: LatticeVector,
}

impl CurveRoom {
    /// Room for curves on so many points, with the empty vector of their body.
    pub(crate) fn new(points: usize, vector: LatticeVector) -> Self {
        Self { isonormal: vec![0.0; points], buffer: Vec::with_capacity(vector.coordinates().len()), vector }
    }

    /// Encodes a curve; whether it was outside the ball.
    pub(crate) fn encode(&mut self, projection: &Projection, coordinates: &Coordinates<'_>, curve: &[f64]) -> bool {
        let is_outside = projection.whiten_into(curve, &mut self.isonormal);
        // a plan and its curves are of one grid: there is one coordinate for each place of the vector
        if self.vector.encode(coordinates.apply(&self.isonormal, &mut self.buffer)).is_err() {
            self.vector.clear();
        }
        is_outside
    }
}

/// The body of so many coordinates.
pub(crate) fn ball(dimension: usize) -> Result<EuclideanBall, LatticeError> {
    EuclideanBall::new(dimension)
}

/// The mean of no curves.
pub(crate) fn record_mean(dimension: usize) -> RecordMean {
    RecordMean::new(dimension).unwrap_or_else(|_| unreachable!("the body of the statistic has this dimension already"))
}

/// Writes a record into a zero vector.
pub(crate) fn encode(
    record: &CurveRecord<'_>,
    coordinates: &Coordinates<'_>,
    scratch: &mut CurveScratch,
    vector: &mut LatticeVector,
) {
    let encoded = match &record.0 {
        Curves::Encoded(mean) => mean.mean_into(vector),
        Curves::One(projection, curve) => {
            let CurveScratch { isonormal, buffer, .. } = scratch;
            projection.whiten_into(curve, isonormal);
            vector.encode(coordinates.apply(isonormal, buffer))
        }
        Curves::Rows(curves, rows) => return encode_rows(curves, rows, coordinates, scratch, vector),
    };
    // a statistic on another grid than the curves: nothing of the record is used
    if encoded.is_err() {
        vector.clear();
    }
}

/// Writes rows of one record into a zero vector. Several rows are the mean of their lattice vectors, in integers, so that not
/// even the order of a person's rows matters.
pub(crate) fn encode_rows(
    curves: &BoundedCurves<'_>,
    rows: &[usize],
    coordinates: &Coordinates<'_>,
    scratch: &mut CurveScratch,
    vector: &mut LatticeVector,
) {
    let CurveScratch { isonormal, buffer, mean } = scratch;
    mean.clear();
    let is_single = rows.len() == 1;
    let mut encode = |vector: &mut LatticeVector| -> Result<(), LatticeError> {
        for &row in rows {
            curves.whiten_into(row, isonormal);
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
