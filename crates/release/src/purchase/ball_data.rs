//! What a release in a ball is made from: a sum, or records in memory that are encoded twice.

use dpfda_mechanism::{AgainError, AtHand, Fingerprinter, Mechanism, Prepared, PrivateData, RowDigest};
use dpfda_privacy::{Body, Bucket, Bucketed, ClippedBall, ExactSum, NestedRadius, OneHot, Radii};
use dpfda_smoothing::{Ball, CurveSet};

use crate::purchase::bought::Bought;
use crate::purchase::bucket_sum::BucketSum;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::release_error::ReleaseError;

/// Curves in memory with what a statistic needs beside them: what is encoded once, or twice where a centre is bought.
pub trait Records<S: InBall> {
    /// The curves of all records.
    fn curves(&self) -> &CurveSet;

    /// What is known of a curve beside its values, so that a digest tells it from others: given its record and its row.
    fn beside(&self, _record: usize, _row: usize) -> Vec<u8> {
        Vec::new()
    }

    /// The sum that buys a centre, in the stated ball.
    ///
    /// # Errors
    /// [`ReleaseError`] for curves that do not fit the statistic.
    fn sum_to_center(&self, stated: &S, body: &ClippedBall) -> Result<ExactSum<ClippedBall>, ReleaseError>;

    /// The sum in the ball of a statistic, and in every smaller one that can be bought.
    ///
    /// # Errors
    /// [`ReleaseError`] for curves that do not fit the statistic.
    fn sum(&self, centered: &S, body: &S::Body) -> Result<ExactSum<S::Body>, ReleaseError>;

    /// The same without the directions of records inside, and the bucket of each record; `None` where all are summed at once.
    ///
    /// # Errors
    /// [`ReleaseError`] for curves that do not fit the statistic.
    fn sum_inside(&self, _centered: &S, _body: &S::Body) -> Result<Option<Inside<S::Body>>, ReleaseError> {
        Ok(None)
    }

    /// Adds the directions that a radius needs.
    ///
    /// # Errors
    /// [`ReleaseError`] for curves that do not fit the statistic.
    fn add_directions(
        &self,
        _centered: &S,
        _inside: &mut Inside<S::Body>,
        _radius: NestedRadius,
    ) -> Result<(), ReleaseError> {
        Ok(())
    }
}

/// A sum that lacks the directions of records inside, and the bucket of each record: which radius is bought says whose directions it
/// needs, few of all. It is private data.
pub struct Inside<B: Body> {
    pub(crate) sum: ExactSum<B>,
    pub(crate) buckets: Vec<Bucket>,
}

/// What a release in a ball is made from: private data.
pub enum BallData<B: Bucketed, R> {
    /// The sum in the stated ball, and in every smaller one that can be bought.
    Sum(BucketSum<B>),
    /// Records in memory, which are encoded again about the centre that is bought, with the sum that buys it.
    Records(Option<Box<ExactSum<ClippedBall>>>, R),
    /// Records that are summed about the centre that was bought, in the ball of the stated radius, but for directions.
    Inside(Box<Inside<B>>, Ball, R),
}

impl<B: Bucketed, R> AtHand for BallData<B, R> {}

impl<B: Bucketed, R> From<ExactSum<B>> for BallData<B, R> {
    fn from(sum: ExactSum<B>) -> Self {
        Self::Sum(sum.into())
    }
}

/// Everything of a release but its noise: records are kept where a centre is bought.
pub(crate) fn prepare<S: InBall<Body: Bucketed>, R: Records<S>>(
    mechanism: Mechanism<S>,
    records: R,
) -> Result<Prepared<S, BallData<S::Body, R>>, ReleaseError> {
    let statistic = mechanism.statistic();
    let data = match mechanism.center() {
        Some(center) => BallData::Records(Some(Box::new(records.sum_to_center(statistic, center.body())?)), records),
        None => BallData::from(records.sum(statistic, mechanism.body())?),
    };
    Ok(mechanism.prepare_data(data)?)
}

