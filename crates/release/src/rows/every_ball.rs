//! The sums of rows in every ball that a radius can be bought for: no sum in one of them gives that in another.

use dpfda_mechanism::{Mechanism, PartError, PartFile, RowDigest};
use dpfda_privacy::{ExactSum, NestedRadius, OneHot, WeightedBall};

use crate::parts::plan::Beside;
use crate::purchase::bought::Bought;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;
use crate::rows::Rows;

/// The sums in every ball that can be bought, beside the one in the stated ball; none where nothing is bought.
///
/// Values are clamped by bin, at a bound that follows the radius. Private data.
#[derive(Default)]
pub struct EveryBall(pub(crate) Option<Sums>);

/// A digest of the subjects, counts, and sums in balls.
pub(crate) struct Sums {
    pub(crate) subjects: RowDigest,
    pub(crate) counts: ExactSum<OneHot>,
    /// The radius, and the sum in its ball.
    pub(crate) balls: Vec<(f64, ExactSum<WeightedBall>)>,
}

impl Beside<Rows> for EveryBall {
    fn merge(&mut self, other: &Self) {
        let (Some(mine), Some(theirs)) = (&mut self.0, &other.0) else { return };
        let unreachable = "as many records as in the stated ball, in the bodies of the plan";
        mine.subjects.merge(&theirs.subjects);
        mine.counts.merge(&theirs.counts).unwrap_or_else(|_| unreachable!("{unreachable}"));
        for ((_, mine), (_, theirs)) in mine.balls.iter_mut().zip(&theirs.balls) {
            mine.merge(theirs).unwrap_or_else(|_| unreachable!("{unreachable}"));
        }
    }

    fn push_to(&self, file: &mut PartFile) {
        if let Some(Sums { subjects, counts, balls }) = &self.0 {
            file.push_digest(subjects);
            file.push(counts);
            for (_, sum) in balls {
                file.push(sum);
            }
        }
    }

    fn take_from(file: &mut PartFile, mechanism: &Mechanism<Rows>, records: u64) -> Result<Self, PartError> {
        if !mechanism.shares().buys() {
            return Ok(Self(None));
        }
        let (subjects, counts) = (file.take_digest()?, file.take(Norms::body(1))?);
        let mut is_whole = subjects.rows() == records && counts.records() == records;
        let mut balls = Vec::new();
        for inner in balls_of(mechanism) {
            let sum = file.take(*mechanism.body())?;
            is_whole &= sum.records() == records;
            balls.push((inner.ball().radius(), sum));
        }
        if is_whole { Ok(Self(Some(Sums { subjects, counts, balls }))) } else { Err(PartError::OtherPlan) }
    }
}

impl Sums {
    /// The sum in the ball of a bought radius.
    pub(crate) fn of_radius(self, radius: f64) -> ExactSum<WeightedBall> {
        let sum = self.balls.into_iter().find(|(of, _)| *of == radius).map(|(_, sum)| sum);
        sum.unwrap_or_else(|| unreachable!("there is a sum for each radius"))
    }
}

/// The statistic in each ball that can be bought, the stated one first. Those so small that they are lost in rounding are left
/// out: nobody can buy them.
pub(crate) fn balls_of(mechanism: &Mechanism<Rows>) -> impl Iterator<Item = Rows> + '_ {
    let (stated, shares) = (mechanism.statistic(), mechanism.shares());
    let ball = stated.ball();
    NestedRadius::all().filter_map(move |radius| {
        let smaller = Bought::narrowed_ball(ball, radius)?;
        stated.in_ball(smaller, Some(Bought::of(ball.clone(), shares))).ok()
    })
}
