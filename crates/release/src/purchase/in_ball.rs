//! A statistic of records in a public ball, of which a part can be bought.

use dpfda_mechanism::{Mechanism, NoisyCenter, ReadError, Statistic, demand};
use dpfda_privacy::Law;
use dpfda_smoothing::{Ball, BallError};

use crate::purchase::bought::Bought;
use crate::purchase::radius_rule::Weighing;

/// A statistic that can be moved to another ball.
///
/// Its body is the same in every ball, in units of the radius: so is its noise, and a radius that is bought after the payment can be
/// refused by nothing.
pub trait InBall: Statistic {
    /// The public ball of the records.
    fn ball(&self) -> &Ball;

    /// How the ball was bought; `None` for a ball that was stated.
    fn bought(&self) -> Option<&Bought>;

    /// The radius that was stated, where a part of the budget found another: that of the stated ball, unless the norm of the ball counts more
    /// than the stated one. `None` where it cannot be told from the ball.
    fn stated_radius(&self) -> Option<f64> {
        self.bought().map(|bought| bought.stated_ball().radius())
    }

    /// The same in another ball, and how that was bought.
    fn in_ball(&self, ball: Ball, bought: Option<Bought>) -> Result<Self, BallError>;

    /// The numbers of records of the groups whose distances are counted apart, where they are public: one group, unless a kind says
    /// otherwise.
    fn counted(&self, records: Option<u64>) -> Vec<Option<u64>> {
        vec![records]
    }

    /// How the noise of what is released is weighed against the pull of a ball, where the number of records is public and where it is not.
    fn weighing(&self, is_public: bool) -> Weighing;

    /// What encodes records that come in parts or from a stream to buy a centre: its sums are in [`Statistic::center_body`]. `None` where
    /// no centre is bought from such records.
    fn to_center(&self) -> Option<Self> {
        None
    }

    /// The stated ball about the centre that a noisy mean calls for; `None` where no centre is bought.
    fn centered(&self, _center: &NoisyCenter<'_>) -> Option<Ball> {
        None
    }

    /// Refuses a mechanism, in a plan or in a release, that no builder of this kind makes.
    fn check_mechanism(mechanism: &Mechanism<Self>) -> Result<(), ReadError> {
        demand("noise.law", matches!(mechanism.law(), Law::Gaussian { .. }))?;
        demand("statistic.ball.bounds", mechanism.statistic().ball().is_of_its_bounds())
    }
}