impl<S: InBall<Body: Bucketed>, R: Records<S>> PrivateData<S> for BallData<S::Body, R> {
    fn records(&self) -> u64 {
        match self {
            Self::Sum(sum) => PrivateData::<S>::records(sum),
            Self::Records(_, records) | Self::Inside(.., records) => records.curves().units() as u64,
        }
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match self {
            Self::Sum(sum) => PrivateData::<S>::fingerprint(sum, fingerprinter),
            Self::Records(_, records) | Self::Inside(.., records) => digest(records).fingerprint(fingerprinter),
        }
    }

    fn center(&mut self, stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        match self {
            // it is given away once
            Self::Records(first, _) => first.take().map_or_else(|| ExactSum::new(body.clone()), |sum| *sum),
            // only records that are kept buy a centre
            Self::Sum(sum) => sum.center(stated, body),
            Self::Inside(..) => ExactSum::new(body.clone()),
        }
    }

    fn again(&mut self, centered: &S, body: &S::Body) -> Result<(), AgainError> {
        let owned = std::mem::replace(self, Self::from(ExactSum::new(body.clone())));
        *self = match owned {
            Self::Records(_, records) => about(records, centered, body)
                .unwrap_or_else(|_| unreachable!("the same records were summed about another centre")),
            other => other,
        };
        Ok(())
    }

    fn radius(&mut self, centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        match self {
            Self::Sum(sum) => sum.radius(centered, body),
            Self::Inside(inside, ..) => Norms::of_buckets(&inside.sum, body),
            // only a sum about the centre buys a radius
            Self::Records(..) => ExactSum::new(*body),
        }
    }

    fn last(self, bought: &S, body: &S::Body) -> ExactSum<S::Body> {
        match self {
            Self::Sum(sum) => sum.last(bought, body),
            Self::Inside(mut inside, ball, records) => {
                let radius = bought.bought().map_or(NestedRadius::STATED, Bought::radius);
                let centered = bought.in_ball(ball, None).map_err(ReleaseError::from);
                centered
                    .and_then(|centered| records.add_directions(&centered, &mut inside, radius))
                    .unwrap_or_else(|_| unreachable!("the same records were summed in the same ball"));
                PrivateData::<S>::last(BucketSum::from(inside.sum), bought, body)
            }
            Self::Records(..) => ExactSum::new(body.clone()),
        }
    }
}

/// The sum of records about the centre that was bought. Their directions are left for later where a radius will say which it needs.
fn about<S: InBall<Body: Bucketed>, R: Records<S>>(
    records: R,
    centered: &S,
    body: &S::Body,
) -> Result<BallData<S::Body, R>, ReleaseError> {
    let inside = if body.radii() == Radii::Any { records.sum_inside(centered, body)? } else { None };
    Ok(match inside {
        Some(inside) => BallData::Inside(Box::new(inside), centered.ball().clone(), records),
        None => BallData::from(records.sum(centered, body)?),
    })
}

/// The digest of the rows of all records, each with what is known beside it: that of a table which is read is the same.
fn digest<S: InBall>(records: &impl Records<S>) -> RowDigest {
    digest_of(records.curves(), |record, row| records.beside(record, row))
}

/// The same of curves, each with what is known beside it, given its record and its row.
pub(crate) fn digest_of(curves: &CurveSet, beside: impl Fn(usize, usize) -> Vec<u8>) -> RowDigest {
    let mut digest = RowDigest::new();
    for (record, rows) in curves.records().enumerate() {
        for &row in rows.iter() {
            let (id, beside) = (curves.subject(record), beside(record, row));
            if beside.is_empty() {
                digest.add(id, curves.curve(row));
            } else {
                let id = id.unwrap_or_default();
                digest.add(Some(&[&(id.len() as u64).to_le_bytes(), id, &beside].concat()), curves.curve(row));
            }
        }
    }
    digest
}
