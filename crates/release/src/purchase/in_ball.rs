//! A statistic of records in a public ball, of which a part can be bought.

use dpfda_mechanism::{NoisyCenter, Statistic};
use dpfda_smoothing::{Ball, BallError};

use crate::purchase::bought::Bought;

/// A statistic that can be moved to another ball.
///
/// Its body is the same in every ball, in units of the radius: so is its noise, and a radius that is bought after the payment can be
/// refused by nothing.
pub trait InBall: Statistic {
    /// The public ball of the records.
    fn ball(&self) -> &Ball;

    /// How the ball was bought; `None` for a ball that was stated.
    fn bought(&self) -> Option<&Bought>;

    /// The same in another ball, and how that was bought.
    ///
    /// # Errors
    /// [`BallError`] for a centre curve of another length.
    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError>;

    /// What is summed to buy a centre: its sums are in [`Statistic::center_body`]. `None` where no centre is bought.
    fn to_center(&self) -> Option<Self> {
        None
    }

    /// The stated ball about the centre that a noisy mean calls for; `None` where no centre is bought.
    fn centered(&self, _center: &NoisyCenter<'_>) -> Option<Ball> {
        None
    }
}
