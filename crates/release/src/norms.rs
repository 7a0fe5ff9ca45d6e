//! How far curves are from the centre, as a statistic: what a radius is bought with.

use dpfda_mechanism::{Fact, Statistic};
use dpfda_privacy::{LATTICE_BITS, LatticeVector, Law, OneHot, OneHotVector};
use serde::{Deserialize, Serialize};

use crate::encode::{CurveRecord, CurveScratch, encode};
use crate::mean::Mean;
use crate::radius_rule::{CELLS, cell};

/// The numbers of records by their distance from the centre of a ball, in half octaves below its radius.
///
/// ```text
/// cell i:  tau 2^(-(i+1)/2) < |X - c| <= tau 2^(-i/2),   i = 0..11;     cell 12:  |X - c| <= tau / 64
/// ```
///
/// The distance is the integer norm of what [`Mean`] would add, and each record is in one cell: two counts move by one when a
/// record is substituted, one when it is added or removed, whatever the arithmetic of the distance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Norms {
    of: Mean,
}

impl Norms {
    /// The number of cells.
    pub const CELLS: usize = CELLS;

    /// Lattice steps to a record: so many that rounding the noise costs nothing.
    pub const STEPS: i64 = 1 << 20;

    /// The distances of the records of this mean.
    pub(crate) fn new(of: Mean) -> Self {
        Self { of }
    }

    /// The mean whose records are counted.
    pub fn mean(&self) -> &Mean {
        &self.of
    }

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

/// Room for encoding.
#[derive(Debug)]
pub struct NormScratch {
    scratch: CurveScratch,
    vector: LatticeVector,
}

impl Statistic for Norms {
    type Body = OneHot;
    type Record<'a> = CurveRecord<'a>;
    type Scratch = NormScratch;

    const KIND: &'static str = "norms";
    const LEAST_RECORDS: u64 = 2;

    fn body(&self, _law: &Law) -> OneHot {
        OneHot::new(CELLS, Self::STEPS).unwrap_or_else(|_| unreachable!("there are cells, and the steps are few"))
    }

    fn scratch(&self) -> NormScratch {
        let vector = LatticeVector::zero(self.of.whitening().dimension());
        let vector = vector.unwrap_or_else(|_| unreachable!("the constructor of the mean checked the dimension"));
        NormScratch { scratch: self.of.scratch(), vector }
    }

    fn encode(&self, record: CurveRecord<'_>, scratch: &mut NormScratch, place: &mut OneHotVector) {
        let NormScratch { scratch, vector } = scratch;
        vector.clear();
        encode(&record, &self.of.whitening().coordinates(), scratch, vector);
        place.place(Self::cell_of(vector));
    }

    fn facts(&self) -> Vec<Fact> {
        let text = format!("the numbers of records by their distance from the centre, in {CELLS} cells");
        vec![Fact::new("mechanism", text)]
    }
}
