//! Curves as records of a mean: the last private thing before the sum.

use dpfda_privacy::{LatticeError, NestedRecord, PersonSum, PrivacyUnit};
use dpfda_smoothing::{BoundedCurves, Projection};

use crate::coordinates::whitening::Coordinates;

/// Room for encoding curves; every record overwrites it.
pub struct CurveRoom {
    isonormal: Vec<f64>,
    buffer: Vec<f64>,
    person: PersonSum,
}

impl CurveRoom {
    /// Room for curves on so many points, and so many coordinates.
    pub(crate) fn new(points: usize, dimension: usize) -> Self {
        Self { isonormal: vec![0.0; points], buffer: Vec::with_capacity(dimension), person: no_curves(dimension) }
    }

    /// The coordinates of a curve in units of the radius: clipped where the map makes no vector longer, otherwise for the integers to
    /// clip.
    fn coordinates(&mut self, projection: &Projection, coordinates: &Coordinates<'_>, curve: &[f64]) -> &[f64] {
        if coordinates.clip_first() {
            projection.whiten_into(curve, &mut self.isonormal);
        } else {
            projection.coordinates_into(curve, &mut self.isonormal);
        }
        coordinates.apply(&self.isonormal, &mut self.buffer)
    }

    /// Writes a curve into a record.
    pub(crate) fn encode(
        &mut self,
        projection: &Projection,
        coordinates: &Coordinates<'_>,
        curve: &[f64],
        record: &mut NestedRecord,
    ) {
        // a statistic on another grid than the curves: nothing of the record is used
        if record.encode(self.coordinates(projection, coordinates, curve)).is_err() {
            record.clear();
        }
    }

    /// Adds a curve to those of a person.
    pub(crate) fn add_to(
        &mut self,
        person: &mut PersonSum,
        projection: &Projection,
        coordinates: &Coordinates<'_>,
        curve: &[f64],
    ) -> Result<(), LatticeError> {
        person.add(self.coordinates(projection, coordinates, curve))
    }

    /// Writes a record of curves in memory: one curve, or the mean of those of a person, as it would be if they came one by one.
    pub(crate) fn encode_rows(
        &mut self,
        bounded: &BoundedCurves<'_>,
        rows: &[usize],
        coordinates: &Coordinates<'_>,
        record: &mut NestedRecord,
    ) {
        let all = bounded.curves();
        if let (PrivacyUnit::Curve, [row]) = (all.unit(), rows) {
            return self.encode(bounded.projection(), coordinates, all.curve(*row), record);
        }
        let mut person = std::mem::replace(&mut self.person, no_curves(1));
        person.clear();
        for row in rows {
            // nobody has more than 2^34 curves in memory, and those of another grid add nothing
            let _ = self.add_to(&mut person, bounded.projection(), coordinates, all.curve(*row));
        }
        if person.close(record).is_err() {
            record.clear();
        }
        self.person = person;
    }
}

/// A person without curves yet.
pub(crate) fn no_curves(dimension: usize) -> PersonSum {
    PersonSum::new(dimension).unwrap_or_else(|_| unreachable!("the body of the statistic has this dimension already"))
}
