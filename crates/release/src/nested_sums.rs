//! Sums in every ball that a radius can be bought for: one pass over the records, before the radius is known.

use dpfda_mechanism::{
    FingerprintKey, Fingerprinter, Mechanism, MechanismError, PartError, PartFile, PartId, Partial, PartialError,
};
use dpfda_privacy::{Body, ExactSum, LatticeError, MomentBall, OneHot, OneHotVector, RecordMean};
use dpfda_smoothing::{BallError, Projection};

use crate::bought::Bought;
use crate::encode::{CurveRecord, CurveRoom, record_mean};
use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::norms::Norms;
use crate::radius_rule::{MOST_EIGHTHS, shrunk};

/// Radii that differ by octaves have the same digits.
const EIGHTHS: usize = 8;

/// The numbers of records by their distance from the centre, and a sum of the mean for each radius that they may call for.
///
/// ```text
/// ball j:  radius tau 2^(-j/8),  j = 0..48;     sum_j = sum_i encode(P_j(X_i))
/// ```
///
/// A curve outside a ball is pulled to its surface. In units of the radius it is then the same unit vector, to the last bit, in
/// all smaller balls whose radii differ by powers of two: it is encoded once, and added to their sums at the end.
pub(crate) struct NestedSums {
    /// Of the stated ball.
    stated: Partial<Mean>,
    counts: ExactSum<OneHot>,
    place: OneHotVector,
    /// The stated ball, without second moments.
    plain: (Projection, Mean),
    layers: Vec<Layer>,
    room: CurveRoom,
}

struct Layer {
    projection: Projection,
    mean: Mean,
    /// Records that are in no larger ball's `outside`.
    inside: ExactSum<MomentBall>,
    /// Records that leave this ball and no larger one of its octaves: they belong to all smaller ones too.
    outside: ExactSum<MomentBall>,
}

/// Curves of a person who may have more: in plain coordinates, and in each ball.
pub(crate) struct NestedMean {
    plain: RecordMean,
    layers: Vec<RecordMean>,
}

/// What one pass over the records found: whatever buys a radius and releases a statistic in its ball.
pub struct Nested<S: InBall = Mean> {
    /// Who is in it, and the sum in the stated ball.
    pub(crate) stated: Partial<S>,
    pub(crate) counts: ExactSum<OneHot>,
    /// The radius, and the sum in its ball.
    pub(crate) sums: Vec<(f64, ExactSum<S::Body>)>,
}

impl NestedSums {
    pub(crate) fn new(mechanism: &Mechanism<Mean>, part: PartId) -> Result<Self, BallError> {
        let (grid, body) = (mechanism.statistic().grid(), *mechanism.body());
        let (plain, cells) = (mechanism.statistic().plain(), Norms::body());
        let layers = balls(mechanism).map(|mean| {
            let projection = Projection::new(mean.ball(), grid)?;
            Ok(Layer { projection, mean, inside: ExactSum::new(body), outside: ExactSum::new(body) })
        });
        let layers = layers.collect::<Result<_, BallError>>()?;
        Ok(Self {
            stated: mechanism.partial(part),
            counts: ExactSum::new(cells),
            place: cells.vector(),
            plain: (Projection::new(plain.ball(), grid)?, plain),
            layers,
            room: CurveRoom::new(grid.len(), body.vector()),
        })
    }

    /// Counts the record that was encoded last, in plain coordinates.
    fn count(&mut self) -> Result<(), LatticeError> {
        self.counts.body().reset(&mut self.place);
        self.place.place(Norms::cell_of(&self.room.vector));
        self.counts.add(&self.place)
    }

    /// Adds a curve that is a record.
    pub(crate) fn add(&mut self, curve: &[f64]) -> Result<(), MechanismError> {
        self.stated.add(CurveRecord::one(&self.plain.0, curve))?;
        self.room.encode(&self.plain.0, &self.plain.1.whitening().coordinates(), curve);
        self.count()?;
        let Self { layers, room, .. } = self;
        for first in 0..EIGHTHS.min(layers.len()) {
            for layer in layers[first..].iter_mut().step_by(EIGHTHS) {
                if room.encode(&layer.projection, &layer.mean.whitening().coordinates(), curve) {
                    layer.outside.add(&room.vector)?;
                    break;
                }
                layer.inside.add(&room.vector)?;
            }
        }
        Ok(())
    }

    /// The mean of no curves.
    pub(crate) fn open(&self) -> NestedMean {
        let mean = |mean: &Mean| record_mean(mean.whitening().dimension());
        NestedMean { plain: mean(&self.plain.1), layers: self.layers.iter().map(|layer| mean(&layer.mean)).collect() }
    }

    /// Adds a curve of a person.
    pub(crate) fn add_to(&mut self, person: &mut NestedMean, curve: &[f64]) -> Result<(), MechanismError> {
        let Self { plain: (projection, mean), layers, room, .. } = self;
        room.encode(projection, &mean.whitening().coordinates(), curve);
        person.plain.add(&room.vector)?;
        for (layer, mean) in layers.iter().zip(&mut person.layers) {
            room.encode(&layer.projection, &layer.mean.whitening().coordinates(), curve);
            mean.add(&room.vector)?;
        }
        Ok(())
    }

