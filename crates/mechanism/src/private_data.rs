//! What an answer is made of, given the answers before it.

use dpfda_privacy::{ClippedBall, ExactSum, OneHot};

use crate::fingerprint::Fingerprinter;
use crate::passes::AgainError;
use crate::statistic::Statistic;

/// Private data that give the exact sum of each answer, given the answers before it.
///
/// An exact sum is such data for a plan that buys nothing. Whatever can be refused is refused before: only going through the data again,
/// about a centre that was bought, can fail.
pub trait PrivateData<S: Statistic> {
    /// The number of records.
    fn records(&self) -> u64;

    /// Gives everything exact to a keyed digest, by which a curator recognises the same data.
    fn fingerprint(&self, fingerprinter: &mut Fingerprinter);

    /// The sum that buys a centre, in the stated ball.
    fn center(&mut self, stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall>;

    /// Goes through the records again, about the centre that was bought: nothing is drawn.
    fn again(&mut self, _centered: &S, _body: &S::Body) -> Result<(), AgainError> {
        Ok(())
    }

    /// The numbers of records by their distance from the centre that was bought, or from the stated one.
    fn radius(&mut self, centered: &S, body: &OneHot) -> ExactSum<OneHot>;

    /// The sum in the ball that was bought, or in the stated one.
    fn last(self, bought: &S, body: &S::Body) -> ExactSum<S::Body>;
}

/// Mechanisms that buy give themselves no exact sum ([`Mechanism::prepare_sum`](crate::Mechanism::prepare_sum) refuses it): an answer would be noise alone.
impl<S: Statistic> PrivateData<S> for ExactSum<S::Body> {
    fn records(&self) -> u64 {
        self.records()
    }

    fn fingerprint(&self, fingerprinter: &mut Fingerprinter) {
        self.absorb(|bytes| fingerprinter.add(bytes));
    }

    fn center(&mut self, _stated: &S, body: &ClippedBall) -> ExactSum<ClippedBall> {
        ExactSum::new(body.clone())
    }

    fn radius(&mut self, _centered: &S, body: &OneHot) -> ExactSum<OneHot> {
        ExactSum::new(*body)
    }

    fn last(self, _bought: &S, _body: &S::Body) -> Self {
        self
    }
}
