//! How far curves are from the centre, as a statistic: what a radius is bought with.

use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{Body, Calibration, LATTICE_BITS, LatticeVector, Law, OneHot, OneHotVector};
use serde::{Deserialize, Serialize};

use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::radius_rule::{CELLS, cell};

/// The numbers of records by their distance from the centre of a ball, in half octaves below its radius.
///
/// ```text
/// cell i:  tau 2^(-(i+1)/2) < |X - c| <= tau 2^(-i/2),   i = 0..11;     cell 12:  |X - c| <= tau / 64
/// ```
///
/// The distance is the integer norm of the values that [`Mean`] or [`Occupancy`](crate::Occupancy) would add, and each record is in one cell: two counts move by one when a
/// record is substituted, one when it is added or removed, whatever the arithmetic of the distance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Norms<S: InBall = Mean> {
    of: S,
}

impl Norms {
    /// The number of cells.
    pub const CELLS: usize = CELLS;

    /// Lattice steps to a record: so many that rounding the noise costs nothing.
    pub const STEPS: i64 = 1 << 20;

    /// The cell that a record with this vector is counted in: a function of its integer norm.
    pub fn cell_of(vector: &LatticeVector) -> usize {
        // at most 2^18 squares of at most 2^44
        let squared = vector.coordinates().iter().map(|k| k.unsigned_abs().pow(2)).sum();
        cell(squared, 1 << (2 * LATTICE_BITS))
    }

    /// Noisy integers as numbers of records.
    pub(crate) fn counts(coordinates: &[i64]) -> Vec<f64> {
        coordinates.iter().map(|&count| count as f64 / Self::STEPS as f64).collect()
    }
}

impl<S: InBall> Norms<S> {
    /// The distances of the records of this mean.
    pub(crate) fn new(of: S) -> Self {
        Self { of }
    }

    /// The mean whose records are counted.
    pub fn mean(&self) -> &S {
        &self.of
    }
}

/// Room for encoding.
pub struct NormScratch<S: InBall> {
    body: S::Body,
    scratch: S::Scratch,
    vector: <S::Body as Body>::Vector,
}

impl<S: InBall> Statistic for Norms<S> {
    type Body = OneHot;
    type Record<'a> = S::Record<'a>;
    type Scratch = NormScratch<S>;

    const KIND: &'static str = "norms";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> OneHot {
        OneHot::new(CELLS, Norms::STEPS).unwrap_or_else(|_| unreachable!("there are cells, and the steps are few"))
    }

    fn scratch(&self) -> NormScratch<S> {
        // the body of normal noise, which is the only one that buys
        let body = self.of.body(&Law::gaussian(Calibration::default()));
        NormScratch { scratch: self.of.scratch(), vector: body.vector(), body }
    }

    fn encode(&self, record: S::Record<'_>, scratch: &mut NormScratch<S>, place: &mut OneHotVector) {
        let NormScratch { body, scratch, vector } = scratch;
        body.reset(vector);
        self.of.encode(record, scratch, vector);
        place.place(Norms::cell_of(S::values(vector)));
    }

    fn facts(&self) -> Vec<Fact> {
        let text = format!("the numbers of records by their distance from the centre, in {CELLS} cells");
        vec![Fact::new("mechanism", text)]
    }
}
