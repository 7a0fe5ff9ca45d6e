//! What records are encoded by, where they are gone through once or twice.

use dpfda_mechanism::{BallShares, Mechanism, ReadError, demand};

use crate::purchase::in_ball::InBall;
use crate::release_error::ReleaseError;

/// A pass over the records.
///
/// ```text
/// only      in the stated ball, whatever radius is bought of it
/// first     the plain mean in the stated ball, which a centre is bought with
/// second    about that centre, whatever radius is bought
/// ```
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Round<S: InBall> {
    Only,
    First(Mechanism<S>),
    Second(Mechanism<S>),
}

impl<S: InBall> Round<S> {
    /// The first pass of a plan, which may be the only one.
    pub(crate) fn first(whole: &Mechanism<S>) -> Result<Self, ReleaseError> {
        if whole.shares().center().is_none() {
            return Ok(Self::Only);
        }
        let plain = whole.statistic().to_center().ok_or(ReleaseError::CenterNeedsCurves)?;
        Ok(Self::First(Mechanism::new(plain, whole.terms().clone().buying(BallShares::NONE))?))
    }

    /// The pass about a centre that was bought. Its sums are in the body of the last answer.
    pub(crate) fn second(centered: &S, whole: &Mechanism<S>) -> Result<Self, ReleaseError> {
        let terms = whole.terms().clone().buying(whole.shares().without_center());
        Ok(Self::Second(Mechanism::new(centered.clone(), terms)?))
    }

    /// The same from a document: it differs from what is planned by the place of its ball, and perhaps by a radius that a default did not
    /// buy.
    pub(crate) fn read(about: Mechanism<S>, planned: &Mechanism<S>) -> Result<Self, ReadError> {
        let (mine, theirs) = (planned.statistic(), about.statistic());
        let moved = mine.ball().moved(theirs.ball().center().clone(), mine.ball().radius());
        let moved = moved.and_then(|ball| mine.in_ball(ball, None));
        demand("about.statistic", moved.is_ok_and(|moved| moved == *theirs))?;
        let (shares, rest) = (planned.shares(), planned.shares().without_center());
        let is_left = about.shares() == rest.asked_for() || (rest.is_if_enough() && !about.shares().buys());
        demand("about.shares", shares.center().is_some() && is_left)?;
        let terms = |of: &Mechanism<S>| of.terms().clone().buying(BallShares::NONE);
        demand("about", terms(planned) == terms(&about))?;
        Ok(Self::Second(about))
    }

    /// What records are encoded by.
    pub(crate) fn encoded<'a>(&'a self, whole: &'a Mechanism<S>) -> &'a Mechanism<S> {
        match self {
            Self::Only => whole,
            Self::First(mechanism) | Self::Second(mechanism) => mechanism,
        }
    }
}
