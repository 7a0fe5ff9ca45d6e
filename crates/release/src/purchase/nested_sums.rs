//! The sums of rows in every ball that a radius can be bought for, for a part whose rows are not needed again.

use dpfda_mechanism::{Fingerprinter, Mechanism, PartError, PartFile, Partial, PartialError};
use dpfda_privacy::{ExactSum, NestedRadius, OneHot};

use crate::purchase::bought::Bought;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;

/// What one pass over the records found: whatever buys a radius and releases a statistic in its ball.
pub struct Nested<S: InBall> {
    /// Who is in it, and the sum in the stated ball.
    pub(crate) stated: Partial<S>,
    pub(crate) counts: ExactSum<OneHot>,
    /// The radius, and the sum in its ball.
    pub(crate) sums: Vec<(f64, ExactSum<S::Body>)>,
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
    NestedRadius::all().filter_map(move |radius| {
        let smaller = Bought::narrowed_ball(ball, radius)?;
        stated.in_ball(smaller, Some(Bought::of(ball.clone(), shares))).ok()
    })
}