    /// Adds the record of a person whose curves are all there.
    pub(crate) fn close(
        &mut self,
        tagged: Option<(&FingerprintKey, &[u8])>,
        person: &NestedMean,
    ) -> Result<(), PartialError> {
        if let Some(whole) = person.layers.first() {
            let record = CurveRecord::encoded(whole);
            match tagged {
                Some((key, subject)) => self.stated.add_of(key, subject, record)?,
                None => self.stated.add(record)?,
            }
        }
        person.plain.mean_into(&mut self.room.vector)?;
        self.count()?;
        for (layer, mean) in self.layers.iter_mut().zip(&person.layers) {
            mean.mean_into(&mut self.room.vector)?;
            layer.inside.add(&self.room.vector)?;
        }
        Ok(())
    }

    /// Adds the sums of other records of the same part.
    pub(crate) fn absorb(&mut self, other: Self) -> Result<(), PartialError> {
        self.stated.absorb(other.stated).map_err(|refused| refused.reason)?;
        self.counts.merge(&other.counts)?;
        for (mine, theirs) in self.layers.iter_mut().zip(&other.layers) {
            mine.inside.merge(&theirs.inside)?;
            mine.outside.merge(&theirs.outside)?;
        }
        Ok(())
    }

    /// The sum in each ball.
    pub(crate) fn finish(self) -> Result<Nested, MechanismError> {
        let mut sums: Vec<(f64, ExactSum<MomentBall>)> = Vec::with_capacity(self.layers.len());
        let mut outside: Vec<ExactSum<MomentBall>> = Vec::new();
        for (place, Layer { mean, mut inside, outside: mut here, .. }) in self.layers.into_iter().enumerate() {
            if let Some(larger) = outside.get(place % EIGHTHS) {
                here.merge(larger)?;
            }
            inside.merge(&here)?;
            sums.push((mean.ball().radius(), inside));
            match outside.get_mut(place % EIGHTHS) {
                Some(larger) => *larger = here,
                None => outside.push(here),
            }
        }
        Ok(Nested { stated: self.stated, counts: self.counts, sums })
    }
}

impl NestedMean {
    /// Adds curves of the same person that were encoded elsewhere.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<(), LatticeError> {
        self.plain.merge(&other.plain)?;
        self.layers.iter_mut().zip(&other.layers).try_for_each(|(mine, theirs)| mine.merge(theirs))
    }
}

impl<S: InBall> Nested<S> {
    pub(crate) fn records(&self) -> u64 {
        *self.stated.records().reveal()
    }

    /// Joins the sums of another part.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Box<(PartialError, Self)>> {
        let Self { stated, counts, sums } = other;
        if let Err(refused) = self.stated.merge(stated) {
            return Err(Box::new((refused.reason, Self { stated: *refused.partial, counts, sums })));
        }
        let unreachable = "as many records as in the stated ball, in the bodies of the plan";
        self.counts.merge(&counts).unwrap_or_else(|_| unreachable!("{unreachable}"));
        for ((_, mine), (_, theirs)) in self.sums.iter_mut().zip(&sums) {
            mine.merge(theirs).unwrap_or_else(|_| unreachable!("{unreachable}"));
        }
        Ok(())
    }

    pub(crate) fn to_file(&self, plan: String) -> PartFile {
        let mut file = self.stated.to_file(plan);
        file.push(&self.counts);
        self.sums.iter().for_each(|(_, sum)| file.push(sum));
        file
    }

    /// Sums of as many records as there are in the stated ball.
    pub(crate) fn from_file(mechanism: &Mechanism<S>, file: PartFile) -> Result<Self, PartError> {
        let (stated, mut file) = Partial::from_file(mechanism.clone(), file)?;
        let records = *stated.records().reveal();
        let counts = file.take(Norms::body())?;
        let mut is_whole = counts.records() == records;
        let mut sums = Vec::new();
        for inner in balls(mechanism) {
            let sum = file.take(mechanism.body().clone())?;
            is_whole &= sum.records() == records;
            sums.push((inner.ball().radius(), sum));
        }
        if is_whole && file.is_empty() { Ok(Self { stated, counts, sums }) } else { Err(PartError::OtherPlan) }
    }

    pub(crate) fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.counts.absorb(|bytes| fingerprinter.add(bytes));
        self.sums.iter().for_each(|(_, sum)| sum.absorb(|bytes| fingerprinter.add(bytes)));
    }

    /// The numbers of records by their distance, which are not here afterwards.
    pub(crate) fn take_counts(&mut self) -> ExactSum<OneHot> {
        std::mem::replace(&mut self.counts, ExactSum::new(Norms::body()))
    }

    /// The sum in the ball of a bought radius.
    pub(crate) fn sum(self, radius: f64) -> ExactSum<S::Body> {
        let sum = self.sums.into_iter().find(|(of, _)| *of == radius).map(|(_, sum)| sum);
        sum.unwrap_or_else(|| unreachable!("there is a sum for each radius"))
    }
}

/// The statistic in each ball that can be bought, the stated one first. Those so small that they are lost in rounding are left
/// out: nobody can buy them.
pub(crate) fn balls<S: InBall>(mechanism: &Mechanism<S>) -> impl Iterator<Item = S> + '_ {
    let (stated, shares) = (mechanism.statistic(), mechanism.shares());
    let ball = stated.ball();
    (0..=MOST_EIGHTHS).filter_map(move |eighths| {
        let smaller = ball.moved(ball.center().clone(), shrunk(ball.radius(), eighths)).ok()?;
        stated.in_ball(smaller, Some(Bought::of(ball.clone(), shares))).ok()
    })
}
