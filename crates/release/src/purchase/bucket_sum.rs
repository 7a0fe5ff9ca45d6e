//! One exact sum of records, from which that in the ball of any bought radius follows.

use dpfda_mechanism::{Fingerprinter, PrivateData};
use dpfda_privacy::{ClippedBall, ExactSum, NestedBody, NestedRadius, OneHot};

use crate::purchase::bought::Bought;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;

/// The sums of the buckets between the nested radii: private data, enough to buy a radius and to release a statistic in its ball.
pub struct BucketSum<B: NestedBody>(ExactSum<B>);

impl<B: NestedBody> From<ExactSum<B>> for BucketSum<B> {
    fn from(sum: ExactSum<B>) -> Self {
        Self(sum)
    }
}

impl<S: InBall<Body: NestedBody>> PrivateData<S> for BucketSum<S::Body> {
    fn records(&self) -> u64 {
        self.0.records()
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.0.absorb(|bytes| fingerprinter.add(bytes));
    }

    fn center(&mut self, _stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        // records that are not kept buy no centre
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, _centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        Norms::of_buckets(&self.0, body)
    }

    fn last(self, bought: &S, _body: &S::Body) -> ExactSum<S::Body> {
        let sum = self.0.at(bought.bought().map_or(NestedRadius::STATED, Bought::radius));
        sum.unwrap_or_else(|_| unreachable!("sums are kept for all radii where one is bought"))
    }
}
