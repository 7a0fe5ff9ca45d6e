//! Sums in every ball that a radius can be bought for: one pass over the records, before the radius is known.

use dpfda_mechanism::{
    FingerprintKey, Fingerprinter, LedgerReference, Mechanism, MechanismError, PartError, PartFile, PartId, Partial,
    PartialError, Prepared, Release, RestoreError,
};
use dpfda_privacy::{Body, ExactSum, LatticeError, MomentBall, RecordMean};
use dpfda_smoothing::{BallError, Projection};

use crate::bought::{Bought, Steps};
use crate::encode::{CurveRecord, CurveRoom, record_mean};
use crate::in_ball::InBall;
use crate::mean::Mean;
use crate::norms::Norms;
use crate::prepared_in_ball::{Answers, BallData};
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
    /// Of the stated ball, without second moments.
    norms: Partial<Norms>,
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
    pub(crate) norms: Partial<Norms<S>>,
    /// The radius, and the sum in its ball.
    pub(crate) sums: Vec<(f64, ExactSum<S::Body>)>,
}

impl NestedSums {
    pub(crate) fn new(steps: &Steps, radius: &Mechanism<Norms>, part: PartId) -> Result<Self, BallError> {
        let stated = steps.mean.statistic();
        let (grid, body) = (stated.grid(), *steps.mean.body());
        let plain = radius.statistic().mean().clone();
        let layers = balls(stated).map(|mean| {
            let projection = Projection::new(mean.ball(), grid)?;
            Ok(Layer { projection, mean, inside: ExactSum::new(body), outside: ExactSum::new(body) })
        });
        let layers = layers.collect::<Result<_, BallError>>()?;
        Ok(Self {
            norms: radius.partial(part),
            plain: (Projection::new(plain.ball(), grid)?, plain),
            layers,
            room: CurveRoom::new(grid.len(), body.vector()),
        })
    }

    /// Adds a curve that is a record.
    pub(crate) fn add(&mut self, curve: &[f64]) -> Result<(), MechanismError> {
        self.norms.add(CurveRecord::one(&self.plain.0, curve))?;
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
        let record = CurveRecord::encoded(&person.plain);
        match tagged {
            Some((key, subject)) => self.norms.add_of(key, subject, record)?,
            None => self.norms.add(record)?,
        }
        for (layer, mean) in self.layers.iter_mut().zip(&person.layers) {
            mean.mean_into(&mut self.room.vector)?;
            layer.inside.add(&self.room.vector)?;
        }
        Ok(())
    }

    /// Adds the sums of other records of the same part.
    pub(crate) fn absorb(&mut self, other: Self) -> Result<(), PartialError> {
        self.norms.absorb(other.norms).map_err(|refused| refused.reason)?;
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
        Ok(Nested { norms: self.norms, sums })
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
    /// Joins the sums of another part.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Box<(PartialError, Self)>> {
        let Self { norms, sums } = other;
        if let Err(refused) = self.norms.merge(norms) {
            return Err(Box::new((refused.reason, Self { norms: *refused.partial, sums })));
        }
        for ((_, mine), (_, theirs)) in self.sums.iter_mut().zip(&sums) {
            mine.merge(theirs)
                .unwrap_or_else(|_| unreachable!("as many records as distances, in the body of the plan"));
        }
        Ok(())
    }

    /// What a release in the stated ball adds its noise to, of a number of records that was checked.
    pub(crate) fn in_stated(self, stated: &Mechanism<S>) -> Prepared<S> {
        let radius = stated.statistic().ball().radius();
        let sum = self.sums.into_iter().find(|(of, _)| *of == radius).map(|(_, sum)| sum);
        let prepared = sum.and_then(|sum| stated.prepare_sum(sum).ok());
        prepared.unwrap_or_else(|| unreachable!("the first sum is that of the stated ball, of enough records"))
    }

    pub(crate) fn to_file(&self, plan: String) -> PartFile {
        let mut file = self.norms.to_file(plan);
        self.sums.iter().for_each(|(_, sum)| file.push(sum));
        file
    }

    /// Sums of as many records as there are distances.
    pub(crate) fn from_file(steps: &Steps<S>, radius: &Mechanism<Norms<S>>, file: PartFile) -> Result<Self, PartError> {
        let (norms, mut file) = Partial::from_file(radius.clone(), file)?;
        let mut sums = Vec::new();
        for inner in balls(steps.mean.statistic()) {
            let sum = file.take(steps.mean.body().clone())?;
            if sum.records() != *norms.records().reveal() {
                return Err(PartError::OtherPlan);
            }
            sums.push((inner.ball().radius(), sum));
        }
        if file.is_empty() { Ok(Self { norms, sums }) } else { Err(PartError::OtherPlan) }
    }
}

impl<S: InBall> BallData<S> for Nested<S> {
    /// No centre is bought, and the records are not needed again.
    fn run<A: Answers>(
        self,
        steps: &Steps<S>,
        answers: &mut A,
        ledger: Option<LedgerReference>,
    ) -> Result<Release<S>, RestoreError> {
        let Self { norms, sums } = self;
        let counts = steps.radius.as_ref().and_then(|mechanism| mechanism.prepare(norms).ok());
        let counts = counts.unwrap_or_else(|| unreachable!("plan and number of records were checked"));
        let stated = steps.mean.statistic().ball().clone();
        let bought = Bought::stated(stated).with_radius(answers.answer(counts, None)?);
        let radius = bought.ball().radius();
        let sum = sums.into_iter().find(|(of, _)| *of == radius).map(|(_, sum)| sum);
        let sum = sum.unwrap_or_else(|| unreachable!("there is a sum for each radius"));
        let prepared = steps.in_bought(bought).prepare_sum(sum);
        answers.answer(prepared.unwrap_or_else(|_| unreachable!("the number of records was checked")), ledger)
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.norms.fingerprint(fingerprinter);
        self.sums.iter().for_each(|(_, sum)| sum.absorb(|bytes| fingerprinter.add(bytes)));
    }
}

/// The statistic in each ball that can be bought, the stated one first. Those so small that they are lost in rounding are left
/// out: nobody can buy them.
pub(crate) fn balls<S: InBall>(stated: &S) -> impl Iterator<Item = S> + '_ {
    let ball = stated.ball();
    (0..=MOST_EIGHTHS).filter_map(move |eighths| {
        let smaller = ball.moved(ball.center().clone(), shrunk(ball.radius(), eighths)).ok()?;
        stated.in_ball(smaller, Some(Bought::stated(ball.clone()))).ok()
    })
}
