//! Private curves as one exact sum on the public lattice: the last private thing before the noise.

use std::fmt;

use dpfda_kernels::Grid;
use dpfda_privacy::{LatticeError, LatticeSum, LatticeVector, PrivacyUnit};
use dpfda_smoothing::{Ball, BoundedCurves, CurveSet};

use crate::mechanism::ReleaseError;
use crate::whitening::{Coordinates, Whitening};

#[cfg(test)]
mod tests;

/// The exact sum of bounded, whitened and rounded records. Private: it has no `Serialize`, and its `Debug` shows nothing.
#[derive(Clone)]
pub struct EncodedCurves {
    pub(crate) grid: Grid,
    pub(crate) unit: PrivacyUnit,
    pub(crate) ball: Ball,
    pub(crate) whitening: Whitening,
    pub(crate) sum: LatticeSum,
}

impl EncodedCurves {
    pub(crate) fn new(ball: &Ball, curves: &CurveSet, whitening: Whitening) -> Result<Self, ReleaseError> {
        let bounded = ball.bound(curves)?;
        let sum = lattice_sum(&bounded, whitening.coordinates())?;
        Ok(Self { grid: curves.grid().clone(), unit: curves.unit(), ball: ball.clone(), whitening, sum })
    }

    /// Joins another part of the same data set; the result does not depend on the order or number of parts.
    ///
    /// # Errors
    /// [`ReleaseError::PartsDiffer`] for parts of another grid, unit, ball or mechanism; [`ReleaseError::Lattice`] beyond
    /// `2^40` records.
    pub fn merge(&mut self, other: &Self) -> Result<(), ReleaseError> {
        let same = self.grid == other.grid
            && self.unit == other.unit
            && self.ball == other.ball
            && self.whitening.mechanism() == other.whitening.mechanism();
        if !same {
            return Err(ReleaseError::PartsDiffer);
        }
        Ok(self.sum.merge(&other.sum)?)
    }
}

impl fmt::Debug for EncodedCurves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EncodedCurves(..)")
    }
}

/// One lattice vector a record; a record of several curves is the mean of their lattice vectors, in integers, so that
/// not even the order of a subject's rows matters.
pub(crate) fn lattice_sum(
    bounded: &BoundedCurves<'_>,
    coordinates: Coordinates<'_>,
) -> Result<LatticeSum, LatticeError> {
    let dimension = coordinates.dimension();
    let mut sum = LatticeSum::new(dimension)?;
    let mut of_subject = LatticeSum::new(dimension)?;
    let mut vector = LatticeVector::zero(dimension)?;
    let mut isonormal = vec![0.0; bounded.curves().grid().len()];
    let mut buffer = Vec::with_capacity(dimension);
    for record in bounded.curves().records() {
        of_subject.clear();
        let single = record.len() == 1;
        for &row in &*record {
            bounded.whiten_into(row, &mut isonormal);
            vector.encode(coordinates.apply(&isonormal, &mut buffer))?;
            if !single {
                of_subject.add(&vector)?;
            }
        }
        if !single {
            of_subject.mean_into(&mut vector)?;
        }
        sum.add(&vector)?;
    }
    Ok(sum)
}
