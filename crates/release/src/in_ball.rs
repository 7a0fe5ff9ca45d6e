//! A statistic of records in a public ball, of which the radius can be bought.

use dpfda_mechanism::Statistic;
use dpfda_privacy::{Body, LatticeVector};
use dpfda_smoothing::{Ball, BallError};

use crate::bought::Bought;
use crate::mean::Mean;
use crate::release_error::ReleaseError;

/// A statistic that can be moved to another ball.
///
/// Its body is the same in every ball, in units of the radius: so is its noise, and a radius that is bought after the payment can be
/// refused by nothing.
pub trait InBall: Statistic {
    /// The public ball of the records.
    fn ball(&self) -> &Ball;

    /// How the ball was bought; `None` for a ball that was stated.
    fn bought(&self) -> Option<&Bought<Self>>;

    /// The same in another ball, and how that was bought.
    ///
    /// # Errors
    /// [`BallError`] for a centre curve of another length.
    fn in_ball(&self, ball: Ball, bought: Option<Bought<Self>>) -> Result<Self, BallError>;

    /// The statistic whose records are counted by their distances from the centre of a stated ball.
    ///
    /// # Errors
    /// As [`InBall::in_ball`].
    fn plain_on(&self, ball: Ball) -> Result<Self, ReleaseError> {
        Ok(self.in_ball(ball, None)?)
    }

    /// The mean that a centre is bought with.
    ///
    /// # Errors
    /// [`ReleaseError::CenterNeedsCurves`] where there is none.
    fn of_center(&self, _ball: Ball) -> Result<Mean, ReleaseError> {
        Err(ReleaseError::CenterNeedsCurves)
    }

    /// Whether two statistics differ in their balls by no more than another machine's rounding, and in nothing else.
    fn is_close_to(&self, other: &Self) -> bool {
        self == other
    }

    /// The values of an encoded record, whose norm is its distance from the centre.
    fn values(vector: &mut <Self::Body as Body>::Vector) -> &LatticeVector;
}
