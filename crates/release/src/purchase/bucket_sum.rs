//! One pass over the records, whatever radius is bought.

use dpfda_mechanism::{AtHand, Fingerprinter, PrivateData};
use dpfda_privacy::{Bucketed, ClippedBall, ExactSum, NestedRadius, OneHot};

use crate::purchase::bought::Bought;
use crate::purchase::in_ball::InBall;
use crate::purchase::norms::Norms;

/// The sum of records in buckets: the counts that buy a radius, and the sum of the records clipped at the radius that was bought.
///
/// It buys no centre. It is private data.
pub struct BucketSum<B: Bucketed>(Box<ExactSum<B>>);

impl<B: Bucketed> From<ExactSum<B>> for BucketSum<B> {
    fn from(sum: ExactSum<B>) -> Self {
        Self(Box::new(sum))
    }
}

impl<B: Bucketed> AtHand for BucketSum<B> {}

impl<S: InBall<Body: Bucketed>> PrivateData<S> for BucketSum<S::Body> {
    fn records(&self) -> u64 {
        self.0.records()
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.0.absorb(|bytes| fingerprinter.add(bytes));
    }

    fn center(&mut self, _stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, _centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        Norms::of_buckets(&self.0, body)
    }

    fn last(self, bought: &S, _body: &S::Body) -> ExactSum<S::Body> {
        let sum = self.0.at(bought.bought().map_or(NestedRadius::STATED, Bought::radius));
        sum.unwrap_or_else(|_| unreachable!("where a radius is bought, sums are kept for all"))
    }
}
