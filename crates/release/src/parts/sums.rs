//! The exact sums of records, whatever radius is bought of them.

use dpfda_mechanism::{Fingerprinter, Mechanism, PartError, PartFile, PrivateData};
use dpfda_privacy::{ClippedBall, ExactSum, NestedRadius, OneHot};

use crate::purchase::bought::Bought;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;

/// The exact sums of records that are not needed again: private data.
///
/// One sum, where its body is [in buckets](InBall::IN_BUCKETS) or nothing is bought; otherwise one in each ball that can be bought.
pub struct PartSums<S: InBall> {
    pub(crate) sum: ExactSum<S::Body>,
    pub(crate) beside: Option<EveryBall<S>>,
}

/// The sums in every ball that can be bought, beside the one in the stated ball.
pub(crate) struct EveryBall<S: InBall> {
    pub(crate) counts: ExactSum<OneHot>,
    /// The radius, and the sum in its ball.
    pub(crate) sums: Vec<(f64, ExactSum<S::Body>)>,
}

impl<S: InBall> EveryBall<S> {
    /// Whether a part of this mechanism keeps these.
    pub(crate) fn are_kept(mechanism: &Mechanism<S>) -> bool {
        !S::IN_BUCKETS && mechanism.shares().buys()
    }

    /// Joins those of another part of the same plan.
    pub(crate) fn merge(&mut self, other: &Self) {
        let unreachable = "as many records as in the stated ball, in the bodies of the plan";
        self.counts.merge(&other.counts).unwrap_or_else(|_| unreachable!("{unreachable}"));
        for ((_, mine), (_, theirs)) in self.sums.iter_mut().zip(&other.sums) {
            mine.merge(theirs).unwrap_or_else(|_| unreachable!("{unreachable}"));
        }
    }

    pub(crate) fn push_to(&self, file: &mut PartFile) {
        file.push(&self.counts);
        self.sums.iter().for_each(|(_, sum)| file.push(sum));
    }

    /// Sums of as many records as there are in the stated ball.
    pub(crate) fn take_from(file: &mut PartFile, mechanism: &Mechanism<S>, records: u64) -> Result<Self, PartError> {
        let counts = file.take(Norms::body())?;
        let mut is_whole = counts.records() == records;
        let mut sums = Vec::new();
        for inner in balls(mechanism) {
            let sum = file.take(mechanism.body().clone())?;
            is_whole &= sum.records() == records;
            sums.push((inner.ball().radius(), sum));
        }
        if is_whole { Ok(Self { counts, sums }) } else { Err(PartError::OtherPlan) }
    }

    /// The sum in the ball of a bought radius.
    fn sum(self, radius: f64) -> ExactSum<S::Body> {
        let sum = self.sums.into_iter().find(|(of, _)| *of == radius).map(|(_, sum)| sum);
        sum.unwrap_or_else(|| unreachable!("there is a sum for each radius"))
    }
}

impl<S: InBall> PrivateData<S> for PartSums<S> {
    fn records(&self) -> u64 {
        self.sum.records()
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        match &self.beside {
            None => self.sum.absorb(|bytes| fingerprinter.add(bytes)),
            Some(EveryBall { counts, sums }) => {
                counts.absorb(|bytes| fingerprinter.add(bytes));
                sums.iter().for_each(|(_, sum)| sum.absorb(|bytes| fingerprinter.add(bytes)));
            }
        }
    }

    /// Nobody asks for it: a plan that buys a centre needs the records again.
    fn center(&mut self, _stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, _centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        match &mut self.beside {
            Some(beside) => std::mem::replace(&mut beside.counts, ExactSum::new(*body)),
            None => S::counts(&self.sum, body),
        }
    }

    fn last(self, bought: &S, _body: &S::Body) -> ExactSum<S::Body> {
        match self.beside {
            Some(beside) if bought.bought().is_some() => beside.sum(bought.ball().radius()),
            _ => S::narrowed(self.sum, bought.bought().map_or(NestedRadius::STATED, Bought::radius)),
        }
    }
}

/// The statistic in each ball that can be bought, the stated one first. Those so small that they are lost in rounding are left
/// out: nobody can buy them.
pub(crate) fn balls<S: InBall>(mechanism: &Mechanism<S>) -> impl Iterator<Item = S> + '_ {
    let (stated, shares) = (mechanism.statistic(), mechanism.shares());
    let ball = stated.ball();
    NestedRadius::all().filter_map(move |radius| {
        let smaller = Bought::narrowed_ball(ball, radius)?;
        stated.in_ball(smaller, Some(Bought::of(ball.clone(), shares))).ok()
    })
}
