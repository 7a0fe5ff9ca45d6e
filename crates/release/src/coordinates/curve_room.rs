//! Curves as records of a mean: the last private thing before the sum.

use dpfda_privacy::{LatticeError, NestedRecord, PersonSum, PrivacyUnit};
use dpfda_smoothing::{BoundedCurves, Projection};

use crate::coordinates::encode::CurveRecord;
use crate::coordinates::whitening::Coordinates;

/// Curves that wait for one another, so that what is read of a map is used for all of them. No curve's record depends on the others.
const WAITING: usize = 16;

/// Room for encoding curves; every record overwrites it.
pub struct CurveRoom {
    points: usize,
    /// Of the curves that wait, one behind the other.
    isonormal: Vec<f64>,
    waiting: usize,
    buffer: Vec<f64>,
    person: PersonSum,
}

impl CurveRoom {
    /// Room for curves on so many points, and so many coordinates.
    pub(crate) fn new(points: usize, dimension: usize) -> Self {
        Self {
            points,
            isonormal: vec![0.0; points * WAITING],
            waiting: 0,
            buffer: Vec::new(),
            person: no_curves(dimension),
        }
    }

    /// Takes the coordinates of a curve in units of the radius: clipped where the map makes no vector longer, otherwise for the integers to
    /// clip. Whether there is room for no more.
    pub(crate) fn take(&mut self, projection: &Projection, coordinates: &Coordinates<'_>, curve: &[f64]) -> bool {
        self.whiten(projection, coordinates, curve);
        self.waiting += 1;
        self.waiting == WAITING
    }

    /// Writes a curve behind those that wait.
    fn whiten(&mut self, projection: &Projection, coordinates: &Coordinates<'_>, curve: &[f64]) {
        let isonormal = &mut self.isonormal[self.waiting * self.points..][..self.points];
        if coordinates.clip_first() {
            projection.whiten_into(curve, isonormal);
        } else {
            projection.coordinates_into(curve, isonormal);
        }
    }

    /// Writes each curve that waits into the record, and gives this away.
    ///
    /// # Errors
    /// Those of `give`; no curve waits any more then.
    pub(crate) fn empty<E>(
        &mut self,
        coordinates: &Coordinates<'_>,
        record: &mut NestedRecord,
        give: impl FnMut(&NestedRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let waiting = std::mem::take(&mut self.waiting);
        let all = coordinates.apply(&mut self.isonormal[..waiting * self.points], &mut self.buffer);
        record.encode_each(all, coordinates.dimension(), give)
    }

    /// The coordinates of one curve, which waits for none.
    fn coordinates(&mut self, projection: &Projection, coordinates: &Coordinates<'_>, curve: &[f64]) -> &[f64] {
        self.whiten(projection, coordinates, curve);
        let isonormal = &mut self.isonormal[self.waiting * self.points..][..self.points];
        coordinates.apply(isonormal, &mut self.buffer)
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
            return encode(self.coordinates(bounded.projection(), coordinates, all.curve(*row)), record);
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

    /// Writes each of these records into one, and gives this away, as [`CurveRoom::encode_rows`] does; curves that are records wait for
    /// one another.
    ///
    /// # Errors
    /// Those of `give`.
    pub(crate) fn encode_all<'c, E>(
        &mut self,
        records: impl Iterator<Item = CurveRecord<'c>>,
        coordinates: &Coordinates<'_>,
        record: &mut NestedRecord,
        mut give: impl FnMut(&NestedRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        for CurveRecord { curves, rows } in records {
            match (curves.curves().unit(), &*rows) {
                (PrivacyUnit::Curve, [row]) => {
                    if self.take(curves.projection(), coordinates, curves.curves().curve(*row)) {
                        self.empty(coordinates, record, &mut give)?;
                    }
                }
                (_, rows) => {
                    self.encode_rows(curves, rows, coordinates, record);
                    give(record)?;
                }
            }
        }
        self.empty(coordinates, record, give)
    }
}

/// Writes the coordinates of a curve into a record.
fn encode(z: &[f64], record: &mut NestedRecord) {
    // a statistic on another grid than the curves: nothing of the record is used
    if record.encode(z).is_err() {
        record.clear();
    }
}

/// A person without curves yet.
pub(crate) fn no_curves(dimension: usize) -> PersonSum {
    PersonSum::new(dimension).unwrap_or_else(|_| unreachable!("the body of the statistic has this dimension already"))
}
